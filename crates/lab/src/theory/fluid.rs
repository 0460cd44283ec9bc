//! The fluid solution of a scenario, optionally with a packet run.

use setpoint_control::aimd::Averaging;
use setpoint_fluid::dcqcn::Cycles;
use setpoint_fluid::linear::Equilibrium;
use setpoint_fluid::model::{Course, Horizon, ModelError, Start, solve, solve_from};
use setpoint_fluid::timely::Variant;
use setpoint_fluid::{Bottleneck, Increase, ModelOptions, Scheme};
use setpoint_scenario::Prepared;
use setpoint_sim::Monitor;
use setpoint_units::TimeDelta;

use super::error::TheoryError;
use super::form::{DcqcnReading, Form, form};
use super::grid::{Figures, Grid};
use super::packets;
use super::record::{ClassCourse, EquilibriumRecord, FluidRecord};

/// Options for solving a scenario.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FluidOptions {
    /// How to interpret equations that the papers leave ambiguous.
    pub reading: ModelOptions,
    /// How to read DCQCN's equations.
    pub dcqcn: DcqcnReading,
    /// Whether to simulate packets as well.
    pub packets: Packets,
}

/// Whether to simulate packets in addition to the fluid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Packets {
    /// No packet run.
    #[default]
    Without,
    /// A packet run of the same scenario with the same seed.
    Beside,
}

/// Solves the fluid model of a scenario from start to end. The monitor observes the packet run, if there is one.
///
/// # Errors
/// If the scenario has no fluid form, the solver fails, or the packet run stops before its end.
pub fn fluid(
    prepared: &Prepared,
    options: &FluidOptions,
    monitor: &mut dyn Monitor,
) -> Result<FluidRecord, TheoryError> {
    let form = form(prepared)?.read_as(options.dcqcn);
    let spec = &prepared.spec;
    let grid = Grid::of(spec);
    let horizon = Horizon { until: spec.duration, sample: grid.interval, start: Start::LineRates };
    let course = solved(&form, &options.reading, &horizon)?;
    let queue = Figures::of(&course.queue_bytes, &grid, form.set_point);
    let equilibrium = form.equilibrium(&options.reading);
    let class = |(class, rates): (&setpoint_fluid::Class, &Vec<f64>)| ClassCourse {
        name: class.name.clone(),
        sources: class.sources,
        rate_mean_bps: grid.mean(rates),
        rate_bps: grid.thinned(rates),
    };
    let classes = form.bottleneck.classes.iter().zip(&course.rates_bps).map(class).collect();
    let time_s = grid.thinned(&course.time_s);
    let packets = match options.packets {
        Packets::Without => None,
        Packets::Beside => Some(packets::overlay(prepared, &form, &grid, time_s.len(), monitor)?),
    };
    Ok(FluidRecord {
        name: prepared.name.clone(),
        model: model(&form.scheme, &options.reading),
        queue: form.queue.clone(),
        set_point_bytes: form.set_point.get() as f64,
        set_point_name: aim(&form, equilibrium.as_ref()).to_owned(),
        equilibrium: equilibrium.map(EquilibriumRecord::from),
        buffer_bytes: form.bottleneck.buffer.get() as f64,
        delay_s: longest_delay(&form.bottleneck).as_secs_f64(),
        measured_from_s: spec.measure_from.as_secs_f64(),
        time_s,
        queue_bytes: grid.thinned(&course.queue_bytes),
        classes,
        queue_mean_bytes: queue.mean,
        queue_deviation_bytes: queue.deviation,
        period_s: queue.period_s,
        packets,
        leaves_out: form.leaves_out,
    })
}

/// The solution, with sources that start at their first rate.
fn solved(form: &Form, reading: &ModelOptions, horizon: &Horizon) -> Result<Course, ModelError> {
    match form.first_rate {
        None => solve(&form.bottleneck, &form.scheme, reading, horizon),
        Some(rate) => {
            let rates = vec![rate; form.bottleneck.classes.len()];
            solve_from(&form.bottleneck, &form.scheme, reading, horizon, &rates)
        }
    }
}

/// The name of the length that the queue is compared with.
fn aim(form: &Form, equilibrium: Option<&Equilibrium>) -> &'static str {
    match (&form.scheme, equilibrium) {
        (Scheme::Dcqcn(_) | Scheme::DcqcnVendor(_), None) => "Kmax",
        (Scheme::Timely(_), None) => "T_low",
        (Scheme::Dcqcn(_) | Scheme::DcqcnVendor(_) | Scheme::Timely(_), Some(_)) => "equilibrium",
        _ => "set point",
    }
}

/// A short description of the model of a scheme, with its source.
pub(super) fn model(scheme: &Scheme, reading: &ModelOptions) -> String {
    let increase = match reading.increase {
        Increase::AtSource => "increase at the source",
        Increase::AsPrinted => "increase as printed",
    };
    match scheme {
        Scheme::Qcn(_) => {
            format!("QCN, equations (9) to (13) of Alizadeh et al. (Allerton 2008), {increase}")
        }
        Scheme::AfQcn(..) => {
            format!("AF-QCN, the equations of QCN with separate feedback for every class, {increase}")
        }
        Scheme::Smcc(_) => "SMCC, equations (26) and (27) of Jiang et al. (2015)".to_owned(),
        Scheme::Bcn(_) => "BCN, equation (2) of Jiang et al. (2015)".to_owned(),
        Scheme::Dcqcn(params) => match params.cycles {
            Cycles::AsPrinted => "DCQCN, the equations of Zhu et al. (CoNEXT 2016) as printed".to_owned(),
            Cycles::Renewal(_) => {
                "DCQCN, the equations of Zhu et al. (CoNEXT 2016) with means over the time between cuts"
                    .to_owned()
            }
        },
        Scheme::DcqcnVendor(_) => "DCQCN under the vendor’s rules, our own equations".to_owned(),
        Scheme::Timely(params) => {
            let name = if params.variant == Variant::Original { "TIMELY" } else { "patched TIMELY" };
            format!("{name}, the equations of Zhu et al. (CoNEXT 2016)")
        }
        Scheme::Aimd(params) => match params.rp.averaging {
            Averaging::Off => "AIMD with feedback of both signs".to_owned(),
            Averaging::On | Averaging::Equivalent => {
                "AIMD with feedback of both signs and the Averaging Principle (Alizadeh et al. 2008)"
                    .to_owned()
            }
        },
    }
}

/// The longest loop delay.
pub(super) fn longest_delay(bottleneck: &Bottleneck) -> TimeDelta {
    bottleneck.classes.iter().map(|class| class.delay).max().unwrap_or_default()
}

impl Form {
    /// The modelled queue in the outcome of a simulation.
    pub(super) fn queue_of<'a>(
        &self,
        prepared: &Prepared,
        outcome: &'a setpoint_sim::Outcome,
    ) -> Option<&'a setpoint_sim::QueueOutcome> {
        let priority = prepared.spec.flows[self.flows[0][0]].priority;
        let ours = |queue: &&setpoint_sim::QueueOutcome| {
            (queue.port, queue.side, queue.priority) == (self.port, setpoint_sim::Side::Output, priority)
        };
        outcome.queues.iter().find(ours)
    }
}
