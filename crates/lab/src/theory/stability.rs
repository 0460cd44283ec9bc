//! The linearised loop of a scenario.

use setpoint_fluid::linear::{Loop, linearise};
use setpoint_fluid::{ModelOptions, Scheme};
use setpoint_scenario::Prepared;

use super::error::TheoryError;
use super::form::{DcqcnReading, Form, form};
use super::record::{EquilibriumRecord, LoopRecord};

/// Number of frequencies at which the open loop is evaluated.
const FREQUENCIES: usize = 241;
/// Decades below and above the crossover.
const DECADES: (f64, f64) = (-2.0, 1.0);

/// Analyses the loop of a scenario: its margin, its bound, and its behaviour at its own delay.
///
/// # Errors
/// If the scenario has no fluid form, or its model has no linearisation.
pub fn closed_loop(prepared: &Prepared, reading: &ModelOptions) -> Result<LoopRecord, TheoryError> {
    closed_loop_read_as(prepared, reading, DcqcnReading::default())
}

/// Like [`closed_loop`], for a given reading of DCQCN's equations.
pub(super) fn closed_loop_read_as(
    prepared: &Prepared,
    reading: &ModelOptions,
    dcqcn: DcqcnReading,
) -> Result<LoopRecord, TheoryError> {
    let form = form(prepared)?.read_as(dcqcn);
    let closed = linearise(&form.bottleneck, &form.scheme, reading)?;
    Ok(record(&closed, &form, reading))
}

/// The linearised loop of a scenario.
pub(super) fn linear(
    prepared: &Prepared,
    reading: &ModelOptions,
    dcqcn: DcqcnReading,
) -> Result<Loop, TheoryError> {
    let form = form(prepared)?.read_as(dcqcn);
    Ok(linearise(&form.bottleneck, &form.scheme, reading)?)
}

fn record(closed: &Loop, form: &Form, reading: &ModelOptions) -> LoopRecord {
    let (margin, bound) = (closed.margin(), closed.bound());
    let crossover = margin.map(|margin| margin.crossover_rad_per_s);
    let dominant = closed.dominant(closed.delay_s);
    let centre = crossover.or(bound.map(|bound| bound.crossover_rad_per_s)).unwrap_or(1.0 / closed.delay_s);
    LoopRecord {
        model: closed.model.to_owned(),
        equilibrium: form.equilibrium(reading).map(EquilibriumRecord::from),
        sources: closed.sources,
        delay_s: closed.delay_s,
        delay_has_queueing: matches!(form.scheme, Scheme::Timely(_)),
        margin_s: margin.map(|margin| margin.delay_s).filter(|delay| delay.is_finite()),
        bound_s: bound.map(|bound| bound.delay_s),
        bound_without_averaging_s: bound.map(|bound| bound.without_averaging_s),
        crossover_rad_per_s: crossover,
        growth_per_s: dominant.map_or(0.0, |root| root.growth_per_s),
        mode_rad_per_s: dominant.map_or(0.0, |root| root.frequency_rad_per_s),
        unstable_roots: closed.unstable_roots(closed.delay_s),
        response: response(closed, centre),
    }
}

/// The frequency response of the open loop, including its delay, around a frequency.
fn response(closed: &Loop, centre: f64) -> Vec<(f64, f64, f64)> {
    let at = |step: usize| {
        let decade = DECADES.0 + (DECADES.1 - DECADES.0) * step as f64 / (FREQUENCIES - 1) as f64;
        let omega = centre * libm::pow(10.0, decade);
        let open = closed.open(omega, closed.delay_s);
        (omega, open.re, open.im)
    };
    (0..FREQUENCIES).map(at).collect()
}
