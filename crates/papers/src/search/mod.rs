//! Inverse reproduction: which readings of a paper explain the most claims.
//!
//! Every combination of the options for a paper's open points is a set-up. A set-up is scored by the number of the paper's
//! claims that hold in it, with one half of the seeds. The best set-up and the leading one are then confirmed with the
//! other half, which played no part in the selection.
//!
//! An experiment depends only on its own choices, so it is run once for all set-ups that agree on them.

mod page;
mod record;
mod scores;
mod summary;

use std::collections::{HashMap, HashSet};
use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};

use setpoint_lab::shard::Shard;
use setpoint_lab::sweep::SweepMonitor;
use setpoint_report::document::Document;

use crate::case::Depth;
use crate::choice::{Choice, Setup};
use crate::claim::Claim;
use crate::experiment::{Experiment, Paper};
use crate::plan::{Plan, Scope, Task};
use crate::reproduce::ReproduceError;
use crate::runs::Runs;

pub use record::{ClaimInSetup, SetupRecord};
pub use scores::{ClaimScore, Scores, Worth};
pub use summary::{ClaimSummary, SearchSummary, SetupSummary};

/// One half of the seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    /// Seeds 1, 3, 5, …, with which set-ups are scored.
    Scoring,
    /// Seeds 2, 4, 6, …, with which the best set-up is confirmed.
    Confirming,
}

/// A search over the set-ups of a paper.
#[derive(Debug)]
pub struct Search<'a> {
    paper: &'a Paper,
    /// The experiments with claims of the paper.
    experiments: Vec<&'a Experiment>,
    choices: Vec<&'static Choice>,
    depth: Depth,
    /// The position of every record among all that a search may need, by its inputs.
    order: HashMap<String, usize>,
    records: Mutex<Vec<SetupRecord>>,
}

/// The runs that are still missing for one half of the seeds.
#[derive(Debug)]
pub struct Phase<'s, 'a> {
    search: &'s Search<'a>,
    plan: Plan<'a>,
}

impl<'a> Search<'a> {
    /// A search over some experiments of a paper. Records of an earlier search that are still current are used again.
    #[must_use]
    pub fn new(
        paper: &'a Paper,
        experiments: &[&'a Experiment],
        depth: Depth,
        known: Vec<SetupRecord>,
    ) -> Self {
        let judged = experiments.iter().copied().filter(|one| one.claims.iter().any(is_of_paper));
        let experiments: Vec<&Experiment> = judged.collect();
        let uses = |choice: &Choice| {
            let mut used = experiments.iter().flat_map(|experiment| &experiment.choices);
            used.any(|one| one.name == choice.name)
        };
        let choices: Vec<&'static Choice> =
            paper.choices().into_iter().filter(|choice| uses(choice)).collect();
        let order = HashMap::new();
        let search = Self { paper, experiments, choices, depth, order, records: Mutex::default() };
        let places = search.tasks().into_iter().enumerate();
        let order: HashMap<String, usize> =
            places.map(|(place, task)| (record::fingerprint(&task, depth), place)).collect();
        let mut seen = HashSet::new();
        let is_current =
            |record: &SetupRecord| order.contains_key(&record.inputs) && seen.insert(record.inputs.clone());
        let known = known.into_iter().filter(is_current).collect();
        Self { records: Mutex::new(known), order, ..search }
    }

    /// The paper.
    #[must_use]
    pub fn paper(&self) -> &'a Paper {
        self.paper
    }

    /// The choices.
    #[must_use]
    pub fn choices(&self) -> &[&'static Choice] {
        &self.choices
    }

