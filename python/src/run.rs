//! `run`: runs a scenario once, or with several seeds.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyMapping};
use setpoint_lab::league::DISCIPLINES;
use setpoint_lab::session::{Ended, Job, JobError, Output};
use setpoint_lab::store::{self, Derived, Destination};
use setpoint_plot::Style;
use setpoint_record::catalogue::Metric;
use setpoint_record::results::RunRecord;
use setpoint_record::table::of_run;
use setpoint_scenario::Variant;
use setpoint_sim::Threads;

use crate::controller::Factories;
use crate::error;
use crate::html;
use crate::options::{self, Settings};
use crate::pickle::{Pickled, Reduced, reduce};
use crate::plain::plain;
use crate::plot::{self, Plot};
use crate::progress::RunWatch;
use crate::raised::Raised;
use crate::sweep::{self, Batch};
use crate::table;
use crate::wait::wait;

/// A finished run: figures, curves and their origin.
#[pyclass(frozen, module = "setpoint")]
pub(crate) struct Run {
    record: RunRecord,
    took: Duration,
    summary: PyOnceLock<Py<PyAny>>,
    tables: PyOnceLock<Py<PyDict>>,
}

/// Run a scenario.
///
/// The scenario is a `Scenario`, a dict, text (a str with several lines), or the name of a file or of a built-in scenario;
/// if it is omitted, the built-in `default` is used. `set` changes keys, as in `{"network.buffer": "200kB"}`. With `out`, the
/// result is also stored in that folder, as the command line stores it; `report=False` omits the page. `congestion_point`
/// and `reaction_point` are your own classes that replace the scenario's points; docs/python.md describes their methods.
/// With `seeds`, consecutive seeds run on all cores, and the result is a `Sweep` with one variant. `threads` limits their
/// number; without `seeds`, the run itself uses up to that many if its network is large enough, with the same result.
///
/// `progress` is True for a line on standard error, or a function that receives the completed share and a text message.
#[pyfunction]
#[pyo3(signature = (scenario = None, *, set = None, seed = None, seeds = None, threads = None, out = None,
                    report = true, memory = None, progress = None, congestion_point = None, reaction_point = None))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
pub(crate) fn run(
    py: Python<'_>,
    scenario: Option<&Bound<'_, PyAny>>,
    set: Option<&Bound<'_, PyMapping>>,
    seed: Option<u64>,
    seeds: Option<usize>,
    threads: Option<usize>,
    out: Option<PathBuf>,
    report: bool,
    memory: Option<&str>,
    progress: Option<&Bound<'_, PyAny>>,
    congestion_point: Option<&Bound<'_, PyAny>>,
    reaction_point: Option<&Bound<'_, PyAny>>,
) -> PyResult<Py<PyAny>> {
    let factories = Factories::new(congestion_point, reaction_point)?;
    if factories.is_some() && seeds.is_some() {
        return Err(PyValueError::new_err(
            "controllers in Python run one seed at a time; call run() for each seed",
        ));
    }
    let settings = Settings { scenario, set, seed };
    let (memory, threads) = (options::memory(memory)?, options::threads(threads)?);
    if let Some(seeds) = seeds {
        let scenario = settings.load_for_seeds(py)?;
        let variant = Variant { index: 0, assignments: Vec::new(), scenario };
        let seeds = options::seeds(seeds)?;
        let batch = Batch { seeds, threads, out, report, memory };
        return Ok(Py::new(py, sweep::execute(py, vec![variant], batch, progress)?)?.into_any());
    }
    let (_, prepared) = settings.prepare(py)?;
    error::warn(py, &prepared)?;
    let (mut job, _) = Job::admit(prepared, memory).map_err(error::failed)?;
    job.threads = threads.map_or(Threads::ONE, Threads::up_to);
    // Checked before the run, which may take hours.
    job.output = out.as_deref().map(Destination::open).transpose().map_err(error::failed)?.map(Output::from);
    let raised = Arc::new(Raised::default());
    let shared = raised.clone();
    let ended = wait(py, progress, move |state| {
        let watch = RunWatch::new(state, job.prepared.spec.duration);
        match factories {
            None => simulate(job, report, watch),
            Some(factories) => {
                let watch = watch.with(factories.controllers(&shared), shared);
                // The thread keeps its state in the interpreter, so that calls from the simulator are cheap.
                Python::attach(|py| py.detach(|| simulate(job, report, watch)))
            }
        }
    });
    let ended = ended.inspect_err(|_| raised.abandon())?;
    if let Some(error) = raised.take() {
        return Err(error);
    }
    let Ended { record, took, .. } = ended.map_err(error::failed)?;
    let warnings = record.manifest.warnings_of_run();
    error::warn_of_runs(py, warnings.map(|one| (&*one.check, one.message.clone())))?;
    Ok(Py::new(py, Run::new(record, took))?.into_any())
}

/// Runs a job, and stores its result if there is a destination for it. Without one, no report is created, because
/// that would take longer than many runs.
fn simulate(job: Job, report: bool, mut watch: RunWatch) -> Result<Ended, JobError> {
    let ended = job.run(&mut watch)?;
    if job.output.is_some() {
        job.store(&ended.record, &derived(&ended.record, report))?;
    }
    Ok(ended)
}

/// The files that are derived from a record.
fn derived(record: &RunRecord, report: bool) -> Vec<Derived> {
    report.then(|| Derived::report(setpoint_report::html(record))).into_iter().collect()
}

#[pymethods]
impl Run {
    /// All plots of the report by name: `queue`, `rates` and so on.
    #[getter]
    fn plots(&self, py: Python<'_>) -> PyResult<Py<PyDict>> {
        plot::by_name(py, py.detach(|| setpoint_report::plots(&self.record, Style::SCREEN)))
    }

