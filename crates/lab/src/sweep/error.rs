//! Reasons why a sweep stopped.

use std::num::NonZeroU32;

use crate::store::StoreError;

/// The reason why a sweep stopped.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// A folder is in use, or a file could not be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The monitor requested a stop.
    #[error("stopped after {done} of {runs} runs; the same command resumes the sweep")]
    Stopped {
        /// Runs that are stored.
        done: usize,
        /// Total number of runs.
        runs: usize,
    },
    /// Runs of some shards are missing.
    #[error("{} of {runs} runs are missing", missing.len())]
    Missing {
        /// The names of their folders and, for folders that exist, why their content cannot be used.
        missing: Vec<(String, Option<String>)>,
        /// Total number of runs.
        runs: usize,
    },
    /// The seeds would exceed the largest seed.
    #[error(
        "{seeds} seeds starting at {first} would exceed the largest seed, {}; begin with a seed of at most {}",
        u64::MAX,
        u64::MAX - (u64::from(seeds.get()) - 1)
    )]
    Seeds {
        /// The first seed.
        first: u64,
        /// The number of seeds.
        seeds: NonZeroU32,
    },
    /// The system refused to start threads.
    #[error("cannot start threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}
