//! Metrics as text in tables that compare runs: means with their uncertainties, and differences.

use super::Metric;
use crate::confidence::{Difference, Spread};

/// Text in place of a difference if at least one of the two values is only a lower bound.
pub const UNKNOWN_DIFFERENCE: &str = "not known: lower bound";

impl Metric {
    /// A mean, and how far its 95 % confidence interval extends from it, such as `26.40 kB` and `± 0.31 kB`; the second
    /// is empty without an interval.
    pub fn mean_and_uncertainty(&self, spread: &Spread) -> (String, String) {
        let (mean, uncertainty) = self.unit.pair_text(spread.mean, spread.uncertainty());
        (if spread.is_lower_bound { format!(">\u{a0}{mean}") } else { mean }, uncertainty)
    }

    /// How far the 95 % confidence interval extends from the mean, such as `± 0.31 kB`; empty without an interval.
    pub fn uncertainty_text(&self, spread: &Spread) -> String {
        self.mean_and_uncertainty(spread).1
    }

    /// A mean with its uncertainty, such as `26.40 kB ± 0.31 kB`.
    pub fn mean_text(&self, spread: &Spread) -> String {
        let (mean, uncertainty) = self.mean_and_uncertainty(spread);
        if uncertainty.is_empty() { mean } else { format!("{mean} {uncertainty}") }
    }

    /// A difference with its uncertainty, such as `+1.20 kB ± 0.31 kB`, or the reason why it is unknown.
    pub fn difference_text(&self, difference: &Difference) -> String {
        let Some(mean) = difference.mean else { return UNKNOWN_DIFFERENCE.to_owned() };
        self.unit.difference_text(mean, difference.interval.map(|interval| interval.reach(mean)))
    }

    /// A magnitude shown next to a mean, such as a standard deviation, without a sign.
    pub fn size_text(&self, size: f64, mean: f64) -> String {
        let text = self.unit.spread_text(mean, Some(size));
        text.trim_start_matches("± ").to_owned()
    }
}

#[cfg(test)]
mod tests {
    use crate::catalogue::{FCT_P99, JAIN_WINDOWED, QUEUE_ERROR};
    use crate::confidence::{Difference, Spread};
    use setpoint_units::quantity::Bounded;

    #[test]
    fn uncertainties_have_two_digits() {
        let spread = Spread::of(&[26_000.0, 26_400.0, 26_800.0]).unwrap();
        assert_eq!(QUEUE_ERROR.mean_text(&spread), "26.40\u{a0}kB ± 0.99\u{a0}kB");
        assert_eq!(QUEUE_ERROR.mean_text(&Spread::of(&[26_000.0, 26_800.0]).unwrap()), "26.4\u{a0}kB");
        let fair = Spread::of(&[0.999_99, 0.999_98, 0.999_99]).unwrap();
        assert_eq!(JAIN_WINDOWED.mean_text(&fair), "1.0000 ± <0.0001");
    }

    #[test]
    fn differences_have_a_sign() {
        let pairs = |values: &[f64]| -> Vec<(Bounded, Bounded)> {
            values.iter().map(|value| (Bounded::exact(*value), Bounded::exact(1_000.0))).collect()
        };
        let text = |values: &[f64]| QUEUE_ERROR.difference_text(&Difference::of(&pairs(values), 1).unwrap());
        assert_eq!(text(&[2_000.0, 2_200.0, 2_100.0]), "+1.10\u{a0}kB ± 0.25\u{a0}kB");
        assert_eq!(text(&[600.0]), "−400\u{a0}B");
        assert_eq!(text(&[1_000.0; 3]), "0\u{a0}B ± 0\u{a0}B");
    }

    #[test]
    fn a_difference_of_lower_bounds_has_no_number() {
        let pairs = [(Bounded::at_least(5.0), Bounded::exact(2.0)); 3];
        assert_eq!(FCT_P99.difference_text(&Difference::of(&pairs, 1).unwrap()), "not known: lower bound");
    }
}
