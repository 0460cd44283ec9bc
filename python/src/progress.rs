//! Progress: the state of the work, and its display in Python.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};
use setpoint_lab::sweep::{RunEnd, RunId, SweepMonitor};
use setpoint_sim::{Controllers, Decision, Monitor};
use setpoint_units::{Bytes, Time, TimeDelta};

use crate::raised::Raised;

/// Interval between updates.
const REFRESH: Duration = Duration::from_millis(100);
/// Width of the bar, in characters.
const WIDTH: usize = 30;

/// The progress of work, shared between the work and the thread that waits for it.
#[derive(Debug, Default)]
pub(crate) struct State {
    stop: AtomicBool,
    done: Mutex<(f64, String)>,
}

impl State {
    /// Asks the work to stop.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether the work should continue.
    fn decision(&self) -> Decision {
        if self.stop.load(Ordering::Relaxed) { Decision::Stop } else { Decision::Continue }
    }

    fn set(&self, share: f64, text: String) {
        *self.done.lock().unwrap_or_else(PoisonError::into_inner) = (share, text);
    }
}

/// Observes one run.
pub(crate) struct RunWatch {
    state: Arc<State>,
    duration: TimeDelta,
    controllers: Controllers,
    raised: Arc<Raised>,
    shown: Instant,
}

impl RunWatch {
    pub(crate) fn new(state: &Arc<State>, duration: TimeDelta) -> Self {
        Self {
            state: state.clone(),
            duration,
            controllers: Controllers::default(),
            raised: Arc::default(),
            shown: Instant::now(),
        }
    }

    /// Uses these controllers, and stops the run if one of them raises an exception.
    pub(crate) fn with(self, controllers: Controllers, raised: Arc<Raised>) -> Self {
        Self { controllers, raised, ..self }
    }
}

impl Monitor for RunWatch {
    fn progress(&mut self, now: Time, _events: u64) -> Decision {
        if self.shown.elapsed() >= REFRESH {
            self.shown = Instant::now();
            let share = now.as_secs_f64() / self.duration.as_secs_f64().max(f64::MIN_POSITIVE);
            self.state.set(share, format!("of {}", self.duration));
        }
        if self.raised.any() { Decision::Stop } else { self.state.decision() }
    }

    fn controllers(&self) -> Controllers {
        self.controllers.clone()
    }
}

/// Observes several runs at once.
pub(crate) struct RunsWatch {
    state: Arc<State>,
    memory: Option<Bytes>,
    /// The number of stages before this one, and the total number of stages.
    stage: (usize, usize),
    runs: Mutex<Runs>,
}

/// The progress of several runs.
struct Runs {
    /// The completed share of each run.
    shares: Vec<f64>,
    /// Their sum.
    total: f64,
    ended: usize,
    shown: Instant,
}

impl RunsWatch {
    pub(crate) fn new(state: &Arc<State>, runs: usize) -> Self {
        let runs = Runs { shares: vec![0.0; runs], total: 0.0, ended: 0, shown: Instant::now() };
        Self { state: state.clone(), memory: None, stage: (0, 1), runs: Mutex::new(runs) }
    }

    /// Delays runs that would together exceed this memory limit.
    pub(crate) fn within(self, memory: Bytes) -> Self {
        Self { memory: Some(memory), ..self }
    }

    /// Marks the runs as those of a stage: the number of stages before it, and the total number of stages.
    pub(crate) fn in_stage(self, stage: (usize, usize)) -> Self {
        Self { stage, ..self }
    }

    fn update(&self, run: &RunId, share: f64, ended: usize) {
        let mut runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        let known = runs.shares.get_mut(run.index).map(|known| std::mem::replace(known, share));
        runs.total += known.map_or(0.0, |known| share - known);
        runs.ended += ended;
        if runs.shown.elapsed() >= REFRESH {
            runs.shown = Instant::now();
            let all = runs.shares.len();
            let (before, stages) = self.stage;
            let share = (before as f64 + runs.total / all.max(1) as f64) / stages as f64;
            let stage =
                if stages > 1 { format!(" of stage {} of {stages}", before + 1) } else { String::new() };
            self.state.set(share, format!("{} of {all} runs{stage}", runs.ended));
        }
    }
}

impl SweepMonitor for RunsWatch {
    fn progress(&self, run: &RunId, fraction: f64) -> Decision {
        self.update(run, fraction, 0);
        self.verdict()
    }

