//! Limit cycles of the queue in a solution of a model.

use setpoint_units::TimeDelta;

use super::Course;

/// A sustained oscillation of the queue.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cycle {
    /// The shortest queue.
    pub least_bytes: f64,
    /// The longest queue.
    pub most_bytes: f64,
    /// The mean time between two rises through the midpoint of `least_bytes` and `most_bytes`.
    pub period_s: f64,
}

/// The smallest range of the queue that counts as an oscillation, relative to the longest queue.
const LEAST_RANGE: f64 = 1e-3;
/// The largest relative difference between the ranges of the two halves of a cycle that neither grows nor decays.
const STEADY: f64 = 0.1;
/// The fewest complete periods.
const FEWEST_PERIODS: usize = 3;

impl Course {
    /// The limit cycle of the queue after an initial time. `None` if the queue settles, if the oscillation still grows
    /// or decays by more than a tenth from the first half of the remaining time to the second, or if there are fewer
    /// than three periods.
    pub fn cycle(&self, after: TimeDelta) -> Option<Cycle> {
        let first = self.time_s.partition_point(|time| *time < after.as_secs_f64());
        let queue = &self.queue_bytes[first..];
        let (least_bytes, most_bytes) = range(queue);
        let (early, late) = queue.split_at(queue.len() / 2);
        let [early, late] = [early, late].map(|half| {
            let (least, most) = range(half);
            most - least
        });
        let oscillates = most_bytes - least_bytes > LEAST_RANGE * most_bytes;
        let is_steady = (early - late).abs() <= STEADY * early.max(late);
        if !oscillates || !is_steady {
            return None;
        }
        let rises = self.rises(first, f64::midpoint(least_bytes, most_bytes));
        let periods = rises.len().checked_sub(1).filter(|periods| *periods >= FEWEST_PERIODS)?;
        let period_s = (rises[periods] - rises[0]) / periods as f64;
        Some(Cycle { least_bytes, most_bytes, period_s })
    }

    /// The times at which the queue rises through a level, interpolated between samples.
    fn rises(&self, first: usize, level: f64) -> Vec<f64> {
        let samples = || self.time_s.iter().zip(&self.queue_bytes).skip(first);
        let crossing = |((begin, low), (end, high)): ((&f64, &f64), (&f64, &f64))| {
            let rises = *low < level && *high >= level;
            rises.then(|| begin + (end - begin) * (level - low) / (high - low))
        };
        samples().zip(samples().skip(1)).filter_map(crossing).collect()
    }
}

fn range(queue: &[f64]) -> (f64, f64) {
    queue.iter().fold((f64::INFINITY, 0.0), |(least, most), one| (one.min(least), one.max(most)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A queue of 100 bytes plus a sine with a period of 10 ms, sampled every 0.1 ms for 100 ms.
    fn sine(amplitude: impl Fn(f64) -> f64) -> Course {
        let time_s: Vec<f64> = (1..=1_000).map(|index| f64::from(index) * 1e-4).collect();
        let wave = |time: &f64| 100.0 + amplitude(*time) * libm::sin(std::f64::consts::TAU * time / 10e-3);
        let queue_bytes = time_s.iter().map(wave).collect();
        Course { time_s, queue_bytes, rates_bps: Vec::new(), steps: 0 }
    }

    #[test]
    fn a_sine_is_a_cycle_with_its_own_period_and_range() {
        let cycle = sine(|_| 40.0).cycle(TimeDelta::from_millis(20)).expect("a cycle");
        assert!((cycle.period_s / 10e-3 - 1.0).abs() < 1e-6, "{cycle:?}");
        assert!(
            (cycle.least_bytes - 60.0).abs() < 0.1 && (cycle.most_bytes - 140.0).abs() < 0.1,
            "{cycle:?}"
        );
    }

    #[test]
    fn oscillations_that_grow_or_decay_or_are_too_short_are_no_cycles() {
        for rate in [-20.0, 20.0] {
            assert_eq!(sine(|time| libm::exp(rate * time)).cycle(TimeDelta::ZERO), None);
        }
        assert_eq!(sine(|_| 40.0).cycle(TimeDelta::from_millis(75)), None, "two and a half periods");
        assert_eq!(sine(|_| 0.01).cycle(TimeDelta::ZERO), None, "a ten-thousandth of the queue");
        assert_eq!(sine(|_| 40.0).cycle(TimeDelta::from_secs(1)), None, "no samples");
    }
}
