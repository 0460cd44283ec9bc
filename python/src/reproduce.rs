//! `reproduce`: experiments from published papers, and verdicts on their claims.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use setpoint_papers::{ClaimRecord, Depth, Experiment, Finished, Folder, Paper, papers, select};

use crate::error;
use crate::html;
use crate::options;
use crate::pickle::{Pickled, Reduced, reduce};
use crate::plain::plain;
use crate::progress::{RunsWatch, State};
use crate::table::{self, Table};
use crate::wait::wait;

/// The stored outcomes of claims.
pub(crate) const RECORDS: &str = "verdicts.jsonl";

/// Experiments that were run, with a verdict on every claim.
#[pyclass(frozen, module = "setpoint")]
#[derive(Debug)]
pub(crate) struct Reproduction {
    records: Vec<ClaimRecord>,
}

/// Reproduce experiments from published papers and judge the papers' claims.
///
/// The names are those of experiments, such as `"smcc/fig05"`, or of papers, such as `"smcc"`; without names, all
/// experiments run. `quick=True` runs a short version without verdicts, and `full_size=True` runs experiments as long as in
/// the paper even if they are costly. With `out`, a page for each experiment and an
/// index are written into that folder.
#[pyfunction]
#[pyo3(signature = (*names, quick = false, full_size = false, threads = None, out = None, progress = None))]
pub(crate) fn reproduce(
    py: Python<'_>,
    names: Vec<String>,
    quick: bool,
    full_size: bool,
    threads: Option<usize>,
    out: Option<PathBuf>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Reproduction> {
    select(&papers(), &names).map_err(|unknown| error::unsuitable(py, unknown))?;
    let depth = match (quick, full_size) {
        (true, true) => {
            return Err(error::unsuitable(py, "a reproduction cannot be both quick and of full size"));
        }
        (true, false) => Depth::Quick,
        (false, true) => Depth::FullSize,
        (false, false) => Depth::Full,
    };
    let plan = Plan { names, depth, threads: options::threads(threads)?, out };
    let ended = wait(py, progress, move |state| plan.run(state))?;
    Ok(Reproduction { records: ended.map_err(error::failed)? })
}

/// The experiments to run.
struct Plan {
    names: Vec<String>,
    depth: Depth,
    threads: Option<NonZeroUsize>,
    out: Option<PathBuf>,
}

impl Plan {
    fn run(&self, state: &Arc<State>) -> Result<Vec<ClaimRecord>, String> {
        let papers = papers();
        let chosen = select(&papers, &self.names).map_err(|unknown| unknown.to_string())?;
        let folder = self.out.as_deref().map(|path| open(path, &papers, &chosen)).transpose()?;
        let reproduction = setpoint_papers::Reproduction::new(&chosen, self.depth);
        let watch = RunsWatch::new(state, reproduction.runs());
        let collected = Mutex::new((vec![Vec::new(); chosen.len()], None));
        let finished = |finished: Finished<'_>| {
            let written = folder.as_ref().map_or(Ok(()), |folder| folder.add(&finished).map(drop));
            let place = chosen.iter().position(|experiment| experiment.id == finished.experiment.id);
            let mut collected = collected.lock().unwrap_or_else(PoisonError::into_inner);
            collected.0[place.expect("it was chosen")] = ClaimRecord::all(&finished);
            collected.1 = collected.1.take().or(written.err());
        };
        reproduction.run(self.threads, &watch, &finished).map_err(|error| error.to_string())?;
        match collected.into_inner().unwrap_or_else(PoisonError::into_inner) {
            (records, None) => Ok(records.concat()),
            (_, Some(error)) => Err(error.to_string()),
        }
    }
}

fn open<'a>(path: &Path, papers: &'a [Paper], chosen: &[&'a Experiment]) -> Result<Folder<'a>, String> {
    Folder::open(path, papers, chosen).map_err(|error| error.to_string())
}

impl Reproduction {
    /// Stored outcomes: a line of JSON for each claim.
    pub(crate) fn stored(text: &str) -> PyResult<Self> {
        let line = |line: &str| {
            serde_json::from_str(line).map_err(|error| error::failed(format!("{RECORDS}: {error}")))
        };
        Ok(Self { records: text.lines().map(line).collect::<PyResult<_>>()? })
    }
}

impl Pickled for Reproduction {
    type Content<'a> = &'a [ClaimRecord];
    type Restored = Vec<ClaimRecord>;

    fn content(&self) -> Self::Content<'_> {
        &self.records
    }

    fn restore(records: Self::Restored) -> PyResult<Self> {
        Ok(Self { records })
    }
}

#[pymethods]
impl Reproduction {
    /// The outcome of every claim, as in `verdicts.jsonl`.
    #[getter]
    fn claims(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        plain(py, &self.records)
    }

    /// The outcome of every claim as a table: a row per claim.
    #[getter]
    fn verdicts(&self) -> Table {
        table::verdicts(&self.records)
    }

    fn _repr_html_(&self) -> String {
        html::table(self.verdicts().content())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        reduce(py, self)
    }

    fn __len__(&self) -> usize {
        self.records.len()
    }

    fn __repr__(&self) -> String {
        format!("<Reproduction: {} claims>", self.records.len())
    }
}
