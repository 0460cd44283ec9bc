//! Many runs: all variants of a scenario with several seeds each, on all cores.
//!
//! * Every run is stored in a folder of its own as soon as it is done. A sweep that was cut off
//!   goes on where it was: a run whose folder holds an undamaged result of the same scenario text (with
//!   what it extends), overrides, seed and version is not run again. The monitor hears why another one is.
//! * One process works in a folder at a time; another one is refused before its first run.
//! * The results do not depend on the number of threads, nor on what was there before.
//! * A run that fails is recorded with its error, and the others go on.
//! * All variants are compared by the same queue and its port ([`WatchedQueue`]).
//! * At the end `sweep.json` and `sweep.csv` hold the main figures of every variant: mean and spread
//!   over its seeds.

mod error;
mod execute;
mod figures;
mod folder;
mod gate;
mod monitor;
mod spread;
mod summary;
mod watched;

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::Path;

use crate::scenario::Variant;
use crate::store::{Collection, StoreError};

pub use error::SweepError;
pub use execute::panic_message;
pub use folder::other_results;
pub use monitor::{RunEnd, RunId, RunMonitor, SweepMonitor, Unwatched};
pub use spread::Spread;
pub use summary::{RunSummary, SweepSummary, VariantSummary};
pub use watched::WatchedQueue;

/// How to run a sweep.
#[derive(Clone, Copy, Debug)]
pub struct SweepOptions<'a> {
    /// Where the results go: one folder per run in this one.
    pub folder: &'a Path,
    /// How many seeds each variant gets, counting up from its own.
    pub seeds: NonZeroU32,
    /// How many runs go on at once; none for one per core.
    pub threads: Option<NonZeroUsize>,
}

/// How many runs, and how many of them at once.
#[derive(Clone, Copy, Debug)]
pub struct Batch {
    /// How many seeds each variant gets, counting up from its own.
    pub seeds: NonZeroU32,
    /// How many runs go on at once; none for one per core.
    pub threads: Option<NonZeroUsize>,
}

/// Opens a folder for a sweep. No other process can put a sweep there as long as the value lives.
///
/// # Errors
/// If the folder belongs to something else, if another process is at work there, or if nothing can be written there.
pub fn open(folder: &Path) -> Result<Collection, StoreError> {
    folder::open(folder)
}

/// Runs all variants with all seeds, stores every result and the figures of all together.
///
/// # Errors
/// If the folder belongs to something else, if the monitor stops the sweep (what is done then stays
/// and is not done again), or if the combined figures cannot be written. A run that fails is no
/// error of the sweep: [`SweepSummary::failures`] has them.
pub fn sweep(
    variants: &[Variant],
    options: &SweepOptions<'_>,
    monitor: &dyn SweepMonitor,
) -> Result<SweepSummary, SweepError> {
    let batch = Batch { seeds: options.seeds, threads: options.threads };
    sweep_into(&open(options.folder)?, variants, batch, monitor)
}

/// The same in a folder that was opened before, and that the caller adds files to.
///
/// # Errors
/// As [`sweep()`].
pub fn sweep_into(
    folder: &Collection,
    variants: &[Variant],
    batch: Batch,
    monitor: &dyn SweepMonitor,
) -> Result<SweepSummary, SweepError> {
    let jobs = execute::jobs(variants, batch.seeds);
    let ends = execute::run_all(&jobs, folder, batch, monitor)?;
    let summary = SweepSummary::new(variants, &jobs, ends);
    folder::write(folder, &summary)?;
    Ok(summary)
}
