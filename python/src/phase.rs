//! `phase`: trajectories in the phase plane of queue and rates.

use std::path::PathBuf;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping};
use setpoint_lab::theory::{self, Finding, Origin, PhaseOptions, PhaseRecord};
use setpoint_plot::Style;
use setpoint_units::TimeDelta;

use crate::error;
use crate::html;
use crate::options::Settings;
use crate::pickle::{Pickled, Reduced, reduce};
use crate::plain::plain;
use crate::plot::{self, Plot};
use crate::table::{self, Table};
use crate::theory::{destination, failure, store};
use crate::wait::wait;

/// The phase plane of a scenario.
#[pyclass(frozen, module = "setpoint")]
pub(crate) struct Phase {
    record: PhaseRecord,
    origin: Origin,
}

/// Compute trajectories of a scenario in the phase plane of queue and rates.
///
/// `starts` are pairs of a queue offset in bytes and a rate excess in bits per second; without them, three points around the
/// set point are used. `delay` is the time between crossing a line and switching, by default the delay of the loop; `"0s"`
/// switches at once, with sliding. `until` is the duration of the trajectories.
#[pyfunction]
#[pyo3(signature = (scenario = None, *, set = None, seed = None, starts = None, delay = None, until = None, out = None,
                    progress = None))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
pub(crate) fn phase(
    py: Python<'_>,
    scenario: Option<&Bound<'_, PyAny>>,
    set: Option<&Bound<'_, PyMapping>>,
    seed: Option<u64>,
    starts: Option<Vec<(f64, f64)>>,
    delay: Option<&str>,
    until: Option<&str>,
    out: Option<PathBuf>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Phase> {
    let (scenario, prepared) = Settings { scenario, set, seed }.prepare(py)?;
    let place = destination(out)?;
    let (delay, until) = (time("delay", delay)?, time("until", until)?);
    if until.is_some_and(TimeDelta::is_zero) {
        return Err(PyValueError::new_err("until is 0 s; it must be longer"));
    }
    let options = PhaseOptions { starts: starts.unwrap_or_default(), delay, until };
    if options.starts.iter().any(|(offset, excess)| !offset.is_finite() || !excess.is_finite()) {
        return Err(PyValueError::new_err("starts are pairs of finite numbers"));
    }
    let origin = Origin::of(&prepared, named(&options));
    let found = wait(py, progress, move |_| theory::phase(&prepared, &options))?;
    let record = found.map_err(|error| failure(py, error, scenario.name()))?;
    store(&Finding::Phase(&record), &origin, place).map_err(error::failed)?;
    Ok(Phase { record, origin })
}

fn time(name: &str, text: Option<&str>) -> PyResult<Option<TimeDelta>> {
    let read = |text: &str| {
        text.parse().map_err(|error| PyValueError::new_err(format!("{name} is {text:?}: {error}")))
    };
    text.map(read).transpose()
}

/// The options as recorded in the origin.
fn named(options: &PhaseOptions) -> Vec<(String, String)> {
    let from = options.starts.iter().map(|(offset, excess)| ("from", format!("{offset} B, {excess} b/s")));
    let delay = options.delay.map(|delay| ("delay", delay.to_string()));
    let until = options.until.map(|until| ("until", until.to_string()));
    from.chain(delay).chain(until).map(|(name, value)| (name.to_owned(), value)).collect()
}

impl Phase {
    /// A stored phase plane.
    pub(crate) fn stored(record: PhaseRecord, origin: Origin) -> Self {
        Self { record, origin }
    }
}

#[pymethods]
impl Phase {
    /// The phase plane, as in `phase.json`.
    #[getter]
    fn summary(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        plain(py, &self.record)
    }

    /// The conclusions of the theorems for this scenario, as sentences.
    #[getter]
    fn findings(&self) -> Vec<String> {
        self.record.findings.clone()
    }

    /// The trajectories: a row per trajectory and time.
    #[getter]
    fn trajectories(&self) -> Table {
        table::trajectories(&self.record, &self.origin)
    }

    /// All plots by name.
    #[getter]
    fn plots(&self, py: Python<'_>) -> PyResult<Py<PyDict>> {
        plot::by_name(py, py.detach(|| setpoint_report::phase(&self.record).plots(Style::SCREEN)))
    }

    /// A plot by name.
    #[pyo3(signature = (name, **style))]
    fn plot(&self, py: Python<'_>, name: &str, style: Option<&Bound<'_, PyDict>>) -> PyResult<Plot> {
        let style = plot::style(style)?;
        plot::named(py.detach(|| setpoint_report::phase(&self.record).plots(style)), name)
    }

    fn _repr_html_(&self) -> String {
        let ends = self.record.trajectories.iter().map(|trajectory| ("trajectory", trajectory.end.clone()));
        let findings = self.record.findings.iter().map(|finding| ("finding", finding.clone()));
        let facts: Vec<(&str, String)> = findings.chain(ends).collect();
        html::heading(&self.record.name, &self.record.model) + &html::facts(&facts)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        reduce(py, self)
    }

    fn __repr__(&self) -> String {
        format!("<Phase {:?}: {} trajectories>", self.record.name, self.record.trajectories.len())
    }
}

impl Pickled for Phase {
    type Content<'a> = (&'a PhaseRecord, &'a Origin);
    type Restored = (PhaseRecord, Origin);

    fn content(&self) -> Self::Content<'_> {
        (&self.record, &self.origin)
    }

    fn restore((record, origin): Self::Restored) -> PyResult<Self> {
        Ok(Self { record, origin })
    }
}
