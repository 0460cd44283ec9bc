//! Objects from other processes: the classes that can be pickled, by name.

use pyo3::PyClass;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::check::Check;
use crate::compare::Comparison;
use crate::error::Problem;
use crate::league::League;
use crate::phase::Phase;
use crate::pickle::Pickled;
use crate::plot::Plot;
use crate::reproduce::Reproduction;
use crate::run::Run;
use crate::scenario::Scenario;
use crate::sweep::Sweep;
use crate::table::Table;
use crate::theory::{Fluid, Stability};
use crate::tune::Tuning;

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
