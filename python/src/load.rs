//! `load`: stored results.

use std::fs;
use std::path::{Path, PathBuf};

use pyo3::PyClass;
use pyo3::prelude::*;
use serde::de::DeserializeOwned;
use setpoint_lab::store::{self, Kind, MANIFEST};
use setpoint_lab::sweep;
use setpoint_lab::theory::{ORIGIN, Origin};

use crate::error;
use crate::league::{self, League};
use crate::phase::Phase;
use crate::reproduce::{RECORDS, Reproduction};
use crate::run::Run;
use crate::sweep::Sweep;
use crate::theory::{Fluid, Stability};
use crate::tune::{self, Tuning};

/// Load a stored result of `run`, `sweep`, `tune`, `league`, `fluid`, `stability`, `phase` or `reproduce`.
///
/// Returns the same kind of object as the function of that name, whether the function or the command stored the result.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "arguments from Python are owned")]
pub(crate) fn load(py: Python<'_>, folder: PathBuf) -> PyResult<Py<PyAny>> {
    // Results of older versions have no index, but a run has a manifest.
    if folder.join(MANIFEST).exists() {
        let record = py.detach(|| store::read(&folder)).map_err(error::failed)?;
        return object(py, Run::stored(record));
    }
    match store::kind_of(&folder) {
        Some(Kind::Sweep) if folder.join(league::FIGURES).exists() => {
            object(py, League::stored(read(&folder.join(league::FIGURES))?))
        }
        Some(Kind::Sweep) => {
            let summary = sweep::read(&folder).map_err(error::failed)?;
            object(py, Sweep::stored(summary, &folder))
        }
        Some(Kind::Tuning) => object(py, Tuning::stored(read(&folder.join(tune::FIGURES))?)),
        Some(Kind::Theory) => theory(py, &folder),
        Some(Kind::Papers) => object(py, Reproduction::stored(&text(&folder.join(RECORDS))?)?),
        _ => Err(error::failed(format!(
            "{} holds no result that can be loaded; load() reads results of run, sweep, tune, league, fluid, stability, phase and reproduce",
            folder.display()
        ))),
    }
}

/// A fluid solution, a stability map or a phase plane.
fn theory(py: Python<'_>, folder: &Path) -> PyResult<Py<PyAny>> {
    let origin: Origin = read(&folder.join(ORIGIN))?;
    let [fluid, stability, phase] =
        ["fluid.json", "stability.json", "phase.json"].map(|name| folder.join(name));
    if fluid.exists() {
        object(py, Fluid::stored(read(&fluid)?, origin))
    } else if stability.exists() {
        object(py, Stability::stored(read(&stability)?, origin))
    } else {
        object(py, Phase::stored(read(&phase)?, origin))
    }
}

fn object<P: PyClass + Into<PyClassInitializer<P>>>(py: Python<'_>, object: P) -> PyResult<Py<PyAny>> {
    Ok(Py::new(py, object)?.into_any())
}

fn read<T: DeserializeOwned>(path: &Path) -> PyResult<T> {
    serde_json::from_str(&text(path)?)
        .map_err(|error| error::failed(format!("cannot read {}: {error}", path.display())))
}

fn text(path: &Path) -> PyResult<String> {
    fs::read_to_string(path)
        .map_err(|error| error::failed(format!("cannot read {}: {error}", path.display())))
}
