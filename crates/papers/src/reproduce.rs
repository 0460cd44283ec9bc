//! Runs experiments and judges their claims.
//!
//! An experiment is run in the leading set-up with all seeds and, if it has choices, in every set-up that
//! differs from it in one choice with the first few seeds. If the verdict on a claim may depend on such a set-up and
//! the few seeds are not conclusive, the set-up is run with the other seeds as well. The short version is run in the
//! leading set-up only.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use setpoint_lab::sweep::SweepMonitor;
use setpoint_report::document::Block;

use crate::case::Depth;
use crate::claim::{Claim, Judgement, Measured, Sample};
use crate::experiment::Experiment;
use crate::plan::{Plan, Scope, Task};
use crate::runs::Runs;
use crate::setup::Setup;

/// The number of seeds first used for set-ups other than the leading one. If they are not conclusive,
/// the remaining seeds are run as well.
const BESIDE: usize = 3;

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
    /// Figures and tables in the set-ups that differ from the leading one in one choice, with the first few seeds.
    pub beside: Vec<(Setup, Vec<Block>)>,
}

impl Finished<'_> {
    /// The number of seeds with which all set-ups that differ in one choice were run.
    pub fn seeds_beside(&self) -> usize {
        self.experiment.seed_numbers().count().min(BESIDE)
    }
}

