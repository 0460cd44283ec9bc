//! `compare`: several runs on common axes, with the differences of their metrics.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use setpoint_lab::compare::{Comparison as Figures, Side};
use setpoint_lab::store::{self, Collection, Kind};
use setpoint_plot::Style;
use setpoint_record::json;
use setpoint_record::results::RunRecord;
use setpoint_report::ComparedRun;

use crate::error;
use crate::html;
use crate::pickle::{Pickled, Reduced, reduce};
use crate::plot::{self, Plot};
use crate::run::Run;
use crate::table::{self, Table};

/// The names of the files with the page and with the figures.
const PAGE: &str = "compare.html";
const FIGURES: &str = "compare.json";

/// The number of runs that can be compared, as for the command.
const RUNS: RangeInclusive<usize> = 2..=4;

/// Several runs side by side.
#[pyclass(frozen, module = "setpoint")]
pub(crate) struct Comparison {
    names: Vec<String>,
    records: Vec<RunRecord>,
}

/// Compare runs: their metrics, and their queues, rates and completion times on common axes.
///
/// The runs are those that `run` returned, or folders of stored results. `names` appear in legends and tables; without them,
/// the settings of the runs are used. With `out`, the page of the command `compare` is written into that folder.
#[pyfunction]
#[pyo3(signature = (*runs, names = None, out = None))]
#[expect(clippy::needless_pass_by_value, reason = "arguments from Python are owned")]
pub(crate) fn compare(
    py: Python<'_>,
    runs: Vec<Bound<'_, PyAny>>,
    names: Option<Vec<String>>,
    out: Option<PathBuf>,
) -> PyResult<Comparison> {
    if !RUNS.contains(&runs.len()) {
        let (fewest, most) = (RUNS.start(), RUNS.end());
        let message = format!("a comparison has {fewest} to {most} runs, not {}", runs.len());
        return Err(PyValueError::new_err(message));
    }
    let records = runs.iter().map(|run| record(py, run)).collect::<PyResult<Vec<RunRecord>>>()?;
    let names = names.unwrap_or_else(|| usual_names(&records));
    if names.len() != records.len() {
        let message = format!("{} names for {} runs; give one each", names.len(), records.len());
        return Err(PyValueError::new_err(message));
    }
    let comparison = Comparison { names, records };
    if let Some(folder) = out {
        py.detach(|| comparison.write(&folder)).map_err(error::failed)?;
    }
    Ok(comparison)
}

/// The record of a run, or of the run stored in a folder.
fn record(py: Python<'_>, run: &Bound<'_, PyAny>) -> PyResult<RunRecord> {
    match run.cast::<Run>() {
        Ok(run) => Ok(run.get().record().clone()),
        Err(_) => {
            let folder: PathBuf = run.extract()?;
            py.detach(|| store::read(&folder)).map_err(error::failed)
        }
    }
}

/// Distinct names: the settings of the runs, otherwise their seeds, otherwise their numbers.
fn usual_names(records: &[RunRecord]) -> Vec<String> {
    let settings = |record: &RunRecord| {
        let pairs = record.manifest.overrides.iter().map(|(key, value)| format!("{key}={value}"));
        let text = pairs.collect::<Vec<_>>().join(" ");
        if text.is_empty() { record.manifest.scenario.clone() } else { text }
    };
    let names: Vec<String> = records.iter().map(settings).collect();
    let of = |index: usize, name: &String| {
        let again = names.iter().filter(|other| *other == name).count() > 1;
        if again { format!("{} {name}", index + 1) } else { name.clone() }
    };
    names.iter().enumerate().map(|(index, name)| of(index, name)).collect()
}

impl Comparison {
    /// The figures, as in `compare.json`.
    fn figures(&self) -> Figures {
        let named = self.names.iter().zip(&self.records);
        let sides: Vec<Side> = named.map(|(name, record)| Side::of_run(name.clone(), record)).collect();
        Figures::of(&sides).expect("single runs have no axes that could differ")
    }

    fn document(&self) -> setpoint_report::document::Document {
        let runs: Vec<ComparedRun<'_>> = (self.names.iter().zip(&self.records))
            .map(|(name, record)| ComparedRun { name: name.clone(), record, report: None })
            .collect();
        setpoint_report::compare(&self.figures(), &runs)
    }

    fn write(&self, folder: &Path) -> Result<(), store::StoreError> {
        let place = Collection::open(folder, Kind::Comparison, &[PAGE, FIGURES])?;
        place.put(PAGE, self.document().html().as_bytes())?;
        place.put(FIGURES, json::text(&self.figures()).as_bytes())
    }
}

#[pymethods]
impl Comparison {
    /// The names of the runs.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.names.clone()
    }

    /// The metrics: a row for each metric that any run has, a column for each run.
    #[getter]
    fn metrics(&self) -> Table {
        table::comparison(&self.names, &self.records)
    }

    /// All plots by name.
    #[getter]
    fn plots(&self, py: Python<'_>) -> PyResult<Py<PyDict>> {
        plot::by_name(py, py.detach(|| self.document().plots(Style::SCREEN)))
    }

    /// A plot by name.
    #[pyo3(signature = (name, **style))]
    fn plot(&self, py: Python<'_>, name: &str, style: Option<&Bound<'_, PyDict>>) -> PyResult<Plot> {
        let style = plot::style(style)?;
        plot::named(py.detach(|| self.document().plots(style)), name)
    }

    /// The comparison as one HTML page.
    fn report(&self, py: Python<'_>) -> String {
        py.detach(|| self.document().html())
    }

    fn _repr_html_(&self) -> String {
        html::table(self.metrics().content())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        reduce(py, self)
    }

    fn __len__(&self) -> usize {
        self.records.len()
    }

    fn __repr__(&self) -> String {
        format!("<Comparison of {}>", self.names.join(", "))
    }
}

impl Pickled for Comparison {
    type Content<'a> = (&'a [String], &'a [RunRecord]);
    type Restored = (Vec<String>, Vec<RunRecord>);

    fn content(&self) -> Self::Content<'_> {
        (&self.names, &self.records)
    }

    fn restore((names, records): Self::Restored) -> PyResult<Self> {
        Ok(Self { names, records })
    }
}
