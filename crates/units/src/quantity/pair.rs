//! A mean printed with its uncertainty.

use std::format;
use std::string::String;

use super::{Multiple, NOTHING, SPACE, Unit, fixed, grouped};

/// The number of significant digits in an uncertainty.
const OF_UNCERTAINTY: i32 = 2;
/// The maximum number of significant digits in a mean, however small its uncertainty.
const OF_MEAN: i32 = 4;
/// The fraction of the mean below which an uncertainty counts as a rounding error.
const ROUNDING_ERROR: f64 = 1e-5;

impl Unit {
    /// A mean, and its uncertainty with a plus-minus sign: `26.40 kB` and `± 0.31 kB`. The uncertainty is empty if there
    /// is none.
    ///
    /// Both are in the same multiple of the unit. The uncertainty has two significant digits, and the mean ends at the same
    /// decimal place. A mean has at most four significant digits: an uncertainty too small for these digits is
    /// printed as a bound, `± <0.01 kB`, and an uncertainty below 10⁻⁵ of the mean as zero, because it is a
    /// rounding error.
    pub fn pair_text(self, mean: f64, uncertainty: Option<f64>) -> (String, String) {
        let Some(reach) = uncertainty else { return (self.text(mean), String::new()) };
        if !mean.is_finite() || !reach.is_finite() {
            return (self.text(mean), format!("± {NOTHING}"));
        }
        let multiple = self.multiple_for(mean.abs().max(reach));
        if reach < ROUNDING_ERROR * mean.abs() || reach == 0.0 {
            return (self.text(mean), format!("± {}", self.with_symbol("0", multiple)));
        }
        let (mean, reach) = (mean / multiple.factor, reach / multiple.factor);
        let decimals = decimals(mean, reach);
        let number = |value: f64| if decimals == 0 { grouped(value.round()) } else { fixed(value, decimals) };
        let least = 10f64.powi(-(decimals as i32));
        let reach = if reach < least / 2.0 { format!("<{}", number(least)) } else { number(reach) };
        (self.with_symbol(&number(mean), multiple), format!("± {}", self.with_symbol(&reach, multiple)))
    }

    /// A difference with its sign and its uncertainty, `+1.20 kB ± 0.31 kB`. Differences of shares are in percentage points,
    /// `+1.9 pp`, since `+1.9 %` would be a relative change.
    pub fn difference_text(self, mean: f64, uncertainty: Option<f64>) -> String {
        let (shown, reach) = self.pair_text(mean, uncertainty);
        let is_zero = !shown.bytes().any(|digit| matches!(digit, b'1'..=b'9'));
        let sign = if mean > 0.0 && !is_zero { "+" } else { "" };
        let space = if reach.is_empty() { "" } else { " " };
        let text = format!("{sign}{shown}{space}{reach}");
        if self == Self::Share { text.replace('%', "pp") } else { text }
    }

    fn with_symbol(self, number: &str, multiple: Multiple) -> String {
        match (self, multiple.symbol) {
            (_, "") => number.into(),
            (Self::Degrees, symbol) => format!("{number}{symbol}"),
            (_, symbol) => format!("{number}{SPACE}{symbol}"),
        }
    }
}

/// The number of decimals for a mean and its uncertainty.
fn decimals(mean: f64, reach: f64) -> usize {
    let of_reach = OF_UNCERTAINTY - 1 - rounded_magnitude(reach);
    let most = if mean == 0.0 { of_reach } else { OF_MEAN - 1 - magnitude(mean.abs()) };
    of_reach.min(most).clamp(0, 12) as usize
}

/// The power of ten of the first digit.
fn magnitude(value: f64) -> i32 {
    value.log10().floor() as i32
}

/// The power of ten of the first digit of an uncertainty, after rounding: 9.96 counts as 10.
fn rounded_magnitude(value: f64) -> i32 {
    let unit = 10f64.powi(magnitude(value) + 1 - OF_UNCERTAINTY);
    let most = 10f64.powi(OF_UNCERTAINTY);
    magnitude(value) + i32::from((value / unit).round() >= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_ends_with_the_last_digit_of_its_uncertainty() {
        let cases = [
            (Unit::Bytes, 60_700.0, 629.0, "60.70 kB ± 0.63 kB"),
            (Unit::Bytes, 26_400.0, 9_960.0, "26 kB ± 10 kB"),
            (Unit::Ratio, 6.05, 1.86, "6.0 ± 1.9"),
            (Unit::Ratio, 0.155, 0.0488, "0.155 ± 0.049"),
            (Unit::Share, 0.9943, 0.003_72, "99.43 % ± 0.37 %"),
            (Unit::Seconds, 0.0716, 0.049, "72 ms ± 49 ms"),
            (Unit::Seconds, 0.000_9, 0.004, "0.9 ms ± 4.0 ms"),
            (Unit::Count, 1_261.3, 34.2, "1261 ± 34"),
            (Unit::Count, 123_456.0, 789.0, "123\u{202f}456 ± 789"),
            (Unit::Ratio, -0.5, 0.012, "−0.500 ± 0.012"),
        ];
        for (unit, mean, deviation, expected) in cases {
            assert_eq!(unit.text_with_spread(mean, Some(deviation)).replace(SPACE, " "), expected);
        }
    }

    #[test]
    fn differences_of_shares_are_in_percentage_points() {
        let text = |unit: Unit, mean, reach| unit.difference_text(mean, reach).replace(SPACE, " ");
        assert_eq!(text(Unit::Share, 0.019, Some(0.004)), "+1.90 pp ± 0.40 pp");
        assert_eq!(text(Unit::Share, -0.019, None), "−1.9 pp");
        assert_eq!(text(Unit::Bytes, 1_200.0, Some(310.0)), "+1.20 kB ± 0.31 kB");
        assert_eq!(text(Unit::Bytes, 0.0, Some(0.0)), "0 B ± 0 B");
    }

    #[test]
    fn a_mean_has_at_most_four_digits() {
        let text =
            |unit: Unit, mean, deviation| unit.text_with_spread(mean, Some(deviation)).replace(SPACE, " ");
        assert_eq!(text(Unit::Ratio, 0.999_98, 0.000_01), "1.0000 ± <0.0001");
        assert_eq!(text(Unit::BitsPerSecond, 9.987_6e9, 1.2e6), "9.988 Gb/s ± 0.001 Gb/s");
        assert_eq!(text(Unit::BitsPerSecond, 1e10, 12.0), "10 Gb/s ± 0 Gb/s");
        assert_eq!(text(Unit::Bytes, 0.0, 0.0), "0 B ± 0 B");
        assert_eq!(Unit::Bytes.text_with_spread(512.0, None).replace(SPACE, " "), "512 B");
    }
}
