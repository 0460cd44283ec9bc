//! A parameter of whatever algorithm.

use core::fmt;

use super::{Parameter, ParameterError, Preset, PresetChange, Range, Unit, Value};
use crate::algorithm::{Params, PartOf};

/// A [`Parameter`] that is read from and written into the parameters of all algorithms together.
pub trait Tunable: fmt::Debug + Sync {
    /// The name in scenario files, with its tables: "qcn.cp.set_point".
    fn key(&self) -> &'static str;
    /// The managed object of IEEE 802.1Q clause 32 that it is, if it is one.
    fn managed_object(&self) -> Option<&'static str>;
    /// What kind of value it takes.
    fn unit(&self) -> Unit;
    /// What values it takes.
    fn range(&self) -> Range;
    /// Where the default comes from.
    fn origin(&self) -> &'static str;
    /// What it does, in a few sentences.
    fn description(&self) -> &'static str;
    /// The value it has unless another is given.
    fn default_value(&self) -> Value;
    /// What a preset gives it in place of the default.
    fn preset(&self, preset: Preset) -> Option<PresetChange>;
    /// The value it has in `params`.
    fn read(&self, params: &Params) -> Value;
    /// Gives it a value in `params`.
    ///
    /// # Errors
    /// If the value is of another kind or out of range; `params` is then unchanged.
    fn write(&self, params: &mut Params, value: Value) -> Result<(), ParameterError>;
    /// Whether it may have a value.
    ///
    /// # Errors
    /// If the value is of another kind or out of range.
    fn check(&self, value: Value) -> Result<(), ParameterError>;
}

impl dyn Tunable + '_ {
    /// The last part of its key.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.key().rsplit('.').next().unwrap_or(self.key())
    }
}

impl<P: PartOf + Default + fmt::Debug> Tunable for Parameter<P> {
    fn key(&self) -> &'static str {
        self.key
    }
    fn managed_object(&self) -> Option<&'static str> {
        self.managed_object
    }
    fn unit(&self) -> Unit {
        self.unit
    }
    fn range(&self) -> Range {
        self.range
    }
    fn origin(&self) -> &'static str {
        self.origin
    }
    fn description(&self) -> &'static str {
        self.description
    }
    fn default_value(&self) -> Value {
        Parameter::default_value(self)
    }
    fn preset(&self, preset: Preset) -> Option<PresetChange> {
        Parameter::preset(self, preset)
    }
    fn read(&self, params: &Params) -> Value {
        Parameter::read(self, P::of(params))
    }
    fn write(&self, params: &mut Params, value: Value) -> Result<(), ParameterError> {
        Parameter::write(self, P::of_mut(params), value)
    }
    fn check(&self, value: Value) -> Result<(), ParameterError> {
        Parameter::check(self, value)
    }
}
