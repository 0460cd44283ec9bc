//! Parameters as data: one table per algorithm, from which help, documentation and errors are generated.
//!
//! An algorithm declares its parameters once. The declaration defines the structs that its points take, the defaults,
//! and a table of [`Parameter`]s. A [`Parameter`] holds the name in scenario files, the role that reads it, the managed object in
//! IEEE 802.1Q, unit, range, origin and meaning, and reads and writes the value in
//! [`Params`](crate::Params).

mod declare;
mod error;
mod fraction;
mod frame_length;
mod kind;
mod parts;
mod percent;
mod power;
mod preset;
mod profile;
pub(crate) mod range;
mod value;

pub(crate) use declare::{choice, parameters};
pub use error::{ParameterError, ReadError};
pub use fraction::Fraction;
pub(crate) use frame_length::FRAME_LENGTHS;
pub use frame_length::FrameLength;
pub(crate) use kind::ParameterType;
pub use parts::Parts;
pub use percent::Percent;
pub use power::Power;
pub use preset::{Preset, PresetChange};
pub use profile::Profile;
pub use range::Range;
pub use value::{Choice, Switch, Unit, Value};

use crate::role::Role;

/// One parameter of an algorithm, read from and written into the parameters of all algorithms.
///
/// ```
/// use setpoint_control::{Params, parameter, qcn};
///
/// let mut params = Params::default();
/// let set_point = parameter::find(qcn::PARAMETERS, "qcn.cp.set_point")?;
/// set_point.write_text(&mut params, "33 kB")?;
/// assert_eq!(set_point.read(&params).to_string(), "33 kB");
/// assert_eq!(set_point.default_value().to_string(), "26 kB");
/// # Ok::<(), parameter::ParameterError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// The name in scenario files, with its tables: "qcn.cp.set_point".
    pub key: &'static str,
    /// The role that reads it.
    pub role: Role,
    /// The corresponding managed object of IEEE 802.1Q clause 32, if there is one.
    pub managed_object: Option<&'static str>,
    /// The unit of its values.
    pub unit: Unit,
    /// The values that it can take.
    pub range: Range,
    /// Where the default comes from: a clause, a paper, a simulator, or the words "our choice".
    pub origin: &'static str,
    /// Its meaning, in a few sentences.
    pub description: &'static str,
    pub(crate) default: fn() -> Value,
    pub(crate) get: fn(&dyn Parts) -> Value,
    /// Returns `None` if the value has a different unit.
    pub(crate) set: fn(&mut dyn Parts, Value) -> Option<()>,
    /// Its value in a preset that changes the default, and where that value comes from.
    pub(crate) preset: fn(Preset) -> Option<(Value, &'static str)>,
}

impl Parameter {
    /// The last part of its key.
    pub fn name(&self) -> &'static str {
        self.key.rsplit('.').next().unwrap_or(self.key)
    }

    /// Its default.
    pub fn default_value(&self) -> Value {
        (self.default)()
    }

    /// Its value in `params`.
    pub fn read(&self, params: &dyn Parts) -> Value {
        (self.get)(params)
    }

    /// Sets its value in `params`.
    ///
    /// # Errors
    /// Returns an error if the value has a different unit or is out of range; `params` is then unchanged.
    pub fn write(&self, params: &mut dyn Parts, value: Value) -> Result<(), ParameterError> {
        self.check(value)?;
        (self.set)(params, value).ok_or(self.wrong_kind(value))
    }

    /// Sets its value in `params` from text, in the form in which [`Value`] prints it.
    ///
    /// # Errors
    /// Returns an error if the text cannot be read or the value is not allowed; `params` is then unchanged.
    pub fn write_text(&self, params: &mut dyn Parts, text: &str) -> Result<(), ParameterError> {
        let value = self.unit.read(text).map_err(|error| ParameterError::Unreadable(self.key, error))?;
        self.write(params, value)
    }

    /// Checks that a value is allowed.
    ///
    /// # Errors
    /// Returns an error if the value has a different unit or is out of range.
    pub fn check(&self, value: Value) -> Result<(), ParameterError> {
        if !self.unit.admits(value) {
            return Err(self.wrong_kind(value));
        }
        match self.range {
            // The line rate is the port rate and is within any range of rates.
            Range::Between(lowest, highest)
                if value != Value::LineRate && (value < lowest || value > highest) =>
            {
                Err(ParameterError::Range { key: self.key, given: value, lowest, highest })
            }
            _ => Ok(()),
        }
    }

    /// Its value in a preset, if the preset changes the default.
    pub fn preset(&self, preset: Preset) -> Option<PresetChange> {
        let (value, origin) = (self.preset)(preset)?;
        Some(PresetChange { key: self.key, value, origin })
    }

    fn wrong_kind(&self, given: Value) -> ParameterError {
        ParameterError::Kind { key: self.key, given, unit: self.unit }
    }
}

/// Finds a parameter by its key.
///
/// # Errors
/// Returns an error if the table has no parameter with this key.
pub fn find<'t>(table: &'t [Parameter], key: &str) -> Result<&'t Parameter, ParameterError> {
    table.iter().find(|entry| entry.key == key).ok_or_else(|| ParameterError::Unknown(key.into()))
}
