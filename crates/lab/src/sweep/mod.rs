//! Sweeps: all variants of a scenario with several seeds each, on all cores.
//!
//! * Every run is stored in its own folder as soon as it is done. An interrupted sweep resumes: a run whose folder
//!   holds an undamaged result for the same scenario text (including the files it extends), overrides and seed, from a
//!   build with the same [sources](crate::build::SOURCES), is not repeated. If a stored run is repeated, the monitor
//!   receives the reason.
//! * One process works in a folder at a time; another one is refused before its first run. Alternatively, several
//!   processes, possibly on several machines, run a [shard](crate::shard) each, and one of them collects the results at
//!   the end.
//! * The results depend neither on the number of threads nor on earlier results.
//! * A failed run is recorded with its error, and the other runs continue.
//! * All variants are compared on the same queue and its port ([`WatchedQueue`]).
//! * At the end `sweep.json` and `sweep.csv` hold the [metrics](setpoint_record::catalogue) of every variant: mean and spread
//!   over its seeds.

mod cost;
mod error;
mod execute;
mod figures;
mod folder;
mod gate;
mod job;
mod monitor;
mod roster;
mod slowdown;
mod summary;
mod watched;

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::Path;

use setpoint_scenario::Variant;

use crate::shard::Shard;
use crate::store::{Collection, StoreError, Workplace};

pub use cost::Cost;
pub use error::SweepError;
pub use execute::panic_message;
pub use folder::{other_results, read, read_verified};
pub use monitor::{RunEnd, RunId, RunMonitor, SweepMonitor, Unwatched};
pub use roster::{Awaited, Roster};
pub use slowdown::SlowdownSpread;
pub use summary::{RunSummary, SweepSummary, SweptWarning, VariantSummary};
pub use watched::WatchedQueue;

/// The options of a sweep.
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

/// Checks that the given number of consecutive seeds exists. Every batch begins with this check for each of its
/// variants.
///
/// # Errors
/// If the last seed would exceed the largest seed.
pub fn check_seeds(first: u64, seeds: NonZeroU32) -> Result<(), SweepError> {
    match first.checked_add(u64::from(seeds.get()) - 1) {
        Some(_) => Ok(()),
        None => Err(SweepError::Seeds { first, seeds }),
    }
}

/// Opens a folder for a sweep and keeps it locked as long as the returned value exists.
///
/// # Errors
/// If the folder holds other content, is locked by another process, or cannot be written.
pub fn open(folder: &Path) -> Result<Collection, StoreError> {
    folder::open(folder)
}

/// Runs all variants with all seeds, and stores every result and the combined metrics.
///
/// # Errors
/// If the folder holds other content, if the monitor stops the sweep (finished runs are kept and not repeated), or if
/// the combined metrics cannot be written. A failed run is not an error of the sweep: see [`SweepSummary::failures`].
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
    let summary = run_batch(folder.place(), variants, batch, monitor)?;
    folder::write(folder, &summary)?;
    Ok(summary)
}

/// Runs all variants with all seeds and stores every result, but not the combined metrics.
///
/// # Errors
/// As [`sweep()`].
pub fn run_batch(
    place: &Workplace,
    variants: &[Variant],
    batch: Batch,
    monitor: &dyn SweepMonitor,
) -> Result<SweepSummary, SweepError> {
    let jobs = execute::jobs(variants, batch.seeds)?;
    let ends = execute::run_all(&jobs, place, batch.threads, monitor)?;
    Ok(SweepSummary::new(variants, &jobs, ends))
}

/// Claims a part of a folder for a shard, for as long as the returned value exists.
///
/// # Errors
/// If the folder holds other content, another process owns all of it or the same shard, or it cannot be written.
pub fn join(folder: &Path, shard: Shard) -> Result<Workplace, StoreError> {
    folder::join(folder, shard)
}

/// How the runs of a shard ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShardEnd {
    /// The number of runs in the shard.
    pub runs: usize,
    /// The number of those that failed.
    pub failed: usize,
}

/// Runs the part of a sweep that belongs to a shard. [`collect_into`] creates the files of the sweep from all parts.
///
/// # Errors
/// As [`sweep()`].
pub fn run_shard(
    folder: &Workplace,
    variants: &[Variant],
    batch: Batch,
    shard: Shard,
    monitor: &dyn SweepMonitor,
) -> Result<ShardEnd, SweepError> {
    let jobs = execute::of_shard(execute::jobs(variants, batch.seeds)?, shard);
    let ends = execute::run_all(&jobs, folder, batch.threads, monitor)?;
    execute::note_failures(&jobs, &ends, folder)?;
    Ok(ShardEnd { runs: jobs.len(), failed: ends.iter().filter(|end| end.is_err()).count() })
}

/// The number of runs in a shard.
pub fn runs_of_shard(variants: &[Variant], seeds: NonZeroU32, shard: Shard) -> usize {
    (0..variants.len() * seeds.get() as usize).filter(|run| shard.takes(*run)).count()
}

/// Creates the files of a sweep from the results that its shards have stored: identical to those of [`sweep_into`],
/// byte for byte. Nothing is run.
///
/// # Errors
/// If results are missing, or a file cannot be written.
pub fn collect_into(
    folder: &Collection,
    variants: &[Variant],
    batch: Batch,
    monitor: &dyn SweepMonitor,
) -> Result<SweepSummary, SweepError> {
    let summary = collect_batch(folder.place(), variants, batch, monitor)?;
    let runs = summary.variants.iter().flat_map(|variant| &variant.runs);
    folder.place().tidy(runs.map(|run| run.folder.as_str()));
    folder::write(folder, &summary)?;
    Ok(summary)
}

/// Computes the metrics of all variants from the results that shards have stored. Nothing is run or written.
///
/// # Errors
/// If results are missing.
pub fn collect_batch(
    place: &Workplace,
    variants: &[Variant],
    batch: Batch,
    monitor: &dyn SweepMonitor,
) -> Result<SweepSummary, SweepError> {
    let jobs = execute::jobs(variants, batch.seeds)?;
    let ends = execute::collect(&jobs, place, batch.threads, monitor)?;
    Ok(SweepSummary::new(variants, &jobs, ends))
}
