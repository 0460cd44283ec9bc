//! Arguments that several functions share.

use std::num::{NonZeroU32, NonZeroUsize};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyMapping, PyString, PyTuple};
use setpoint_lab::memory::default_limit;
use setpoint_lab::session::Request;
use setpoint_scenario::{Axis, Diagnostics, Prepared, Scenario};
use setpoint_units::Bytes;

use crate::error;
use crate::scenario::given;
use crate::toml;

/// Maximum number of threads: more than any machine has cores.
const MOST_THREADS: usize = 1_024;
/// Maximum number of runs: more than anyone would wait for.
pub(crate) const MOST_RUNS: usize = 1_000_000;

/// The scenario to use, and changes to it.
pub(crate) struct Settings<'a, 'py> {
    pub(crate) scenario: Option<&'a Bound<'py, PyAny>>,
    pub(crate) set: Option<&'a Bound<'py, PyMapping>>,
    pub(crate) seed: Option<u64>,
}

impl Settings<'_, '_> {
    /// Reads and checks the scenario.
    pub(crate) fn load(&self, py: Python<'_>) -> PyResult<Scenario> {
        checked(py, self.request(py)?.load())
    }

    /// Reads and checks the scenario for several runs, whose seeds count up from its seed.
    pub(crate) fn load_for_seeds(&self, py: Python<'_>) -> PyResult<Scenario> {
        checked(py, self.request(py)?.load_for_seeds())
    }

    /// Reads the scenario and prepares it for its seed.
    pub(crate) fn prepare(&self, py: Python<'_>) -> PyResult<(Scenario, Prepared)> {
        checked(py, self.request(py)?.prepare())
    }

    fn request(&self, py: Python<'_>) -> PyResult<Request> {
        let one = |(key, value): (String, Bound<'_, PyAny>)| {
            option_text(&value).map(|value| format!("{key}={value}"))
        };
        let settings = pairs(self.set)?.into_iter().map(one).collect::<PyResult<Vec<String>>>()?;
        checked(py, Request::new(given(py, self.scenario)?, settings, self.seed))
    }
}

/// The axes of a sweep: a list of values, or text such as `1..8`, for each key.
pub(crate) fn axes(py: Python<'_>, axes: Option<&Bound<'_, PyMapping>>) -> PyResult<Vec<Axis>> {
    let one = |(key, values): (String, Bound<'_, PyAny>)| {
        checked(py, Axis::read("--axis", &format!("{key}={}", values_text(&values)?)))
    };
    pairs(axes)?.into_iter().map(one).collect()
}

/// The keys and values of a mapping; empty without a mapping.
pub(crate) fn pairs<'py>(
    mapping: Option<&Bound<'py, PyMapping>>,
) -> PyResult<Vec<(String, Bound<'py, PyAny>)>> {
    let Some(mapping) = mapping else { return Ok(Vec::new()) };
    mapping.items()?.iter().map(|item| item.extract()).collect()
}

/// The values of an axis in the form that the command line accepts.
pub(crate) fn values_text(values: &Bound<'_, PyAny>) -> PyResult<String> {
    if !values.is_instance_of::<PyList>() && !values.is_instance_of::<PyTuple>() {
        return option_text(values);
    }
    let texts: PyResult<Vec<String>> = values.try_iter()?.map(|value| option_text(&value?)).collect();
    Ok(texts?.join(","))
}

/// A value in the form that the command line accepts: text unchanged, and everything else as TOML.
pub(crate) fn option_text(value: &Bound<'_, PyAny>) -> PyResult<String> {
    match value.cast::<PyString>() {
        Ok(text) => Ok(text.to_cow()?.into_owned()),
        Err(_) => toml::inline(value),
    }
}

/// The value, or the exception with all problems.
pub(crate) fn checked<T>(py: Python<'_>, read: Result<T, Diagnostics>) -> PyResult<T> {
    read.map_err(|diagnostics| error::invalid(py, &diagnostics))
}

/// Checks the number of seeds.
pub(crate) fn seeds(given: usize) -> PyResult<NonZeroU32> {
    let seeds = u32::try_from(given).ok().and_then(NonZeroU32::new).filter(|_| given <= MOST_RUNS);
    seeds.ok_or_else(|| {
        PyValueError::new_err(format!("seeds is {given}; expected a number from 1 to {MOST_RUNS}"))
    })
}

/// Checks any other number, which must be at least `least`.
pub(crate) fn number(name: &str, given: usize, least: u32) -> PyResult<NonZeroU32> {
    let number = u32::try_from(given).ok().filter(|number| *number >= least && given <= MOST_RUNS);
    number.and_then(NonZeroU32::new).ok_or_else(|| {
        PyValueError::new_err(format!("{name} is {given}; expected a number from {least} to {MOST_RUNS}"))
    })
}

/// Checks the number of threads; `None` for one per core.
pub(crate) fn threads(given: Option<usize>) -> PyResult<Option<NonZeroUsize>> {
    let Some(given) = given else { return Ok(None) };
    match NonZeroUsize::new(given).filter(|_| given <= MOST_THREADS) {
        Some(threads) => Ok(Some(threads)),
        None => Err(PyValueError::new_err(format!(
            "threads is {given}; expected a number from 1 to {MOST_THREADS}"
        ))),
    }
}

/// The memory limit: half of the available memory if none is given.
pub(crate) fn memory(given: Option<&str>) -> PyResult<Bytes> {
    match given {
        Some(text) => text.parse().map_err(|error| PyValueError::new_err(format!("memory: {error}"))),
        None => Ok(default_limit()),
    }
}
