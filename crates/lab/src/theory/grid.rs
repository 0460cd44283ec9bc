//! The samples of a queue for statistics.

use setpoint_record::statistics::moments::Moments;
use setpoint_sim::Spec;
use setpoint_units::{Bytes, Time, TimeDelta};

use super::oscillation;

/// Minimum number of samples after `measure_from` for statistics: with fewer, a fast oscillation would look like a
/// slow one.
const FINE: u64 = 4_000;
/// Maximum number of samples of one curve, and of all curves of a packet run together.
const MOST_VALUES: u64 = 20_000_000;
/// Deviation relative to the set point below which a curve does not count as an oscillation: the deviation of a sine
/// with an amplitude of a quarter of the set point. In loops far from their margin, the randomness of individual
/// samples moves the queue of a packet run by less than that.
const LEAST_DEVIATION: f64 = 0.25 * std::f64::consts::FRAC_1_SQRT_2;

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
