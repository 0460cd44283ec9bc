//! The runs of experiments, shared between them and executed on a thread pool.
//!
//! A [`Task`] is an experiment in one set-up with some seeds. Its cases become runs, and tasks with the same
//! network, flows, changes and seed share a run. All runs form one list in the order of the tasks, and a
//! thread that becomes free takes the next one. The thread that finishes the last run of a task passes the task on
//! to the caller, after which its runs are freed, so only a few tasks are in memory at a time. A task without cases,
//! such as a theorem, is passed on first.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::iter::{ParallelBridge, ParallelIterator};
use setpoint_lab::sweep::{RunEnd, RunId, RunMonitor, SweepMonitor, panic_message};
use setpoint_record::run::outcome;
use setpoint_sim::Decision;

use crate::case::{Case, Depth};
use crate::experiment::Experiment;
use crate::runs::{Keep, RUN_FAILED, Run, Runs};
use crate::setup::Setup;

/// An experiment in one set-up with some seeds.
#[derive(Clone, Debug)]
pub(crate) struct Task<'a> {
    pub(crate) experiment: &'a Experiment,
    pub(crate) setup: Setup,
    pub(crate) seeds: Vec<u64>,
    pub(crate) scope: Scope,
}

/// The cases of an experiment that are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// All of them.
    All,
    /// Those on which the paper's claims depend.
    Paper,
}

/// The tasks and their runs.
#[derive(Debug)]
pub(crate) struct Plan<'a> {
    tasks: Vec<Task<'a>>,
    jobs: Vec<Job>,
    depth: Depth,
}

/// A run to execute.
#[derive(Debug)]
struct Job {
    case: Case,
    factor: f64,
    keep: Keep,
    id: RunId,
    /// The tasks that use the run, with its position in each of them.
    users: Vec<(usize, usize)>,
}

impl<'a> Plan<'a> {
    /// The distinct runs of the tasks, by task, then by case, then by seed.
    pub(crate) fn new(tasks: Vec<Task<'a>>, depth: Depth) -> Self {
        let mut jobs: Vec<Job> = Vec::new();
        let mut known: HashMap<([u8; 32], u64), usize> = HashMap::new();
        for (place, task) in tasks.iter().enumerate() {
            let experiment = task.experiment;
            let factor = experiment.factor(depth);
            let cases = task.cases().map(|case| task.setup.apply(case));
            let cases: Vec<([u8; 32], Case)> = cases.map(|case| (case.fingerprint(factor), case)).collect();
            let runs = cases.iter().flat_map(|case| task.seeds.iter().map(move |seed| (case, *seed)));
            for (slot, ((fingerprint, case), seed)) in runs.enumerate() {
                let index = *known.entry((*fingerprint, seed)).or_insert(jobs.len());
                if index == jobs.len() {
                    let folder = format!("{} {}, seed {seed}", experiment.id, case.name);
                    let id = RunId { index, runs: 0, seed, folder };
                    jobs.push(Job { case: case.clone(), factor, keep: Keep::Series, id, users: Vec::new() });
                }
                let job = &mut jobs[index];
                job.users.push((place, slot));
                job.keep = if experiment.keep == Keep::Messages { Keep::Messages } else { job.keep };
            }
        }
        let runs = jobs.len();
        jobs.iter_mut().for_each(|job| job.id.runs = runs);
        Self { tasks, jobs, depth }
    }

    /// The same plan, with its runs numbered after those of an earlier plan.
    pub(crate) fn after(mut self, earlier: usize) -> Self {
        let runs = earlier + self.jobs.len();
        for job in &mut self.jobs {
            job.id.index += earlier;
            job.id.runs = runs;
        }
        self
    }

    /// The number of distinct runs.
    pub(crate) fn runs(&self) -> usize {
        self.jobs.len()
    }

    pub(crate) fn tasks(&self) -> &[Task<'a>] {
        &self.tasks
    }

