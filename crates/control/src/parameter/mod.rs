//! Parameters as data: one table per algorithm from which help, documentation and errors are made.
//!
//! A [`Parameter`] knows its name in scenario files, its managed object in IEEE 802.1Q, its unit, range and
//! origin, and how it is read from and written into the parameters `P` of its algorithm. The default is
//! whatever `P::default()` holds: it is written down once.

mod declare;
mod error;
mod kind;
mod percent;
mod power;
mod preset;
pub(crate) mod range;
mod tunable;
mod value;

pub(crate) use declare::{choice, parameters};
pub use error::{ParameterError, ReadError};
pub(crate) use kind::ParameterType;
pub use percent::Percent;
pub use power::Power;
pub use preset::{Preset, PresetChange, PresetValue};
pub use range::Range;
pub use tunable::Tunable;
pub use value::{Choice, Switch, Unit, Value};

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
    /// Its values for other speeds of links.
    pub presets: &'static [PresetValue],
}

/// How a parameter is read from and written into the parameters of its algorithm.
#[derive(Clone, Copy, Debug)]
pub struct Access<P: 'static> {
    /// The value.
    pub read: fn(&P) -> Value,
    /// Sets the value; none if it is of another kind.
    pub write: fn(&mut P, Value) -> Option<()>,
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

    /// What a preset gives it in place of the default.
    #[must_use]
    pub fn preset(&self, preset: Preset) -> Option<PresetChange> {
        let declared = self.presets.iter().find(|declared| declared.preset == preset)?;
        Some(PresetChange { key: self.key, value: (declared.value)(), origin: declared.origin })
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

/// The parameter of a name.
///
/// # Errors
/// If the table has none of that name.
pub fn find<'t, P>(table: &'t [Parameter<P>], key: &str) -> Result<&'t Parameter<P>, ParameterError> {
    table.iter().find(|entry| entry.key == key).ok_or_else(|| ParameterError::Unknown(key.into()))
}
