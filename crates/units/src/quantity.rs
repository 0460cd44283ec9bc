//! Quantities formatted for human readers: an SI prefix, three or four significant digits, a no-break space
//! before the unit, a real minus sign and a real micro sign.
//!
//! The other modules print exactly; this one rounds, and its output is not meant to be parsed. A value that is
//! not finite prints as a dash.
//!
//! ```
//! use setpoint_units::quantity::{Bounded, Unit};
//!
//! assert_eq!(Unit::BitsPerSecond.text(9.98e9), "9.98\u{a0}Gb/s");
//! assert_eq!(Unit::Seconds.bounded_text(Bounded::at_least(0.05)), ">\u{a0}50\u{a0}ms");
//! ```

mod pair;

use std::format;
use std::string::String;

/// No-break space, between a number and its unit.
const SPACE: char = '\u{a0}';
/// Narrow no-break space, between groups of three digits.
const GROUP: char = '\u{202f}';
/// Shown for a value that is not a number.
const NOTHING: &str = "–";

/// The unit of a figure, which determines its prefixes and symbol.
///
/// ```
/// use setpoint_units::quantity::Unit;
///
/// assert_eq!(Unit::Share.text(0.998), "99.8\u{a0}%");
/// assert_eq!(Unit::Seconds.text(2.4e-6), "2.4\u{a0}µs");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Spans and instants.
    Seconds,
    /// Rates.
    BitsPerSecond,
    /// Amounts of data.
    Bytes,
    /// A fraction from 0 to 1, shown as a percentage.
    Share,
    /// Counts.
    Count,
    /// Counts per second.
    PerSecond,
    /// A number without a dimension, such as a slowdown or an index.
    Ratio,
    /// Angular frequencies.
    RadiansPerSecond,
    /// Twenty times the decimal logarithm of a gain.
    Decibels,
    /// Angles.
    Degrees,
}

impl Unit {
    /// The text of a figure, or of a lower bound: `> 50 ms`.
    pub fn bounded_text(self, figure: Bounded) -> String {
        let text = self.text(figure.value);
        if figure.is_lower_bound { format!(">{SPACE}{text}") } else { text }
    }

    /// A mean and its uncertainty, such as a standard deviation: `26.40 kB ± 0.31 kB`. Both have the same unit and the
    /// same last digit: see [`Unit::pair_text`].
    pub fn text_with_spread(self, mean: f64, deviation: Option<f64>) -> String {
        let (mean, spread) = self.pair_text(mean, deviation);
        if spread.is_empty() { mean } else { format!("{mean} {spread}") }
    }

    /// The uncertainty alone, `± 0.31 kB`; empty if there is none.
    pub fn spread_text(self, mean: f64, deviation: Option<f64>) -> String {
        self.pair_text(mean, deviation).1
    }
}

/// A figure, or a lower bound on it.
///
/// ```
/// use setpoint_units::quantity::{Bounded, Unit};
///
/// let slowest = Bounded::at_least(0.05);
/// assert_eq!(Unit::Seconds.bounded_text(slowest), ">\u{a0}50\u{a0}ms");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounded {
    /// Its value.
    pub value: f64,
    /// Whether the value is only a lower bound.
    pub is_lower_bound: bool,
}

impl Bounded {
    /// An exact figure.
    pub const fn exact(value: f64) -> Self {
        Self { value, is_lower_bound: false }
    }

    /// A lower bound.
    pub const fn at_least(value: f64) -> Self {
        Self { value, is_lower_bound: true }
    }
}

/// A multiple of a unit.
///
/// ```
/// use setpoint_units::quantity::Unit;
///
/// let multiple = Unit::Bytes.multiple_for(26_412.0);
/// assert_eq!((multiple.symbol, multiple.factor), ("kB", 1e3));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Multiple {
    /// Its symbol; empty for numbers without a unit.
    pub symbol: &'static str,
    /// Its size in base units.
    pub factor: f64,
}

const fn multiple(symbol: &'static str, factor: f64) -> Multiple {
    Multiple { symbol, factor }
}

const SECONDS: &[Multiple] = &[
    multiple("s", 1.0),
    multiple("ms", 1e-3),
    multiple("µs", 1e-6),
    multiple("ns", 1e-9),
    multiple("ps", 1e-12),
];
const RATES: &[Multiple] = &[
    multiple("Tb/s", 1e12),
    multiple("Gb/s", 1e9),
    multiple("Mb/s", 1e6),
    multiple("kb/s", 1e3),
    multiple("b/s", 1.0),
];
const BYTES: &[Multiple] = &[
    multiple("TB", 1e12),
    multiple("GB", 1e9),
    multiple("MB", 1e6),
    multiple("kB", 1e3),
    multiple("B", 1.0),
];
const SHARES: &[Multiple] = &[multiple("%", 1e-2)];
const PLAIN: &[Multiple] = &[multiple("", 1.0)];
const PER_SECOND: &[Multiple] = &[multiple("1/s", 1.0)];
const FREQUENCIES: &[Multiple] = &[multiple("Mrad/s", 1e6), multiple("krad/s", 1e3), multiple("rad/s", 1.0)];
const DECIBELS: &[Multiple] = &[multiple("dB", 1.0)];
const DEGREES: &[Multiple] = &[multiple("°", 1.0)];

