//! Progress of several runs together.

use std::sync::{Mutex, Once, PoisonError};
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use setpoint_lab::memory::rounded;
use setpoint_lab::sweep::{RunEnd, RunId, SweepMonitor};
use setpoint_sim::Decision;
use setpoint_units::Bytes;

use super::{REFRESH, STEPS, Visibility, bar, time_left};
use crate::{failure, interrupt};

/// The time between two lines where there is no bar. Short batches print no lines.
const LINE_INTERVAL: Duration = Duration::from_secs(30);

/// Observes several concurrent runs.
#[derive(Debug)]
pub(crate) struct SweepProgress {
    bar: ProgressBar,
    /// Whether to print lines instead of the bar.
    lines: bool,
    began: Instant,
    state: Mutex<State>,
    /// The shared memory limit, and whether the user was informed that runs wait for memory.
    memory: Option<(Bytes, Once)>,
}

/// Progress of the runs.
#[derive(Debug)]
struct State {
    /// The completed share of each run.
    shares: Vec<f64>,
    ended: usize,
    found: usize,
    shown: Instant,
}

impl SweepProgress {
    pub(crate) fn new(runs: usize, visibility: Visibility) -> Self {
        let state = State { shares: vec![0.0; runs], ended: 0, found: 0, shown: Instant::now() };
        let lines = visibility == Visibility::Lines;
        Self { bar: bar(STEPS, visibility), lines, began: Instant::now(), state: state.into(), memory: None }
    }

    /// Delays runs that would together exceed this memory limit.
    pub(crate) fn within(self, memory: Bytes) -> Self {
        Self { memory: Some((memory, Once::new())), ..self }
    }

    /// Clears the line; returns the elapsed time and the number of reused runs.
    pub(crate) fn finish(self) -> (Duration, usize) {
        self.bar.finish_and_clear();
        let found =
            self.state.into_inner().map_or_else(|poisoned| poisoned.into_inner().found, |state| state.found);
        (self.began.elapsed(), found)
    }

    fn update(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut state);
        if state.shown.elapsed() >= REFRESH && !self.bar.is_hidden() {
            state.shown = Instant::now();
            self.bar.set_position((state.share() * STEPS as f64) as u64);
            self.bar.set_message(state.message(self.began.elapsed()));
        }
        if self.lines && state.shown.elapsed() >= LINE_INTERVAL {
            state.shown = Instant::now();
            failure::print_line(&state.message(self.began.elapsed()));
        }
    }
}

impl State {
    /// Sets the completed share of a run. Runs can be added after the start.
    fn set(&mut self, run: &RunId, share: f64) {
        let runs = self.shares.len().max(run.runs);
        self.shares.resize(runs, 0.0);
        self.shares[run.index] = share;
    }

    /// The completed share of all runs.
    fn share(&self) -> f64 {
        self.shares.iter().sum::<f64>() / self.shares.len().max(1) as f64
    }

    fn message(&self, elapsed: Duration) -> String {
        let left = time_left(elapsed.as_secs_f64(), self.share());
        format!("{} of {} runs  {left}", self.ended, self.shares.len())
    }
}

impl SweepMonitor for SweepProgress {
    fn progress(&self, run: &RunId, fraction: f64) -> Decision {
        self.update(|state| state.set(run, fraction));
        self.verdict()
    }

    fn repeated(&self, run: &RunId, reason: &str) {
        self.bar.suspend(|| {
            failure::print_line(&format!(
                "note: run {} cannot be reused: {reason}; running it again",
                run.folder
            ));
        });
    }

    fn finished(&self, run: &RunId, end: &RunEnd) {
        if let RunEnd::Failed(error) = end {
            self.bar.suspend(|| failure::print_error(&format!("run {}: {error}", run.folder)));
        }
        self.update(|state| {
            state.set(run, 1.0);
            state.ended += usize::from(*end != RunEnd::Stopped);
            state.found += usize::from(*end == RunEnd::Found);
        });
    }

    fn memory_limit(&self) -> Option<Bytes> {
        self.memory.as_ref().map(|(limit, _)| *limit)
    }

    fn waits_for_memory(&self, needed: Bytes) {
        let Some((limit, said)) = &self.memory else { return };
        let (needed, limit) = (rounded(needed), rounded(*limit));
        let note = format!(
            "note: fewer runs than threads are active, since a run may need {needed} of memory and all runs \
             together may use {limit} (`--memory`)"
        );
        said.call_once(|| self.bar.suspend(|| failure::print_line(&note)));
    }

    fn verdict(&self) -> Decision {
        interrupt::verdict()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_counts_ended_runs_and_estimates_the_rest() {
        let state = State { shares: vec![1.0, 0.5, 0.0, 0.0], ended: 1, found: 0, shown: Instant::now() };
        assert_eq!(state.message(Duration::from_secs(30)), "1 of 4 runs  50 s left");
    }

    #[test]
    fn a_redirected_batch_prints_lines() {
        assert!(SweepProgress::new(2, Visibility::Lines).lines);
        assert!(!SweepProgress::new(2, Visibility::Hidden).lines);
    }
}
