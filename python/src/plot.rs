//! Plots of the reports, as shown in notebooks.

use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use setpoint_plot::{Extent, Ink, Length, LengthError, Paper, Style, Words};
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

    /// Write the plot to a file: as PDF if its name ends in `.pdf`, otherwise as SVG.
    #[expect(clippy::needless_pass_by_value, reason = "arguments from Python are owned")]
    fn save(&self, path: std::path::PathBuf) -> PyResult<()> {
        let is_pdf = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("pdf"));
        let content = if is_pdf {
            setpoint_plot::pdf(&self.0.svg).map_err(error::failed)?
        } else {
            self.0.svg.clone().into_bytes()
        };
        std::fs::write(&path, content)
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

pub(crate) fn by_name(py: Python<'_>, plots: Vec<setpoint_report::Plot>) -> PyResult<Py<PyDict>> {
    let dict = PyDict::new(py);
    plots.into_iter().try_for_each(|plot| dict.set_item(plot.name.clone(), Plot(plot)))?;
    Ok(dict.unbind())
}

/// The style from keyword arguments: `size`, `font_size`, `greyscale`, `title` and `note`.
pub(crate) fn style(given: Option<&Bound<'_, PyDict>>) -> PyResult<Style> {
    let (mut size, mut font, mut style) = (None, Length::font("8pt"), Style::SCREEN);
    let shown = |value: &Bound<'_, PyAny>| -> PyResult<Words> {
        Ok(if value.extract()? { Words::Shown } else { Words::Hidden })
    };
    for (key, value) in given.into_iter().flatten() {
        match key.extract::<String>()?.as_str() {
            "size" => size = value.extract::<Option<String>>()?,
            "font_size" => font = Length::font(&value.extract::<String>()?),
            "greyscale" => style.ink = if value.extract()? { Ink::Grey } else { Ink::Colour },
            "title" => style.title = shown(&value)?,
            "note" => style.note = shown(&value)?,
            other => {
                let remedy = did_you_mean(other, OPTIONS)
                    .unwrap_or_else(|| format!("there are {}", OPTIONS.join(", ")));
                return Err(PyTypeError::new_err(format!("plot() has no argument {other:?}; {remedy}")));
            }
        }
    }
    let wrong = |problem: &dyn std::error::Error| PyValueError::new_err(problem.to_string());
    let font = font.map_err(|problem| wrong(&problem))?;
    if let Some(size) = size {
        let extent: Extent = size.parse().map_err(|problem: LengthError| wrong(&problem))?;
        style.paper = Some(Paper::new(extent, font).map_err(|problem| wrong(&problem))?);
    } else if given.is_some_and(|given| given.contains("font_size").unwrap_or(false)) {
        return Err(PyValueError::new_err("font_size requires size, such as size=\"88mm\""));
    }
    Ok(style)
}

/// Keyword arguments of [`style`].
const OPTIONS: [&str; 5] = ["size", "font_size", "greyscale", "title", "note"];

/// The plot with the given name.
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
