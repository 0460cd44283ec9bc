//! Ranges of values: `FROM..TO`, linear or, with `:log`, logarithmic.

use std::fmt::Display;
use std::ops::Range;
use std::str::FromStr;

use setpoint_control::parameter::{Fraction, Percent, Power, Unit, Value as Setting};
use setpoint_units::{Bytes, PartsPerMillion, Rate, TimeDelta, quantity};

use super::spacing::Spacing;
use super::{Text, whole};
use crate::diagnostics::Problem;
use crate::format::{Shape, read_delay};

/// Number of digits to which values between the ends are rounded, unless neighbours are so close that they need more.
const DIGITS: i32 = 4;

/// The kind of numbers that a key takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Time,
    /// A time, or the length of a cable.
    Delay,
    Rate,
    Size,
    Deviation,
    Count,
    Number,
    Percent,
    Fraction,
    Power,
    Words,
}

impl Kind {
    pub(super) fn of(shape: &Shape) -> Self {
        match shape {
            Shape::Time(_) => Self::Time,
            Shape::Delay => Self::Delay,
            Shape::Rate(_) => Self::Rate,
            Shape::Size(_) => Self::Size,
            Shape::Integer(..) => Self::Count,
            Shape::NumberAbove(_) => Self::Number,
            Shape::Deviation(_) => Self::Deviation,
            Shape::Percent(_) => Self::Percent,
            Shape::Parameter(parameter) => match parameter.unit {
                Unit::Size => Self::Size,
                Unit::Time => Self::Time,
                Unit::Rate | Unit::RateOrLine => Self::Rate,
                Unit::Count => Self::Count,
                Unit::Percent => Self::Percent,
                Unit::Fraction => Self::Fraction,
                Unit::Power => Self::Power,
                Unit::Switch | Unit::Choice(_) => Self::Words,
            },
            _ => Self::Words,
        }
    }

    /// The unit of [`Kind::number`]; none if there are no numbers.
    pub(super) fn unit(self) -> Option<quantity::Unit> {
        match self {
            Self::Time | Self::Delay => Some(quantity::Unit::Seconds),
            Self::Rate => Some(quantity::Unit::BitsPerSecond),
            Self::Size => Some(quantity::Unit::Bytes),
            Self::Percent | Self::Deviation | Self::Fraction => Some(quantity::Unit::Share),
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
            Self::Time | Self::Delay => base / 1e12,
            Self::Deviation => base / 1e9,
            Self::Percent => base / 1e4,
            Self::Fraction => base / 1024.0,
            Self::Power => libm::exp2(base),
            _ => base,
        })
    }

    /// A value in base units: picoseconds, bits per second, bytes, billionths, hundredths of a percent,
    /// 1024ths, or an exponent.
    fn base(self, text: &str) -> Result<f64, String> {
        fn parsed<T: FromStr<Err: Display>>(text: &str, base: impl Fn(T) -> f64) -> Result<f64, String> {
            text.parse().map(base).map_err(|error: T::Err| error.to_string())
        }
        match self {
            Self::Time => parsed(text, |time: TimeDelta| time.as_picos() as f64),
            Self::Delay => match read_delay(text) {
                Ok(delay) => Ok(delay.as_picos() as f64),
                Err(error) => Err(error.to_string()),
            },
            Self::Rate => parsed(text, |rate: Rate| rate.bits_per_second() as f64),
            Self::Size => parsed(text, |size: Bytes| size.get() as f64),
            Self::Deviation => parsed(text, |deviation: PartsPerMillion| deviation.billionths() as f64),
            Self::Percent => parsed(text, |percent: Percent| f64::from(percent.hundredths())),
            Self::Fraction => parsed(text, |fraction: Fraction| f64::from(fraction.parts())),
            Self::Power => parsed(text, |power: Power| f64::from(power.exponent())),
            Self::Count => whole::read(text).map(|count| count as f64),
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
            Self::Time | Self::Delay => TimeDelta::from_picos(whole).to_string(),
            Self::Rate => Rate::new(whole).unwrap_or(Rate::MIN).to_string(),
            Self::Size => Bytes::new(whole).to_string(),
            Self::Deviation => PartsPerMillion::from_billionths(whole).to_string(),
            Self::Percent => Percent::from_hundredths(whole.min(u64::from(u16::MAX)) as u16).to_string(),
            Self::Fraction => Fraction::of_1024(whole.min(1024) as u16).to_string(),
            Self::Power => Setting::Power(Power::of_two(value as i8)).to_string(),
            Self::Count => whole.to_string(),
            Self::Number | Self::Words => value.to_string(),
        }
    }
}

/// A range as written: its ends, their position, and its spacing.
struct Written<'a> {
    text: &'a Text,
    at: Range<usize>,
    from: &'a str,
    to: &'a str,
    /// The position at which the second end begins.
    second: usize,
    spacing: Spacing,
}

