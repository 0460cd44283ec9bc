//! Packet runs for comparison with theory.

use setpoint_record::run::outcome;
use setpoint_scenario::Prepared;
use setpoint_sim::{Monitor, Outcome};

use super::error::TheoryError;
use super::form::Form;
use super::grid::{Figures, Grid};
use super::record::{Overlay, PacketClass};

/// Statistics of the modelled queue in a packet run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct QueueFigures {
    /// Time-weighted mean in bytes.
    pub(super) mean: f64,
    /// Time-weighted standard deviation in bytes.
    pub(super) deviation: f64,
    /// Fraction of the time that the queue was empty.
    pub(super) empty_share: f64,
    pub(super) period_s: Option<f64>,
}

/// Runs a scenario and returns the statistics of its queue without its curves.
pub(super) fn queue(
    prepared: &Prepared,
    form: &Form,
    monitor: &mut dyn Monitor,
) -> Result<QueueFigures, TheoryError> {
    let grid = Grid::of(&prepared.spec);
    let outcome = sampled(prepared, &grid, monitor)?;
    Ok(figures(prepared, form, &outcome, &grid))
}

/// Runs a scenario and returns its curves at the samples of a fluid solution.
pub(super) fn overlay(
    prepared: &Prepared,
    form: &Form,
    grid: &Grid,
    samples: usize,
    monitor: &mut dyn Monitor,
) -> Result<Overlay, TheoryError> {
    let outcome = sampled(prepared, grid, monitor)?;
    let figures = figures(prepared, form, &outcome, grid);
    let mut queue_bytes = grid.thinned(&lengths(prepared, form, &outcome));
    queue_bytes.resize(samples, 0.0);
    let class = |flows: &Vec<usize>| class(prepared, &outcome, grid, flows, samples);
    Ok(Overlay {
        queue_bytes,
        queue_mean_bytes: figures.mean,
        queue_deviation_bytes: figures.deviation,
        period_s: figures.period_s,
        classes: form.flows.iter().map(class).collect(),
    })
}

/// Runs the scenario with the sampling needed for the statistics, which does not affect the simulation.
fn sampled(prepared: &Prepared, grid: &Grid, monitor: &mut dyn Monitor) -> Result<Outcome, TheoryError> {
    let mut closer = prepared.clone();
    closer.spec.sample_interval = grid.interval;
    Ok(outcome(&closer, monitor)?)
}

fn lengths(prepared: &Prepared, form: &Form, outcome: &Outcome) -> Vec<f64> {
    let queue = form.queue_of(prepared, outcome);
    queue.map(|queue| queue.length_series.iter().map(|bytes| *bytes as f64).collect()).unwrap_or_default()
}

fn figures(prepared: &Prepared, form: &Form, outcome: &Outcome, grid: &Grid) -> QueueFigures {
    let Figures { period_s, .. } = Figures::of(&lengths(prepared, form, outcome), grid, form.set_point);
    let length = form.queue_of(prepared, outcome).map(|queue| &queue.length);
    QueueFigures {
        mean: length.map_or(0.0, |length| length.mean),
        deviation: length.map_or(0.0, |length| length.deviation),
        empty_share: length.map_or(1.0, |length| length.empty),
        period_s,
    }
}

/// The mean rate of the flows of a class on the wire, as the models count it.
fn class(
    prepared: &Prepared,
    outcome: &Outcome,
    grid: &Grid,
    flows: &[usize],
    samples: usize,
) -> PacketClass {
    let spec = &prepared.spec;
    let frame = spec.flows[flows[0]].frame;
    let on_the_wire = (frame + spec.overhead).get() as f64 / frame.get() as f64;
    let per_second = 8.0 * on_the_wire / flows.len() as f64 / grid.interval.as_secs_f64();
    let count = flows.iter().map(|&flow| outcome.flows[flow].delivered_series.len()).max().unwrap_or(0);
    let mut rates = vec![0.0; count];
    for &flow in flows {
        for (rate, bytes) in rates.iter_mut().zip(&outcome.flows[flow].delivered_series) {
            *rate += *bytes as f64 * per_second;
        }
    }
    let rate_mean_bps = grid.mean(&rates);
    let of_interval = |part: &[f64]| part.iter().sum::<f64>() / grid.every as f64;
    let mut rate_bps: Vec<f64> = rates.chunks_exact(grid.every).map(of_interval).collect();
    rate_bps.resize(samples, 0.0);
    PacketClass { rate_bps, rate_mean_bps }
}