impl Unit {
    /// A value with its sign, such as a difference.
    pub fn signed_text(self, value: f64) -> String {
        if value > 0.0 { format!("+{}", self.text(value)) } else { self.text(value) }
    }

    /// A value with its unit: `9.98 Gb/s`, `26.4 kB`, `1.2 ms`, `99.8 %`, `12 345`.
    pub fn text(self, value: f64) -> String {
        if !value.is_finite() {
            return NOTHING.into();
        }
        match self {
            Self::Count => grouped(value.round()),
            Self::PerSecond => format!("{}{SPACE}1/s", grouped(three_digits(value))),
            Self::Ratio => ratio(value),
            Self::Share => share(value),
            Self::Degrees => format!("{}°", significant(value, 3)),
            Self::Seconds | Self::BitsPerSecond | Self::Bytes | Self::RadiansPerSecond | Self::Decibels => {
                self.scaled(value)
            }
        }
    }

    /// The multiple that suits a value of this magnitude.
    pub fn multiple_for(self, magnitude: f64) -> Multiple {
        let multiples = self.multiples();
        let base = if self == Self::Seconds { multiples[0] } else { multiples[multiples.len() - 1] };
        if magnitude == 0.0 || !magnitude.is_finite() {
            return base;
        }
        // Rounded first, so that 999.9 Mb/s is written as 1 Gb/s and not as 1000 Mb/s.
        let rounded = three_digits(magnitude.abs());
        let fits = |candidate: &&Multiple| rounded >= candidate.factor * (1.0 - 1e-9);
        multiples.iter().find(fits).copied().unwrap_or(multiples[multiples.len() - 1])
    }

    fn scaled(self, value: f64) -> String {
        let Multiple { symbol, factor } = self.multiple_for(value);
        format!("{}{SPACE}{symbol}", significant(value / factor, 3))
    }

    const fn multiples(self) -> &'static [Multiple] {
        match self {
            Self::Seconds => SECONDS,
            Self::BitsPerSecond => RATES,
            Self::Bytes => BYTES,
            Self::Share => SHARES,
            Self::Count | Self::Ratio => PLAIN,
            Self::PerSecond => PER_SECOND,
            Self::RadiansPerSecond => FREQUENCIES,
            Self::Decibels => DECIBELS,
            Self::Degrees => DEGREES,
        }
    }
}

/// A number with `digits` significant digits, without trailing zeros.
pub fn significant(value: f64, digits: i32) -> String {
    if !value.is_finite() {
        return NOTHING.into();
    }
    if value == 0.0 {
        return "0".into();
    }
    let magnitude = value.abs().log10().floor() as i32;
    let decimals = (digits - 1 - magnitude).clamp(0, 12) as usize;
    decimal(value, decimals)
}

/// A number with at most `decimals` decimals, without trailing zeros, with a real minus sign.
pub fn decimal(value: f64, decimals: usize) -> String {
    let mut text = format!("{:.decimals$}", value.abs());
    if text.contains('.') {
        text.truncate(text.trim_end_matches('0').trim_end_matches('.').len());
    }
    if value < 0.0 && text.bytes().any(|digit| matches!(digit, b'1'..=b'9')) {
        text.insert(0, '−');
    }
    text
}

/// A number with exactly `decimals` decimals and a real minus sign.
pub(crate) fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", value.abs());
    let is_negative = value < 0.0 && text.bytes().any(|digit| matches!(digit, b'1'..=b'9'));
    if is_negative { format!("−{text}") } else { text }
}

/// A whole number in groups of three digits.
pub fn grouped(value: f64) -> String {
    if !value.is_finite() {
        return NOTHING.into();
    }
    let plain = decimal(value, if value.abs() < 100.0 { 2 } else { 0 });
    let (whole, rest) =
        plain.split_once('.').map_or((plain.as_str(), ""), |(whole, _)| (whole, &plain[whole.len()..]));
    let digits = whole.chars().filter(char::is_ascii_digit).count();
    if digits < 5 {
        return plain;
    }
    let mut text = String::new();
    let mut left = digits;
    for c in whole.chars() {
        text.push(c);
        if c.is_ascii_digit() {
            left -= 1;
            if left > 0 && left.is_multiple_of(3) {
                text.push(GROUP);
            }
        }
    }
    text.push_str(rest);
    text
}

