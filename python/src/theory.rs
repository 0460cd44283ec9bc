//! `fluid` and `stability`: the theory of a scenario.

use std::path::PathBuf;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyMapping};
use setpoint_lab::store::{Destination, StoreError};
use setpoint_lab::theory::{
    self, Finding, FluidOptions, FluidRecord, Origin, Packets, Points, StabilityOptions, StabilityRecord,
    TheoryError,
};
use setpoint_plot::Style;
use setpoint_scenario::Axis;
use setpoint_units::quantity::Unit;

use crate::error;
use crate::html;
use crate::options::{self, Settings, checked, values_text};
use crate::pickle::{Pickled, Reduced, reduce};
use crate::plain::plain;
use crate::plot::{self, Plot};
use crate::progress::{RunWatch, RunsWatch};
use crate::table::{self, Table};
use crate::wait::wait;

/// The number of values along an axis of a map, if none is given.
const SIDE: usize = 100;

/// A fluid solution of a scenario.
#[pyclass(frozen, module = "setpoint")]
pub(crate) struct Fluid {
    record: FluidRecord,
    origin: Origin,
    summary: PyOnceLock<Py<PyAny>>,
}

/// Solve the fluid model of a scenario instead of simulating packets.
///
/// With `packets=True`, the simulator runs as well, for comparison. A scenario without a fluid model raises
/// `ScenarioError` with the reason. With `out`, the solution is also stored in that folder.
#[pyfunction]
#[pyo3(signature = (scenario = None, *, set = None, seed = None, packets = false, out = None, progress = None))]
pub(crate) fn fluid(
    py: Python<'_>,
    scenario: Option<&Bound<'_, PyAny>>,
    set: Option<&Bound<'_, PyMapping>>,
    seed: Option<u64>,
    packets: bool,
    out: Option<PathBuf>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Fluid> {
    let (scenario, prepared) = Settings { scenario, set, seed }.prepare(py)?;
    let place = destination(out)?;
    let origin = Origin::of(&prepared, vec![("packets".to_owned(), packets.to_string())]);
    let packets = if packets { Packets::Beside } else { Packets::Without };
    let options = FluidOptions { packets, ..FluidOptions::default() };
    let solved = wait(py, progress, move |state| {
        let mut watch = RunWatch::new(state, prepared.spec.duration);
        theory::fluid(&prepared, &options, &mut watch)
    })?;
    let record = solved.map_err(|error| failure(py, error, scenario.name()))?;
    store(&Finding::Fluid(&record), &origin, place).map_err(error::failed)?;
    Ok(Fluid::stored(record, origin))
}

impl Fluid {
    /// A stored finding.
    pub(crate) fn stored(record: FluidRecord, origin: Origin) -> Self {
        Self { record, origin, summary: PyOnceLock::new() }
    }
}

impl Pickled for Fluid {
    type Content<'a> = (&'a FluidRecord, &'a Origin);
    type Restored = (FluidRecord, Origin);

    fn content(&self) -> Self::Content<'_> {
        (&self.record, &self.origin)
    }

    fn restore((record, origin): Self::Restored) -> PyResult<Self> {
        Ok(Self::stored(record, origin))
    }
}

#[pymethods]
impl Fluid {
    /// All plots by name.
    #[getter]
    fn plots(&self, py: Python<'_>) -> PyResult<Py<PyDict>> {
        plot::by_name(py, py.detach(|| setpoint_report::fluid(&self.record).plots(Style::SCREEN)))
    }

    /// A plot by name.
    #[pyo3(signature = (name, **style))]
    fn plot(&self, py: Python<'_>, name: &str, style: Option<&Bound<'_, PyDict>>) -> PyResult<Plot> {
        let style = plot::style(style)?;
        plot::named(py.detach(|| setpoint_report::fluid(&self.record).plots(style)), name)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        reduce(py, self)
    }

    /// The solution, as in `fluid.json`.
    #[getter]
    fn summary(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(self.summary.get_or_try_init(py, || plain(py, &self.record))?.clone_ref(py))
    }

    /// The curves: the queue and the rate of each class over time, and those of the packet run if there is one.
    #[getter]
    fn curves(&self) -> Table {
        table::fluid(&self.record, &self.origin)
    }

