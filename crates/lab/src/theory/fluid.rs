//! The fluid solution of a scenario, optionally with a packet run.

use setpoint_control::aimd::Averaging;
use setpoint_fluid::model::{Horizon, Start, solve};
use setpoint_fluid::{Bottleneck, Increase, ModelOptions, Scheme};
use setpoint_record::statistics::moments::Moments;
use setpoint_scenario::Prepared;
use setpoint_sim::{Monitor, Spec};
use setpoint_units::{Bytes, Time, TimeDelta};

use super::error::TheoryError;
use super::form::{Form, form};
use super::oscillation;
use super::packets;
use super::record::{ClassCourse, FluidRecord};

/// Minimum number of samples after `measure_from` for statistics: with fewer, a fast oscillation would look like a
/// slow one.
const FINE: u64 = 4_000;
/// Maximum number of samples of one curve, and of all curves of a packet run together.
const MOST_VALUES: u64 = 20_000_000;
/// Deviation relative to the set point below which a curve does not count as an oscillation: the deviation of a sine
/// with an amplitude of a quarter of the set point. In loops far from their margin, the randomness of individual
/// samples moves the queue of a packet run by less than that.
const LEAST_DEVIATION: f64 = 0.25 * std::f64::consts::FRAC_1_SQRT_2;

/// Options for solving a scenario.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FluidOptions {
    /// How to interpret equations that the papers leave ambiguous.
    pub reading: ModelOptions,
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
    let form = form(prepared)?;
    let spec = &prepared.spec;
    let grid = Grid::of(spec);
    let horizon = Horizon { until: spec.duration, sample: grid.interval, start: Start::LineRates };
    let course = solve(&form.bottleneck, &form.scheme, &options.reading, &horizon)?;
    let queue = Figures::of(&course.queue_bytes, &grid, form.set_point);
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
        Scheme::Dcqcn(_) => "DCQCN, the equations of Zhu et al. (CoNEXT 2016)".to_owned(),
        Scheme::Timely(_) => "TIMELY, the equations of Zhu et al. (CoNEXT 2016)".to_owned(),
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

/// The samples for statistics, and which of them are kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    /// Time between samples.
    pub(super) interval: TimeDelta,
    /// Every n-th sample is kept: the scenario's own samples.
    pub(super) every: usize,
    /// Index of the first sample for statistics.
    from: usize,
}

impl Grid {
    pub(super) fn of(spec: &Spec) -> Self {
        let own = spec.sample_interval.as_picos();
        let measured = (Time::ZERO + spec.duration - spec.measure_from).as_picos();
        let curves = spec.flows.len() as u64 + 1;
        let fits = |parts: &u64| {
            own.is_multiple_of(*parts)
                && (spec.duration.as_picos() / own).saturating_mul(parts * curves) <= MOST_VALUES
        };
        let enough = |parts: &u64| measured / (own / parts) >= FINE;
        let divisions = [1, 2, 4, 5, 10, 20, 50, 100];
        let parts = divisions.into_iter().filter(fits).find(enough);
        let parts = parts.or_else(|| divisions.into_iter().rfind(fits)).unwrap_or(1);
        let interval = TimeDelta::from_picos(own / parts);
        let from = spec.measure_from.as_picos().div_ceil(interval.as_picos()) as usize;
        Self { interval, every: parts as usize, from }
    }

    /// The scenario's own samples.
    pub(super) fn thinned(&self, samples: &[f64]) -> Vec<f64> {
        samples.iter().skip(self.every - 1).step_by(self.every).copied().collect()
    }

    /// The samples for statistics.
    pub(super) fn measured<'a>(&self, samples: &'a [f64]) -> &'a [f64] {
        &samples[self.from.min(samples.len())..]
    }

    /// The mean from `measure_from`.
    pub(super) fn mean(&self, samples: &[f64]) -> f64 {
        Moments::of(self.measured(samples).iter().copied()).mean
    }
}

/// Mean, standard deviation and oscillation period of a queue.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Figures {
    pub(super) mean: f64,
    pub(super) deviation: f64,
    pub(super) period_s: Option<f64>,
}

impl Figures {
    pub(super) fn of(queue: &[f64], grid: &Grid, set_point: Bytes) -> Self {
        let measured = grid.measured(queue);
        let moments = Moments::of(measured.iter().copied());
        let least = LEAST_DEVIATION * set_point.get() as f64;
        let period_s = oscillation::period(measured, grid.interval.as_secs_f64(), least);
        Self { mean: moments.mean, deviation: moments.deviation(), period_s }
    }
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