/// The reason why some experiments were not finished.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages show the fields")]
pub enum ReproduceError {
    /// The monitor asked to stop.
    #[error("stopped after {done} of {experiments} experiments")]
    Stopped { done: usize, experiments: usize },
    /// The threads could not be started.
    #[error(transparent)]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// The outcome of an experiment in one set-up.
struct Outcome {
    setup: Setup,
    /// The figures for each claim.
    samples: Vec<Sample>,
    panels: Vec<Block>,
}

impl<'a> Reproduction<'a> {
    /// Plans the runs of experiments.
    pub fn new(experiments: &[&'a Experiment], depth: Depth) -> Self {
        let of_experiment = |experiment: &'a Experiment| {
            let leading = Setup::leading(&experiment.choices);
            let beside = if depth != Depth::Quick { leading.neighbours() } else { Vec::new() };
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

    /// The initial number of runs; runs with further seeds are added to it.
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
        let (unsure, done) = (Mutex::new(Vec::new()), AtomicUsize::new(0));
        let judge = |place: usize, outcomes: Vec<Outcome>| {
            finished(self.judged(place, outcomes));
            done.fetch_add(1, Ordering::Relaxed);
        };
        let first = |place: usize, outcomes: Vec<Outcome>| {
            let again = self.unsure(place, &outcomes);
            match again.is_empty() {
                true => judge(place, outcomes),
                false => {
                    unsure.lock().unwrap_or_else(PoisonError::into_inner).push((place, outcomes, again));
                }
            }
        };
        gather((&self.plan, &self.places), Outcome::with_panels, (threads, monitor), &first)?;
        let mut unsure = unsure.into_inner().unwrap_or_else(PoisonError::into_inner);
        // The order in which experiments were completed depends on the threads.
        unsure.sort_by_key(|(place, ..)| *place);
        let (mut tasks, mut places) = (Vec::new(), Vec::new());
        for (position, (place, outcomes, again)) in unsure.iter().enumerate() {
            let experiment = self.experiments[*place];
            let task = |setup: &usize| Task {
                experiment,
                setup: outcomes[*setup].setup.clone(),
                seeds: experiment.further_seeds(),
                scope: Scope::All,
            };
            tasks.extend(again.iter().map(task));
            places.resize(tasks.len(), position);
        }
        let unsure: Vec<Mutex<Option<Unsure>>> =
            unsure.into_iter().map(|one| Mutex::new(Some(one))).collect();
        let second = |position: usize, further: Vec<Outcome>| {
            let taken = unsure[position].lock().unwrap_or_else(PoisonError::into_inner).take();
            let Some((place, mut outcomes, again)) = taken else { return };
            for (setup, further) in again.into_iter().zip(further) {
                outcomes[setup].add(further, self.experiments[place].pools());
            }
            judge(place, outcomes);
        };
        let plan = Plan::new(tasks, self.depth).after(self.plan.runs());
        gather((&plan, &places), Outcome::new, (threads, monitor), &second)?;
        let (done, experiments) = (done.into_inner(), self.experiments.len());
        if done == experiments { Ok(()) } else { Err(ReproduceError::Stopped { done, experiments }) }
    }

    /// The positions of the set-ups in which the first few seeds do not decide a verdict.
    fn unsure(&self, place: usize, outcomes: &[Outcome]) -> Vec<usize> {
        let experiment = self.experiments[place];
        if experiment.seed_numbers().count() <= BESIDE {
            return Vec::new();
        }
        let (leading, others) = outcomes.split_first().expect("there is a leading set-up");
        // Indexed by claim, then by set-up. A claim that clearly fails in one of the set-ups is known to depend on the
        // reading.
        let is_open = |(index, claim): (usize, &Claim)| {
            let leading = claim.given_premise(&leading.samples[index]);
            let few: Vec<Measured> =
                others.iter().map(|other| claim.given_premise(&other.samples[index])).collect();
            let depends = few.iter().any(|few| claim.depends(&leading, few));
            few.iter().map(|few| !depends && claim.needs_all_seeds(&leading, few)).collect::<Vec<bool>>()
        };
        let open: Vec<Vec<bool>> = experiment.claims.iter().enumerate().map(is_open).collect();
        (1..outcomes.len()).filter(|setup| open.iter().any(|claim| claim[setup - 1])).collect()
    }

    /// Judges an experiment by its outcomes; the leading set-up comes first.
    fn judged(&self, place: usize, outcomes: Vec<Outcome>) -> Finished<'a> {
        let experiment = self.experiments[place];
        let mut outcomes = outcomes.into_iter();
        let leading = outcomes.next().expect("there is a leading set-up");
        let beside: Vec<Outcome> = outcomes.collect();
        let judge = |(index, (claim, sample)): (usize, (&Claim, Sample))| {
            let others =
                beside.iter().map(|other| (other.setup.clone(), claim.given_premise(&other.samples[index])));
            claim.judge(claim.given_premise(&sample), others.collect(), self.depth)
        };
        let samples = experiment.claims.iter().zip(leading.samples);
        let judgements = samples.enumerate().map(judge).collect();
        let beside = beside.into_iter().map(|other| (other.setup, other.panels)).collect();
        Finished { experiment, depth: self.depth, judgements, panels: leading.panels, beside }
    }
}

/// An experiment with its outcomes so far, and the positions of those for which further seeds are run.
type Unsure = (usize, Vec<Outcome>, Vec<usize>);

/// Executes a plan whose tasks are sorted by experiment, and hands over the outcomes of each experiment once all of
/// them are known.
fn gather(
    (plan, places): (&Plan<'_>, &[usize]),
    outcome: fn(&Task<'_>, &Runs) -> Outcome,
    (threads, monitor): (Option<NonZeroUsize>, &dyn SweepMonitor),
    complete: &(dyn Fn(usize, Vec<Outcome>) + Sync),
) -> Result<(), ReproduceError> {
    let first = |place: usize| places.partition_point(|one| *one < place);
    let pending: Vec<Mutex<Vec<Option<Outcome>>>> = (0..places.last().map_or(0, |last| last + 1))
        .map(|place| Mutex::new((first(place)..first(place + 1)).map(|_| None).collect()))
        .collect();
    let judge = |task: usize, runs: Runs| {
        let place = places[task];
        let outcome = outcome(&plan.tasks()[task], &runs);
        drop(runs);
        let mut outcomes = pending[place].lock().unwrap_or_else(PoisonError::into_inner);
        outcomes[task - first(place)] = Some(outcome);
        if outcomes.iter().all(Option::is_some) {
            let outcomes = std::mem::take(&mut *outcomes);
            complete(place, outcomes.into_iter().flatten().collect());
        }
    };
    plan.execute(threads, monitor, &judge)?;
    Ok(())
}

impl Experiment {
    /// The seeds that follow the first few. An experiment that pools its seeds needs all of them together.
    fn further_seeds(&self) -> Vec<u64> {
        let known = if self.pools() { 0 } else { BESIDE };
        self.seed_numbers().skip(known).collect()
    }
}

impl Outcome {
    fn new(task: &Task<'_>, runs: &Runs) -> Self {
        let samples = task.experiment.claims.iter().map(|claim| claim.sample(runs)).collect();
        Self { setup: task.setup.clone(), samples, panels: Vec::new() }
    }

    fn with_panels(task: &Task<'_>, runs: &Runs) -> Self {
        let panels = if runs.failures().is_empty() { (task.experiment.panels)(runs) } else { Vec::new() };
        Self { panels, ..Self::new(task, runs) }
    }

    /// Adds the figures for further seeds, or for all seeds if the experiment pools them.
    fn add(&mut self, further: Self, pools: bool) {
        if pools {
            self.samples = further.samples;
        } else {
            self.samples.iter_mut().zip(further.samples).for_each(|(sample, further)| sample.join(further));
        }
    }
}
