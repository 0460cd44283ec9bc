//! Parameters as data: one table per algorithm, from which help, documentation and errors are generated.
//!
//! An algorithm declares its parameters once. The declaration defines the struct `P` that its points take, the
//! defaults, and a table of [`Parameter`]s. A [`Parameter`] holds the name in scenario files, the managed object in
//! IEEE 802.1Q, unit, range, origin and meaning, and reads and writes the value in a `P`.

mod declare;
mod error;
mod frame_length;
mod kind;
mod percent;
mod power;
mod preset;
pub(crate) mod range;
mod tunable;
mod value;

pub(crate) use declare::{choice, parameters};
pub use error::{ParameterError, ReadError};
pub(crate) use frame_length::FRAME_LENGTHS;
pub use frame_length::FrameLength;
pub(crate) use kind::ParameterType;
pub use percent::Percent;
pub use power::Power;
pub use preset::{Preset, PresetChange, PresetValue};
pub use range::Range;
pub use tunable::Tunable;
pub use value::{Choice, Switch, Unit, Value};

/// One parameter of an algorithm whose parameters form a `P`.
///
/// ```
/// use setpoint_control::{parameter, qcn};
///
/// let mut params = qcn::Params::default();
/// let set_point = parameter::find(qcn::PARAMETERS, "qcn.cp.set_point")?;
/// set_point.write_text(&mut params, "33 kB")?;
/// assert_eq!(set_point.read(&params).to_string(), "33 kB");
/// assert_eq!(set_point.default_value().to_string(), "26 kB");
/// # Ok::<(), parameter::ParameterError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Parameter<P: 'static> {
    /// The name in scenario files, with its tables: "qcn.cp.set_point".
    pub key: &'static str,
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
    /// Returns its value.
    pub get: fn(&P) -> Value,
    /// Sets its value; returns `None` if the value has a different unit.
    pub set: fn(&mut P, Value) -> Option<()>,
    /// Its values for other link speeds, each with its origin.
    pub presets: &'static [PresetValue],
}

impl<P> Parameter<P> {
    /// Its value in `params`.
    #[must_use]
    pub fn read(&self, params: &P) -> Value {
        (self.get)(params)
    }

    /// Sets its value in `params`.
    ///
    /// # Errors
    /// Returns an error if the value has a different unit or is out of range; `params` is then unchanged.
    pub fn write(&self, params: &mut P, value: Value) -> Result<(), ParameterError> {
        self.check(value)?;
        (self.set)(params, value).ok_or(self.wrong_kind(value))
    }

    /// Sets its value in `params` from text, in the form in which [`Value`] prints it.
    ///
    /// # Errors
    /// Returns an error if the text cannot be read or the value is not allowed; `params` is then unchanged.
    pub fn write_text(&self, params: &mut P, text: &str) -> Result<(), ParameterError> {
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
    #[must_use]
    pub fn preset(&self, preset: Preset) -> Option<PresetChange> {
        let (_, value, origin) = self.presets.iter().find(|(declared, ..)| *declared == preset)?;
        Some(PresetChange { key: self.key, value: value(), origin })
    }

    fn wrong_kind(&self, given: Value) -> ParameterError {
        ParameterError::Kind { key: self.key, given, unit: self.unit }
    }
}

impl<P: Default> Parameter<P> {
    /// Its default.
    #[must_use]
    pub fn default_value(&self) -> Value {
        self.read(&P::default())
    }
}

/// Finds a parameter by its key.
///
/// # Errors
/// Returns an error if the table has no parameter with this key.
pub fn find<'t, P>(table: &'t [Parameter<P>], key: &str) -> Result<&'t Parameter<P>, ParameterError> {
    table.iter().find(|entry| entry.key == key).ok_or_else(|| ParameterError::Unknown(key.into()))
}
