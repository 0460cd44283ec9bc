//! Executes the runs of a sweep on a thread pool.

use std::any::Any;
use std::num::{NonZeroU32, NonZeroUsize};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use rayon::prelude::*;
use setpoint_scenario::{Prepared, Variant};
use setpoint_sim::{Decision, Threads};

use super::gate::Gate;
use super::job::{Finished, Job};
use super::monitor::{RunEnd, RunId, RunMonitor, SweepMonitor};
use super::{SweepError, check_seeds, folder};
use crate::run::{Inputs, note};
use crate::session::{self, JobError};
use crate::shard::Shard;
use crate::store::{self, Destination, Workplace};

/// The reason why a run has no result.
enum Unfinished {
    Failed(String),
    Stopped,
}

/// All runs, by variant and then by seed.
pub(super) fn jobs(variants: &[Variant], seeds: NonZeroU32) -> Result<Vec<Job<'_>>, SweepError> {
    variants.iter().try_for_each(|variant| check_seeds(variant.scenario.seed(), seeds))?;
    let runs = variants.len() * seeds.get() as usize;
    let largest = variants.iter().map(|variant| variant.index).max().unwrap_or(0);
    let digits = largest.checked_ilog10().map_or(1, |log| log as usize + 1);
    let pairs =
        variants.iter().flat_map(|variant| (0..u64::from(seeds.get())).map(move |step| (variant, step)));
    let job = |(index, (variant, step)): (usize, (&'_ Variant, u64))| {
        let seed = variant.scenario.seed() + step;
        let folder = folder::name(variant.index, digits, &variant.assignments, seed);
        RunId { index, runs, seed, folder }
    };
    Ok(pairs.enumerate().map(|pair| Job { variant: pair.1.0, id: job(pair) }).collect())
}

