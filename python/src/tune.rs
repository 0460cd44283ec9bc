//! `tune`: finds parameters that give better figures.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping};
use setpoint_lab::store::{Collection, Kind};
use setpoint_lab::sweep::{Batch, SweptWarning, run_batch};
use setpoint_lab::tune::{
    FEWEST_UNSEEN, LEVELS, Objective, StageEnd, TuneOptions, TuneRecord, TuneRefusal, Tuning as Stages,
};
use setpoint_plot::Style;
use setpoint_record::json;
use setpoint_scenario::{Axis, Scenario};
use setpoint_units::Bytes;

use crate::error;
use crate::html;
use crate::options::{self, Settings, checked, pairs, values_text};
use crate::pickle::{Pickled, Reduced, reduce};
use crate::plain::plain;
use crate::plot::{self, Plot};
use crate::progress::{RunsWatch, State};
use crate::table::{self, Table};
use crate::wait::wait;

pub(crate) const FIGURES: &str = "tune.json";
const PAGE: &str = "tune.html";

/// A finished tuning: candidates, their figures, and the recommendation.
#[pyclass(frozen, module = "setpoint")]
pub(crate) struct Tuning(TuneRecord);

/// Find parameters of a scenario that give better figures.
///
/// `parameters` maps keys to the values that they may take: a list, or a range such as `"2^-10..2^-5"`. `objectives` are one
/// or two metrics, such as `"settling_s"`, or `"throughput_bps:max"` with a direction. All `candidates` run for a short
/// time, the best third longer, and the best third of these for the whole duration; the front is checked with `unseen`
/// seeds. With `out`, every run is stored in that folder, and the same call resumes an interrupted tuning.
#[pyfunction]
#[pyo3(signature = (scenario = None, *, parameters, objectives = None, candidates = 81, seeds = 4, unseen = 10, set = None,
                    seed = None, threads = None, out = None, report = true, memory = None, progress = None))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
pub(crate) fn tune(
    py: Python<'_>,
    scenario: Option<&Bound<'_, PyAny>>,
    parameters: &Bound<'_, PyMapping>,
    objectives: Option<Vec<String>>,
    candidates: usize,
    seeds: usize,
    unseen: usize,
    set: Option<&Bound<'_, PyMapping>>,
    seed: Option<u64>,
    threads: Option<usize>,
    out: Option<PathBuf>,
    report: bool,
    memory: Option<&str>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Tuning> {
    let scenario = Settings { scenario, set, seed }.load_for_seeds(py)?;
    let options = TuneOptions {
        parameters: axes(py, parameters)?,
        objectives: read_objectives(objectives)?,
        candidates: options::number("candidates", candidates, 1)?,
        seeds: options::seeds(seeds)?,
        unseen: options::number("unseen", unseen, FEWEST_UNSEEN)?,
    };
    options.check(&scenario).map_err(|refusal| match refusal {
        TuneRefusal::Options(message) => PyValueError::new_err(message),
        TuneRefusal::Scenario(diagnostics) => error::invalid(py, &diagnostics),
    })?;
    let plan = Plan {
        scenario,
        options,
        threads: options::threads(threads)?,
        memory: options::memory(memory)?,
        report,
    };
    let ended = wait(py, progress, move |state| plan.run(out.as_deref(), state))?;
    let record = ended.map_err(error::failed)?;
    let candidates = record.rungs.last().map_or(0, |rung| rung.candidates.len());
    let text = |one: &SweptWarning| one.text(candidates, "candidates");
    error::warn_of_runs(py, record.warnings.iter().map(|one| (&*one.first.check, text(one))))?;
    Ok(Tuning(record))
}

fn axes(py: Python<'_>, parameters: &Bound<'_, PyMapping>) -> PyResult<Vec<Axis>> {
    let one = |(key, values): (String, Bound<'_, PyAny>)| {
        checked(py, Axis::read_range("--parameter", &format!("{key}={}", values_text(&values)?), LEVELS))
    };
    let axes: Vec<Axis> = pairs(Some(parameters))?.into_iter().map(one).collect::<PyResult<_>>()?;
    if axes.is_empty() {
        let example = "parameters={\"control.qcn.rp.gain\": \"2^-10..2^-5\"}";
        return Err(PyValueError::new_err(format!(
            "there is nothing to tune; give parameters, as in {example}"
        )));
    }
    Ok(axes)
}

fn read_objectives(given: Option<Vec<String>>) -> PyResult<Vec<Objective>> {
    let read = |text: &String| text.parse().map_err(|error| PyValueError::new_err(format!("{error}")));
    match given.filter(|given| !given.is_empty()) {
        Some(given) => given.iter().map(read).collect(),
        None => Ok(TuneOptions::usual_objectives()),
    }
}

/// Settings for tuning.
struct Plan {
    scenario: Scenario,
    options: TuneOptions,
    threads: Option<NonZeroUsize>,
    memory: Bytes,
    report: bool,
}

impl Plan {
    /// Runs in the given folder, or in a temporary one.
    fn run(&self, folder: Option<&Path>, state: &Arc<State>) -> Result<TuneRecord, String> {
        match folder {
            Some(folder) => self.run_in(folder, self.report, state),
            None => {
                let folder = tempfile::tempdir().map_err(|error| format!("cannot make a folder: {error}"))?;
                self.run_in(folder.path(), false, state)
            }
        }
    }

    fn run_in(&self, folder: &Path, report: bool, state: &Arc<State>) -> Result<TuneRecord, String> {
        let text = |error: &dyn std::fmt::Display| error.to_string();
        let tuning = Stages::new(&self.scenario, &self.options);
        let files = Collection::open(folder, Kind::Tuning, &[FIGURES, PAGE]).map_err(|error| text(&error))?;
        let mut ended: Vec<StageEnd> = Vec::new();
        while let Some(stage) = tuning.stage(&ended).map_err(|error| text(&error))? {
            let stages = (ended.len(), Stages::stages());
            let watch = RunsWatch::new(state, stage.runs()).within(self.memory).in_stage(stages);
            let batch = Batch { seeds: stage.seeds, threads: self.threads };
            let summary = run_batch(files.place(), &stage.variants, batch, &watch);
            ended.push(stage.end(summary.map_err(|error| text(&error))?));
        }
        let record = tuning.record(&ended).ok_or("nothing could be run")?;
        files.put(FIGURES, json::text(&record).as_bytes()).map_err(|error| text(&error))?;
        let page = match report {
            true => files.put(PAGE, setpoint_report::tune(&record).html().as_bytes()),
            false => files.remove(PAGE),
        };
        page.map_err(|error| text(&error))?;
        setpoint_report::nothing_compared(&record).map_or(Ok(record), Err)
    }
}

impl Tuning {
    pub(crate) fn stored(record: TuneRecord) -> Self {
        Self(record)
    }

    /// The values of a candidate.
    fn values<'py>(&self, py: Python<'py>, number: usize) -> PyResult<Bound<'py, PyDict>> {
        let values = PyDict::new(py);
        for (place, parameter) in self.0.parameters.iter().enumerate() {
            let value = self.0.candidates[number].values.get(place).or(parameter.own.as_ref());
            values.set_item(&parameter.key, value.map(|value| value.trim_matches('"')))?;
        }
        Ok(values)
    }
}