    fn _repr_html_(&self) -> String {
        html::heading(&self.record.name, &self.record.model) + &html::table(self.curves().content())
    }

    fn __repr__(&self) -> String {
        format!("<Fluid {:?}: {}>", self.record.name, self.record.model)
    }
}

/// The stability of the control loop of a scenario.
#[pyclass(frozen, module = "setpoint")]
pub(crate) struct Stability {
    record: StabilityRecord,
    origin: Origin,
    summary: PyOnceLock<Py<PyAny>>,
}

/// Analyse the stability of a scenario's control loop.
///
/// With `x` and `y`, maps the ratio of delay margin to loop delay over two keys, each a pair of a key and its values: a
/// list, or a range such as `"20us..400us"`. `size` is the number of columns and rows of the map; `packets` is the
/// number of columns and rows at which packets are simulated as well.
#[pyfunction]
#[pyo3(signature = (scenario = None, *, set = None, seed = None, x = None, y = None, size = (SIDE, SIDE),
                    packets = None, threads = None, out = None, progress = None))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
pub(crate) fn stability(
    py: Python<'_>,
    scenario: Option<&Bound<'_, PyAny>>,
    set: Option<&Bound<'_, PyMapping>>,
    seed: Option<u64>,
    x: Option<(String, Bound<'_, PyAny>)>,
    y: Option<(String, Bound<'_, PyAny>)>,
    size: (usize, usize),
    packets: Option<(usize, usize)>,
    threads: Option<usize>,
    out: Option<PathBuf>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Stability> {
    let (scenario, prepared) = Settings { scenario, set, seed }.prepare(py)?;
    let place = destination(out)?;
    let axes = match (x, y) {
        (Some(x), Some(y)) => Some((range(py, "--x", &x, size.0)?, range(py, "--y", &y, size.1)?)),
        (None, None) => None,
        _ => return Err(PyValueError::new_err("a map has two axes: give both x and y, or neither")),
    };
    let origin = Origin::of(&prepared, map_options(axes.as_ref(), packets));
    let options = StabilityOptions {
        seed: Some(prepared.spec.seed),
        axes,
        packets: packets.map_or(Points::None, |(columns, rows)| Points::Grid(columns, rows)),
        threads: options::threads(threads)?,
        ..StabilityOptions::default()
    };
    let runs = packets.map_or(0, |(columns, rows)| columns.saturating_mul(rows));
    let asked = scenario.clone();
    let found = wait(py, progress, move |state| {
        theory::stability(&asked, &options, &RunsWatch::new(state, runs.min(options::MOST_RUNS)))
    })?;
    let record = found.map_err(|error| failure(py, error, scenario.name()))?;
    store(&Finding::Stability(&record), &origin, place).map_err(error::failed)?;
    Ok(Stability::stored(record, origin))
}

impl Stability {
    /// A stored finding.
    pub(crate) fn stored(record: StabilityRecord, origin: Origin) -> Self {
        Self { record, origin, summary: PyOnceLock::new() }
    }
}

impl Pickled for Stability {
    type Content<'a> = (&'a StabilityRecord, &'a Origin);
    type Restored = (StabilityRecord, Origin);

    fn content(&self) -> Self::Content<'_> {
        (&self.record, &self.origin)
    }

    fn restore((record, origin): Self::Restored) -> PyResult<Self> {
        Ok(Self::stored(record, origin))
    }
}

#[pymethods]
impl Stability {
    /// All plots by name.
    #[getter]
    fn plots(&self, py: Python<'_>) -> PyResult<Py<PyDict>> {
        plot::by_name(py, py.detach(|| setpoint_report::stability(&self.record).plots(Style::SCREEN)))
    }

    /// A plot by name.
    #[pyo3(signature = (name, **style))]
    fn plot(&self, py: Python<'_>, name: &str, style: Option<&Bound<'_, PyDict>>) -> PyResult<Plot> {
        let style = plot::style(style)?;
        plot::named(py.detach(|| setpoint_report::stability(&self.record).plots(style)), name)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        reduce(py, self)
    }

    /// The loop and the map, as in `stability.json`.
    #[getter]
    fn summary(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(self.summary.get_or_try_init(py, || plain(py, &self.record))?.clone_ref(py))
    }

    /// Whether the loop is stable according to the model.
    #[getter]
    fn is_stable(&self) -> bool {
        self.record.here.unstable_roots == 0
    }

    /// The longest delay at which the loop is stable, in seconds; None if it is unstable even without delay.
    #[getter]
    fn margin_s(&self) -> Option<f64> {
        self.record.here.margin_s
    }

    /// The delay of the loop, in seconds.
    #[getter]
    fn delay_s(&self) -> f64 {
        self.record.here.delay_s
    }

    /// The response of the open loop, for Bode and Nyquist plots.
    #[getter]
    fn response(&self) -> Table {
        table::response(&self.record.here, &self.origin)
    }

    /// The map: a row per cell; None if there is no map.
    #[getter]
    fn map(&self) -> Option<Table> {
        self.record.map.as_ref().map(|map| table::map(map, &self.origin))
    }

    fn _repr_html_(&self) -> String {
        let verdict = if self.is_stable() { "stable" } else { "unstable" };
        let margin = self.margin_s().map_or_else(|| "none".to_owned(), |margin| Unit::Seconds.text(margin));
        let facts = [
            ("loop", verdict.to_owned()),
            ("delay of the loop", Unit::Seconds.text(self.delay_s())),
            ("longest stable delay", margin),
        ];
        html::heading(&self.record.name, "") + &html::facts(&facts)
    }

    fn __repr__(&self) -> String {
        let verdict = if self.is_stable() { "stable" } else { "unstable" };
        format!("<Stability {:?}: {verdict} at a delay of {} s>", self.record.name, self.delay_s())
    }
}

fn range(py: Python<'_>, option: &str, axis: &(String, Bound<'_, PyAny>), steps: usize) -> PyResult<Axis> {
    let (key, values) = axis;
    checked(py, Axis::read_range(option, &format!("{key}={}", values_text(values)?), steps))
}

/// The options that the origin of a map records.
fn map_options(axes: Option<&(Axis, Axis)>, packets: Option<(usize, usize)>) -> Vec<(String, String)> {
    let of = |axis: &Axis| format!("{}={} values", axis.key(), axis.settings().len());
    let axes = axes.map(|(x, y)| [("x".to_owned(), of(x)), ("y".to_owned(), of(y))]);
    let packets = packets.map(|(columns, rows)| ("packets".to_owned(), format!("{columns}x{rows}")));
    axes.into_iter().flatten().chain(packets).collect()
}

pub(crate) fn destination(out: Option<PathBuf>) -> PyResult<Option<Destination>> {
    out.map(|folder| theory::open(&folder)).transpose().map_err(error::failed)
}

/// Stores a finding with its page, if there is a folder for it.
pub(crate) fn store(
    finding: &Finding<'_>,
    origin: &Origin,
    place: Option<Destination>,
) -> Result<(), StoreError> {
    let Some(place) = place else { return Ok(()) };
    let page = match finding {
        Finding::Fluid(record) => setpoint_report::fluid(record),
        Finding::Stability(record) => setpoint_report::stability(record),
        Finding::Phase(record) => setpoint_report::phase(record),
        Finding::Atlas(record) => setpoint_report::atlas(record),
    };
    theory::write(finding, origin, Some(&page.html()), &[], place)
}

/// The exception for an error in a scenario, with the same text as on the command line.
pub(crate) fn failure(py: Python<'_>, error: TheoryError, scenario: &str) -> PyErr {
    let help = error.remedy().map(|remedy| format!("\n  help: {remedy}")).unwrap_or_default();
    match error {
        TheoryError::Scenario(diagnostics) => error::invalid(py, &diagnostics),
        TheoryError::NoForm(error) => {
            error::unsuitable(py, format!("the scenario `{scenario}` has no fluid form: {error}{help}"))
        }
        TheoryError::NoLoop(error) => {
            error::unsuitable(py, format!("the scenario `{scenario}` has no linear loop: {error}{help}"))
        }
        TheoryError::TooManyCells { .. }
        | TheoryError::TooManyRuns { .. }
        | TheoryError::TooManySteps { .. }
        | TheoryError::SameKey(_) => error::unsuitable(py, format!("{error}{help}")),
        error => error::failed(error),
    }
}