/// The jobs of a shard, renumbered from 0.
pub(super) fn of_shard(jobs: Vec<Job<'_>>, shard: Shard) -> Vec<Job<'_>> {
    let mut own: Vec<Job<'_>> = jobs.into_iter().filter(|job| shard.takes(job.id.index)).collect();
    let runs = own.len();
    own.iter_mut().enumerate().for_each(|(index, job)| (job.id.index, job.id.runs) = (index, runs));
    own
}

/// Threads for the runs; one per core if no number is given.
pub(super) fn pool(threads: Option<NonZeroUsize>) -> Result<rayon::ThreadPool, rayon::ThreadPoolBuildError> {
    rayon::ThreadPoolBuilder::new().num_threads(threads.map_or(0, NonZeroUsize::get)).build()
}

/// Executes all runs; the results are in the order of the jobs.
pub(super) fn run_all(
    jobs: &[Job<'_>],
    folder: &Workplace,
    threads: Option<NonZeroUsize>,
    monitor: &dyn SweepMonitor,
) -> Result<Vec<Result<Finished, String>>, SweepError> {
    let (pool, gate) = (pool(threads)?, Gate::new(monitor.memory_limit()));
    // If there are fewer runs than threads, each run gets several.
    let each = NonZeroUsize::new(pool.current_num_threads() / jobs.len().max(1)).unwrap_or(NonZeroUsize::MIN);
    let one = |job: &Job<'_>| watched(job, Threads::up_to(each), folder, &gate, monitor);
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
    let kept = kept.ok_or(SweepError::Stopped { done, runs: jobs.len() })?;
    folder.sync(jobs.iter().map(|job| job.id.folder.as_str()))?;
    Ok(kept)
}

/// Executes a run and reports its end to the monitor.
fn watched(
    job: &Job<'_>,
    threads: Threads,
    folder: &Workplace,
    gate: &Gate,
    monitor: &dyn SweepMonitor,
) -> Result<Finished, Unfinished> {
    let (end, finished) = match find_or_run(job, threads, folder, gate, monitor) {
        Ok((end, finished)) => (end, Ok(finished)),
        Err(Unfinished::Stopped) => (RunEnd::Stopped, Err(Unfinished::Stopped)),
        Err(Unfinished::Failed(error)) => (RunEnd::Failed(error.clone()), Err(Unfinished::Failed(error))),
    };
    monitor.finished(&job.id, &end);
    finished
}

fn find_or_run(
    job: &Job<'_>,
    threads: Threads,
    folder: &Workplace,
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
    let place = Destination::among(folder, &job.id.folder).map_err(|error| failed(&error))?;
    let _share = gate.enter(&prepared.spec, monitor).map_err(Unfinished::Failed)?;
    if monitor.verdict() == Decision::Stop {
        return Err(Unfinished::Stopped);
    }
    monitor.started(&job.id);
    let (memory, output) = (monitor.memory_limit(), Some(place.into()));
    let run = session::Job { prepared, memory, threads, output };
    let stored = catch_unwind(AssertUnwindSafe(|| run_and_store(run, &job.id, monitor)));
    let finished = stored.unwrap_or_else(|panic| Err(Unfinished::Failed(panic_message(&*panic))))?;
    Ok((RunEnd::Stored, finished))
}

fn run_and_store(job: session::Job, id: &RunId, monitor: &dyn SweepMonitor) -> Result<Finished, Unfinished> {
    let mut watch = RunMonitor { run: id, duration: job.prepared.spec.duration, monitor };
    let ended = job.run(&mut watch).map_err(|error| match error {
        JobError::Run(error) if error.is_stopped() => Unfinished::Stopped,
        error => Unfinished::Failed(error.to_string()),
    })?;
    job.store(&ended.record, &[]).map_err(|error| Unfinished::Failed(error.to_string()))?;
    Ok(Finished::of(ended.record))
}

/// Runs whose results are missing: the names of their folders and, for folders that exist, why their content cannot be
/// used.
pub(super) type Missing = Vec<(String, Option<String>)>;

/// Reads the results that other processes have stored, in the order of the jobs, or names those that are missing.
pub(super) fn collect(
    jobs: &[Job<'_>],
    folder: &Workplace,
    threads: Option<NonZeroUsize>,
    monitor: &dyn SweepMonitor,
) -> Result<Vec<Result<Finished, String>>, SweepError> {
    let pool = pool(threads)?;
    let one = |job: &Job<'_>| {
        let collected = collected(job, folder.path());
        let end = match &collected {
            Ok(Ok(_)) => RunEnd::Found,
            Ok(Err(error)) => RunEnd::Failed(error.clone()),
            Err(_) => RunEnd::Stopped,
        };
        monitor.finished(&job.id, &end);
        collected
    };
    let ends: Vec<_> = pool.install(|| jobs.par_iter().with_max_len(1).map(one).collect());
    let (mut results, mut missing) = (Vec::new(), Missing::new());
    for (job, end) in jobs.iter().zip(ends) {
        match end {
            Ok(end) => results.push(end),
            Err(instead) => missing.push((job.id.folder.clone(), instead)),
        }
    }
    match missing.is_empty() {
        true => Ok(results),
        false => Err(SweepError::Missing { missing, runs: jobs.len() }),
    }
}

/// The end of a run that another process executed. If there is no result, the error states why the content of the
/// run's folder cannot be used, if the folder exists.
pub(super) fn collected(job: &Job<'_>, folder: &Path) -> Result<Result<Finished, String>, Option<String>> {
    let prepared = match job.variant.scenario.prepare(job.id.seed) {
        Ok(prepared) => prepared,
        Err(wrong) => return Ok(Err(wrong.to_string())),
    };
    let instead = match find(&prepared, &folder.join(&job.id.folder)) {
        Stored::Same(found) => return Ok(Ok(found)),
        Stored::Nothing => None,
        Stored::Unusable(reason) => Some(reason),
    };
    match note::read(folder, &job.id.folder, &Inputs::of(&prepared)) {
        Some(error) => Ok(Err(error)),
        None => Err(instead),
    }
}

/// Leaves notes on how the runs of a shard ended, for the process that collects them.
pub(super) fn note_failures(
    jobs: &[Job<'_>],
    ends: &[Result<Finished, String>],
    folder: &Workplace,
) -> Result<(), SweepError> {
    for (job, end) in jobs.iter().zip(ends) {
        let name = &job.id.folder;
        match (end, job.variant.scenario.prepare(job.id.seed)) {
            (Err(error), Ok(prepared)) => note::leave(folder, name, Inputs::of(&prepared), error)?,
            // The process that collects it will encounter the same problem.
            (Err(_), Err(_)) => {}
            (Ok(_), _) => folder.remove_note(name),
        }
    }
    Ok(())
}

/// The content of a run's folder before the run.
enum Stored {
    /// An undamaged result from a build with the same sources for the same text, overrides and seed.
    Same(Finished),
    /// There is no folder.
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
    match Inputs::of(prepared).difference(&Inputs::stored(&record.manifest)) {
        Some(difference) => Stored::Unusable(format!("it is {difference}")),
        None => Stored::Same(Finished::of(record)),
    }
}

/// The message of a panic, which is a bug in the simulator and must not end the other runs.
pub fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref().copied());
    format!("the simulator panicked, which is a bug: {}", text.unwrap_or("no message"))
}
