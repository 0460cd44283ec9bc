//! Inverse reproduction: finds the readings of a paper under which the most claims hold.
//!
//! Every combination of the options for a paper's open points is a set-up. A set-up is scored by the number of the paper's
//! claims that hold in it, with some of the seeds. The best set-up and the leading one are then confirmed with the
//! other seeds, which played no part in the selection.
//!
//! A paper may have thousands of set-ups. An experiment depends only on its own choices, so it is run once for all set-ups
//! that agree on them. Moreover, many options have no effect. A search therefore begins with the set-ups that differ from
//! the leading one in one choice ([`Stage::Screening`]). It then combines only options that change the outcome of a claim
//! ([`Effects`]), in the experiments in which they do so ([`Stage::Scoring`]). An option may matter only together with
//! others, so the best set-up is run again with all its options in all experiments, and so are the set-ups that differ
//! from it in one choice ([`Stage::Checking`]). If one of those is better, it replaces the best one, and the search
//! continues from there. It ends when no change to a single option improves the set-up.

mod effects;
mod page;
mod record;
mod scores;
mod summary;

use std::collections::{HashMap, HashSet};
use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};

use setpoint_lab::build::SOURCES;
use setpoint_lab::shard::Shard;
use setpoint_lab::sweep::SweepMonitor;
use setpoint_report::document::Document;

use crate::case::Depth;
use crate::choice::Choice;
use crate::claim::Claim;
use crate::experiment::{Experiment, Paper, Repeats};
use crate::plan::{Plan, Scope, Task};
use crate::reproduce::ReproduceError;
use crate::runs::Runs;
use crate::setup::Setup;

use effects::Effects;
pub use record::{ClaimInSetup, SetupRecord};
use scores::Certainty;
pub use scores::{ClaimScore, Scores, Worth};
pub use summary::{ClaimSummary, SearchSummary, SetupSummary};

/// The two parts into which the seeds are divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Seeds 1 and 3, which are used to score set-ups; if an experiment pools its seeds, every other seed.
    Scoring,
    /// All other seeds, which are used to confirm the best set-up.
    Confirming,
}

/// A stage of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Set-ups that differ from the leading one in one choice.
    Screening,
    /// Combinations of all options that matter.
    Scoring,
    /// The best set-up and those that differ from it in one choice, with all their options in all experiments.
    Checking,
    /// The best set-up and the leading one with other seeds.
    Confirming,
}

/// The number of seeds used to score set-ups.
const SCORING_SEEDS: usize = 2;

/// A search over the set-ups of a paper.
#[derive(Debug)]
pub struct Search<'a> {
    paper: &'a Paper,
    /// The experiments about which the paper makes claims, except costly ones.
    experiments: Vec<&'a Experiment>,
    choices: Vec<&'static Choice>,
    depth: Depth,
    /// The digest of a very short version of each experiment, in their order.
    probes: Vec<Vec<String>>,
    /// For the inputs of each record, its position in the list of all records that a search may need.
    order: HashMap<String, usize>,
    records: Mutex<Vec<SetupRecord>>,
}

/// The runs that are missing in a stage.
#[derive(Debug)]
pub struct Phase<'s, 'a> {
    search: &'s Search<'a>,
    stage: Stage,
    plan: Plan<'a>,
}

/// The state of a search whose set-ups have all been scored.
#[derive(Debug)]
struct Scored<'a> {
    effects: Effects,
    scores: Scores<'a>,
}

/// The experiments and set-ups that are missing in a stage.
type Missing<'a> = (Stage, Vec<Task<'a>>);

