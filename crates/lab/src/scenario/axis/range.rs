//! Ranges of values: `FROM..TO`, linear or, with `:log`, logarithmic.

use std::fmt::Display;
use std::ops::Range;
use std::str::FromStr;

use setpoint_control::parameter::{Percent, Power, Unit, Value as Setting};
use setpoint_units::{Bytes, PartsPerMillion, Rate, TimeDelta, quantity};

use super::Text;
use crate::scenario::diagnostics::Problem;
use crate::scenario::format::Shape;

/// Number of digits to which values between the ends are rounded.
const DIGITS: i32 = 4;

/// The kind of numbers that a key takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Time,
    Rate,
    Size,
    Deviation,
    Count,
    Number,
    Percent,
    Power,
    Words,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spacing {
    Linear,
    Logarithmic,
}

impl Kind {
    pub(super) fn of(shape: &Shape) -> Self {
        match shape {
            Shape::Time(_) | Shape::Delay => Self::Time,
            Shape::Rate(_) => Self::Rate,
            Shape::Size(_) => Self::Size,
            Shape::Integer(..) => Self::Count,
            Shape::NumberAbove(_) => Self::Number,
            Shape::Deviation(_) => Self::Deviation,
            Shape::Percent(_) => Self::Percent,
            Shape::Parameter(parameter) => match parameter.unit() {
                Unit::Size => Self::Size,
                Unit::Time => Self::Time,
                Unit::Rate | Unit::RateOrLine => Self::Rate,
                Unit::Count => Self::Count,
                Unit::Percent => Self::Percent,
                Unit::Power => Self::Power,
                Unit::Switch | Unit::Choice(_) => Self::Words,
            },
            _ => Self::Words,
        }
    }

    /// The unit of [`Kind::number`]; none if there are no numbers.
    pub(super) fn unit(self) -> Option<quantity::Unit> {
        match self {
            Self::Time => Some(quantity::Unit::Seconds),
            Self::Rate => Some(quantity::Unit::BitsPerSecond),
            Self::Size => Some(quantity::Unit::Bytes),
            Self::Percent | Self::Deviation => Some(quantity::Unit::Share),
            Self::Count => Some(quantity::Unit::Count),
            Self::Number | Self::Power => Some(quantity::Unit::Ratio),
            Self::Words => None,
        }
    }

    /// A value in seconds, bits per second, bytes or without a unit. Percentages and deviations are
    /// converted to fractions.
    pub(super) fn number(self, text: &str) -> Option<f64> {
        let base = self.base(text).ok()?;
        Some(match self {
            Self::Time => base / 1e12,
            Self::Deviation => base / 1e9,
            Self::Percent => base / 1e4,
            Self::Power => libm::exp2(base),
            _ => base,
        })
    }

    /// A value in base units: picoseconds, bits per second, bytes, billionths, hundredths of a percent, or an exponent.
    fn base(self, text: &str) -> Result<f64, String> {
        fn parsed<T: FromStr<Err: Display>>(text: &str, base: impl Fn(T) -> f64) -> Result<f64, String> {
            text.parse().map(base).map_err(|error: T::Err| error.to_string())
        }
        match self {
            Self::Time => parsed(text, |time: TimeDelta| time.as_picos() as f64),
            Self::Rate => parsed(text, |rate: Rate| rate.bits_per_second() as f64),
            Self::Size => parsed(text, |size: Bytes| size.get() as f64),
            Self::Deviation => parsed(text, |deviation: PartsPerMillion| deviation.billionths() as f64),
            Self::Percent => parsed(text, |percent: Percent| f64::from(percent.hundredths())),
            Self::Power => parsed(text, |power: Power| f64::from(power.exponent())),
            Self::Count => parsed(text.trim(), |count: u64| count as f64)
                .map_err(|_| format!("{:?} is not a whole number of at least 0", text.trim())),
            Self::Number => match text.trim().parse::<f64>() {
                Ok(number) if number.is_finite() => Ok(number),
                _ => Err(format!("{:?} is not a number", text.trim())),
            },
            Self::Words => Err(String::new()),
        }
    }

