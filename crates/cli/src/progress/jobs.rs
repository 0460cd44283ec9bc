//! The progress of runs in a scheduler's jobs.

use indicatif::ProgressBar;

use super::{Visibility, bar};
use crate::failure;

/// Shows how many runs are stored, and the states of the jobs.
#[derive(Debug)]
pub(crate) struct JobsProgress {
    bar: ProgressBar,
    runs: usize,
}

impl JobsProgress {
    pub(crate) fn new(runs: usize, visibility: Visibility) -> Self {
        Self { bar: bar(runs as u64, visibility), runs }
    }

    pub(crate) fn show(&self, stored: usize, states: &str) {
        self.bar.set_position(stored as u64);
        self.bar.set_message(format!("{stored} of {} runs  {states}", self.runs));
    }

    /// Prints a line above the bar.
    pub(crate) fn note(&self, text: &str) {
        self.bar.suspend(|| failure::print_line(&format!("note: {text}")));
    }

    /// Clears the line.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}
