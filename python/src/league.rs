//! `league`: algorithms on standard scenarios.

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use setpoint_lab::league as standard;
use setpoint_lab::league::{Contestant, Standing};
use setpoint_lab::sweep::{Batch, open, sweep_into};
use setpoint_plot::Style;
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

/// The standing of every algorithm on the standard scenarios.
#[pyclass(frozen, module = "setpoint")]
pub(crate) struct League(Vec<Standing>);

/// Compare algorithms on the standard scenarios.
///
/// The names are those of scenarios, with or without the leading `league-`; without names, all scenarios run. `control` names
/// the algorithms, each with its defaults or, as in "timely:patched", with a profile; by default, all of them and some variants run.
/// `baseline` is the one from which differences are computed. They run first with PFC and then without flow control. With `out`, every run is stored in that folder, and
/// the same call resumes an interrupted league.
#[pyfunction]
#[pyo3(signature = (*scenarios, control = None, baseline = None, seeds = 5, threads = None, out = None, memory = None, progress = None))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
#[expect(clippy::needless_pass_by_value, reason = "arguments from Python are owned")]
pub(crate) fn league(
    py: Python<'_>,
    scenarios: Vec<String>,
    control: Option<Vec<String>>,
    baseline: Option<&str>,
    seeds: usize,
    threads: Option<usize>,
    out: Option<PathBuf>,
    memory: Option<&str>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<League> {
    let algorithms: Vec<Contestant> =
        control.unwrap_or_default().iter().map(|name| contestant(name)).collect::<PyResult<_>>()?;
    let baseline = baseline.map(contestant).transpose()?;
    let league = standard::League::of(&scenarios, &algorithms, baseline).map_err(PyValueError::new_err)?;
    checked(py, league.variants())?;
    let (seeds, threads) = (options::seeds(seeds)?, options::threads(threads)?);
    let plan = Plan { league, seeds, threads, memory: options::memory(memory)? };
    let ended = wait(py, progress, move |state| plan.run(out.as_deref(), state))?;
    ended.map(League).map_err(error::failed)
}

/// An algorithm by its name, which may contain a profile.
fn contestant(name: &str) -> PyResult<Contestant> {
    name.parse().map_err(PyValueError::new_err)
}

/// The runs to execute.
struct Plan {
    league: standard::League,
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
        let variants = self.league.variants().map_err(|error| text(&error))?;
        let files = open(folder).map_err(|error| text(&error))?;
        files.check(&[TABLE, FIGURES, PAGE]).map_err(|error| text(&error))?;
        let runs = variants.len() * self.seeds.get() as usize;
        let watch = RunsWatch::new(state, runs).within(self.memory);
        let batch = Batch { seeds: self.seeds, threads: self.threads };
        let summary = sweep_into(&files, &variants, batch, &watch).map_err(|error| text(&error))?;
        let standings = self.league.standings(&variants, &summary);
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
