//! One point, driven by inputs in the format of `setpoint step`.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyMapping;
use serde_json::{Map, Value, json};
use setpoint_control::{Algorithm, Preset, Role};
use setpoint_suggest::did_you_mean;
use setpoint_vectors::{Answer, Setup, Stepper};

use super::algorithms;
use crate::options::{option_text, pairs};
use crate::plain::object;

/// One point and its last answer.
#[derive(Debug)]
pub(super) struct Stepped {
    /// Boxed, because points are aligned to cache lines, and Python objects are not.
    pub(super) stepper: Box<Stepper>,
    last: Answer,
    pub(super) name: &'static str,
}

/// The arguments that create a point.
pub(super) struct Setting<'a, 'py> {
    pub(super) algorithm: &'a str,
    pub(super) set: Option<&'a Bound<'py, PyMapping>>,
    pub(super) preset: &'a str,
    pub(super) line_rate: Option<&'a str>,
    pub(super) seed: u64,
}

impl Setting<'_, '_> {
    fn setup(&self) -> PyResult<Setup> {
        let algorithm = Algorithm::from_name(self.algorithm)
            .ok_or_else(|| unknown("algorithm", self.algorithm, &algorithms()))?;
        let presets = Preset::ALL.map(Preset::name);
        let preset =
            Preset::from_name(self.preset).ok_or_else(|| unknown("preset", self.preset, &presets))?;
        let mut setup = Setup::new(algorithm).with_preset(preset);
        setup.seed = self.seed;
        if let Some(rate) = self.line_rate {
            setup.line_rate = rate.parse().map_err(|error| refused(format!("line_rate: {error}")))?;
        }
        for (key, value) in pairs(self.set)? {
            setup.set(&key, &option_text(&value)?).map_err(refused)?;
        }
        Ok(setup)
    }
}

impl Stepped {
    /// One of the points of an algorithm, in its initial state.
    pub(super) fn new(setting: &Setting<'_, '_>, point: Role) -> PyResult<Self> {
        let setup = setting.setup()?;
        let name = setup.algorithm.name();
        let mut stepper = Box::new(Stepper::new(setup, Some(point)).map_err(refused)?);
        let last = stepper.step(r#"{"start": {}}"#).map_err(refused)?;
        Ok(Self { stepper, last, name })
    }

    /// Applies an input; an argument that was not given has its default value.
    pub(super) fn input(&mut self, event: &str, keys: Value, random: Option<Vec<u32>>) -> PyResult<&Answer> {
        let Value::Object(mut keys) = keys else { unreachable!("keys are an object") };
        keys.retain(|_, value| !value.is_null());
        let mut line = Map::new();
        line.insert(event.to_owned(), Value::Object(keys));
        line.extend(random.map(|random| ("random".to_owned(), json!(random))));
        self.step(&Value::Object(line))
    }

    /// Applies an input line in the format of `setpoint step`.
    pub(super) fn step(&mut self, line: &Value) -> PyResult<&Answer> {
        self.last = self.stepper.step(&line.to_string()).map_err(refused)?;
        Ok(&self.last)
    }

    /// The last answer, as `setpoint step` prints it.
    pub(super) fn answer(&self) -> Value {
        serde_json::from_str(&self.last.to_string()).expect("an answer is JSON")
    }

    /// The value of one key of the last answer.
    pub(super) fn part<'py>(&self, py: Python<'py>, key: &str) -> PyResult<Bound<'py, PyAny>> {
        object(py, &self.answer()[key])
    }
}

fn unknown(kind: &str, given: &str, known: &[&'static str]) -> PyErr {
    let remedy = did_you_mean(given, known.iter().copied());
    let remedy = remedy.unwrap_or_else(|| format!("use one of {}", known.join(", ")));
    refused(format!("there is no {kind} {given:?}; {remedy}"))
}

#[expect(clippy::needless_pass_by_value, reason = "errors are passed by value")]
fn refused(problem: impl ToString) -> PyErr {
    PyValueError::new_err(problem.to_string())
}