    fn finished(&self, run: &RunId, end: &RunEnd) {
        self.update(run, 1.0, usize::from(*end != RunEnd::Stopped));
    }

    fn memory_limit(&self) -> Option<Bytes> {
        self.memory
    }

    fn verdict(&self) -> Decision {
        self.state.decision()
    }
}

/// How to show progress.
enum Show {
    Nothing,
    /// A line on standard error, which terminals overwrite in place.
    Line {
        length: usize,
    },
    /// The output of a notebook cell, which is updated; `None` before the first update.
    Cell(Option<Py<PyAny>>),
    Callback(Py<PyAny>),
}

/// Shows progress.
pub(crate) struct Display {
    show: Show,
    shown: Instant,
}

impl Display {
    /// Creates a display from the argument `progress`: `True` for a line, or a function that receives the
    /// completed share and a text message.
    pub(crate) fn new(progress: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let show = match progress {
            None => Show::Nothing,
            Some(given) if given.is_callable() => Show::Callback(given.clone().unbind()),
            Some(given) => match given.cast::<PyBool>() {
                Ok(wanted) if wanted.is_true() && is_notebook(given.py()) => Show::Cell(None),
                Ok(wanted) if wanted.is_true() => Show::Line { length: 0 },
                Ok(_) => Show::Nothing,
                Err(_) => return Err(PyTypeError::new_err("progress is a bool or a function")),
            },
        };
        Ok(Self { show, shown: Instant::now() })
    }

    /// Shows the state, if the last update was long enough ago.
    pub(crate) fn show(&mut self, py: Python<'_>, state: &State) -> PyResult<()> {
        if self.shown.elapsed() < REFRESH {
            return Ok(());
        }
        self.shown = Instant::now();
        let (share, text) = state.done.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match &mut self.show {
            Show::Nothing => Ok(()),
            Show::Callback(callback) => callback.call1(py, (share, text)).map(drop),
            Show::Cell(handle) => update(py, handle, &line(share, &text)),
            Show::Line { length } => {
                let line = line(share, &text);
                let padded = format!("\r{line:<width$}", width = *length);
                *length = line.chars().count();
                write(py, &padded)
            }
        }
    }

    /// Clears the line.
    pub(crate) fn clear(&mut self, py: Python<'_>) -> PyResult<()> {
        match &mut self.show {
            Show::Line { length } if *length > 0 => {
                write(py, &format!("\r{:length$}\r", "", length = *length))
            }
            Show::Cell(handle @ Some(_)) => update(py, handle, ""),
            _ => Ok(()),
        }
    }
}

/// Whether the interpreter is the kernel of a notebook. A program that has not imported IPython is not a notebook.
fn is_notebook(py: Python<'_>) -> bool {
    let kernel = || -> PyResult<bool> {
        let modules = py.import("sys")?.getattr("modules")?;
        if !modules.contains("IPython")? {
            return Ok(false);
        }
        let shell = py.import("IPython")?.call_method0("get_ipython")?;
        Ok(!shell.is_none() && shell.hasattr("kernel")?)
    };
    kernel().unwrap_or(false)
}

/// Shows a line in the output of the cell, in place of the previous one.
fn update(py: Python<'_>, handle: &mut Option<Py<PyAny>>, line: &str) -> PyResult<()> {
    let content = PyDict::new(py);
    content.set_item("text/plain", line)?;
    let raw = PyDict::new(py);
    raw.set_item("raw", true)?;
    if let Some(handle) = handle {
        return handle.bind(py).call_method("update", (content,), Some(&raw)).map(drop);
    }
    raw.set_item("display_id", true)?;
    let shown = py.import("IPython.display")?.call_method("display", (content,), Some(&raw))?;
    *handle = Some(shown.unbind());
    Ok(())
}

/// A bar, the share in per cent, and a message.
fn line(share: f64, text: &str) -> String {
    let full = (share.clamp(0.0, 1.0) * WIDTH as f64) as usize;
    format!("{}{} {:3.0} % {text}", "━".repeat(full), "─".repeat(WIDTH - full), share * 100.0)
}

/// Writes to Python's standard error, which a notebook shows under the cell.
fn write(py: Python<'_>, text: &str) -> PyResult<()> {
    let stream = py.import("sys")?.getattr("stderr")?;
    if stream.is_none() {
        return Ok(());
    }
    stream.call_method1("write", (text,))?;
    stream.call_method0("flush").map(drop)
}
