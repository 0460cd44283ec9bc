//! Why a sweep stopped.

use crate::store::StoreError;

/// Why a sweep stopped.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// A folder is in use, or a file could not be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The monitor asked to stop.
    #[error("stopped after {done} of {runs} runs; the same command resumes the sweep")]
    Stopped {
        /// Runs that are stored.
        done: usize,
        /// Total number of runs.
        runs: usize,
    },
    /// The system refused to start threads.
    #[error("cannot start threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}
