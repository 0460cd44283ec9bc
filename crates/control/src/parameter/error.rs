//! Errors in parameter values.

use alloc::string::String;
use core::fmt;

use setpoint_units::ParseQuantityError;

use super::value::write_names;
use super::{Choice, Percent, Unit, Value};

/// The reason why a value was not written into a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParameterError {
    /// There is no parameter with this key.
    Unknown(String),
    /// The text is not a value in the parameter's unit.
    Unreadable(&'static str, ReadError),
    /// The value's unit differs from that of the parameter.
    Kind {
        /// The parameter.
        key: &'static str,
        /// The given value.
        given: Value,
        /// The unit of the parameter.
        unit: Unit,
    },
    /// The value is out of range.
    Range {
        /// The parameter.
        key: &'static str,
        /// The given value.
        given: Value,
        /// The smallest value allowed.
        lowest: Value,
        /// The largest value allowed.
        highest: Value,
    },
}

impl ParameterError {
    /// The parameter that the error refers to.
    pub fn key(&self) -> &str {
        match self {
            Self::Unknown(key) => key,
            Self::Unreadable(key, _) | Self::Kind { key, .. } | Self::Range { key, .. } => key,
        }
    }
}

impl fmt::Display for ParameterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(key) => write!(f, "there is no parameter {key:?}"),
            Self::Unreadable(key, error) => write!(f, "{key}: {error}"),
            Self::Kind { key, given, unit } => write!(f, "{key} cannot be \"{given}\"; expected {unit}"),
            Self::Range { key, given, lowest, highest } => {
                write!(f, "{key} cannot be \"{given}\"; it must be from {lowest} to {highest}")
            }
        }
    }
}

impl core::error::Error for ParameterError {}

/// The reason why text is not a value in a parameter's unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// Not a size, a time or a rate.
    Quantity(ParseQuantityError),
    /// Not a whole number.
    Count(String),
    /// Not a percentage.
    Percent(String),
    /// A percentage beyond [`Percent::MAX`].
    PercentTooLarge(String),
    /// The text is not a fraction whose denominator is a power of two up to 1024.
    Fraction(String),
    /// Not a power of two.
    Power(String),
    /// Neither on nor off.
    Switch(String),
    /// Not one of the names.
    Choice {
        /// The given text.
        given: String,
        /// The allowed names.
        choices: &'static [Choice],
    },
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Quantity(error) => error.fmt(f),
            Self::Count(given) => write!(f, "{given:?} is not a whole number from 0 to {}", u32::MAX),
            Self::Percent(given) => {
                write!(f, "{given:?} is not a percentage; write up to two decimals and a %, as in \"15 %\"")
            }
            Self::PercentTooLarge(given) => write!(f, "{given:?} is more than {}", Percent::MAX),
            Self::Fraction(given) => {
                write!(
                    f,
                    "{given:?} is not a fraction; write \"1/256\": the denominator is a power of two, at most 1024"
                )
            }
            Self::Power(given) => {
                write!(f, "{given:?} is not a power of two; write \"2^-7\", \"1/128\" or \"4\"")
            }
            Self::Switch(given) => write!(f, "{given:?} is neither \"on\" nor \"off\""),
            Self::Choice { given, choices } => {
                write!(f, "{given:?} is not one of ")?;
                write_names(f, choices)
            }
        }
    }
}

impl core::error::Error for ReadError {}