    /// The claims of the paper that are judged, with their experiments.
    pub fn claims(&self) -> impl Iterator<Item = (&'a Experiment, &'a Claim)> {
        let of_experiment = |experiment: &&'a Experiment| {
            let experiment = *experiment;
            experiment.claims.iter().filter(|claim| is_of_paper(claim)).map(move |claim| (experiment, claim))
        };
        self.experiments.iter().flat_map(of_experiment)
    }

    /// The records so far, in an order that does not depend on the order of the runs.
    #[must_use]
    pub fn records(&self) -> Vec<SetupRecord> {
        let mut records = self.records.lock().unwrap_or_else(PoisonError::into_inner).clone();
        records.sort_by_key(|record| self.order.get(&record.inputs).copied());
        records
    }

    /// The experiments and set-ups that have not been scored yet, for messages.
    #[must_use]
    pub fn unscored(&self) -> Vec<String> {
        let named = |task: &Task<'_>| match task.setup.to_string() {
            setup if setup.is_empty() => task.experiment.id.to_owned(),
            setup => format!("{} {setup}", task.experiment.id),
        };
        self.missing(self.scoring_tasks()).iter().map(named).collect()
    }

    /// The number of experiments and set-ups that are scored.
    #[must_use]
    pub fn scored_tasks(&self) -> usize {
        self.scoring_tasks().len()
    }

    /// The scores of all set-ups; none before every set-up has been run.
    #[must_use]
    pub fn scores(&self) -> Option<Scores<'a>> {
        Scores::new(self)
    }

    /// The scores, once the best set-up and the leading one have been confirmed.
    fn confirmed_scores(&self) -> Option<Scores<'a>> {
        let scores = self.scores()?;
        let is_confirmed = |setup: &Setup| scores.confirmed(setup).is_some();
        (is_confirmed(scores.best()) && is_confirmed(&Setup::leading(&self.choices))).then_some(scores)
    }

    /// The page, once every set-up has been scored and the best one confirmed. It links to the experiments that are
    /// listed, by id.
    #[must_use]
    pub fn page(&self, listed: &[&str]) -> Option<Document> {
        Some(page::page(self, &self.confirmed_scores()?, listed))
    }

    /// The missing runs with which set-ups are scored.
    #[must_use]
    pub fn scoring(&self) -> Phase<'_, 'a> {
        self.phase(self.scoring_tasks())
    }

    /// The missing runs of a shard with which set-ups are scored.
    #[must_use]
    pub fn scoring_of(&self, shard: Shard) -> Phase<'_, 'a> {
        self.phase(self.scoring_of_shard(shard))
    }

    /// The records of the set-ups that a shard scores.
    #[must_use]
    pub fn records_of(&self, shard: Shard) -> Vec<SetupRecord> {
        let own = self.scoring_of_shard(shard);
        let own: HashSet<String> = own.iter().map(|task| record::fingerprint(task, self.depth)).collect();
        self.records().into_iter().filter(|record| own.contains(&record.inputs)).collect()
    }

    fn scoring_tasks(&self) -> Vec<Task<'a>> {
        self.tasks_of(&Setup::all(&self.choices), Half::Scoring)
    }

    fn scoring_of_shard(&self, shard: Shard) -> Vec<Task<'a>> {
        let all = self.scoring_tasks().into_iter().enumerate();
        all.filter(|(place, _)| shard.takes(*place)).map(|(_, task)| task).collect()
    }

    /// The missing runs with which the best set-up and the leading one are confirmed; none before all are scored.
    #[must_use]
    pub fn confirming(&self) -> Option<Phase<'_, 'a>> {
        let best = self.scores()?.best().clone();
        let setups = [Setup::leading(&self.choices), best];
        Some(self.phase(self.tasks_of(&setups, Half::Confirming)))
    }

    fn phase(&self, tasks: Vec<Task<'a>>) -> Phase<'_, 'a> {
        Phase { search: self, plan: Plan::new(self.missing(tasks), self.depth) }
    }

    /// The tasks that have no record yet.
    fn missing(&self, tasks: Vec<Task<'a>>) -> Vec<Task<'a>> {
        let known: HashSet<String> = self.records().into_iter().map(|record| record.inputs).collect();
        tasks.into_iter().filter(|task| !known.contains(&record::fingerprint(task, self.depth))).collect()
    }

    /// All tasks that a search may need.
    fn tasks(&self) -> Vec<Task<'a>> {
        let all = Setup::all(&self.choices);
        let halves = [Half::Scoring, Half::Confirming];
        halves.into_iter().flat_map(|half| self.tasks_of(&all, half)).collect()
    }

    /// The experiments in some set-ups, each combination of an experiment's own options once. They are
    /// ordered by set-up, so that runs shared by experiments are not kept for long.
    fn tasks_of(&self, setups: &[Setup], half: Half) -> Vec<Task<'a>> {
        let mut seen = HashSet::new();
        let mut tasks = Vec::new();
        for setup in setups {
            for experiment in &self.experiments {
                let setup = setup.restricted(&experiment.choices);
                if seen.insert((experiment.id, setup.to_string())) {
                    let seeds = half.seeds(experiment);
                    tasks.push(Task { experiment, setup, seeds, scope: Scope::Paper });
                }
            }
        }
        tasks
    }
}

impl Half {
    /// The seeds of an experiment in this half. An experiment with a single seed uses it in both.
    #[must_use]
    pub fn seeds(self, experiment: &Experiment) -> Vec<u64> {
        let odd = self == Self::Scoring;
        let all = experiment.seed_numbers();
        if all.clone().count() == 1 {
            all.collect()
        } else {
            all.filter(|seed| (seed % 2 == 1) == odd).collect()
        }
    }
}

impl Phase<'_, '_> {
    /// The number of missing runs.
    #[must_use]
    pub fn runs(&self) -> usize {
        self.plan.runs()
    }

    /// Executes the missing runs. `added` is called after each record that is added to the search. An experiment with a
    /// failed run is not recorded, so there are no scores.
    ///
    /// # Errors
    /// If the monitor stops the runs, or if the threads cannot be started. Records that were added are complete.
    pub fn run(
        &self,
        threads: Option<NonZeroUsize>,
        monitor: &dyn SweepMonitor,
        added: &(dyn Fn() + Sync),
    ) -> Result<(), ReproduceError> {
        let judged = |index: usize, runs: Runs| {
            if !runs.failures().is_empty() {
                return;
            }
            let record = SetupRecord::new(&self.plan.tasks()[index], &runs, self.search.depth);
            drop(runs);
            self.search.records.lock().unwrap_or_else(PoisonError::into_inner).push(record);
            added();
        };
        let done = self.plan.execute(threads, monitor, &judged)?;
        let experiments = self.plan.tasks().len();
        if done == experiments { Ok(()) } else { Err(ReproduceError::Stopped { done, experiments }) }
    }
}

/// Whether a claim is the paper's and can be measured.
fn is_of_paper(claim: &Claim) -> bool {
    matches!(claim.origin, crate::claim::Origin::Paper(_)) && claim.rule().is_some()
}