    /// Executes the runs. `finished` receives the position and the runs of each task as soon as they are complete, on
    /// the thread that completed them. Returns the number of tasks that were handed over: fewer than all if the
    /// monitor stops the runs.
    pub(crate) fn execute(
        &self,
        threads: Option<NonZeroUsize>,
        monitor: &dyn SweepMonitor,
        finished: &(dyn Fn(usize, Runs) + Sync),
    ) -> Result<usize, rayon::ThreadPoolBuildError> {
        let threads = threads.map_or(0, NonZeroUsize::get);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        let pending = self.tasks.iter().map(|task| Mutex::new(Pending::new(task))).collect();
        let session = Session { plan: self, pending, done: AtomicUsize::new(0), monitor, finished };
        pool.install(|| {
            let computed = (0..self.tasks.len()).filter(|place| self.tasks[*place].cases().next().is_none());
            computed.par_bridge().for_each(|place| session.compute(place));
            // Runs are started in the order of the list, so that tasks are completed one after another.
            self.jobs.iter().par_bridge().for_each(|job| session.work(job));
        });
        Ok(session.done.into_inner())
    }
}

impl Task<'_> {
    /// The cases that are run, without the settings of the set-up.
    pub(crate) fn cases(&self) -> impl Iterator<Item = &Case> {
        self.experiment.cases.iter().filter(|case| self.scope == Scope::All || !case.beyond_paper)
    }

    fn runs(&self, runs: Vec<Result<Arc<Run>, String>>, depth: Depth) -> Runs {
        let cases = self.cases().map(|case| case.name.clone()).collect();
        Runs::new(cases, self.seeds.clone(), runs, depth, self.setup.clone())
    }
}

struct Session<'a, 'p> {
    plan: &'p Plan<'a>,
    /// The pending runs, one entry per task.
    pending: Vec<Mutex<Pending>>,
    /// Number of tasks that were handed over.
    done: AtomicUsize,
    monitor: &'p dyn SweepMonitor,
    finished: &'p (dyn Fn(usize, Runs) + Sync),
}

/// The runs of a task as they are completed.
struct Pending {
    runs: Vec<Option<Result<Arc<Run>, String>>>,
    missing: usize,
}

impl Session<'_, '_> {
    /// Hands over a task without runs.
    fn compute(&self, place: usize) {
        if self.monitor.verdict() == Decision::Continue {
            self.hand_over(place, Vec::new());
        }
    }

    /// Executes a run, unless the monitor has asked to stop, and hands over the tasks that it completes.
    fn work(&self, job: &Job) {
        if self.monitor.verdict() == Decision::Stop {
            return;
        }
        let Some(run) = job.execute(self.monitor) else { return };
        let run = run.map(Arc::new);
        for (place, slot) in &job.users {
            let mut pending = self.pending[*place].lock().unwrap_or_else(PoisonError::into_inner);
            let complete = pending.add(*slot, run.clone());
            drop(pending);
            if let Some(runs) = complete {
                self.hand_over(*place, runs);
            }
        }
    }

    fn hand_over(&self, place: usize, runs: Vec<Result<Arc<Run>, String>>) {
        (self.finished)(place, self.plan.tasks[place].runs(runs, self.plan.depth));
        self.done.fetch_add(1, Ordering::Relaxed);
    }
}

impl Pending {
    fn new(task: &Task<'_>) -> Self {
        let missing = task.cases().count() * task.seeds.len();
        Self { runs: vec![None; missing], missing }
    }

    /// Adds a run; returns all runs once the last one has been added.
    fn add(&mut self, slot: usize, run: Result<Arc<Run>, String>) -> Option<Vec<Result<Arc<Run>, String>>> {
        self.runs[slot] = Some(run);
        self.missing -= 1;
        (self.missing == 0).then(|| std::mem::take(&mut self.runs).into_iter().flatten().collect())
    }
}

impl Job {
    /// Executes the run and reports its end to the monitor; none if it was stopped.
    fn execute(&self, monitor: &dyn SweepMonitor) -> Option<Result<Run, String>> {
        monitor.started(&self.id);
        let ended = catch_unwind(AssertUnwindSafe(|| self.simulate(monitor)));
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

    fn simulate(&self, monitor: &dyn SweepMonitor) -> Option<Result<Run, String>> {
        let prepared = match self.case.prepare(self.id.seed, self.factor) {
            Ok(prepared) => prepared,
            Err(wrong) => return Some(Err(wrong.to_string())),
        };
        let mut watch = RunMonitor { run: &self.id, duration: prepared.spec.duration, monitor };
        match outcome(&prepared, &mut watch) {
            Ok(outcome) => Some(Ok(Run::new(&prepared, outcome, self.keep, self.factor))),
            Err(error) if error.is_stopped() => None,
            Err(error) => Some(Err(error.to_string())),
        }
    }
}
