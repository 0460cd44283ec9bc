//! Parameters of any algorithm.

use core::fmt;

use super::{Parameter, ParameterError, Preset, PresetChange, Range, Unit, Value};
use crate::algorithm::{Params, PartOf};

/// A parameter of any algorithm, read from and written into the parameters of all algorithms.
///
/// ```
/// use setpoint_control::{Algorithm, Params};
/// use setpoint_units::Bytes;
///
/// let mut params = Params::default();
/// for parameter in Algorithm::Smcc.parameters().into_iter().filter(|parameter| parameter.name() == "set_point") {
///     let value = parameter.unit().read("50 kB").expect("a size");
///     parameter.write(&mut params, value).expect("within the range");
/// }
/// assert_eq!(params.smcc.cp.set_point, Bytes::new(50_000));
/// ```
pub trait Tunable: fmt::Debug + Sync {
    /// The name in scenario files, with its tables: "qcn.cp.set_point".
    fn key(&self) -> &'static str;
    /// The corresponding managed object of IEEE 802.1Q clause 32, if there is one.
    fn managed_object(&self) -> Option<&'static str>;
    /// The unit of its values.
    fn unit(&self) -> Unit;
    /// The values that it can take.
    fn range(&self) -> Range;
    /// Where the default comes from.
    fn origin(&self) -> &'static str;
    /// Its meaning, in a few sentences.
    fn description(&self) -> &'static str;
    /// Its default.
    fn default_value(&self) -> Value;
    /// Its value in a preset, if the preset changes the default.
    fn preset(&self, preset: Preset) -> Option<PresetChange>;
    /// Its value in `params`.
    fn read(&self, params: &Params) -> Value;
    /// Sets its value in `params`.
    ///
    /// # Errors
    /// Returns an error if the value has a different unit or is out of range; `params` is then unchanged.
    fn write(&self, params: &mut Params, value: Value) -> Result<(), ParameterError>;
    /// Checks that a value is allowed.
    ///
    /// # Errors
    /// Returns an error if the value has a different unit or is out of range.
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
