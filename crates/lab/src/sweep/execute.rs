//! Executes the runs of a sweep on a thread pool.

use std::any::Any;
use std::num::NonZeroU32;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use rayon::prelude::*;
use setpoint_sim::Decision;

use super::figures::Kept;
use super::gate::Gate;
use super::monitor::{RunEnd, RunId, RunMonitor, SweepMonitor};
use super::{Batch, SweepError, folder};
use crate::results::Manifest;
use crate::run::{VERSION, run, run_captured};
use crate::scenario::{Prepared, Variant};
use crate::store::{self, CaptureFile, Collection, Destination, StoreError};

/// One run of a sweep.
#[derive(Clone, Debug)]
pub(super) struct Job<'a> {
    pub(super) variant: &'a Variant,
    pub(super) id: RunId,
}

/// A stored run.
#[derive(Clone, Debug)]
pub(super) struct Finished {
    pub(super) digest: String,
    pub(super) kept: Kept,
}

/// Why a run has no result.
enum Unfinished {
    Failed(String),
    Stopped,
}

/// All runs, by variant and then by seed.
pub(super) fn jobs(variants: &[Variant], seeds: NonZeroU32) -> Vec<Job<'_>> {
    let runs = variants.len() * seeds.get() as usize;
    let digits = variants.len().saturating_sub(1).checked_ilog10().map_or(1, |log| log as usize + 1);
    let pairs =
        variants.iter().flat_map(|variant| (0..u64::from(seeds.get())).map(move |step| (variant, step)));
    let job = |(index, (variant, step)): (usize, (&'_ Variant, u64))| {
        let seed = variant.scenario.seed().wrapping_add(step);
        let folder = folder::name(variant.index, digits, &variant.assignments, seed);
        RunId { index, runs, seed, folder }
    };
    pairs.enumerate().map(|pair| Job { variant: pair.1.0, id: job(pair) }).collect()
}

