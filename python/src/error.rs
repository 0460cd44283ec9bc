//! Exceptions, with the same messages as on the command line.

use std::ffi::CString;
use std::fmt::Display;

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyUserWarning};
use pyo3::prelude::*;
use serde::{Deserialize, Serialize};
use setpoint_lab::files::NotFound;
use setpoint_scenario::{Colour, Diagnostics, Prepared, Warning};

use crate::pickle::{Pickled, Reduced, reduce};

create_exception!(setpoint, Error, PyException, "An operation that Setpoint rejects or cannot perform.");
create_exception!(
    setpoint,
    ScenarioError,
    Error,
    "A scenario that cannot run. The text shows every problem at its place, as the command line does; `problems` holds the \
     same as objects."
);
create_exception!(setpoint, RunError, Error, "A run that failed, or a file that cannot be read or written.");
create_exception!(
    setpoint,
    ScenarioWarning,
    PyUserWarning,
    "A scenario that can run but is probably not what was intended."
);
create_exception!(
    setpoint,
    RunWarning,
    PyUserWarning,
    "A finished run that may not show what was intended, for example because a mechanism did nothing."
);

/// Adds the exceptions to the module.
pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("Error", py.get_type::<Error>())?;
    module.add("ScenarioError", py.get_type::<ScenarioError>())?;
    module.add("RunError", py.get_type::<RunError>())?;
    module.add("ScenarioWarning", py.get_type::<ScenarioWarning>())?;
    module.add("RunWarning", py.get_type::<RunWarning>())
}

/// A problem in a scenario.
#[pyclass(frozen, get_all, module = "setpoint")]
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Problem {
    /// A description of the problem, in one line.
    message: String,
    /// The file or option that contains it.
    file: Option<String>,
    /// The line, counted from 1.
    line: Option<usize>,
    /// The column, counted from 1.
    column: Option<usize>,
    /// The line of its end.
    end_line: Option<usize>,
    /// The column after its last character.
    end_column: Option<usize>,
    /// Suggestions for solving it.
    remedies: Vec<String>,
}

#[pymethods]
impl Problem {
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        reduce(py, self)
    }

    fn __repr__(&self) -> String {
        let place = match (&self.file, self.line, self.column) {
            (Some(file), Some(line), Some(column)) => format!(" at {file}:{line}:{column}"),
            (Some(file), ..) => format!(" in {file}"),
            _ => String::new(),
        };
        format!("<Problem{place}: {}>", self.message)
    }
}

impl Pickled for Problem {
    type Content<'a> = &'a Self;
    type Restored = Self;

    fn content(&self) -> &Self {
        self
    }

    fn restore(content: Self) -> PyResult<Self> {
        Ok(content)
    }
}

impl Problem {
    fn of(problem: &setpoint_scenario::Problem) -> Self {
        let (begin, end) = (problem.line_and_column(), problem.end_line_and_column());
        Self {
            message: problem.message().to_owned(),
            file: problem.file().map(str::to_owned),
            line: begin.map(|(line, _)| line),
            column: begin.map(|(_, column)| column),
            end_line: end.map(|(line, _)| line),
            end_column: end.map(|(_, column)| column),
            remedies: problem.remedies().to_vec(),
        }
    }
}

/// The exception for the problems in a scenario.
pub(crate) fn invalid(py: Python<'_>, diagnostics: &Diagnostics) -> PyErr {
    with_problems(py, diagnostics.render(Colour::Off), diagnostics.problems().iter().map(Problem::of))
}

/// The exception for a scenario that exists but does not suit the request, or for an invalid argument.
pub(crate) fn unsuitable(py: Python<'_>, message: impl Display) -> PyErr {
    with_problems(py, message.to_string(), std::iter::empty())
}

/// The exception for a scenario that was not found.
pub(crate) fn not_found(py: Python<'_>, error: &NotFound) -> PyErr {
    match error {
        NotFound::Unknown { .. } => unsuitable(py, error),
        NotFound::Unreadable(diagnostics) => invalid(py, diagnostics),
    }
}

/// The exception for a run that failed, or for a file error.
pub(crate) fn failed(error: impl Display) -> PyErr {
    RunError::new_err(error.to_string())
}

fn with_problems(py: Python<'_>, text: String, problems: impl Iterator<Item = Problem>) -> PyErr {
    let error = ScenarioError::new_err(text);
    let set = problems
        .map(|problem| Py::new(py, problem))
        .collect::<PyResult<Vec<_>>>()
        .and_then(|problems| error.value(py).setattr("problems", problems));
    set.err().unwrap_or(error)
}

/// Issues the warnings of a scenario as Python warnings.
pub(crate) fn warn(py: Python<'_>, prepared: &Prepared) -> PyResult<()> {
    prepared.warnings().iter().try_for_each(|warning| warn_of(py, warning))
}

/// Issues a warning.
pub(crate) fn warn_of(py: Python<'_>, warning: &Warning) -> PyResult<()> {
    let text = c_string(&warning.render(Colour::Off))?;
    PyErr::warn(py, &py.get_type::<ScenarioWarning>(), &text, 1)
}

/// Issues warnings about finished runs, each with the code of its check.
pub(crate) fn warn_of_runs<'a>(
    py: Python<'_>,
    warnings: impl IntoIterator<Item = (&'a str, String)>,
) -> PyResult<()> {
    warnings.into_iter().try_for_each(|(check, message)| {
        let text = c_string(&format!("warning[{check}]: {message}"))?;
        PyErr::warn(py, &py.get_type::<RunWarning>(), &text, 1)
    })
}

/// Text for Python. Text from the user may contain a null character, which ends a C string.
fn c_string(text: &str) -> PyResult<CString> {
    Ok(CString::new(text.replace('\0', " "))?)
}
