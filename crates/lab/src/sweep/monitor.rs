//! Monitoring a sweep.

use setpoint_sim::{Decision, Monitor};
use setpoint_units::{Bytes, Time, TimeDelta};

/// Observes all runs of a sweep, from several threads at once, and may stop it.
pub trait SweepMonitor: Sync {
    /// A run begins.
    fn started(&self, run: &RunId) {
        let _ = run;
    }

    /// A run has completed a share, from 0 to 1, of its simulated time. May stop the whole sweep;
    /// [`SweepMonitor::verdict`] must then stop it as well.
    fn progress(&self, run: &RunId, fraction: f64) -> Decision {
        let _ = (run, fraction);
        self.verdict()
    }

    /// A run that already has a folder is repeated; `reason` explains why.
    fn repeated(&self, run: &RunId, reason: &str) {
        let _ = (run, reason);
    }

    /// A run has ended; a run that was stored before ends without having started.
    fn finished(&self, run: &RunId, end: &RunEnd) {
        let _ = (run, end);
    }

    /// The memory limit of all concurrent runs together.
    fn memory_limit(&self) -> Option<Bytes> {
        None
    }

    /// A run waits until others have ended, because it may need this amount of memory.
    fn waits_for_memory(&self, needed: Bytes) {
        let _ = needed;
    }

    /// Whether to start another run.
    fn verdict(&self) -> Decision {
        Decision::Continue
    }
}

/// One run of a sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunId {
    /// Its position among all runs, from 0: by variant, then by seed.
    pub index: usize,
    /// Number of runs.
    pub runs: usize,
    /// The seed.
    pub seed: u64,
    /// The name of its folder.
    pub folder: String,
}

/// How a run of a sweep ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// It was run and stored.
    Stored,
    /// It was stored before.
    Found,
    /// It failed, with this reason.
    Failed(String),
    /// It was stopped, or not started, because the sweep was stopped.
    Stopped,
}

/// A monitor that ignores everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl SweepMonitor for Unwatched {}

/// Reports the progress of one run to the monitor of the sweep.
pub struct RunMonitor<'a> {
    /// The run.
    pub run: &'a RunId,
    /// Its simulated time.
    pub duration: TimeDelta,
    /// The monitor of the sweep.
    pub monitor: &'a dyn SweepMonitor,
}

impl Monitor for RunMonitor<'_> {
    fn progress(&mut self, now: Time, _events: u64) -> Decision {
        let fraction = setpoint_record::statistics::moments::share(
            now.as_picos() as f64,
            self.duration.as_picos() as f64,
        );
        self.monitor.progress(self.run, fraction)
    }

    fn memory_limit(&self) -> Option<Bytes> {
        self.monitor.memory_limit()
    }
}
