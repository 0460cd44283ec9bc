//! Scenarios, and the ways to specify one.

use std::path::PathBuf;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use setpoint_lab::files;
use setpoint_scenario::{Source, builtin};

use crate::error;
use crate::pickle::{Pickled, Reduced, reduce};
use crate::toml;

/// The name of a scenario that was not read from a file.
const UNNAMED: &str = "scenario";

/// The text of a scenario, with its origin.
///
/// It is checked when it is used, together with the values of `set`.
#[pyclass(frozen, module = "setpoint")]
#[derive(Clone, Debug)]
pub(crate) struct Scenario {
    pub(crate) source: Source,
}

#[pymethods]
impl Scenario {
    /// A scenario from TOML text. It can extend built-in scenarios, but not files. Error messages refer to it by its name.
    #[staticmethod]
    #[pyo3(signature = (text, name = UNNAMED))]
    fn from_text(text: &str, name: &str) -> Self {
        Self { source: Source::new(name, text) }
    }

    /// A scenario from a dictionary, as `tomllib.load` returns it.
    #[staticmethod]
    #[pyo3(signature = (dict, name = UNNAMED))]
    fn from_dict(dict: &Bound<'_, PyDict>, name: &str) -> PyResult<Self> {
        Ok(Self { source: Source::new(name, toml::document(dict)?) })
    }

    /// A scenario from a file.
    #[staticmethod]
    #[expect(clippy::needless_pass_by_value, reason = "arguments from Python are owned")]
    fn from_file(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let source = files::read(&path).map_err(|diagnostics| error::invalid(py, &diagnostics))?;
        Ok(Self { source })
    }

    /// A built-in scenario; `scenarios()` lists their names.
    #[staticmethod]
    fn builtin(py: Python<'_>, name: &str) -> PyResult<Self> {
        let source = Source::builtin(name).map_err(|diagnostics| error::invalid(py, &diagnostics))?;
        Ok(Self { source })
    }

    /// The file, or the name that messages use in its place.
    #[getter]
    fn name(&self) -> &str {
        &self.source.name
    }

    /// The TOML text.
    #[getter]
    fn text(&self) -> &str {
        &self.source.text
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        reduce(py, self)
    }

    fn __repr__(&self) -> String {
        format!("<Scenario {:?}>", self.source.name)
    }
}

impl Pickled for Scenario {
    type Content<'a> = &'a Source;
    type Restored = Source;

    fn content(&self) -> &Source {
        &self.source
    }

    fn restore(source: Source) -> PyResult<Self> {
        Ok(Self { source })
    }
}

/// The built-in scenarios: their names, and their one-line titles.
#[pyfunction]
pub(crate) fn scenarios<'py>(py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    builtin().iter().try_for_each(|builtin| dict.set_item(builtin.name, builtin.title))?;
    Ok(dict)
}

/// The scenario that an argument specifies: the default if there is none; a [`Scenario`]; a dictionary; text, if it
/// has several lines; otherwise a file or the name of a built-in scenario, as on the command line.
pub(crate) fn given(py: Python<'_>, argument: Option<&Bound<'_, PyAny>>) -> PyResult<Source> {
    let Some(argument) = argument else { return named(py, PathBuf::from(builtin()[0].name)) };
    if let Ok(scenario) = argument.cast::<Scenario>() {
        return Ok(scenario.get().source.clone());
    }
    if let Ok(dict) = argument.cast::<PyDict>() {
        return Ok(Source::new(UNNAMED, toml::document(dict)?));
    }
    if let Ok(text) = argument.cast::<PyString>() {
        let text = text.to_cow()?;
        if text.contains('\n') {
            return Ok(Source::new(UNNAMED, text));
        }
    }
    match argument.extract::<PathBuf>() {
        Ok(path) => named(py, path),
        Err(_) => Err(PyTypeError::new_err(format!(
            "a scenario is a setpoint.Scenario, a dict, a str or a path, not {}",
            argument.get_type().name()?
        ))),
    }
}

#[expect(clippy::needless_pass_by_value, reason = "neither caller uses it afterwards")]
fn named(py: Python<'_>, path: PathBuf) -> PyResult<Source> {
    files::find(&path).map_err(|error| error::not_found(py, &error))
}
