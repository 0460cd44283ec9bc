//! Mean and spread of a metric over seeds.

use setpoint_units::quantity::Bounded;

use super::interval::Interval;
use crate::results::keyed;
use crate::statistics::moments::Moments;

keyed! {
    /// Mean and spread of a metric over the seeds of a variant.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Spread {
        /// Number of runs that have the metric.
        pub count: usize,
        /// Mean over these runs.
        pub mean: f64,
        /// Standard deviation over seeds (divided by n − 1); `null` for a single run.
        pub deviation: Option<f64>,
        /// 95 % confidence interval of the mean; `null` for fewer than three runs or if the mean is a lower bound.
        #[serde(default)]
        pub interval: Option<Interval>,
        /// Smallest value.
        pub min: f64,
        /// Largest value.
        pub max: f64,
        /// `true` if the value of any run, and therefore the mean, is only a lower bound. Omitted otherwise.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        pub is_lower_bound: bool,
    }
}

impl Spread {
    /// The spread of a list of finite values; none if it is empty.
    pub fn of(values: &[f64]) -> Option<Self> {
        let moments = Moments::of(values.iter().copied());
        Some(Self {
            count: values.len(),
            mean: moments.mean,
            deviation: moments.sample_deviation(),
            interval: Interval::of(values, 1),
            min: values.iter().copied().min_by(f64::total_cmp)?,
            max: values.iter().copied().max_by(f64::total_cmp)?,
            is_lower_bound: false,
        })
    }

    /// The spread of values that all lie in a range, some of which may be lower bounds; none if there are no values.
    pub fn of_bounded(values: &[Bounded], range: (f64, f64)) -> Option<Self> {
        let spread = Self::of(&values.iter().map(|value| value.value).collect::<Vec<f64>>())?;
        let is_lower_bound = values.iter().any(|value| value.is_lower_bound);
        // A value beyond the range would be a mistake elsewhere, which the interval must not hide.
        let is_within = spread.min >= range.0 && spread.max <= range.1;
        let interval = spread.interval.filter(|_| !is_lower_bound);
        let interval = interval.map(|interval| if is_within { interval.within(range) } else { interval });
        Some(Self { interval, is_lower_bound, ..spread })
    }

    /// The distance of the confidence interval's farther end from the mean, for `26.4 kB ± 310 B`; none without an
    /// interval.
    pub fn uncertainty(&self) -> Option<f64> {
        self.interval.map(|interval| interval.reach(self.mean))
    }

    /// Number of runs, out of `runs`, that have the metric, such as `1 of 10 runs`; empty if all have it.
    pub fn coverage_text(&self, runs: usize) -> String {
        if self.count < runs { format!("{} of {runs} runs", self.count) } else { String::new() }
    }

    /// The mean, or a lower bound on it.
    pub const fn bounded_mean(&self) -> Bounded {
        Bounded { value: self.mean, is_lower_bound: self.is_lower_bound }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_spread() {
        let spread = Spread::of(&[4.0, 2.0, 6.0]).unwrap();
        let expected = Spread {
            count: 3,
            mean: 4.0,
            deviation: Some(2.0),
            interval: Interval::of(&[4.0, 2.0, 6.0], 1),
            min: 2.0,
            max: 6.0,
            is_lower_bound: false,
        };
        assert_eq!(spread, expected);
        assert_eq!(spread.uncertainty().map(|reach| (1e3 * reach).round()), Some(4968.0));
    }

    #[test]
    fn an_interval_stays_in_the_range_of_the_metric_and_needs_exact_values() {
        let shares = [0.99, 1.0, 0.98].map(Bounded::exact);
        let interval = Spread::of_bounded(&shares, (0.0, 1.0)).unwrap().interval.unwrap();
        assert!(interval.high == 1.0 && interval.low > 0.9, "{interval:?}");
        let bounds = [Bounded::exact(1.0), Bounded::at_least(2.0), Bounded::exact(3.0)];
        let spread = Spread::of_bounded(&bounds, (0.0, f64::INFINITY)).unwrap();
        assert_eq!((spread.interval, spread.is_lower_bound, spread.mean), (None, true, 2.0));
    }

    #[test]
    fn one_value_has_no_deviation_and_none_no_spread() {
        assert_eq!(Spread::of(&[5.0]).unwrap().deviation, None);
        assert_eq!(Spread::of(&[]), None);
    }
}