/// A percentage, with two decimals near 100, because 99.98 is not 100; a nonzero value never prints as zero.
fn share(value: f64) -> String {
    let percent = value * 100.0;
    let size = percent.abs();
    if size > 0.0 && size < 1e-4 {
        return format!("<0.0001{SPACE}%");
    }
    let digits = if (99.0..100.0).contains(&size) { near_round(percent, 2) } else { significant(percent, 3) };
    format!("{digits}{SPACE}%")
}

fn ratio(value: f64) -> String {
    // For an index close to one, the difference from one matters.
    if (0.99..1.0).contains(&value) { near_round(value, 4) } else { significant(value, 3) }
}

/// A value just below a round number. If it rounds to that number, the zeros show that it was rounded: `1.0000`.
fn near_round(value: f64, decimals: usize) -> String {
    let text = decimal(value, decimals);
    let is_rounded = text.parse::<f64>().is_ok_and(|shown| shown.fract() == 0.0 && shown != value);
    if is_rounded { fixed(value, decimals) } else { text }
}

fn three_digits(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let scale = 10f64.powi(2 - value.abs().log10().floor() as i32);
    if scale.is_finite() && scale > 0.0 { (value * scale).round() / scale } else { value }
}

/// A relative change as a percentage with its sign; zero has no sign.
pub fn change_text(share: f64) -> String {
    let percent = 100.0 * share;
    let digits = if percent.abs() < 0.1 { decimal(percent, 2) } else { significant(percent, 3) };
    let sign = if percent > 0.0 && digits != "0" { "+" } else { "" };
    format!("{sign}{digits}{SPACE}%")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_read_as_people_write_them() {
        let cases = [
            (Unit::BitsPerSecond, 9.98e9, "9.98 Gb/s"),
            (Unit::BitsPerSecond, 1e10, "10 Gb/s"),
            (Unit::BitsPerSecond, 999.96e6, "1 Gb/s"),
            (Unit::BitsPerSecond, 0.0, "0 b/s"),
            (Unit::Bytes, 26_412.0, "26.4 kB"),
            (Unit::Bytes, 512.0, "512 B"),
            (Unit::Bytes, 0.25, "0.25 B"),
            (Unit::Seconds, 0.0012, "1.2 ms"),
            (Unit::Seconds, 2.4e-6, "2.4 µs"),
            (Unit::Seconds, 3600.0, "3600 s"),
            (Unit::Seconds, 0.0, "0 s"),
            (Unit::Seconds, -0.5, "−500 ms"),
            (Unit::Share, 0.998, "99.8 %"),
            (Unit::Share, 0.9998, "99.98 %"),
            (Unit::Share, 0.999_999, "100.00 %"),
            (Unit::Share, 0.99, "99 %"),
            (Unit::Share, 1.0, "100 %"),
            (Unit::Share, 1e-9, "<0.0001 %"),
            (Unit::Share, 0.0, "0 %"),
            (Unit::Count, 1_234_567.0, "1\u{202f}234\u{202f}567"),
            (Unit::Count, 1234.0, "1234"),
            (Unit::Ratio, 0.9987, "0.9987"),
            (Unit::Ratio, 0.999_999_998, "1.0000"),
            (Unit::Ratio, 1.0, "1"),
            (Unit::Ratio, 12.345, "12.3"),
            (Unit::RadiansPerSecond, 5_230.0, "5.23 krad/s"),
            (Unit::RadiansPerSecond, 0.5, "0.5 rad/s"),
            (Unit::Decibels, -3.01, "−3.01 dB"),
            (Unit::Degrees, -180.0, "−180°"),
            (Unit::Seconds, f64::NAN, "–"),
            (Unit::Count, f64::INFINITY, "–"),
            (Unit::Share, f64::NEG_INFINITY, "–"),
        ];
        for (unit, value, expected) in cases {
            assert_eq!(unit.text(value).replace(SPACE, " "), expected, "{unit:?} {value}");
        }
    }

    #[test]
    fn a_lower_bound_is_marked() {
        let text = |figure| Unit::Seconds.bounded_text(figure).replace(SPACE, " ");
        assert_eq!(text(Bounded::exact(0.05)), "50 ms");
        assert_eq!(text(Bounded::at_least(0.05)), "> 50 ms");
    }

    #[test]
    fn a_minus_is_not_put_before_a_zero() {
        assert_eq!(decimal(-0.0001, 2), "0");
        assert_eq!(decimal(-1.5, 2), "−1.5");
    }
}
