//! Parameter values with their units, and how they are read from text.

use core::fmt;

use setpoint_units::{Bytes, Rate, TimeDelta};

use super::{Fraction, Percent, Power, ReadError};

/// Whether a part of an algorithm is in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Switch {
    /// In use.
    On,
    /// Not in use.
    Off,
}

impl Switch {
    /// Whether the part is in use.
    #[inline]
    pub const fn is_on(self) -> bool {
        matches!(self, Self::On)
    }
}

/// One of the names that a choice offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The name in scenario files.
    pub name: &'static str,
    /// Its meaning.
    pub description: &'static str,
}

/// The unit of a parameter's values, which determines how they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// An amount of data: "26 kB".
    Size,
    /// A span of time: "15 ms".
    Time,
    /// A rate: "5 Mb/s".
    Rate,
    /// A rate, or the words "line rate" for the port rate.
    RateOrLine,
    /// A whole number.
    Count,
    /// A part of a whole: "15 %".
    Percent,
    /// A fraction in parts of at most 1024: "1/256".
    Fraction,
    /// A power of two: "2^-7".
    Power,
    /// "on" or "off".
    Switch,
    /// One of a few names.
    Choice(&'static [Choice]),
}

/// The value of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
pub enum Value {
    /// An amount of data.
    Size(Bytes),
    /// A span of time.
    Time(TimeDelta),
    /// A rate.
    Rate(Rate),
    /// The port rate.
    LineRate,
    /// A whole number.
    Count(u32),
    /// A part of a whole.
    Percent(Percent),
    /// A fraction in 1024ths.
    Fraction(Fraction),
    /// A power of two.
    Power(Power),
    /// On or off.
    Switch(Switch),
    /// The chosen name.
    Choice(&'static str),
}

impl Unit {
    /// Reads a value in this unit.
    ///
    /// # Errors
    /// Returns an error if the text is not such a value.
    pub fn read(self, text: &str) -> Result<Value, ReadError> {
        let trimmed = text.trim();
        match self {
            Self::Size => trimmed.parse().map(Value::Size).map_err(ReadError::Quantity),
            Self::Time => trimmed.parse().map(Value::Time).map_err(ReadError::Quantity),
            Self::RateOrLine if trimmed == LINE_RATE => Ok(Value::LineRate),
            Self::Rate | Self::RateOrLine => trimmed.parse().map(Value::Rate).map_err(ReadError::Quantity),
            Self::Count => trimmed.parse().map(Value::Count).map_err(|_| ReadError::Count(text.into())),
            Self::Percent => trimmed.parse().map(Value::Percent),
            Self::Fraction => trimmed.parse().map(Value::Fraction),
            Self::Power => trimmed.parse().map(Value::Power),
            Self::Switch => read_switch(trimmed).map(Value::Switch),
            Self::Choice(choices) => read_choice(trimmed, choices).map(Value::Choice),
        }
    }

    /// Whether a value is in this unit and, for a choice, is one of its names.
    pub fn admits(self, value: Value) -> bool {
        match (self, value) {
            (Self::Choice(choices), Value::Choice(name)) => choices.iter().any(|choice| choice.name == name),
            _ => self.has_kind_of(value),
        }
    }

    /// Whether a value is in this unit; for a choice, any name is accepted.
    pub(super) const fn has_kind_of(self, value: Value) -> bool {
        matches!(
            (self, value),
            (Self::Size, Value::Size(_))
                | (Self::Time, Value::Time(_))
                | (Self::Rate, Value::Rate(_))
                | (Self::RateOrLine, Value::Rate(_) | Value::LineRate)
                | (Self::Count, Value::Count(_))
                | (Self::Percent, Value::Percent(_))
                | (Self::Fraction, Value::Fraction(_))
                | (Self::Power, Value::Power(_))
                | (Self::Switch, Value::Switch(_))
                | (Self::Choice(_), Value::Choice(_))
        )
    }
}

const LINE_RATE: &str = "line rate";

fn read_switch(text: &str) -> Result<Switch, ReadError> {
    match text {
        "on" | "true" => Ok(Switch::On),
        "off" | "false" => Ok(Switch::Off),
        _ => Err(ReadError::Switch(text.into())),
    }
}

fn read_choice(text: &str, choices: &'static [Choice]) -> Result<&'static str, ReadError> {
    let chosen = choices.iter().find(|choice| choice.name == text);
    chosen.map(|choice| choice.name).ok_or_else(|| ReadError::Choice { given: text.into(), choices })
}

/// Describes the values, in a phrase that follows the word "expected".
impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size => f.write_str("a size such as \"26 kB\""),
            Self::Time => f.write_str("a time such as \"15 ms\""),
            Self::Rate => f.write_str("a rate such as \"5 Mb/s\""),
            Self::RateOrLine => f.write_str("a rate such as \"5 Mb/s\", or \"line rate\""),
            Self::Count => f.write_str("a whole number"),
            Self::Percent => f.write_str("a percentage such as \"15 %\""),
            Self::Fraction => f.write_str("a fraction such as \"1/256\""),
            Self::Power => f.write_str("a power of two such as \"2^-7\""),
            Self::Switch => f.write_str("\"on\" or \"off\""),
            Self::Choice(choices) => {
                f.write_str("one of ")?;
                write_names(f, choices)
            }
        }
    }
}

pub(super) fn write_names(f: &mut fmt::Formatter<'_>, choices: &[Choice]) -> fmt::Result {
    for (index, choice) in choices.iter().enumerate() {
        write!(f, "{}{:?}", if index == 0 { "" } else { ", " }, choice.name)?;
    }
    Ok(())
}

/// Prints the form that [`Unit::read`] reads.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size(size) => size.fmt(f),
            Self::Time(span) => span.fmt(f),
            Self::Rate(rate) => rate.fmt(f),
            Self::LineRate => f.pad(LINE_RATE),
            Self::Count(count) => count.fmt(f),
            Self::Percent(percent) => percent.fmt(f),
            Self::Fraction(fraction) => fraction.fmt(f),
            Self::Power(power) => power.fmt(f),
            Self::Switch(Switch::On) => f.pad("on"),
            Self::Switch(Switch::Off) => f.pad("off"),
            Self::Choice(name) => f.pad(name),
        }
    }
}
