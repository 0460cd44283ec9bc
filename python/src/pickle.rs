//! Pickling: results and errors are passed to another process with their content, in JSON.

use pyo3::PyClass;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::check::Check;
use crate::compare::Comparison;
use crate::error::Problem;
use crate::league::League;
use crate::phase::Phase;
use crate::plot::Plot;
use crate::reproduce::Reproduction;
use crate::run::Run;
use crate::scenario::Scenario;
use crate::sweep::Sweep;
use crate::table::Table;
use crate::theory::{Fluid, Stability};
use crate::tune::Tuning;

/// An object that can be pickled.
pub(crate) trait Pickled: Into<PyClassInitializer<Self>> + PyClass {
    type Content<'a>: Serialize
    where
        Self: 'a;
    /// Its content, as read back.
    type Restored: DeserializeOwned;

    fn content(&self) -> Self::Content<'_>;

    /// The object with this content.
    fn restore(content: Self::Restored) -> PyResult<Self>;
}

/// The function and the arguments that `pickle` uses to recreate the object.
pub(crate) type Reduced<'py> = (Bound<'py, PyAny>, (&'static str, Bound<'py, PyBytes>));

/// The return value of `__reduce__`.
pub(crate) fn reduce<'py, P: Pickled>(py: Python<'py>, object: &P) -> PyResult<Reduced<'py>> {
    let content = serde_json::to_vec(&object.content()).expect("keys are text");
    let restore = py.import("setpoint._setpoint")?.getattr("_restore")?;
    Ok((restore, (P::NAME, PyBytes::new(py, &content))))
}

/// Recreates a pickled object.
#[pyfunction]
#[pyo3(name = "_restore")]
pub(crate) fn restore(py: Python<'_>, kind: &str, content: &[u8]) -> PyResult<Py<PyAny>> {
    match kind {
        Check::NAME => restored::<Check>(py, content),
        Comparison::NAME => restored::<Comparison>(py, content),
        Fluid::NAME => restored::<Fluid>(py, content),
        League::NAME => restored::<League>(py, content),
        Phase::NAME => restored::<Phase>(py, content),
        Plot::NAME => restored::<Plot>(py, content),
        Problem::NAME => restored::<Problem>(py, content),
        Reproduction::NAME => restored::<Reproduction>(py, content),
        Run::NAME => restored::<Run>(py, content),
        Scenario::NAME => restored::<Scenario>(py, content),
        Stability::NAME => restored::<Stability>(py, content),
        Sweep::NAME => restored::<Sweep>(py, content),
        Table::NAME => restored::<Table>(py, content),
        Tuning::NAME => restored::<Tuning>(py, content),
        _ => Err(PyValueError::new_err(format!("{kind:?} is not a class of this version"))),
    }
}

fn restored<P: Pickled>(py: Python<'_>, content: &[u8]) -> PyResult<Py<PyAny>> {
    let content = serde_json::from_slice(content)
        .map_err(|error| PyValueError::new_err(format!("a {} of another version: {error}", P::NAME)))?;
    Ok(Py::new(py, P::restore(content)?)?.into_any())
}
