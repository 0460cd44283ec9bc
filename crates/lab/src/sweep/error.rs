//! Why a sweep did not reach its end.

use crate::store::StoreError;

/// Why a sweep did not reach its end.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// A place is taken, or a file could not be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The monitor asked to stop.
    #[error("stopped after {done} of {runs} runs; the same command goes on from here")]
    Stopped {
        /// Runs that are stored.
        done: usize,
        /// Runs in all.
        runs: usize,
    },
    /// The system gives no threads.
    #[error("cannot start threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}