impl<'a> Search<'a> {
    /// A search over some experiments of a paper. Records of an earlier search that are still current are reused.
    pub fn new(
        paper: &'a Paper,
        experiments: &[&'a Experiment],
        depth: Depth,
        known: Vec<SetupRecord>,
    ) -> Self {
        let searched = experiments.iter().copied().filter(|one| is_searched(one));
        let experiments: Vec<&Experiment> = searched.collect();
        let uses = |choice: &Choice| {
            let mut used = experiments.iter().flat_map(|experiment| &experiment.choices);
            used.any(|one| one.name == choice.name)
        };
        let choices: Vec<&'static Choice> =
            paper.choices().into_iter().filter(|choice| uses(choice)).collect();
        let order = HashMap::new();
        let probes = experiments.iter().map(|one| one.probe_digests().unwrap_or_default()).collect();
        let search = Self { paper, experiments, choices, depth, probes, order, records: Mutex::default() };
        let places = search.tasks().into_iter().enumerate();
        let order: HashMap<String, usize> =
            places.map(|(place, task)| (search.inputs(&task), place)).collect();
        let mut seen = HashSet::new();
        // A different version of the simulator or of a measure may give different figures.
        let is_current = |record: &SetupRecord| {
            record.sources == SOURCES
                && order.contains_key(&record.inputs)
                && seen.insert(record.inputs.clone())
        };
        let known = known.into_iter().filter(is_current).collect();
        Self { records: Mutex::new(known), order, ..search }
    }

    /// The paper.
    pub fn paper(&self) -> &'a Paper {
        self.paper
    }

    /// The experiments, each with the digests of its claims in a very short version.
    pub fn probes(&self) -> impl Iterator<Item = (&'a Experiment, &[String])> {
        self.experiments.iter().copied().zip(self.probes.iter().map(Vec::as_slice))
    }

    /// The choices.
    pub fn choices(&self) -> &[&'static Choice] {
        &self.choices
    }

    /// The number of combinations of all options.
    pub fn possible(&self) -> usize {
        self.choices.iter().map(|choice| choice.options.len()).product()
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
    pub fn records(&self) -> Vec<SetupRecord> {
        let mut records = self.records.lock().unwrap_or_else(PoisonError::into_inner).clone();
        records.sort_by_key(|record| self.order.get(&record.inputs).copied());
        records
    }

    /// The experiments and set-ups that have not been scored yet, for messages. More may follow once these have been
    /// scored.
    pub fn unscored(&self) -> Vec<String> {
        let named = |task: &Task<'_>| match task.setup.to_string() {
            setup if setup.is_empty() => task.experiment.id.to_owned(),
            setup => format!("{} {setup}", task.experiment.id),
        };
        self.scored().err().iter().flat_map(|(_, tasks)| tasks).map(named).collect()
    }

