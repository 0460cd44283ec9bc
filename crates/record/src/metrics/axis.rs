//! The time axis of the series.

use std::ops::Range;

use setpoint_sim::Outcome;
use setpoint_units::{Time, TimeDelta};

/// The sample intervals of a run. All are equally long, except that the end of the run may shorten the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axis {
    /// Length of an interval.
    pub interval: TimeDelta,
    /// End of the run.
    pub end: Time,
    /// Number of intervals.
    pub samples: usize,
}

impl Axis {
    /// The axis that the series of an outcome share.
    pub fn of(outcome: &Outcome) -> Self {
        let flows = outcome.flows.iter().map(|flow| flow.delivered_series.len());
        let queues = outcome.queues.iter().map(|queue| queue.length_series.len());
        let ports = outcome.ports.iter().map(|port| port.busy_series.len());
        let samples = flows.chain(queues).chain(ports).max().unwrap_or(0);
        Self { interval: outcome.sample_interval, end: outcome.end, samples }
    }

    /// The start of an interval.
    pub fn begin(&self, sample: usize) -> Time {
        (Time::ZERO + self.interval * sample as u64).min(self.end)
    }

    /// The end of an interval, at which queue lengths are sampled.
    pub fn finish(&self, sample: usize) -> Time {
        self.begin(sample + 1)
    }

    /// The length of an interval.
    pub fn span(&self, sample: usize) -> TimeDelta {
        self.finish(sample) - self.begin(sample)
    }

    /// The intervals that lie entirely between two instants.
    #[must_use]
    pub fn within(&self, from: Time, to: Time) -> Range<usize> {
        let interval = self.interval.as_picos().max(1);
        let first = (from.as_picos().div_ceil(interval) as usize).min(self.samples);
        let last = if to >= self.end { self.samples } else { (to.as_picos() / interval) as usize };
        first..last.clamp(first, self.samples)
    }

    /// The number of intervals in a window: ten, or enough to cover 10 ms if that takes more. Short enough to show a
    /// rate change, long enough to average over individual frames.
    pub fn window(&self) -> usize {
        let shortest = TimeDelta::from_millis(10).as_picos().div_ceil(self.interval.as_picos().max(1));
        shortest.max(10) as usize
    }

    /// The ends of all intervals in seconds.
    pub fn seconds(&self) -> Vec<f64> {
        (0..self.samples).map(|sample| self.finish(sample).as_secs_f64()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(interval_us: u64, end_us: u64, samples: usize) -> Axis {
        let interval = TimeDelta::from_micros(interval_us);
        Axis { interval, end: Time::ZERO + TimeDelta::from_micros(end_us), samples }
    }

    fn at(micros: u64) -> Time {
        Time::ZERO + TimeDelta::from_micros(micros)
    }

    #[test]
    fn the_last_interval_may_be_short() {
        let axis = axis(100, 250, 3);
        assert_eq!(axis.seconds(), [1e-4, 2e-4, 2.5e-4]);
        assert_eq!(axis.span(1), TimeDelta::from_micros(100));
        assert_eq!(axis.span(2), TimeDelta::from_micros(50));
    }

    #[test]
    fn only_whole_intervals_lie_between_two_instants() {
        let axis = axis(100, 1000, 10);
        assert_eq!(axis.within(at(0), at(1000)), 0..10);
        assert_eq!(axis.within(at(200), at(500)), 2..5);
        assert_eq!(axis.within(at(201), at(599)), 3..5);
        assert_eq!(axis.within(at(250), at(260)), 3..3);
        assert_eq!(axis.within(at(900), Time::MAX), 9..10);
        assert_eq!(axis.within(Time::MAX, Time::MAX), 10..10);
    }

    #[test]
    fn a_window_is_ten_intervals_and_at_least_ten_milliseconds() {
        assert_eq!(axis(100, 1000, 10).window(), 100);
        assert_eq!(axis(3_000, 9_000, 3).window(), 10);
        assert_eq!(axis(900, 9_000, 10).window(), 12);
    }
}
