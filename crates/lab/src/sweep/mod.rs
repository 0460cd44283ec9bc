//! Sweeps: all variants of a scenario with several seeds each, on all cores.
//!
//! * Every run is stored in its own folder as soon as it is done. An interrupted sweep resumes: a run whose folder
//!   holds an undamaged result for the same scenario text (including the files it extends), overrides, seed and version is
//!   not repeated. If a stored run is repeated, the monitor receives the reason.
//! * One process works in a folder at a time; another one is refused before its first run.
//! * The results depend neither on the number of threads nor on earlier results.
//! * A failed run is recorded with its error, and the other runs continue.
//! * All variants are compared on the same queue and its port ([`WatchedQueue`]).
//! * At the end `sweep.json` and `sweep.csv` hold the [metrics](crate::catalogue) of every variant: mean and spread
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
    /// Folder for the results, with one folder per run inside.
    pub folder: &'a Path,
    /// Number of seeds per variant, counting up from the variant's own seed.
    pub seeds: NonZeroU32,
    /// Number of concurrent runs; none for one per core.
    pub threads: Option<NonZeroUsize>,
}

/// The number of seeds, and the number of concurrent runs.
#[derive(Clone, Copy, Debug)]
pub struct Batch {
    /// Number of seeds per variant, counting up from the variant's own seed.
    pub seeds: NonZeroU32,
    /// Number of concurrent runs; none for one per core.
    pub threads: Option<NonZeroUsize>,
}

/// Opens a folder for a sweep and keeps it locked as long as the returned value exists.
///
/// # Errors
/// If the folder belongs to something else, is locked by another process, or cannot be written.
pub fn open(folder: &Path) -> Result<Collection, StoreError> {
    folder::open(folder)
}

/// Runs all variants with all seeds, and stores every result and the metrics of all of them.
///
/// # Errors
/// If the folder belongs to something else, if the monitor stops the sweep (finished runs stay and are not repeated),
/// or if the combined metrics cannot be written. A failed run is not an error of the sweep: see
/// [`SweepSummary::failures`].
pub fn sweep(
    variants: &[Variant],
    options: &SweepOptions<'_>,
    monitor: &dyn SweepMonitor,
) -> Result<SweepSummary, SweepError> {
    let batch = Batch { seeds: options.seeds, threads: options.threads };
    sweep_into(&open(options.folder)?, variants, batch, monitor)
}

/// Like [`sweep()`], in a folder that the caller has opened and adds files to.
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