    /// The scores of set-ups; none before all of them have been run.
    pub fn scores(&self) -> Option<Scores<'a>> {
        Some(self.scored().ok()?.scores)
    }

    /// The scores, once the best set-up and the leading one have been confirmed.
    fn confirmed(&self) -> Option<Scored<'a>> {
        let scored = self.scored().ok()?;
        self.unconfirmed(&scored).is_empty().then_some(scored)
    }

    /// The page, once every set-up has been scored and the best one confirmed. It links to the experiments that are
    /// listed, by id.
    pub fn page(&self, listed: &[&str]) -> Option<Document> {
        Some(page::page(self, &self.confirmed()?, listed))
    }

    /// The missing runs of the next stage; none if the search is complete.
    pub fn next(&self) -> Option<Phase<'_, 'a>> {
        let (stage, tasks) = match self.scored() {
            Err(missing) => missing,
            Ok(scored) => (Stage::Confirming, self.unconfirmed(&scored)),
        };
        (!tasks.is_empty()).then(|| self.phase(stage, tasks))
    }

    /// The runs that a shard still has to execute before set-ups can be confirmed; none if nothing is missing at
    /// present. More may follow once the other shards have finished theirs.
    pub fn next_of(&self, shard: Shard) -> Option<Phase<'_, 'a>> {
        let (stage, tasks) = self.scored().err()?;
        let own: Vec<Task<'a>> =
            tasks.into_iter().filter(|task| self.is_of(shard, &self.inputs(task))).collect();
        (!own.is_empty()).then(|| self.phase(stage, own))
    }

    /// The records of the set-ups that a shard scores.
    pub fn records_of(&self, shard: Shard) -> Vec<SetupRecord> {
        self.records().into_iter().filter(|record| self.is_of(shard, &record.inputs)).collect()
    }

    fn is_of(&self, shard: Shard, inputs: &str) -> bool {
        self.order.get(inputs).is_some_and(|place| shard.takes(*place))
    }

    /// The options that matter and the scores of set-ups, or the runs that are missing.
    fn scored(&self) -> Result<Scored<'a>, Missing<'a>> {
        let known = Known::new(self.records());
        let leading = Setup::leading(&self.choices);
        self.required(&known, Stage::Screening, &around(&leading), None)?;
        let effects = self.effects(&leading, &known);
        let combined = effects.setups(&self.choices);
        self.required(&known, Stage::Scoring, &combined, Some(&effects))?;
        let with_outcomes = |setup: Setup, effects| {
            let outcomes = self.outcomes(&known, &setup, Part::Scoring, effects)?;
            Some((setup, outcomes))
        };
        let combined = combined.into_iter().filter_map(|setup| with_outcomes(setup, Some(&effects)));
        let mut scores = Scores::new(self.claims().collect(), combined);
        loop {
            let (best, certainty) = scores.front();
            let best = best.clone();
            let exact = match certainty {
                Certainty::Combined => vec![best.clone()],
                Certainty::Exact => around(&best),
                Certainty::Checked => break,
            };
            self.required(&known, Stage::Checking, &exact, None)?;
            let exact = exact.into_iter().filter_map(|setup| with_outcomes(setup, None));
            exact.for_each(|(setup, outcomes)| scores.put_exact(setup, outcomes));
            if certainty == Certainty::Exact {
                scores.mark_checked(&best);
            }
        }
        for setup in [leading, scores.best().clone()] {
            let outcomes = self.outcomes(&known, &setup, Part::Confirming, None);
            scores.confirm(&setup, outcomes);
        }
        Ok(Scored { effects, scores })
    }

    /// Checks that all given set-ups have records; otherwise returns the scoring tasks without a record.
    fn required(
        &self,
        known: &Known,
        stage: Stage,
        setups: &[Setup],
        effects: Option<&Effects>,
    ) -> Result<(), Missing<'a>> {
        let mut missing = self.tasks_of(setups, Part::Scoring, effects);
        missing.retain(|task| known.of(task).is_none());
        if missing.is_empty() { Ok(()) } else { Err((stage, missing)) }
    }

    /// The options that change the outcome of a claim if they replace those of the leading set-up.
    fn effects(&self, leading: &Setup, known: &Known) -> Effects {
        let mut found = Effects::default();
        for task in self.tasks_of(&around(leading), Part::Scoring, None) {
            let base =
                Task::of_part(task.experiment, leading.restricted(&task.experiment.choices), Part::Scoring);
            let (Some(record), Some(from)) = (known.of(&task), known.of(&base)) else { continue };
            let differs = |(one, other): (&ClaimInSetup, &ClaimInSetup)| one.holds != other.holds;
            if record.claims.iter().zip(&from.claims).any(differs) {
                let changes = base.setup.changes(&task.setup);
                changes.for_each(|(choice, place)| found.add(task.experiment, choice, place));
            }
        }
        found
    }

    /// The outcome of every claim in a set-up; none if an experiment has no record.
    fn outcomes(
        &self,
        known: &Known,
        setup: &Setup,
        part: Part,
        effects: Option<&Effects>,
    ) -> Option<Vec<ClaimInSetup>> {
        let tasks = self.tasks_of(std::slice::from_ref(setup), part, effects);
        let claims: Option<Vec<_>> = tasks.iter().map(|task| Some(known.of(task)?.claims.clone())).collect();
        Some(claims?.concat())
    }

    /// The experiments in the best set-up and in the leading one that have not been run with the confirming seeds.
    fn unconfirmed(&self, scored: &Scored<'a>) -> Vec<Task<'a>> {
        let setups = [Setup::leading(&self.choices), scored.scores.best().clone()];
        let known = Known::new(self.records());
        let mut tasks = self.tasks_of(&setups, Part::Confirming, None);
        tasks.retain(|task| known.of(task).is_none());
        tasks
    }

    fn phase(&self, stage: Stage, tasks: Vec<Task<'a>>) -> Phase<'_, 'a> {
        Phase { search: self, stage, plan: Plan::new(tasks, self.depth) }
    }

    /// The fingerprint of the inputs that determine the record of a task.
    fn inputs(&self, task: &Task<'_>) -> String {
        let place = self.experiments.iter().position(|one| one.id == task.experiment.id);
        let probe = place.map(|place| self.probes[place].concat()).unwrap_or_default();
        record::fingerprint(task, self.depth, &probe)
    }

    /// All tasks that a search may need.
    fn tasks(&self) -> Vec<Task<'a>> {
        let of_experiment = |experiment: &&'a Experiment, part: Part| {
            let (experiment, setups) = (*experiment, Setup::all(&experiment.choices));
            setups.into_iter().map(move |setup| Task::of_part(experiment, setup, part)).collect::<Vec<_>>()
        };
        let parts = [Part::Scoring, Part::Confirming].into_iter();
        parts.flat_map(|part| self.experiments.iter().flat_map(move |one| of_experiment(one, part))).collect()
    }

    /// The tasks for all experiments in some set-ups, with each combination of an experiment's choices only once. If
    /// effects are given, options without an effect in an experiment are left out there. The tasks are ordered by
    /// set-up, so that runs shared by experiments are not kept for long.
    fn tasks_of(&self, setups: &[Setup], part: Part, effects: Option<&Effects>) -> Vec<Task<'a>> {
        let mut seen = HashSet::new();
        let mut tasks = Vec::new();
        for setup in setups {
            for experiment in &self.experiments {
                let setup = setup.restricted(&experiment.choices);
                let setup =
                    effects.map_or_else(|| setup.clone(), |effects| effects.reduced(&setup, experiment));
                if seen.insert((experiment.id, setup.to_string())) {
                    tasks.push(Task::of_part(experiment, setup, part));
                }
            }
        }
        tasks
    }
}

