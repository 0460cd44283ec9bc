//! Runs experiments on a pool of threads.
//!
//! All runs of all experiments form one list, and a thread that becomes free takes the next one. The thread that
//! finishes the last run of an experiment judges its claims and drops its runs, so only a few experiments are in
//! memory at a time. An experiment without cases, such as a theorem, is judged first.

use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::iter::{ParallelBridge, ParallelIterator};
use setpoint_lab::run::{outcome, record};
use setpoint_lab::sweep::{RunEnd, RunId, RunMonitor, SweepMonitor, panic_message};
use setpoint_report::document::Block;
use setpoint_sim::Decision;

use crate::case::{Case, Depth};
use crate::claim::Judgement;
use crate::experiment::Experiment;
use crate::runs::{Run, Runs};
use crate::timeline::Timeline;

/// The start of the reason shown if claims cannot be judged because a run failed.
pub const RUN_FAILED: &str = "a run failed,";

/// How to run experiments.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// In full, or the short version.
    pub depth: Depth,
    /// Number of parallel runs; none for one per core.
    pub threads: Option<NonZeroUsize>,
}

/// An experiment that was run and judged.
#[derive(Clone, Debug)]
pub struct Finished<'a> {
    /// The experiment.
    pub experiment: &'a Experiment,
    /// In full, or the short version.
    pub depth: Depth,
    /// The outcome of its claims, in their order.
    pub judgements: Vec<Judgement>,
    /// Figures and tables; empty if a run failed.
    pub panels: Vec<Block>,
}

/// Why not all experiments were finished.
#[derive(Debug, thiserror::Error)]
pub enum ReproduceError {
    /// The monitor asked to stop.
    #[error("stopped after {done} of {experiments} experiments")]
    Stopped {
        /// Number of experiments that were finished.
        done: usize,
        /// The total number of experiments.
        experiments: usize,
    },
    /// The threads could not be started.
    #[error(transparent)]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// Runs experiments and judges their claims. `finished` receives each experiment as soon as it is complete, on the thread
/// that completed it. The results do not depend on the number of threads.
///
/// # Errors
/// If the monitor stops the runs, or if the threads cannot be started. Experiments that were handed over are complete.
pub fn reproduce<'a>(
    experiments: &[&'a Experiment],
    options: Options,
    monitor: &dyn SweepMonitor,
    finished: &(dyn Fn(Finished<'a>) + Sync),
) -> Result<(), ReproduceError> {
    let threads = options.threads.map_or(0, NonZeroUsize::get);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let session = Session {
        pending: experiments.iter().map(|experiment| Mutex::new(Pending::new(experiment))).collect(),
        done: AtomicUsize::new(0),
        depth: options.depth,
        monitor,
        finished,
    };
    pool.install(|| {
        let computed = experiments.iter().filter(|experiment| experiment.cases.is_empty());
        computed.par_bridge().for_each(|experiment| session.judge_computed(experiment));
        // In the order of the list, so that experiments are completed one after another.
        jobs(experiments).into_iter().par_bridge().for_each(|job| session.work(&job));
    });
    let done = session.done.into_inner();
    let stopped = ReproduceError::Stopped { done, experiments: experiments.len() };
    if done == experiments.len() { Ok(()) } else { Err(stopped) }
}

struct Session<'a, 'p> {
    /// One per experiment.
    pending: Vec<Mutex<Pending<'a>>>,
    /// Number of experiments that were handed over.
    done: AtomicUsize,
    depth: Depth,
    monitor: &'p dyn SweepMonitor,
    finished: &'p (dyn Fn(Finished<'a>) + Sync),
}

/// The runs of an experiment as they come in.
struct Pending<'a> {
    experiment: &'a Experiment,
    runs: Vec<Option<Result<Run, String>>>,
    missing: usize,
}

/// A run to execute.
struct Job<'a> {
    /// Position of the experiment in the list of chosen experiments.
    place: usize,
    /// Position of the run within its experiment.
    run: usize,
    experiment: &'a Experiment,
    case: &'a Case,
    id: RunId,
}

