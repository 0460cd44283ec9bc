//! Plots of the reports, as notebooks show them.

use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use setpoint_suggest::did_you_mean;

use crate::error;
use crate::pickle::{Pickled, Reduced, reduce};

/// A plot: an SVG document, which notebooks display.
#[pyclass(frozen, module = "setpoint")]
#[derive(Debug)]
pub(crate) struct Plot(setpoint_report::Plot);

#[pymethods]
impl Plot {
    /// The name.
    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }

    /// The title.
    #[getter]
    fn title(&self) -> &str {
        &self.0.title
    }

    /// The SVG document.
    #[getter]
    fn svg(&self) -> &str {
        &self.0.svg
    }

    /// Write the SVG document to a file.
    #[expect(clippy::needless_pass_by_value, reason = "arguments from Python are owned")]
    fn save(&self, path: std::path::PathBuf) -> PyResult<()> {
        std::fs::write(&path, &self.0.svg)
            .map_err(|error| error::failed(format!("cannot write {}: {error}", path.display())))
    }

    fn _repr_svg_(&self) -> &str {
        &self.0.svg
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        reduce(py, self)
    }

    fn __repr__(&self) -> String {
        format!("<Plot {:?}: {}>", self.0.name, self.0.title)
    }
}

impl Pickled for Plot {
    type Content<'a> = &'a setpoint_report::Plot;
    type Restored = setpoint_report::Plot;

    fn content(&self) -> Self::Content<'_> {
        &self.0
    }

    fn restore(content: Self::Restored) -> PyResult<Self> {
        Ok(Self(content))
    }
}

/// Plots by name.
pub(crate) fn by_name(py: Python<'_>, plots: Vec<setpoint_report::Plot>) -> PyResult<Py<PyDict>> {
    let dict = PyDict::new(py);
    plots.into_iter().try_for_each(|plot| dict.set_item(plot.name.clone(), Plot(plot)))?;
    Ok(dict.unbind())
}

/// The plot with a name.
pub(crate) fn named(plots: Vec<setpoint_report::Plot>, name: &str) -> PyResult<Plot> {
    let names: Vec<String> = plots.iter().map(|plot| plot.name.clone()).collect();
    match plots.into_iter().find(|plot| plot.name == name) {
        Some(plot) => Ok(Plot(plot)),
        None => {
            let remedy = did_you_mean(name, names.iter().map(String::as_str))
                .unwrap_or_else(|| format!("there are {}", names.join(", ")));
            Err(PyKeyError::new_err(format!("no plot {name:?}; {remedy}")))
        }
    }
}