    /// A value in base units, as it would be written in a scenario.
    fn text(self, value: f64) -> String {
        let whole = value.round().max(0.0) as u64;
        match self {
            Self::Time => TimeDelta::from_picos(whole).to_string(),
            Self::Rate => Rate::new(whole).unwrap_or(Rate::MIN).to_string(),
            Self::Size => Bytes::new(whole).to_string(),
            Self::Deviation => PartsPerMillion::from_billionths(whole).to_string(),
            Self::Percent => Percent::from_hundredths(whole.min(u64::from(u16::MAX)) as u16).to_string(),
            Self::Power => Setting::Power(Power::of_two(value as i8)).to_string(),
            Self::Count => whole.to_string(),
            Self::Number | Self::Words => value.to_string(),
        }
    }
}

/// The values of the range at position `at` in a text: at most `steps` values, or all whole numbers
/// or powers of two.
pub(super) fn values(
    kind: Kind,
    text: &Text,
    at: Range<usize>,
    steps: Option<usize>,
) -> Result<Vec<String>, Problem> {
    let written = &text.source.text[at.clone()];
    let (from, rest) = written.split_once("..").unwrap_or((written, written));
    let second = at.start + from.len() + 2;
    let (to, spacing) = match rest.rsplit_once(':') {
        Some((to, "log")) => (to, Spacing::Logarithmic),
        Some((to, "linear")) => (to, Spacing::Linear),
        Some((to, other)) => {
            let start = second + to.len() + 1;
            let problem = text.problem(start..at.end, format!("there is no spacing {other:?}"), "not known");
            return Err(problem.help("write `:log`, or nothing"));
        }
        None => (rest, Spacing::Linear),
    };
    if kind == Kind::Words {
        let problem = text.problem(at, "this key does not take numbers, so it cannot have a range", "");
        return Err(problem.help("write its values separated by commas"));
    }
    if steps.is_none() && !matches!(kind, Kind::Count | Kind::Power) {
        let problem = text.problem(at, "only whole numbers and powers of two can be given as a range", "");
        return Err(problem.help("write the values separated by commas"));
    }
    let end = |value: &str, start: usize| {
        kind.base(value).map_err(|message| {
            let (message, remedy) = message.rsplit_once("; write ").unwrap_or((&message, ""));
            let remedy = (!remedy.is_empty()).then(|| format!("write {remedy}"));
            text.problem(start..start + value.len(), message, "").help_if(remedy)
        })
    };
    let (low, high) = (end(from, at.start)?, end(to, second)?);
    let (from, to) = (from.trim(), to.trim());
    if low > high {
        let message = format!("the range goes from {from} down to {to}");
        let problem = text.problem(at, message, "the smaller value comes first");
        return Err(problem.help(format!("write {to}..{from}")));
    }
    if spacing == Spacing::Logarithmic && low <= 0.0 && kind != Kind::Power {
        let message = format!("a logarithmic range cannot begin at {from}");
        return Err(text.problem(at.start..second - 2, message, "not above zero"));
    }
    let steps = steps.unwrap_or((high - low).min(super::MAX_VALUES as f64) as usize + 1);
    Ok(between(kind, spacing, (low, high), (from, to), steps))
}

fn between(
    kind: Kind,
    spacing: Spacing,
    (low, high): (f64, f64),
    ends: (&str, &str),
    steps: usize,
) -> Vec<String> {
    if kind == Kind::Power {
        return (low as i32..=high as i32).map(|exponent| kind.text(f64::from(exponent))).collect();
    }
    let last = steps.saturating_sub(1).max(1);
    let at = |step: usize| {
        let share = step as f64 / last as f64;
        match spacing {
            Spacing::Linear => low + (high - low) * share,
            Spacing::Logarithmic => low * libm::pow(high / low, share),
        }
    };
    let one = |step: usize| match step {
        0 => ends.0.to_owned(),
        _ if step == last => ends.1.to_owned(),
        _ => kind.text(rounded(at(step))),
    };
    let steps = if steps <= 1 || low == high { 0 } else { last };
    let mut values: Vec<String> = (0..=steps).map(one).collect();
    values.dedup_by(|one, other| kind.base(one) == kind.base(other));
    values
}

/// A number rounded to four digits.
fn rounded(value: f64) -> f64 {
    if value == 0.0 {
        return value;
    }
    let unit = libm::pow(10.0, libm::floor(libm::log10(value.abs())) - f64::from(DIGITS - 1));
    (value / unit).round() * unit
}
