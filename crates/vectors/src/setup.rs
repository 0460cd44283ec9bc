//! The setup of a session: algorithm, parameters, line rate and seed.

use setpoint_control::parameter::{Parameter, Value};
use setpoint_control::{Algorithm, Misfit, NotificationPointParams, Params, Path, Preset, Role};
use setpoint_units::{Rate, TimeDelta};
use thiserror::Error;

use setpoint_suggest::nearest;

/// The setup of the points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// Its parameters.
    pub params: Params,
    /// Line rate of the reaction point's port.
    pub line_rate: Rate,
    /// The random seed.
    pub seed: u64,
}

impl Setup {
    /// The round-trip time of the reaction point's path in an idle network.
    const BASE_RTT: TimeDelta = TimeDelta::from_micros(10);

    /// Whether the algorithm has this point.
    pub(super) fn has(&self, point: Role) -> bool {
        point != Role::NotificationPoint || self.receiver() != NotificationPointParams::None
    }

    /// The parameters of the notification point.
    pub(super) fn receiver(&self) -> NotificationPointParams {
        self.algorithm.notification_point(&self.params)
    }

    /// The path of the reaction point.
    pub(super) fn path(&self) -> Path {
        Path { base_rtt: Self::BASE_RTT, largest_rtt: Self::BASE_RTT, bridges: 2, ..Path::at(self.line_rate) }
    }

    /// An algorithm with its default parameters, the line rate they are designed for, and seed 1.
    pub fn new(algorithm: Algorithm) -> Self {
        Self { algorithm, params: Params::default(), line_rate: Preset::TenG.line_rate(), seed: 1 }
    }

    /// Applies a preset: its parameters and its line rate.
    #[must_use]
    pub fn with_preset(self, preset: Preset) -> Self {
        Self { params: Params::preset(preset), line_rate: preset.line_rate(), ..self }
    }

    /// Sets a parameter to a value, given as text with its unit. The key may omit leading tables as long as it is
    /// unique: `qcn.cp.set_point`, `cp.set_point` or `set_point`.
    ///
    /// # Errors
    /// Returns an error if the algorithm has no such parameter, the key is ambiguous, or the value is invalid.
    pub fn set(&mut self, key: &str, text: &str) -> Result<(), SetupError> {
        let parameter = self.find(key)?;
        let refused = |message: String| SetupError::Value { message };
        let value =
            parameter.unit.read(text).map_err(|error| refused(format!("{}: {error}", parameter.key)))?;
        parameter.write(&mut self.params, value).map_err(|error| refused(error.to_string()))
    }

    /// Checks that the parameters are compatible with each other and with the port.
    ///
    /// # Errors
    /// Returns the first problem.
    pub fn check(&self) -> Result<(), SetupError> {
        Ok(self.algorithm.check(&self.params, Some(self.line_rate))?)
    }

    /// The parameters that differ from their defaults, with their values.
    pub fn changes(&self) -> Vec<(&'static str, Value)> {
        let values = self.algorithm.parameters();
        let values = values.map(|parameter| (parameter, parameter.read(&self.params)));
        let changed = values.filter(|(parameter, value)| *value != parameter.default_value());
        changed.map(|(parameter, value)| (parameter.key, value)).collect()
    }

    fn find(&self, key: &str) -> Result<&'static Parameter, SetupError> {
        let wanted = key.trim();
        let wanted = wanted.strip_prefix("control.").unwrap_or(wanted);
        let parameters: Vec<_> = self.algorithm.parameters().collect();
        if let Some(exact) = parameters.iter().find(|parameter| parameter.key == wanted) {
            return Ok(*exact);
        }
        let ending = format!(".{wanted}");
        let meant: Vec<_> =
            parameters.iter().copied().filter(|parameter| parameter.key.ends_with(&ending)).collect();
        match meant[..] {
            [one] => Ok(one),
            [] => Err(self.unknown(wanted, &parameters)),
            [..] => {
                let keys: Vec<_> = meant.iter().map(|parameter| parameter.key).collect();
                Err(SetupError::Ambiguous { given: wanted.to_owned(), keys: keys.join(", ") })
            }
        }
    }

    fn unknown(&self, given: &str, parameters: &[&'static Parameter]) -> SetupError {
        let remedy = match nearest(given, parameters.iter().flat_map(|parameter| endings(parameter.key))) {
            Some(close) => format!("did you mean \"{close}\"?"),
            None if parameters.is_empty() => "it has no parameters".to_owned(),
            None => format!("`setpoint explain {}` lists them", self.algorithm.name()),
        };
        SetupError::Unknown { algorithm: self.algorithm.name(), given: given.to_owned(), remedy }
    }
}

/// A key, and its endings without leading tables.
fn endings(key: &'static str) -> impl Iterator<Item = &'static str> {
    std::iter::successors(Some(key), |key| Some(key.split_once('.')?.1))
}

/// The reason why points cannot be created.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "the messages show the fields")]
pub enum SetupError {
    /// The algorithm has no such parameter.
    #[error("{algorithm} has no parameter {given:?}; {remedy}")]
    Unknown { algorithm: &'static str, given: String, remedy: String },
    /// The names of several parameters end in the key.
    #[error("{given:?} could be {keys}; write one of them in full")]
    Ambiguous { given: String, keys: String },
    /// The value cannot be parsed or is out of range.
    #[error("{message}")]
    Value { message: String },
    /// The parameters are incompatible.
    #[error(transparent)]
    Misfit(#[from] Misfit),
}
