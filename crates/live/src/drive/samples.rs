//! The times at which a node is sampled.

use setpoint_sim::Spec;
use setpoint_units::{Time, TimeDelta};

/// Maximum number of samples. If there are more, adjacent samples are merged in pairs.
const MOST: usize = 100_000;

/// The times of a node's samples.
#[derive(Clone, Debug)]
pub struct Samples {
    interval: TimeDelta,
    measure_from: Option<Time>,
    end: Time,
    next: Time,
    taken: usize,
}

impl Samples {
    /// The sample times for a spec, up to `end`.
    pub fn new(spec: &Spec, end: Time) -> Self {
        Self::every(spec.sample_interval, spec.measure_from, end)
    }

    pub(super) fn every(interval: TimeDelta, measure_from: Time, end: Time) -> Self {
        Self { interval, measure_from: Some(measure_from), end, next: Time::ZERO, taken: 0 }
    }

    /// The time between two samples, which doubles when there are too many samples.
    pub fn interval(&self) -> TimeDelta {
        self.interval
    }

    /// The time of the last sample.
    pub fn last(&self) -> Time {
        self.next
    }

    /// The time of the next sample; `None` at the end.
    pub(super) fn next(&mut self) -> Option<Time> {
        if self.next >= self.end {
            return None;
        }
        self.next = self.next.saturating_add(self.interval).min(self.end);
        self.taken += 1;
        Some(self.next)
    }

    /// The time at which the measurement begins, if it begins before the next sample.
    pub(super) fn measurement_begins(&mut self) -> Option<Time> {
        let next = self.next;
        self.measure_from.take_if(|begin| *begin < next)
    }

    /// Whether there are too many samples, so that adjacent ones must be merged in pairs.
    pub(super) fn are_too_many(&mut self) -> bool {
        let too_many = self.taken >= MOST;
        if too_many {
            self.taken /= 2;
            self.interval = self.interval * 2;
        }
        too_many
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(end: u64) -> Samples {
        let at = |millis| Time::ZERO + TimeDelta::from_millis(millis);
        Samples::every(TimeDelta::from_millis(20), at(40), at(end))
    }

    #[test]
    fn the_measurement_begins_once_and_the_last_interval_may_be_shorter() {
        let mut samples = samples(70);
        let mut seen = Vec::new();
        while let Some(next) = samples.next() {
            let begins = samples.measurement_begins().is_some();
            seen.push((next.as_picos() / 1_000_000_000, begins));
        }
        assert_eq!(seen, [(20, false), (40, false), (60, true), (70, false)]);
    }

    #[test]
    fn days_of_samples_stay_few() {
        let mut samples = samples(86_400_000);
        let mut kept: usize = 0;
        while samples.next().is_some() {
            kept += 1;
            if samples.are_too_many() {
                kept = kept.div_ceil(2);
            }
            assert!(kept <= MOST);
        }
        assert_eq!((kept, samples.interval()), (samples.taken, TimeDelta::from_millis(1_280)));
    }
}
