//! Runs experiments and judges their claims.
//!
//! An experiment is run in the leading set-up with all seeds and, if it has choices, in every set-up that
//! differs from it in one choice with the first few seeds. The short version is run in the leading set-up
//! only.

use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};

use setpoint_lab::sweep::SweepMonitor;
use setpoint_report::document::Block;

use crate::case::Depth;
use crate::choice::Setup;
use crate::claim::{Judgement, Measured};
use crate::experiment::{Experiment, Repeats};
use crate::plan::{Plan, Scope, Task};
use crate::runs::Runs;

/// The number of seeds with which set-ups other than the leading one are run.
const BESIDE: usize = Repeats::LEAST as usize;

/// Experiments to be run and judged.
#[derive(Debug)]
pub struct Reproduction<'a> {
    experiments: Vec<&'a Experiment>,
    depth: Depth,
    plan: Plan<'a>,
    /// The experiment of each task.
    places: Vec<usize>,
}

/// An experiment that was run and judged.
#[derive(Clone, Debug)]
pub struct Finished<'a> {
    /// The experiment.
    pub experiment: &'a Experiment,
    /// Whether it was run in full or shortened.
    pub depth: Depth,
    /// The outcome of its claims, in their order.
    pub judgements: Vec<Judgement>,
    /// Figures and tables in the leading set-up; empty if a run failed.
    pub panels: Vec<Block>,
    /// The same in the set-ups that differ in one choice.
    pub beside: Vec<(Setup, Vec<Block>)>,
}

impl Finished<'_> {
    /// The number of seeds with which the set-ups that differ in one choice were run.
    #[must_use]
    pub fn seeds_beside(&self) -> usize {
        self.experiment.seed_numbers().count().min(BESIDE)
    }
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

/// The outcome of an experiment in one set-up.
struct Outcome {
    setup: Setup,
    /// The figures for each claim.
    measured: Vec<Measured>,
    panels: Vec<Block>,
}

impl<'a> Reproduction<'a> {
    /// Plans the runs of experiments.
    #[must_use]
    pub fn new(experiments: &[&'a Experiment], depth: Depth) -> Self {
        let of_experiment = |experiment: &'a Experiment| {
            let leading = Setup::leading(&experiment.choices);
            let beside = if depth == Depth::Full { leading.neighbours() } else { Vec::new() };
            let all: Vec<u64> = experiment.seed_numbers().collect();
            let few: Vec<u64> = all.iter().copied().take(BESIDE).collect();
            let task = move |setup, seeds| Task { experiment, setup, seeds, scope: Scope::All };
            let beside = beside.into_iter().map(move |setup| task(setup, few.clone()));
            [task(leading, all)].into_iter().chain(beside)
        };
        let (mut tasks, mut places) = (Vec::new(), Vec::new());
        for (place, experiment) in experiments.iter().enumerate() {
            tasks.extend(of_experiment(experiment));
            places.resize(tasks.len(), place);
        }
        Self { experiments: experiments.to_vec(), depth, plan: Plan::new(tasks, depth), places }
    }

    /// The number of runs.
    #[must_use]
    pub fn runs(&self) -> usize {
        self.plan.runs()
    }

    /// Runs the experiments and judges their claims. `finished` receives each experiment as soon as it is complete, on
    /// the thread that completed it. The results do not depend on the number of threads.
    ///
    /// # Errors
    /// If the monitor stops the runs, or if the threads cannot be started. Experiments that were handed over are
    /// complete.
    pub fn run(
        &self,
        threads: Option<NonZeroUsize>,
        monitor: &dyn SweepMonitor,
        finished: &(dyn Fn(Finished<'a>) + Sync),
    ) -> Result<(), ReproduceError> {
        let pending: Vec<Mutex<Vec<Option<Outcome>>>> = self
            .experiments
            .iter()
            .enumerate()
            .map(|(place, _)| {
                let tasks = self.places.iter().filter(|one| **one == place).count();
                Mutex::new((0..tasks).map(|_| None).collect())
            })
            .collect();
        let done = std::sync::atomic::AtomicUsize::new(0);
        let judge = |task: usize, runs: Runs| {
            let place = self.places[task];
            let first = self.places.partition_point(|one| *one < place);
            let outcome = Outcome::new(&self.plan.tasks()[task], &runs);
            drop(runs);
            let mut outcomes = pending[place].lock().unwrap_or_else(PoisonError::into_inner);
            outcomes[task - first] = Some(outcome);
            if outcomes.iter().all(Option::is_some) {
                let outcomes = std::mem::take(&mut *outcomes).into_iter().flatten();
                finished(self.judged(place, outcomes));
                done.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            }
        };
        self.plan.execute(threads, monitor, &judge)?;
        let (done, experiments) = (done.into_inner(), self.experiments.len());
        if done == experiments { Ok(()) } else { Err(ReproduceError::Stopped { done, experiments }) }
    }

    /// Judges an experiment by its outcomes; the leading set-up comes first.
    fn judged(&self, place: usize, mut outcomes: impl Iterator<Item = Outcome>) -> Finished<'a> {
        let experiment = self.experiments[place];
        let leading = outcomes.next().expect("there is a leading set-up");
        let beside: Vec<Outcome> = outcomes.collect();
        let judge = |(index, (claim, measured)): (usize, (&crate::claim::Claim, Measured))| {
            let others = beside.iter().map(|other| (other.setup.clone(), other.measured[index].clone()));
            claim.judge(measured, others.collect(), self.depth)
        };
        let measured = experiment.claims.iter().zip(leading.measured);
        let judgements = measured.enumerate().map(judge).collect();
        let beside = beside.into_iter().map(|other| (other.setup, other.panels)).collect();
        Finished { experiment, depth: self.depth, judgements, panels: leading.panels, beside }
    }
}

impl Outcome {
    fn new(task: &Task<'_>, runs: &Runs) -> Self {
        let experiment = task.experiment;
        let measured = experiment.claims.iter().map(|claim| claim.measured(runs)).collect();
        let panels = if runs.failures().is_empty() { (experiment.panels)(runs) } else { Vec::new() };
        Self { setup: task.setup.clone(), measured, panels }
    }
}
