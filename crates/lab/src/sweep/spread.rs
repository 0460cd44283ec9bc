//! Mean and spread of a metric over seeds.

use setpoint_units::quantity::Bounded;

use crate::metrics::moments::Moments;
use crate::results::keyed;

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
    #[must_use]
    pub fn of(values: &[f64]) -> Option<Self> {
        let moments = Moments::of(values.iter().copied());
        Some(Self {
            count: values.len(),
            mean: moments.mean,
            deviation: moments.sample_deviation(),
            min: values.iter().copied().min_by(f64::total_cmp)?,
            max: values.iter().copied().max_by(f64::total_cmp)?,
            is_lower_bound: false,
        })
    }

    /// The mean, or a lower bound on it.
    #[must_use]
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
        let expected =
            Spread { count: 3, mean: 4.0, deviation: Some(2.0), min: 2.0, max: 6.0, is_lower_bound: false };
        assert_eq!(spread, expected);
    }

    #[test]
    fn one_value_has_no_deviation_and_none_no_spread() {
        assert_eq!(Spread::of(&[5.0]).unwrap().deviation, None);
        assert_eq!(Spread::of(&[]), None);
    }
}