/// The values of the range at position `at` in the text: with `steps`, at most that many; otherwise all whole numbers
/// or powers of two.
pub(super) fn values(
    kind: Kind,
    text: &Text,
    at: Range<usize>,
    steps: Option<usize>,
) -> Result<Vec<String>, Problem> {
    let range = Written::read(text, at)?;
    range.check_kind(kind, steps)?;
    if kind == Kind::Count {
        return Ok(range.whole_numbers(steps)?.iter().map(u64::to_string).collect());
    }
    let (low, high) = range.ends(|end| kind.base(end))?;
    if range.spacing == Spacing::Logarithmic && low <= 0.0 && kind != Kind::Power {
        return Err(range.not_above_zero());
    }
    let ends = (range.from.trim(), range.to.trim());
    Ok(between(kind, range.spacing, (low, high), ends, steps.unwrap_or(usize::MAX)))
}

impl<'a> Written<'a> {
    fn read(text: &'a Text, at: Range<usize>) -> Result<Self, Problem> {
        let written = &text.source.text[at.clone()];
        let (from, rest) = written.split_once("..").unwrap_or((written, written));
        let second = at.start + from.len() + 2;
        let (to, spacing) = match rest.rsplit_once(':') {
            Some((to, "log")) => (to, Spacing::Logarithmic),
            Some((to, "linear")) => (to, Spacing::Linear),
            Some((to, other)) => {
                let start = second + to.len() + 1;
                let message = format!("there is no spacing {other:?}");
                return Err(text
                    .problem(start..at.end, message, "not known")
                    .help("write `:log`, or nothing"));
            }
            None => (rest, Spacing::Linear),
        };
        Ok(Self { text, at, from, to, second, spacing })
    }

    fn problem(&self, message: impl Into<String>, label: &str) -> Problem {
        self.text.problem(self.at.clone(), message, label)
    }

    /// Refuses a range that does not determine its values.
    fn check_kind(&self, kind: Kind, steps: Option<usize>) -> Result<(), Problem> {
        let message = match kind {
            Kind::Words => "this key does not take numbers, so it cannot have a range",
            Kind::Count if steps.is_none() && self.spacing == Spacing::Logarithmic => {
                "a range in a sweep contains every whole number, so it cannot be logarithmic"
            }
            Kind::Count | Kind::Power => return Ok(()),
            _ if steps.is_some() => return Ok(()),
            _ => "only whole numbers and powers of two can be given as a range",
        };
        Err(self.problem(message, "").help("write the values separated by commas"))
    }

    /// Both ends, of which the first must not be larger.
    fn ends<T: PartialOrd>(&self, base: impl Fn(&str) -> Result<T, String>) -> Result<(T, T), Problem> {
        let end = |value: &str, start: usize| {
            base(value).map_err(|message| {
                let (message, remedy) = message.rsplit_once("; write ").unwrap_or((&message, ""));
                let remedy = (!remedy.is_empty()).then(|| format!("write {remedy}"));
                self.text.problem(start..start + value.len(), message, "").help_if(remedy)
            })
        };
        let (low, high) = (end(self.from, self.at.start)?, end(self.to, self.second)?);
        if low > high {
            let (from, to) = (self.from.trim(), self.to.trim());
            let message = format!("the range goes from {from} down to {to}");
            let problem = self.problem(message, "the smaller value comes first");
            return Err(problem.help(format!("write {to}..{from}")));
        }
        Ok((low, high))
    }

    /// Every whole number in the range or, with `steps`, at most that many.
    fn whole_numbers(&self, steps: Option<usize>) -> Result<Vec<u64>, Problem> {
        let (low, high) = self.ends(whole::read)?;
        match steps {
            Some(_) if self.spacing == Spacing::Logarithmic && low == 0 => Err(self.not_above_zero()),
            Some(steps) => Ok(whole::spread(low, high, self.spacing, steps)),
            None => whole::all(low, high, super::MAX_VALUES).map_err(|count| {
                let most = super::MAX_VALUES;
                let message = format!("the range has {count} values; the maximum is {most}");
                self.problem(message, "too long")
                    .help("write a shorter range, or some values separated by commas")
            }),
        }
    }

    fn not_above_zero(&self) -> Problem {
        let message = format!("a logarithmic range cannot begin at {}", self.from.trim());
        self.text.problem(self.at.start..self.second - 2, message, "not above zero")
    }
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
    let at = |step: usize| spacing.at((low, high), step as f64 / last as f64);
    let one = |step: usize| match step {
        0 => ends.0.to_owned(),
        _ if step == last => ends.1.to_owned(),
        _ => kind.text(rounded(at(step), at(step) - at(step - 1))),
    };
    let steps = if steps <= 1 || low == high { 0 } else { last };
    let mut values: Vec<String> = (0..=steps).map(one).collect();
    values.dedup_by(|one, other| kind.base(one) == kind.base(other));
    values
}

/// A number rounded to four digits, or to more if the number before it is so close that rounding would move it past its
/// neighbour: the unit is at most a tenth of the distance.
fn rounded(value: f64, distance: f64) -> f64 {
    if value == 0.0 {
        return value;
    }
    let power = |number: f64| libm::floor(libm::log10(number.abs()));
    let digits = power(value) - f64::from(DIGITS - 1);
    let unit = libm::pow(10.0, digits.min(power(distance) - 1.0));
    (value / unit).round() * unit
}
