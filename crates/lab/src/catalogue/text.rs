//! Metrics as text in tables that compare runs.
//!
//! A table needs fewer digits than a report: an index of fairness just below one has four decimals, and an uncertainty two
//! significant digits.

use setpoint_units::quantity::{Bounded, Unit, decimal};

use super::Metric;
use crate::confidence::Difference;
use crate::sweep::Spread;

/// Steps below which differences from one or from 100 % are not written.
const FINEST: f64 = 1e-4;

impl Metric {
    /// A value or a lower bound: `> 50 ms`. A value just below one is rounded down, so that it does not look like one:
    /// `0.9999` or `99.99 %`.
    #[must_use]
    pub fn table_text(&self, value: Bounded) -> String {
        let is_nearly_one = (1.0 - FINEST..1.0).contains(&value.value);
        let text = match self.unit {
            Unit::Ratio if is_nearly_one => "0.9999".to_owned(),
            Unit::Ratio if (0.99..1.0).contains(&value.value) => decimal(value.value, 4),
            Unit::Share if is_nearly_one => "99.99\u{a0}%".to_owned(),
            unit => unit.text(value.value),
        };
        if value.is_lower_bound { format!(">\u{a0}{text}") } else { text }
    }

    /// How far the 95 % confidence interval reaches from the mean, `± 310 B`; empty without an interval.
    #[must_use]
    pub fn uncertainty_text(&self, spread: &Spread) -> String {
        spread
            .uncertainty()
            .map_or_else(String::new, |reach| format!("± {}", self.size_text(reach, spread.mean)))
    }

    /// A mean with its uncertainty, `26.4 kB ± 310 B`.
    #[must_use]
    pub fn mean_text(&self, spread: &Spread) -> String {
        let (mean, uncertainty) = (self.table_text(spread.bounded_mean()), self.uncertainty_text(spread));
        if uncertainty.is_empty() { mean } else { format!("{mean} {uncertainty}") }
    }

    /// A difference with its uncertainty, `+1.2 kB ± 310 B`.
    #[must_use]
    pub fn difference_text(&self, difference: &Difference) -> String {
        let mean = self.size_text(difference.mean.abs(), difference.mean);
        let sign = match difference.mean {
            _ if mean.starts_with('0') && !mean.contains('.') => "",
            mean if mean > 0.0 => "+",
            _ => "−",
        };
        let reach = difference.interval.map(|interval| interval.reach(difference.mean));
        let reach = reach.map(|reach| format!(" ± {}", self.size_text(reach, difference.mean)));
        format!("{sign}{mean}{}", reach.unwrap_or_default())
    }

    /// A size with two significant digits, such as a deviation, beside a mean; rounding errors are zero.
    #[must_use]
    pub fn size_text(&self, size: f64, mean: f64) -> String {
        let is_tiny = size < FINEST && mean.abs() > 0.5;
        match self.unit {
            unit if size < 1e-5 * mean.abs() => unit.text(0.0),
            Unit::Ratio if is_tiny => "<0.0001".to_owned(),
            Unit::Share if is_tiny => "<0.01\u{a0}%".to_owned(),
            unit => unit.text(two_digits(size)),
        }
    }
}

fn two_digits(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return 0.0;
    }
    let scale = libm::pow(10.0, 1.0 - libm::floor(libm::log10(value.abs())));
    if scale.is_finite() && scale > 0.0 { (value * scale).round() / scale } else { value }
}

#[cfg(test)]
mod tests {
    use crate::catalogue::{JAIN_WINDOWED, QUEUE_ERROR, UTILISATION};
    use crate::confidence::Difference;
    use crate::sweep::Spread;
    use setpoint_units::quantity::Bounded;

    #[test]
    fn values_in_tables_have_few_digits() {
        let text = |value| JAIN_WINDOWED.table_text(Bounded::exact(value));
        assert_eq!(
            [0.999_999_998, 0.999_93, 0.998_76, 1.0, 0.5].map(text),
            ["0.9999", "0.9999", "0.9988", "1", "0.5"]
        );
        assert_eq!(UTILISATION.table_text(Bounded::exact(0.999_999_8)), "99.99\u{a0}%");
        assert_eq!(QUEUE_ERROR.table_text(Bounded::at_least(26_412.0)), ">\u{a0}26.4\u{a0}kB");
    }

    #[test]
    fn uncertainties_have_two_digits() {
        let spread = Spread::of(&[26_000.0, 26_400.0, 26_800.0]).unwrap();
        assert_eq!(QUEUE_ERROR.mean_text(&spread), "26.4\u{a0}kB ± 990\u{a0}B");
        assert_eq!(QUEUE_ERROR.mean_text(&Spread::of(&[26_000.0, 26_800.0]).unwrap()), "26.4\u{a0}kB");
        let fair = Spread::of(&[0.999_99, 0.999_98, 0.999_99]).unwrap();
        assert_eq!(JAIN_WINDOWED.mean_text(&fair), "0.9999 ± <0.0001");
    }

    #[test]
    fn differences_have_a_sign() {
        let pairs = |values: &[f64]| -> Vec<(Bounded, Bounded)> {
            values.iter().map(|value| (Bounded::exact(*value), Bounded::exact(1_000.0))).collect()
        };
        let text = |values: &[f64]| QUEUE_ERROR.difference_text(&Difference::of(&pairs(values), 1).unwrap());
        assert_eq!(text(&[2_000.0, 2_200.0, 2_100.0]), "+1.1\u{a0}kB ± 250\u{a0}B");
        assert_eq!(text(&[600.0]), "−400\u{a0}B");
        assert_eq!(text(&[1_000.0; 3]), "0\u{a0}B ± 0\u{a0}B");
    }
}