#[pymethods]
impl Tuning {
    /// All figures, as in `tune.json`.
    #[getter]
    fn summary(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        plain(py, &self.0)
    }

    /// The recommended values by key, for `set`; None if no candidate improves every objective.
    #[getter]
    fn recommended<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        self.0.recommended.map(|number| self.values(py, number)).transpose()
    }

    /// Whether unseen seeds confirm the recommendation; None if there is none.
    #[getter]
    fn is_confirmed(&self) -> Option<bool> {
        self.0.check.confirmed
    }

    /// The outcome in a sentence or two.
    #[getter]
    fn verdict(&self) -> String {
        setpoint_report::tune_verdict(&self.0)
    }

    /// All candidates in every rung that they reached: a row per candidate and rung.
    #[getter]
    fn candidates(&self) -> Table {
        table::candidates(&self.0)
    }

    /// The Pareto front and the scenario's own values with unseen seeds: a row per candidate.
    #[getter]
    fn front(&self) -> Table {
        table::front(&self.0)
    }

    /// All plots by name.
    #[getter]
    fn plots(&self, py: Python<'_>) -> PyResult<Py<PyDict>> {
        plot::by_name(py, py.detach(|| setpoint_report::tune(&self.0).plots(Style::SCREEN)))
    }

    /// A plot by name.
    #[pyo3(signature = (name, **style))]
    fn plot(&self, py: Python<'_>, name: &str, style: Option<&Bound<'_, PyDict>>) -> PyResult<Plot> {
        let style = plot::style(style)?;
        plot::named(py.detach(|| setpoint_report::tune(&self.0).plots(style)), name)
    }

    fn _repr_html_(&self) -> String {
        let title = format!("Tuning of {}", self.0.scenario);
        html::heading(&title, &self.verdict()) + &html::table(self.front().content())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        reduce(py, self)
    }

    fn __len__(&self) -> usize {
        self.0.candidates.len()
    }

    fn __repr__(&self) -> String {
        format!("<Tuning {:?}: {} candidates>", self.0.scenario, self.0.candidates.len())
    }
}

impl Pickled for Tuning {
    type Content<'a> = &'a TuneRecord;
    type Restored = TuneRecord;

    fn content(&self) -> Self::Content<'_> {
        &self.0
    }

    fn restore(content: Self::Restored) -> PyResult<Self> {
        Ok(Self(content))
    }
}