/// Executes all runs; the results are in the order of the jobs.
pub(super) fn run_all(
    jobs: &[Job<'_>],
    folder: &Collection,
    batch: Batch,
    monitor: &dyn SweepMonitor,
) -> Result<Vec<Result<Finished, String>>, SweepError> {
    let threads = batch.threads.map_or(0, std::num::NonZeroUsize::get);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let gate = Gate::new(monitor.memory_limit());
    let one = |job: &Job<'_>| watched(job, folder, &gate, monitor);
    // Jobs are handed out one by one: neighbouring runs in a sweep may differ greatly in length.
    let ends: Vec<_> = pool.install(|| jobs.par_iter().with_max_len(1).map(one).collect());
    folder.tidy(jobs.iter().map(|job| job.id.folder.as_str()));
    let done = ends.iter().filter(|end| !matches!(end, Err(Unfinished::Stopped))).count();
    let kept = |end| match end {
        Ok(finished) => Some(Ok(finished)),
        Err(Unfinished::Failed(error)) => Some(Err(error)),
        Err(Unfinished::Stopped) => None,
    };
    let kept: Option<Vec<_>> = ends.into_iter().map(kept).collect();
    kept.ok_or(SweepError::Stopped { done, runs: jobs.len() })
}

/// Executes a run and reports its end to the monitor.
fn watched(
    job: &Job<'_>,
    folder: &Collection,
    gate: &Gate,
    monitor: &dyn SweepMonitor,
) -> Result<Finished, Unfinished> {
    let (end, finished) = match find_or_run(job, folder, gate, monitor) {
        Ok((end, finished)) => (end, Ok(finished)),
        Err(Unfinished::Stopped) => (RunEnd::Stopped, Err(Unfinished::Stopped)),
        Err(Unfinished::Failed(error)) => (RunEnd::Failed(error.clone()), Err(Unfinished::Failed(error))),
    };
    monitor.finished(&job.id, &end);
    finished
}

fn find_or_run(
    job: &Job<'_>,
    folder: &Collection,
    gate: &Gate,
    monitor: &dyn SweepMonitor,
) -> Result<(RunEnd, Finished), Unfinished> {
    if monitor.verdict() == Decision::Stop {
        return Err(Unfinished::Stopped);
    }
    let failed = |error: &dyn std::fmt::Display| Unfinished::Failed(error.to_string());
    let prepared = job.variant.scenario.prepare(job.id.seed).map_err(|error| failed(&error))?;
    match find(&prepared, &folder.path().join(&job.id.folder)) {
        Stored::Same(found) => return Ok((RunEnd::Found, found)),
        Stored::Nothing => {}
        Stored::Unusable(reason) => monitor.repeated(&job.id, &reason),
    }
    // Checked before the run, which may take hours.
    let place = Destination::inside(folder, &job.id.folder).map_err(|error| failed(&error))?;
    let _share = gate.enter(&prepared.spec, monitor).map_err(Unfinished::Failed)?;
    if monitor.verdict() == Decision::Stop {
        return Err(Unfinished::Stopped);
    }
    monitor.started(&job.id);
    let stored = catch_unwind(AssertUnwindSafe(|| run_and_store(&prepared, &job.id, place, monitor)));
    let finished = stored.unwrap_or_else(|panic| Err(Unfinished::Failed(panic_message(&*panic))))?;
    Ok((RunEnd::Stored, finished))
}

fn run_and_store(
    prepared: &Prepared,
    id: &RunId,
    place: Destination,
    monitor: &dyn SweepMonitor,
) -> Result<Finished, Unfinished> {
    let mut watch = RunMonitor { run: id, duration: prepared.spec.duration, monitor };
    let failed = |error: StoreError| Unfinished::Failed(error.to_string());
    let ended = match &prepared.capture {
        Some(capture) => {
            let file = CaptureFile::inside(&place).map_err(failed)?;
            let (ended, captured) = run_captured(prepared, capture, file, &mut watch);
            captured.map_err(failed)?;
            ended
        }
        None => run(prepared, &mut watch),
    };
    let record = ended.map_err(|error| match error.is_stopped() {
        true => Unfinished::Stopped,
        false => Unfinished::Failed(error.to_string()),
    })?;
    store::write_to(&record, place, &[]).map_err(failed)?;
    Ok(Finished { kept: Kept::of(&record.summary), digest: record.manifest.digest })
}

/// The content of a run's folder before the run.
enum Stored {
    /// An undamaged result for the same text, overrides, seed and version.
    Same(Finished),
    /// Nothing.
    Nothing,
    /// A result that cannot be used, and why.
    Unusable(String),
}

fn find(prepared: &Prepared, folder: &Path) -> Stored {
    if !folder.exists() {
        return Stored::Nothing;
    }
    let record = match store::read_listed(folder) {
        Ok(record) => record,
        Err(error) => return Stored::Unusable(error.to_string()),
    };
    match difference(prepared, &record.manifest) {
        Some(difference) => Stored::Unusable(format!("it is {difference}")),
        None => Stored::Same(Finished { kept: Kept::of(&record.summary), digest: record.manifest.digest }),
    }
}

/// How a stored result differs from a run; none if it is the result of that run.
fn difference(prepared: &Prepared, manifest: &Manifest) -> Option<String> {
    if manifest.version != VERSION {
        return Some(format!("from version {}", manifest.version));
    }
    if manifest.seed != prepared.spec.seed {
        return Some(format!("for seed {}", manifest.seed));
    }
    let same = manifest.scenario_text == prepared.text && manifest.overrides == prepared.overrides;
    (!same).then(|| "for another scenario".to_owned())
}

/// The message of a panic, which is a bug in the simulator and must not end the other runs.
#[must_use]
pub fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref().copied());
    format!("the simulator panicked, which is a bug: {}", text.unwrap_or("no message"))
}
