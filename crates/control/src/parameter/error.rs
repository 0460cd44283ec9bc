//! Why a parameter cannot have a value.

use alloc::string::String;
use core::fmt;

use super::{ReadError, Unit, Value};

/// Why a value was not written into a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParameterError {
    /// There is no parameter of that name.
    Unknown(String),
    /// The text is not a value of the parameter's unit.
    Unreadable(&'static str, ReadError),
    /// The value is of another kind than the parameter's.
    Kind {
        /// The parameter.
        key: &'static str,
        /// What was given.
        given: Value,
        /// What kind of value it takes.
        unit: Unit,
    },
    /// The value is out of range.
    Range {
        /// The parameter.
        key: &'static str,
        /// What was given.
        given: Value,
        /// The smallest value allowed.
        lowest: Value,
        /// The largest value allowed.
        highest: Value,
    },
}

impl ParameterError {
    /// The parameter to point at.
    #[must_use]
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
