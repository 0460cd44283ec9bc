//! Differences on common seeds.

use setpoint_units::quantity::Bounded;

use super::Interval;
use crate::results::keyed;
use crate::statistics::moments::Moments;

/// Differences below this share of the values are rounding errors.
const NEGLIGIBLE: f64 = 1e-9;

keyed! {
    /// Difference of a metric from a baseline, over the seeds that have it in both.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Difference {
        /// Number of these seeds.
        pub count: usize,
        /// Mean of the differences, seed by seed; `null` if a value is only a lower bound, since a difference between
        /// bounds is not a bound.
        pub mean: Option<f64>,
        /// 95 % confidence interval of this mean, widened for the number of comparisons; `null` for fewer than three
        /// seeds or if a value is only a lower bound.
        pub interval: Option<Interval>,
        /// `true` if the interval excludes zero, so that the difference exceeds chance.
        pub is_clear: bool,
    }
}

impl Difference {
    /// The differences between the value and the baseline of each pair, as one of several comparisons; none if there
    /// are no pairs.
    pub fn of(pairs: &[(Bounded, Bounded)], comparisons: usize) -> Option<Self> {
        let size =
            pairs.iter().map(|(one, other)| one.value.abs().max(other.value.abs())).fold(0.0, f64::max);
        let difference = |(one, other): &(Bounded, Bounded)| {
            let difference = one.value - other.value;
            if difference.abs() > NEGLIGIBLE * size { difference } else { 0.0 }
        };
        let differences: Vec<f64> = pairs.iter().map(difference).collect();
        let moments = Moments::of(differences.iter().copied());
        let exact = pairs.iter().all(|(one, other)| !one.is_lower_bound && !other.is_lower_bound);
        let interval = Interval::of(&differences, comparisons).filter(|_| exact);
        let is_clear = interval.is_some_and(|interval| interval.excludes_zero());
        let count = pairs.len();
        let mean = exact.then_some(moments.mean);
        (count > 0).then_some(Self { count, mean, interval, is_clear })
    }

    /// The number of common seeds that have the metric, such as `1 of 10 seeds`; empty if all `seeds` have it.
    pub fn coverage_text(&self, seeds: usize) -> String {
        if self.count < seeds { format!("{} of {seeds} seeds", self.count) } else { String::new() }
    }

    /// Whether it was tested and may be due to chance; `false` without an interval.
    pub fn is_unclear(&self) -> bool {
        self.interval.is_some() && !self.is_clear
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(values: &[(f64, f64)]) -> Vec<(Bounded, Bounded)> {
        values.iter().map(|&(one, other)| (Bounded::exact(one), Bounded::exact(other))).collect()
    }

    /// Both values vary widely with the seed, but one is always about 2 above the other.
    #[test]
    fn common_seeds_show_a_difference_that_means_hide() {
        let values = [(12.0, 10.0), (32.1, 30.0), (51.9, 50.0), (22.0, 20.1), (42.0, 40.0)];
        let difference = Difference::of(&pairs(&values), 1).unwrap();
        assert!(difference.is_clear && (difference.mean.unwrap() - 1.98).abs() < 1e-9, "{difference:?}");
        let of = |side: fn(&(f64, f64)) -> f64| {
            Interval::of(&values.iter().map(side).collect::<Vec<_>>(), 1).unwrap()
        };
        assert!(of(|pair| pair.0).low < of(|pair| pair.1).high, "the intervals of the means overlap");
    }

    #[test]
    fn a_difference_within_chance_is_not_clear() {
        let values = [(0.9993, 0.9996), (0.9997, 0.9995), (0.9996, 0.9996)];
        assert!(!Difference::of(&pairs(&values), 1).unwrap().is_clear);
        // The difference is clear if it is the only comparison, but not if it is one of 200.
        let values = [(1.0, 0.0), (1.2, 0.0), (0.8, 0.0), (1.3, 0.0)];
        assert!(Difference::of(&pairs(&values), 1).unwrap().is_clear);
        assert!(!Difference::of(&pairs(&values), 200).unwrap().is_clear);
    }

    #[test]
    fn few_seeds_lower_bounds_and_rounding_show_nothing() {
        let two = Difference::of(&pairs(&[(1.0, 2.0), (1.0, 2.0)]), 1).unwrap();
        assert_eq!((two.mean, two.interval, two.is_clear), (Some(-1.0), None, false));
        assert_eq!(Difference::of(&[], 1), None);
        let mut bounds = pairs(&[(1.0, 2.0), (1.0, 2.0), (1.0, 2.0)]);
        assert!(Difference::of(&bounds, 1).unwrap().is_clear);
        bounds[1].0.is_lower_bound = true;
        let unknown = Difference { count: 3, mean: None, interval: None, is_clear: false };
        assert_eq!(Difference::of(&bounds, 1), Some(unknown));
        let noise = pairs(&[(1.0 + 4e-16, 1.0), (1.0 + 4e-16, 1.0), (1.0 + 4e-16, 1.0)]);
        let noise = Difference::of(&noise, 1).unwrap();
        assert_eq!((noise.mean, noise.is_clear), (Some(0.0), false));
    }
}
