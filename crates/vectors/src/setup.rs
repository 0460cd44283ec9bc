//! What is stepped: an algorithm, its parameters, the rate of the port and the seed.

use setpoint_control::parameter::{Tunable, Value};
use setpoint_control::{Algorithm, Misfit, Params, Preset};
use setpoint_units::Rate;
use thiserror::Error;

use setpoint_suggest::nearest;

/// One of the two points of an algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Point {
    /// The congestion point, at a queue.
    Congestion,
    /// The reaction point, in front of a rate limiter.
    Reaction,
}

impl Point {
    /// Both, the congestion point first.
    pub const BOTH: [Self; 2] = [Self::Congestion, Self::Reaction];

    /// The name on the command line and in parameters.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Congestion => "cp",
            Self::Reaction => "rp",
        }
    }

    /// The point of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::BOTH.into_iter().find(|point| point.name() == name)
    }

    /// The name in prose.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Congestion => "congestion point",
            Self::Reaction => "reaction point",
        }
    }

    /// The parameters of this point among those an algorithm reads.
    pub(super) fn parameters(self, algorithm: Algorithm) -> impl Iterator<Item = &'static dyn Tunable> {
        let belongs =
            move |parameter: &&'static dyn Tunable| parameter.key().split('.').nth(1) == Some(self.name());
        algorithm.parameters().into_iter().filter(belongs)
    }
}

/// What two points are made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Which algorithm.
    pub algorithm: Algorithm,
    /// Its parameters, among those of all.
    pub params: Params,
    /// The rate of the port that the reaction point sends through.
    pub line_rate: Rate,
    /// What random numbers are derived from.
    pub seed: u64,
}

impl Setup {
    /// An algorithm with its default parameters, at a port of the rate that they are for, with seed 1.
    #[must_use]
    pub fn new(algorithm: Algorithm) -> Self {
        Self { algorithm, params: Params::default(), line_rate: Preset::TenG.line_rate(), seed: 1 }
    }

    /// The same with the parameters of a preset, at a port of the rate that it is for.
    #[must_use]
    pub fn with_preset(self, preset: Preset) -> Self {
        Self { params: Params::preset(preset), line_rate: preset.line_rate(), ..self }
    }

    /// Gives a parameter a value, as text with its unit. The key may leave out tables from the left as long
    /// as it stays unique: `qcn.cp.set_point`, `cp.set_point` or `set_point`.
    ///
    /// # Errors
    /// If the algorithm has no such parameter, if several are meant, or if it cannot have the value.
    pub fn set(&mut self, key: &str, text: &str) -> Result<(), SetupError> {
        let parameter = self.find(key)?;
        let refused = |message: String| SetupError::Value { message };
        let value =
            parameter.unit().read(text).map_err(|error| refused(format!("{}: {error}", parameter.key())))?;
        parameter.write(&mut self.params, value).map_err(|error| refused(error.to_string()))
    }

    /// Whether the parameters fit together and fit the port.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn check(&self) -> Result<(), SetupError> {
        Ok(self.algorithm.check(&self.params, Some(self.line_rate))?)
    }

    /// The parameters that are not at their default, with their values.
    #[must_use]
    pub fn changes(&self) -> Vec<(&'static str, Value)> {
        let values = self.algorithm.parameters().into_iter();
        let values = values.map(|parameter| (parameter, parameter.read(&self.params)));
        let changed = values.filter(|(parameter, value)| *value != parameter.default_value());
        changed.map(|(parameter, value)| (parameter.key(), value)).collect()
    }

    fn find(&self, key: &str) -> Result<&'static dyn Tunable, SetupError> {
        let wanted = key.trim();
        let wanted = wanted.strip_prefix("control.").unwrap_or(wanted);
        let parameters = self.algorithm.parameters();
        if let Some(exact) = parameters.iter().find(|parameter| parameter.key() == wanted) {
            return Ok(*exact);
        }
        let ending = format!(".{wanted}");
        let meant: Vec<_> =
            parameters.iter().copied().filter(|parameter| parameter.key().ends_with(&ending)).collect();
        match meant[..] {
            [one] => Ok(one),
            [] => Err(self.unknown(wanted, &parameters)),
            [..] => {
                let keys: Vec<_> = meant.iter().map(|parameter| parameter.key()).collect();
                Err(SetupError::Ambiguous { given: wanted.to_owned(), keys: keys.join(", ") })
            }
        }
    }

    fn unknown(&self, given: &str, parameters: &[&'static dyn Tunable]) -> SetupError {
        let remedy = match nearest(given, parameters.iter().flat_map(|parameter| endings(parameter.key()))) {
            Some(close) => format!("did you mean \"{close}\"?"),
            None if parameters.is_empty() => "it has none".to_owned(),
            None => format!("`setpoint explain {}` lists them", self.algorithm.name()),
        };
        SetupError::Unknown { algorithm: self.algorithm.name(), given: given.to_owned(), remedy }
    }
}

/// A key, and what is left of it without its first tables.
fn endings(key: &'static str) -> impl Iterator<Item = &'static str> {
    std::iter::successors(Some(key), |key| Some(key.split_once('.')?.1))
}

/// Why points cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SetupError {
    /// The algorithm has no such parameter.
    #[error("{algorithm} has no parameter {given:?}; {remedy}")]
    Unknown {
        /// The algorithm.
        algorithm: &'static str,
        /// The key that was given.
        given: String,
        /// What to do instead.
        remedy: String,
    },
    /// Several parameters end in the key.
    #[error("{given:?} could be {keys}; write one of them in full")]
    Ambiguous {
        /// The key that was given.
        given: String,
        /// Those it could be.
        keys: String,
    },
    /// The value cannot be read or is out of range.
    #[error("{message}")]
    Value {
        /// What is wrong with it.
        message: String,
    },
    /// The parameters do not fit together.
    #[error(transparent)]
    Misfit(#[from] Misfit),
}