/// A set-up and those that differ from it in one choice.
fn around(setup: &Setup) -> Vec<Setup> {
    [setup.clone()].into_iter().chain(setup.neighbours()).collect()
}

/// Records by experiment, set-up and seeds.
#[derive(Debug)]
struct Known(HashMap<(String, String, Vec<u64>), SetupRecord>);

impl Known {
    fn new(records: Vec<SetupRecord>) -> Self {
        let key =
            |record: &SetupRecord| (record.experiment.clone(), record.setup.clone(), record.seeds.clone());
        Self(records.into_iter().map(|record| (key(&record), record)).collect())
    }

    fn of(&self, task: &Task<'_>) -> Option<&SetupRecord> {
        self.0.get(&(task.experiment.id.to_owned(), task.setup.to_string(), task.seeds.clone()))
    }
}

impl<'a> Task<'a> {
    /// The task for an experiment in a set-up, with one part of its seeds.
    fn of_part(experiment: &'a Experiment, setup: Setup, part: Part) -> Self {
        Self { experiment, setup, seeds: part.seeds(experiment), scope: Scope::Paper }
    }
}

impl Part {
    /// The seeds of an experiment in this part. An experiment with a single seed uses it in both.
    pub fn seeds(self, experiment: &Experiment) -> Vec<u64> {
        let all = experiment.seed_numbers();
        if all.clone().count() == 1 {
            return all.collect();
        }
        let most = if experiment.pools() { usize::MAX } else { SCORING_SEEDS };
        let scoring: Vec<u64> = all.clone().filter(|seed| seed % 2 == 1).take(most).collect();
        match self {
            Self::Scoring => scoring,
            Self::Confirming => all.filter(|seed| !scoring.contains(seed)).collect(),
        }
    }
}

impl Stage {
    /// The set-ups that it runs, in a few words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Screening => "one choice at a time",
            Self::Scoring => "all combinations of options that matter",
            Self::Checking => "the best set-up with one choice changed at a time",
            Self::Confirming => "the best and the leading set-up with other seeds",
        }
    }
}

impl Phase<'_, '_> {
    /// The stage.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// The number of missing runs.
    pub fn runs(&self) -> usize {
        self.plan.runs()
    }

    /// Executes the missing runs. `added` is called whenever a record has been added to the search. An experiment
    /// with a failed run is not recorded, so there are no scores.
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
            let task = &self.plan.tasks()[index];
            let record = SetupRecord::new(task, &runs, self.search.inputs(task));
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
/// Whether a search runs an experiment. It would run a costly one many times.
fn is_searched(experiment: &Experiment) -> bool {
    !matches!(experiment.repeats, Repeats::Costly(_)) && experiment.claims.iter().any(is_of_paper)
}

fn is_of_paper(claim: &Claim) -> bool {
    matches!(claim.origin, crate::claim::Origin::Paper(_)) && claim.rule().is_some()
}