    /// A plot of the report by name.
    #[pyo3(signature = (name, **style))]
    fn plot(&self, py: Python<'_>, name: &str, style: Option<&Bound<'_, PyDict>>) -> PyResult<Plot> {
        let style = plot::style(style)?;
        plot::named(py.detach(|| setpoint_report::plots(&self.record, style)), name)
    }

    fn _repr_html_(&self) -> String {
        let manifest = &self.record.manifest;
        let title = format!("{}, seed {}, digest {:.8}…", manifest.scenario, manifest.seed, manifest.digest);
        let metric = |metric: &&'static Metric| {
            Some((metric.title, metric.unit.bounded_text(metric.of_busiest(&self.record.summary)?)))
        };
        let mut facts: Vec<(&str, String)> = DISCIPLINES.iter().filter_map(metric).collect();
        let controllers = manifest.controllers.iter();
        for name in controllers.flat_map(|names| [&names.congestion_point, &names.reaction_point]).flatten() {
            facts.push(("controller from outside", name.clone()));
        }
        html::heading(&title, &setpoint_report::words::summary(&self.record)) + &html::facts(&facts)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        reduce(py, self)
    }

    /// The figures, as in `summary.json`.
    #[getter]
    fn summary(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(self.summary.get_or_try_init(py, || plain(py, &self.record.summary))?.clone_ref(py))
    }

    /// The digest: the same scenario, seed and version give the same digest, here and on the command line.
    #[getter]
    fn digest(&self) -> &str {
        &self.record.manifest.digest
    }

    /// The name of the scenario.
    #[getter]
    fn scenario(&self) -> &str {
        &self.record.manifest.scenario
    }

    /// The seed.
    #[getter]
    fn seed(&self) -> u64 {
        self.record.manifest.seed
    }

    /// The origin of the result, as in `manifest.json`.
    #[getter]
    fn manifest(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        plain(py, &self.record.manifest)
    }

    /// The time that the simulation took, in seconds; 0 for a loaded result.
    #[getter]
    fn elapsed_s(&self) -> f64 {
        self.took.as_secs_f64()
    }

    /// All tables by name, as in docs/tables.md: `summary`, `flows`, `flow_series` and so on.
    #[getter]
    fn tables(&self, py: Python<'_>) -> PyResult<Py<PyDict>> {
        let tables = || table::by_name(py, py.detach(|| of_run(&self.record)));
        Ok(self.tables.get_or_try_init(py, tables)?.clone_ref(py))
    }

    /// The figures of the flows: a row per flow.
    #[getter]
    fn flows<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.table(py, "flows")
    }

    /// The figures of the queues: a row per queue, the one with the largest mean first.
    #[getter]
    fn queues<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.table(py, "queues")
    }

    /// The figures of the ports: a row per port.
    #[getter]
    fn ports<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.table(py, "ports")
    }

    /// The curves of the flows: a row per flow and sample.
    #[getter]
    fn flow_series<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.table(py, "flow_series")
    }

    /// The curves of the queues: a row per queue and sample.
    #[getter]
    fn queue_series<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.table(py, "queue_series")
    }

    /// The curves of the ports: a row per port and sample.
    #[getter]
    fn port_series<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.table(py, "port_series")
    }

    /// The curves of the sources that received acknowledgements: a row per flow and sample; None if there are none.
    #[getter]
    fn source_series<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.table(py, "source_series")
    }

    /// The retained messages: a row per message; None if there are no messages.
    #[getter]
    fn messages<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.table(py, "messages")
    }

    /// The jobs: a row per job; None if there are none. `tables` also has their steps, critical paths and delays.
    #[getter]
    fn jobs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.table(py, "jobs")
    }

    /// The report as one HTML page.
    fn report(&self, py: Python<'_>) -> String {
        py.detach(|| setpoint_report::html(&self.record))
    }

    /// Store the result in a folder, as the command line does, with or without its page.
    #[pyo3(signature = (folder, *, report = true))]
    #[expect(clippy::needless_pass_by_value, reason = "arguments from Python are owned")]
    fn write(&self, py: Python<'_>, folder: PathBuf, report: bool) -> PyResult<()> {
        py.detach(|| self.store(&folder, report)).map_err(error::failed)
    }

    fn __repr__(&self) -> String {
        let manifest = &self.record.manifest;
        format!("<Run {:?}, seed {}, digest {:.8}…>", manifest.scenario, manifest.seed, manifest.digest)
    }
}

impl Run {
    fn new(record: RunRecord, took: Duration) -> Self {
        Self { record, took, summary: PyOnceLock::new(), tables: PyOnceLock::new() }
    }

    /// A stored run. Its duration is not stored.
    pub(crate) fn stored(record: RunRecord) -> Self {
        Self::new(record, Duration::ZERO)
    }

    /// The result.
    pub(crate) fn record(&self) -> &RunRecord {
        &self.record
    }

    /// A table; None if the run has no data for it.
    fn table<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let table = self.tables(py)?.bind(py).get_item(name)?;
        Ok(table.unwrap_or_else(|| py.None().into_bound(py)))
    }

    fn store(&self, folder: &Path, report: bool) -> Result<(), store::StoreError> {
        store::write_with(&self.record, folder, &derived(&self.record, report))
    }
}

impl Pickled for Run {
    type Content<'a> = (&'a RunRecord, Duration);
    type Restored = (RunRecord, Duration);

    fn content(&self) -> Self::Content<'_> {
        (&self.record, self.took)
    }

    fn restore((record, took): Self::Restored) -> PyResult<Self> {
        Ok(Self::new(record, took))
    }
}
