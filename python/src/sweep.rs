//! `sweep`: all variants of a scenario with several seeds each.

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyMapping};
use setpoint_lab::store::SWEEP_PAGE;
use setpoint_lab::sweep::{SweepError, SweepSummary, SweptWarning, open, sweep_into};
use setpoint_lab::table::{messages_of_sweep, of_sweep};
use setpoint_plot::Style;
use setpoint_scenario::Variant;
use setpoint_units::Bytes;

use crate::error;
use crate::html;
use crate::options::{self, MOST_RUNS, Settings, axes as read_axes, checked};
use crate::pickle::{Pickled, Reduced, reduce};
use crate::plain::plain;
use crate::plot::{self, Plot};
use crate::progress::{RunsWatch, State};
use crate::table::{self, Table};
use crate::wait::wait;

/// A finished sweep: the metrics of every variant and of every run.
#[pyclass(frozen, module = "setpoint")]
pub(crate) struct Sweep {
    result: SweepSummary,
    /// The folder that contains its runs, if they are stored.
    folder: Option<PathBuf>,
    summary: PyOnceLock<Py<PyAny>>,
    tables: PyOnceLock<Py<PyDict>>,
}

/// Run all variants of a scenario, on all cores.
///
/// The variants are all combinations of the values in the scenario's `[sweep]` and in `axes`, as in
/// `{"network.buffer": ["100kB", "200kB"], "topology.dumbbell.senders": "1..8"}`. With `out`, every run is stored in that
/// folder as soon as it is done, and the same call resumes an interrupted sweep. The other arguments are those of `run`.
#[pyfunction]
#[pyo3(signature = (scenario = None, *, axes = None, set = None, seed = None, seeds = 1, threads = None, out = None,
                    report = true, memory = None, progress = None))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