/// All runs, by experiment, then by case, then by seed.
fn jobs<'a>(experiments: &[&'a Experiment]) -> Vec<Job<'a>> {
    let runs = experiments.iter().map(|experiment| experiment.runs()).sum();
    let mut jobs = Vec::new();
    for (place, &experiment) in experiments.iter().enumerate() {
        let seeds = |case| experiment.seed_numbers().map(move |seed| (case, seed));
        for (run, (case, seed)) in experiment.cases.iter().flat_map(seeds).enumerate() {
            let folder = format!("{} {}, seed {seed}", experiment.id, case.name);
            let id = RunId { index: jobs.len(), runs, seed, folder };
            jobs.push(Job { place, run, experiment, case, id });
        }
    }
    jobs
}

impl<'a> Session<'a, '_> {
    fn judge_computed(&self, experiment: &'a Experiment) {
        if self.monitor.verdict() == Decision::Continue {
            let runs = Runs::new(Vec::new(), experiment.seed_numbers().collect(), Vec::new(), self.depth);
            self.hand_over(experiment, &runs);
        }
    }

    /// Executes a run, unless the monitor has asked to stop, and judges the experiment if this was its last run.
    fn work(&self, job: &Job<'a>) {
        if self.monitor.verdict() == Decision::Stop {
            return;
        }
        let Some(run) = job.execute(self.depth, self.monitor) else { return };
        let mut pending = self.pending[job.place].lock().unwrap_or_else(PoisonError::into_inner);
        let complete = pending.add(job.run, run, self.depth);
        drop(pending);
        if let Some(runs) = complete {
            self.hand_over(job.experiment, &runs);
        }
    }

    fn hand_over(&self, experiment: &'a Experiment, runs: &Runs) {
        let judgements = experiment.claims.iter().map(|claim| claim.judge(runs, self.depth)).collect();
        let panels = if runs.failures().is_empty() { (experiment.panels)(runs) } else { Vec::new() };
        (self.finished)(Finished { experiment, depth: self.depth, judgements, panels });
        self.done.fetch_add(1, Ordering::Relaxed);
    }
}

impl<'a> Pending<'a> {
    fn new(experiment: &'a Experiment) -> Self {
        let missing = experiment.runs();
        Self { experiment, runs: vec![None; missing], missing }
    }

    /// Adds a run; returns all runs after the last one.
    fn add(&mut self, place: usize, run: Result<Run, String>, depth: Depth) -> Option<Runs> {
        self.runs[place] = Some(run);
        self.missing -= 1;
        if self.missing > 0 {
            return None;
        }
        let cases = self.experiment.cases.iter().map(|case| case.name.clone()).collect();
        let runs = std::mem::take(&mut self.runs).into_iter().flatten().collect();
        Some(Runs::new(cases, self.experiment.seed_numbers().collect(), runs, depth))
    }
}

impl Job<'_> {
    /// Executes the run and reports its end to the monitor; none if it was stopped.
    fn execute(&self, depth: Depth, monitor: &dyn SweepMonitor) -> Option<Result<Run, String>> {
        monitor.started(&self.id);
        let ended = catch_unwind(AssertUnwindSafe(|| self.simulate(depth, monitor)));
        let ended = ended.unwrap_or_else(|panic| Some(Err(panic_message(&*panic))));
        let ended =
            ended.map(|end| end.map_err(|error| format!("the run {} failed: {error}", self.id.folder)));
        let end = match &ended {
            Some(Ok(_)) => RunEnd::Stored,
            Some(Err(error)) => RunEnd::Failed(error.clone()),
            None => RunEnd::Stopped,
        };
        monitor.finished(&self.id, &end);
        ended.map(|end| end.map_err(|error| format!("{RUN_FAILED} {}: {error}", self.id.folder)))
    }

    fn simulate(&self, depth: Depth, monitor: &dyn SweepMonitor) -> Option<Result<Run, String>> {
        let factor = self.experiment.factor(depth);
        let prepared = match self.case.prepare(self.id.seed, factor) {
            Ok(prepared) => prepared,
            Err(wrong) => return Some(Err(wrong.to_string())),
        };
        let mut watch = RunMonitor { run: &self.id, duration: prepared.spec.duration, monitor };
        match outcome(&prepared, &mut watch) {
            Ok(mut outcome) => {
                let feedback = std::mem::take(&mut outcome.feedback);
                let timeline = Timeline::new(&prepared.spec, factor);
                let record = record(&prepared, outcome);
                Some(Ok(Run::new(record, feedback, self.experiment.keep, timeline)))
            }
            Err(error) if error.is_stopped() => None,
            Err(error) => Some(Err(error.to_string())),
        }
    }
}
