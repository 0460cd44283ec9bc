//! `league`: every algorithm on every standard scenario.

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use setpoint_control::Algorithm;
use setpoint_lab::league as standard;
use setpoint_lab::league::{SCENARIOS, Standing};
use setpoint_lab::sweep::{Batch, open, sweep_into};
use setpoint_plot::Style;
use setpoint_suggest::did_you_mean;
use setpoint_units::Bytes;

use crate::error;
use crate::html;
use crate::options::{self, checked};
use crate::pickle::{Pickled, Reduced, reduce};
use crate::plain::plain;
use crate::plot::{self, Plot};
use crate::progress::{RunsWatch, State};
use crate::table::{self, Table};
use crate::wait::wait;

/// The metrics with their spread and marks.
pub(crate) const FIGURES: &str = "league.json";
/// The metrics as a table.
const TABLE: &str = "league.csv";
const PAGE: &str = "league.html";
/// The prefix of all scenario names, which may be omitted.
const PREFIX: &str = "league-";

/// The standing of every algorithm on the standard scenarios.
#[pyclass(frozen, module = "setpoint")]
pub(crate) struct League(Vec<Standing>);

/// Compare all algorithms on the standard scenarios.
///
/// The names are those of scenarios, with or without the leading `league-`; without names, all scenarios run. Each algorithm
/// runs with its defaults, first with PFC and then without flow control. With `out`, every run is stored in that folder, and
/// the same call resumes an interrupted league.
#[pyfunction]
#[pyo3(signature = (*scenarios, seeds = 5, threads = None, out = None, memory = None, progress = None))]
#[expect(clippy::needless_pass_by_value, reason = "arguments from Python are owned")]
pub(crate) fn league(
    py: Python<'_>,
    scenarios: Vec<String>,
    seeds: usize,
    threads: Option<usize>,
    out: Option<PathBuf>,
    memory: Option<&str>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<League> {
    let scenarios = chosen(&scenarios)?;
    checked(py, standard::variants(&scenarios))?;
    let (seeds, threads) = (options::seeds(seeds)?, options::threads(threads)?);
    let plan = Plan { scenarios, seeds, threads, memory: options::memory(memory)? };
    let ended = wait(py, progress, move |state| plan.run(out.as_deref(), state))?;
    ended.map(League).map_err(error::failed)
}

/// The scenarios with these names, in the order of the league.
fn chosen(names: &[String]) -> PyResult<Vec<&'static str>> {
    let short = |name: &'static str| name.strip_prefix(PREFIX).unwrap_or(name);
    let is = |name: &'static str, given: &String| given == name || given == short(name);
    if let Some(given) = names.iter().find(|given| !SCENARIOS.iter().any(|name| is(name, given))) {
        let remedy = did_you_mean(given, SCENARIOS.iter().map(|name| short(name)))
            .unwrap_or_else(|| format!("the scenarios are {}", SCENARIOS.map(short).join(", ")));
        return Err(PyValueError::new_err(format!("the league has no scenario {given:?}; {remedy}")));
    }
    let is_chosen = |name: &&'static str| names.is_empty() || names.iter().any(|given| is(name, given));
    Ok(SCENARIOS.into_iter().filter(is_chosen).collect())
}

/// The runs to execute.
struct Plan {
    scenarios: Vec<&'static str>,
    seeds: NonZeroU32,
    threads: Option<NonZeroUsize>,
    memory: Bytes,
}

impl Plan {
    /// Runs in the given folder, or in a temporary one.
    fn run(&self, folder: Option<&Path>, state: &Arc<State>) -> Result<Vec<Standing>, String> {
        match folder {
            Some(folder) => self.run_in(folder, state),
            None => {
                let folder = tempfile::tempdir().map_err(|error| format!("cannot make a folder: {error}"))?;
                self.run_in(folder.path(), state)
            }
        }
    }

    fn run_in(&self, folder: &Path, state: &Arc<State>) -> Result<Vec<Standing>, String> {
        let text = |error: &dyn std::fmt::Display| error.to_string();
        let variants = standard::variants(&self.scenarios).map_err(|error| text(&error))?;
        let files = open(folder).map_err(|error| text(&error))?;
        files.check(&[TABLE, FIGURES, PAGE]).map_err(|error| text(&error))?;
        let runs = variants.len() * self.seeds.get() as usize;
        let watch = RunsWatch::new(state, runs).within(self.memory);
        let batch = Batch { seeds: self.seeds, threads: self.threads };
        let summary = sweep_into(&files, &variants, batch, &watch).map_err(|error| text(&error))?;
        let standings = standard::standings(&variants, &summary, Algorithm::Qcn);
        let json = serde_json::to_string_pretty(&standings).map_err(|error| text(&error))?;
        let content = [
            (TABLE, standard::to_csv(&standings)),
            (FIGURES, json + "\n"),
            (PAGE, setpoint_report::league(&standings).html()),
        ];
        content
            .iter()
            .try_for_each(|(name, content)| files.put(name, content.as_bytes()))
            .map_err(|error| text(&error))?;
        Ok(standings)
    }
}

impl League {
    /// A stored league.
    pub(crate) fn stored(standings: Vec<Standing>) -> Self {
        Self(standings)
    }
}

#[pymethods]
impl League {
    /// The standings, as in `league.json`.
    #[getter]
    fn summary(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        plain(py, &self.0)
    }

    /// The standings as a table: a row per division, scenario and algorithm, with the mean and deviation of each metric.
    #[getter]
    fn standings(&self) -> Table {
        table::standings(&self.0)
    }

    /// All plots by name.
    #[getter]
    fn plots(&self, py: Python<'_>) -> PyResult<Py<PyDict>> {
        plot::by_name(py, py.detach(|| setpoint_report::league(&self.0).plots(Style::SCREEN)))
    }

    /// A plot by name.
    #[pyo3(signature = (name, **style))]
    fn plot(&self, py: Python<'_>, name: &str, style: Option<&Bound<'_, PyDict>>) -> PyResult<Plot> {
        let style = plot::style(style)?;
        plot::named(py.detach(|| setpoint_report::league(&self.0).plots(style)), name)
    }

    fn _repr_html_(&self) -> String {
        html::table(self.standings().content())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        reduce(py, self)
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __repr__(&self) -> String {
        format!("<League: {} standings>", self.0.len())
    }
}

impl Pickled for League {
    type Content<'a> = &'a [Standing];
    type Restored = Vec<Standing>;

    fn content(&self) -> Self::Content<'_> {
        &self.0
    }

    fn restore(content: Self::Restored) -> PyResult<Self> {
        Ok(Self(content))
    }
}
