//! Parameters as data: one table per algorithm from which help, documentation and errors are made.
//!
//! A [`Parameter`] knows its name in scenario files, its managed object in IEEE 802.1Q, its unit, range and
//! origin, and how it is read from and written into the parameters `P` of its algorithm. The default is
//! whatever `P::default()` holds: it is written down once.

mod percent;
mod power;
mod value;

use core::fmt;

pub use percent::Percent;
pub use power::Power;
pub use value::{Choice, ReadError, Switch, Unit, Value};

/// One parameter of an algorithm whose parameters together are a `P`.
#[derive(Clone, Copy, Debug)]
pub struct Parameter<P: 'static> {
    /// The name in scenario files, with its tables: "qcn.cp.set_point".
    pub key: &'static str,
    /// The managed object of IEEE 802.1Q clause 32 that it is, if it is one.
    pub managed_object: Option<&'static str>,
    /// What kind of value it takes.
    pub unit: Unit,
    /// What values it takes.
    pub range: Range,
    /// Where the default comes from: a clause, a paper, a simulator, or the words "own choice".
    pub origin: &'static str,
    /// What it does, in a few sentences.
    pub description: &'static str,
    /// Where it lies in the parameters.
    pub access: Access<P>,
}

/// How a parameter is read from and written into the parameters of its algorithm.
#[derive(Clone, Copy, Debug)]
pub struct Access<P: 'static> {
    /// The value.
    pub read: fn(&P) -> Value,
    /// Sets the value; none if it is of another kind.
    pub write: fn(&mut P, Value) -> Option<()>,
}

/// The values a parameter takes, among those of its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// All of them.
    Any,
    /// From the first to the second, both included.
    Between(Value, Value),
}

/// Why a value was not written into a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParameterError {
    /// There is no parameter of that name.
    Unknown(alloc::string::String),
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

impl<P> Parameter<P> {
    /// The value it has in `params`.
    #[must_use]
    pub fn read(&self, params: &P) -> Value {
        (self.access.read)(params)
    }

    /// Gives it a value in `params`.
    ///
    /// # Errors
    /// If the value is of another kind or out of range; `params` is then unchanged.
    pub fn write(&self, params: &mut P, value: Value) -> Result<(), ParameterError> {
        self.check(value)?;
        (self.access.write)(params, value).ok_or(self.wrong_kind(value))
    }

    /// Gives it a value that is read from text, as [`Value`] prints it.
    ///
    /// # Errors
    /// If the text cannot be read or the value is not allowed; `params` is then unchanged.
    pub fn write_text(&self, params: &mut P, text: &str) -> Result<(), ParameterError> {
        let value = self.unit.read(text).map_err(|error| ParameterError::Unreadable(self.key, error))?;
        self.write(params, value)
    }

    /// Whether it may have a value.
    ///
    /// # Errors
    /// If the value is of another kind or out of range.
    pub fn check(&self, value: Value) -> Result<(), ParameterError> {
        if !self.unit.admits(value) {
            return Err(self.wrong_kind(value));
        }
        match self.range {
            // A line rate is whatever the port has, within any range of rates.
            Range::Between(lowest, highest)
                if value != Value::LineRate && (value < lowest || value > highest) =>
            {
                Err(ParameterError::Range { key: self.key, given: value, lowest, highest })
            }
            _ => Ok(()),
        }
    }

    fn wrong_kind(&self, given: Value) -> ParameterError {
        ParameterError::Kind { key: self.key, given, unit: self.unit }
    }
}

impl<P: Default> Parameter<P> {
    /// The value it has unless another is given.
    #[must_use]
    pub fn default_value(&self) -> Value {
        self.read(&P::default())
    }
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

/// The parameter of a name.
///
/// # Errors
/// If the table has none of that name.
pub fn find<'t, P>(table: &'t [Parameter<P>], key: &str) -> Result<&'t Parameter<P>, ParameterError> {
    table.iter().find(|entry| entry.key == key).ok_or_else(|| ParameterError::Unknown(key.into()))
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("any"),
            Self::Between(lowest, highest) => write!(f, "{lowest} to {highest}"),
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

/// Defines an enum of which one variant is chosen by name.
macro_rules! choice {
    ($(#[$outer:meta])* $type:ident { $($(#[$inner:meta])* $variant:ident = $name:literal, $description:literal;)+ }) => {
        $(#[$outer])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $type {
            $($(#[$inner])* #[doc = $description] $variant,)+
        }

        impl $type {
            /// The names, in the order of the variants.
            pub const CHOICES: &'static [$crate::parameter::Choice] =
                &[$($crate::parameter::Choice { name: $name, description: $description },)+];

            /// The name in scenario files.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            /// The variant of a name.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$variant),)+
                    _ => None,
                }
            }
        }
    };
}
pub(crate) use choice;

/// The [`Access`] to a field: `field!(cp.set_point: Size)`, or `field!(cp.sampling: Choice of Sampling)`.
macro_rules! field {
    ($($path:ident).+: Choice of $type:ident) => {
        $crate::parameter::Access {
            read: |params| $crate::parameter::Value::Choice(params.$($path).+.name()),
            write: |params, value| {
                let $crate::parameter::Value::Choice(name) = value else { return None };
                params.$($path).+ = $type::from_name(name)?;
                Some(())
            },
        }
    };
    ($($path:ident).+: $kind:ident) => {
        $crate::parameter::Access {
            read: |params| $crate::parameter::Value::$kind(params.$($path).+),
            write: |params, value| {
                let $crate::parameter::Value::$kind(given) = value else { return None };
                params.$($path).+ = given;
                Some(())
            },
        }
    };
}
pub(crate) use field;