pub(crate) fn sweep(
    py: Python<'_>,
    scenario: Option<&Bound<'_, PyAny>>,
    axes: Option<&Bound<'_, PyMapping>>,
    set: Option<&Bound<'_, PyMapping>>,
    seed: Option<u64>,
    seeds: usize,
    threads: Option<usize>,
    out: Option<PathBuf>,
    report: bool,
    memory: Option<&str>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Sweep> {
    let (seeds, threads) = (options::seeds(seeds)?, options::threads(threads)?);
    let batch = Batch { seeds, threads, out, report, memory: options::memory(memory)? };
    let scenario = Settings { scenario, set, seed }.load_for_seeds(py)?;
    let scenario = checked(py, scenario.with_axes(&read_axes(py, axes)?))?;
    if scenario.axes().next().is_none() {
        let remedy = "give axes, as in axes={\"network.buffer\": [\"100kB\", \"200kB\"]}, or use run()";
        return Err(error::unsuitable(py, format!("{} has nothing to sweep; {remedy}", scenario.name())));
    }
    execute(py, checked(py, scenario.variants())?, batch, progress)
}

/// Settings for running a sweep.
pub(crate) struct Batch {
    pub(crate) seeds: NonZeroU32,
    pub(crate) threads: Option<NonZeroUsize>,
    pub(crate) out: Option<PathBuf>,
    pub(crate) report: bool,
    pub(crate) memory: Bytes,
}

/// Runs all variants with all seeds.
pub(crate) fn execute(
    py: Python<'_>,
    variants: Vec<Variant>,
    batch: Batch,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Sweep> {
    let runs = variants.len() * batch.seeds.get() as usize;
    if runs > MOST_RUNS {
        let given = format!("{} variants with {} seeds each", variants.len(), batch.seeds);
        return Err(error::unsuitable(
            py,
            format!("{given} are {runs} runs; at most {MOST_RUNS} are allowed"),
        ));
    }
    warn(py, &variants)?;
    let folder = batch.out.clone();
    let ended = wait(py, progress, move |state| batch.run(&variants, runs, state))?;
    let summary = ended.map_err(error::failed)?;
    let warnings = summary.warnings_of_runs();
    let text = |one: &SweptWarning| one.text(summary.variants.len(), "variants");
    error::warn_of_runs(py, warnings.map(|one| (&*one.first.check, text(one))))?;
    Ok(Sweep::new(summary, folder))
}

/// Issues the warnings of all variants, once per check.
fn warn(py: Python<'_>, variants: &[Variant]) -> PyResult<()> {
    let mut known = Vec::new();
    for variant in variants {
        let Ok(prepared) = variant.scenario.prepare(variant.scenario.seed()) else { continue };
        for warning in prepared.warnings() {
            if !known.contains(&warning.check().code) {
                known.push(warning.check().code);
                error::warn_of(py, &warning)?;
            }
        }
    }
    Ok(())
}

impl Batch {
    /// Runs in the given folder, or in a temporary one.
    fn run(&self, variants: &[Variant], runs: usize, state: &Arc<State>) -> Result<SweepSummary, String> {
        match &self.out {
            Some(folder) => self.run_in(folder, variants, runs, state),
            None => {
                let folder = tempfile::tempdir().map_err(|error| format!("cannot make a folder: {error}"))?;
                self.run_in(folder.path(), variants, runs, state)
            }
        }
    }

    fn run_in(
        &self,
        folder: &Path,
        variants: &[Variant],
        runs: usize,
        state: &Arc<State>,
    ) -> Result<SweepSummary, String> {
        let folder = open(folder).map_err(|error| error.to_string())?;
        let watch = RunsWatch::new(state, runs).within(self.memory);
        let batch = setpoint_lab::sweep::Batch { seeds: self.seeds, threads: self.threads };
        let summary =
            sweep_into(&folder, variants, batch, &watch).map_err(|error: SweepError| error.to_string())?;
        let page = match self.report {
            true if self.out.is_some() => {
                folder.put(SWEEP_PAGE, setpoint_report::sweep(&summary).html().as_bytes())
            }
            // An older page would describe another sweep.
            _ => folder.remove(SWEEP_PAGE),
        };
        page.map_err(|error| error.to_string())?;
        Ok(summary)
    }
}

impl Sweep {
    fn new(result: SweepSummary, folder: Option<PathBuf>) -> Self {
        Self { result, folder, summary: PyOnceLock::new(), tables: PyOnceLock::new() }
    }

    pub(crate) fn stored(result: SweepSummary, folder: &Path) -> Self {
        Self::new(result, Some(folder.to_owned()))
    }

    fn plots_of_page(&self, style: Style) -> Vec<setpoint_report::Plot> {
        setpoint_report::sweep(&self.result).plots(style)
    }
}

impl Pickled for Sweep {
    type Content<'a> = (&'a SweepSummary, &'a Option<PathBuf>);
    type Restored = (SweepSummary, Option<PathBuf>);

    fn content(&self) -> Self::Content<'_> {
        (&self.result, &self.folder)
    }

    fn restore((result, folder): Self::Restored) -> PyResult<Self> {
        Ok(Self::new(result, folder))
    }
}

#[pymethods]
impl Sweep {
    /// The messages of all runs: a row per message, with the values of its variant and its seed; None if there are none. The runs
    /// must be stored: give `out`, or load a stored sweep.
    #[getter]
    fn messages(&self, py: Python<'_>) -> PyResult<Option<Table>> {
        let Some(folder) = &self.folder else {
            return Err(error::failed(
                "the runs of this sweep are not stored; give `out`, as in out=\"results/sweep\"",
            ));
        };
        let read = py.detach(|| messages_of_sweep(&self.result, folder));
        Ok(read.map_err(error::failed)?.map(Table::new))
    }

    /// All plots by name.
    #[getter]
    fn plots(&self, py: Python<'_>) -> PyResult<Py<PyDict>> {
        plot::by_name(py, py.detach(|| self.plots_of_page(Style::SCREEN)))
    }

    /// A plot by name.
    #[pyo3(signature = (name, **style))]
    fn plot(&self, py: Python<'_>, name: &str, style: Option<&Bound<'_, PyDict>>) -> PyResult<Plot> {
        let style = plot::style(style)?;
        plot::named(py.detach(|| self.plots_of_page(style)), name)
    }

    fn _repr_html_(&self) -> String {
        let failed = self.result.failures().count();
        let text = format!("{} variants, {failed} runs failed", self.__len__());
        html::heading(&self.result.scenario, &text) + &html::table(&table::overview(&self.result))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        reduce(py, self)
    }

    /// All figures, as in `sweep.json`.
    #[getter]
    fn summary(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(self.summary.get_or_try_init(py, || plain(py, &self.result))?.clone_ref(py))
    }

    /// All tables by name: `variants`, `runs` and, with messages, `slowdown_by_size`.
    #[getter]
    fn tables(&self, py: Python<'_>) -> PyResult<Py<PyDict>> {
        let tables = || table::by_name(py, of_sweep(&self.result));
        Ok(self.tables.get_or_try_init(py, tables)?.clone_ref(py))
    }

    /// The metrics of the variants: a row per variant, with the mean and deviation of each metric.
    #[getter]
    fn variants<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.tables(py)?.into_bound(py).as_any().get_item("variants")
    }

    /// The metrics of the runs: a row per variant and seed.
    #[getter]
    fn runs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.tables(py)?.into_bound(py).as_any().get_item("runs")
    }

    /// The slowdown by message size: a row per variant and range of sizes, with the mean over seeds and its confidence interval;
    /// None if there are no messages.
    #[getter]
    fn slowdown_by_size<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.tables(py)?.bind(py).get_item("slowdown_by_size")
    }

    /// The runs that failed: the name of each with its error.
    #[getter]
    fn failures(&self) -> Vec<(&str, &str)> {
        self.result.failures().map(|(run, error)| (run.folder.as_str(), error)).collect()
    }

    fn __len__(&self) -> usize {
        self.result.variants.len()
    }

    fn __repr__(&self) -> String {
        let failed = self.result.failures().count();
        format!("<Sweep {:?}: {} variants, {failed} runs failed>", self.result.scenario, self.__len__())
    }
}
