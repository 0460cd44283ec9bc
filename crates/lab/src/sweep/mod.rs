//! Many runs: all variants of a scenario with several seeds each, on all cores.
//!
//! * Every run is stored in a folder of its own as soon as it is done. A sweep that was cut off
//!   goes on where it was: a run whose folder holds a result of the same scenario text (with
//!   what it extends), overrides, seed and version is not run again.
//! * The results do not depend on the number of threads, nor on what was there before.
//! * A run that fails is recorded with its error, and the others go on.
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

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::Path;

use crate::scenario::Variant;

pub use error::SweepError;
pub use execute::panic_message;
pub use figures::FIGURES;
pub use folder::other_results;
pub use monitor::{RunEnd, RunId, RunMonitor, SweepMonitor, Unwatched};
pub use spread::Spread;
pub use summary::{RunSummary, SweepSummary, VariantSummary};

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
    folder::check(options.folder)?;
    let jobs = execute::jobs(variants, options.seeds);
    let ends = execute::run_all(&jobs, options, monitor)?;
    let summary = SweepSummary::new(variants, &jobs, ends);
    folder::write(options.folder, &summary)?;
    Ok(summary)
}
