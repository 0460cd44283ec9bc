//! The runs of experiments on a pool of threads.
//!
//! All runs of all experiments are one list, from which every thread takes the next. An experiment is judged by
//! the thread that ends its last run, and its runs are given back then: at any time the runs of few experiments
//! are held, however many were asked for. An experiment without cases, such as a theorem, has nothing to wait for: it is
//! judged first, and its claims compute what they measure from the seed.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use setpoint_lab::sweep::SweepMonitor;
use setpoint_report::document::Block;
use setpoint_sim::Decision;

use crate::case::Depth;
use crate::claim::Judgement;
use crate::experiment::Experiment;
use crate::job::{Job, jobs};
use crate::runs::{Run, Runs};

/// How to run experiments.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Everything, or the short version.
    pub depth: Depth,
    /// How many runs go on at once; none for one per core.
    pub threads: Option<NonZeroUsize>,
}

/// An experiment that was run and judged.
#[derive(Clone, Debug)]
pub struct Finished<'a> {
    /// The experiment.
    pub experiment: &'a Experiment,
    /// Whether this is the short version.
    pub depth: Depth,
    /// What came of its claims, in their order.
    pub judgements: Vec<Judgement>,
    /// What is shown of the runs; empty if one failed.
    pub shown: Vec<Block>,
}

/// The monitor asked to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped after {done} of {experiments} experiments")]
pub struct Stopped {
    /// Experiments that were finished.
    pub done: usize,
    /// Experiments in all.
    pub experiments: usize,
}

/// Runs experiments and judges their claims. Each is handed over as soon as it is finished, from the thread that
/// finished it and in the order in which they finish; what is handed over does not depend on the number of threads.
///
/// # Errors
/// If the monitor stops it. What was handed over until then is complete.
pub fn reproduce<'a>(
    experiments: &[&'a Experiment],
    options: Options,
    monitor: &dyn SweepMonitor,
    finished: &(dyn Fn(Finished<'a>) + Sync),
) -> Result<(), Stopped> {
    let jobs = jobs(experiments);
    let pool = Pool {
        tables: experiments.iter().map(|experiment| Mutex::new(Table::new(experiment))).collect(),
        next: AtomicUsize::new(0),
        done: AtomicUsize::new(0),
        depth: options.depth,
        monitor,
        finished,
    };
    pool.judge_without_runs();
    let threads =
        options.threads.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
    thread::scope(|scope| {
        for _ in 0..threads.min(jobs.len()) {
            scope.spawn(|| pool.work(&jobs));
        }
    });
    let done = pool.done.into_inner();
    if done == experiments.len() { Ok(()) } else { Err(Stopped { done, experiments: experiments.len() }) }
}

struct Pool<'a, 'p> {
    /// One per experiment.
    tables: Vec<Mutex<Table<'a>>>,
    /// The next job that nobody has taken.
    next: AtomicUsize,
    /// Experiments that were handed over.
    done: AtomicUsize,
    depth: Depth,
    monitor: &'p dyn SweepMonitor,
    finished: &'p (dyn Fn(Finished<'a>) + Sync),
}

/// The runs of an experiment as they come in.
struct Table<'a> {
    experiment: &'a Experiment,
    runs: Vec<Option<Result<Run, String>>>,
    missing: usize,
}

impl<'a> Pool<'a, '_> {
    /// Judges the experiments that have no runs.
    fn judge_without_runs(&self) {
        for table in &self.tables {
            let table = table.lock().unwrap_or_else(PoisonError::into_inner);
            let experiment = table.experiment;
            if experiment.cases.is_empty() && self.monitor.verdict() == Decision::Continue {
                let runs = Runs::new(Vec::new(), experiment.seeds().collect(), Vec::new(), self.depth);
                self.hand_over(experiment, &runs);
            }
        }
    }

    /// Takes jobs until there are none, or the monitor has had enough.
    fn work(&self, jobs: &[Job<'a>]) {
        while self.monitor.verdict() == Decision::Continue {
            let Some(job) = jobs.get(self.next.fetch_add(1, Ordering::Relaxed)) else { return };
            let Some(run) = job.execute(self.depth, self.monitor) else { return };
            let table = &self.tables[job.experiment];
            let complete =
                table.lock().unwrap_or_else(PoisonError::into_inner).add(job.place, run, self.depth);
            if let Some(runs) = complete {
                self.hand_over(job.of, &runs);
            }
        }
    }

    fn hand_over(&self, experiment: &'a Experiment, runs: &Runs) {
        (self.finished)(finish(experiment, self.depth, runs));
        self.done.fetch_add(1, Ordering::Relaxed);
    }
}

impl<'a> Table<'a> {
    fn new(experiment: &'a Experiment) -> Self {
        let missing = experiment.cases.len() * experiment.seeds().count();
        Self { experiment, runs: vec![None; missing], missing }
    }

    /// Adds a run; gives all of them when it was the last.
    fn add(&mut self, place: usize, run: Result<Run, String>, depth: Depth) -> Option<Runs> {
        self.runs[place] = Some(run);
        self.missing -= 1;
        if self.missing > 0 {
            return None;
        }
        let cases = self.experiment.cases.iter().map(|case| case.name).collect();
        let runs = std::mem::take(&mut self.runs).into_iter().flatten().collect();
        Some(Runs::new(cases, self.experiment.seeds().collect(), runs, depth))
    }
}

fn finish<'a>(experiment: &'a Experiment, depth: Depth, runs: &Runs) -> Finished<'a> {
    let timing = &experiment.timing;
    let judgements = experiment.claims.iter().map(|claim| claim.judge(runs, timing, depth)).collect();
    let shown = if runs.failures().is_empty() { (experiment.shown)(runs) } else { Vec::new() };
    Finished { experiment, depth, judgements, shown }
}
