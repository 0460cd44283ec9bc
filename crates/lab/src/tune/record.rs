//! The outcome of tuning.

use serde::{Deserialize, Serialize};
use setpoint_record::VERSION;
use setpoint_record::confidence::Spread;
use setpoint_scenario::{Axis, Override, ParameterRow};

use super::rank::sign_test;
use super::{Candidate, DEFAULTS, StageEnd, Tuning};
use crate::sweep::{RunSummary, SweptWarning};

/// The largest probability of a chance result at which a recommendation counts as confirmed.
const SIGNIFICANCE: f64 = 0.05;

/// The contents of `tune.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TuneRecord {
    /// Version of Setpoint.
    pub version: String,
    /// Name of the scenario.
    pub scenario: String,
    /// The scenario as read, which the settings below change.
    pub scenario_text: String,
    /// Values set on the command line, as pairs of key and value.
    pub overrides: Vec<(String, String)>,
    /// The first seed.
    pub seed: u64,
    /// The parameters.
    pub parameters: Vec<ParameterRecord>,
    /// The objectives.
    pub objectives: Vec<ObjectiveRecord>,
    /// All candidates; number 0 has the scenario's own values.
    pub candidates: Vec<CandidateRecord>,
    /// The rungs, in order.
    pub rungs: Vec<RungRecord>,
    /// The candidates of the last rung that no other dominates, in order of the first objective.
    pub front: Vec<usize>,
    /// The candidate that improves most on the scenario's own values; `None` if no candidate improves every objective.
    pub recommended: Option<usize>,
    /// The check with unseen seeds.
    pub check: CheckRecord,
    /// Warnings about the finished runs of the last rung and their number of candidates, once per check and mechanism.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<SweptWarning>,
}

/// How tuning ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TuneOutcome {
    /// A candidate is better than the scenario's own values, even with unseen seeds.
    Confirmed,
    /// The best candidate is not reliably better with unseen seeds.
    NotConfirmed,
    /// No candidate was better in every objective, even before the check with unseen seeds.
    NoBetter,
}

impl TuneRecord {
    /// How tuning ended.
    pub fn outcome(&self) -> TuneOutcome {
        match (self.recommended, self.check.confirmed) {
            (None, _) => TuneOutcome::NoBetter,
            (Some(_), Some(true)) => TuneOutcome::Confirmed,
            (Some(_), _) => TuneOutcome::NotConfirmed,
        }
    }
}

impl TuneOutcome {
    /// The outcome in words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Confirmed => "confirmed",
            Self::NotConfirmed => "not confirmed",
            Self::NoBetter => "no better than the start",
        }
    }
}

/// A parameter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ParameterRecord {
    /// Its key.
    pub key: String,
    /// The scenario's own value, if the manifest of a run lists the key.
    pub own: Option<String>,
    /// The values that it may take.
    pub values: Vec<String>,
}

/// An objective.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ObjectiveRecord {
    /// The name of the metric.
    pub metric: String,
    /// Whether smaller values are better.
    pub smaller: bool,
}

/// A candidate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CandidateRecord {
    /// Its number.
    pub number: usize,
    /// Its values, one per parameter; empty for the scenario's own.
    pub values: Vec<String>,
    /// The reason why its values do not fit together; none if they do.
    pub refused: Option<String>,
}

/// A rung.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RungRecord {
    /// The share of the scenario's duration for which it was run.
    pub length_share: f64,
    /// Seeds per candidate.
    pub seeds: u32,
    /// Its candidates with their figures, one per objective; none if a run failed or had no figure.
    pub candidates: Vec<(usize, Vec<Option<Spread>>)>,
}

/// The check with unseen seeds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckRecord {
    /// The first seed.
    pub first_seed: u64,
    /// Seeds per candidate.
    pub seeds: u32,
    /// The front and the scenario's own values.
    pub candidates: Vec<CheckedCandidate>,
    /// Whether the recommended candidate is better than the scenario's own values in every objective, each with a
    /// probability of a chance result of at most 5 %; none without a recommendation.
    pub confirmed: Option<bool>,
}

/// A candidate with unseen seeds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckedCandidate {
    /// Its number.
    pub number: usize,
    /// Its figures, one per objective, over the runs that have one; none if no run has one.
    pub figures: Vec<Option<Spread>>,
    /// For each objective, the number of seeds for which it is better than the scenario's own values. A run without a
    /// figure is worse than any other.
    pub better: Vec<usize>,
    /// For each objective, the probability that equal candidates would differ at least this often in this direction.
    pub chance: Vec<f64>,
}

impl Tuning<'_> {
    /// The outcome, once all stages have ended; none before.
    pub fn record(&self, ended: &[StageEnd]) -> Option<TuneRecord> {
        let [rungs @ .., check] = ended else { return None };
        let last = rungs.last().filter(|_| ended.len() == Self::stages())?;
        let front = self.front(last);
        let recommended = self.recommended(last, &front);
        let objectives = self.options.objectives.iter();
        let prepared = self.scenario.prepare(self.scenario.seed()).ok()?;
        Some(TuneRecord {
            version: VERSION.to_owned(),
            scenario: self.scenario.name().to_owned(),
            scenario_text: prepared.text,
            overrides: prepared.overrides,
            seed: self.scenario.seed(),
            parameters: self.parameters(&prepared.parameters),
            objectives: objectives
                .map(|one| ObjectiveRecord { metric: one.metric.name.to_owned(), smaller: one.smaller })
                .collect(),
            candidates: self.candidates.iter().map(|one| candidate(one, ended)).collect(),
            rungs: rungs.iter().map(|rung| self.rung(rung)).collect(),
            front: self.sorted(last, front),
            recommended,
            check: self.check(check, recommended),
            warnings: SweptWarning::of_runs(last.runs.iter().map(|(_, runs)| &**runs)),
        })
    }

    fn parameters(&self, rows: &[ParameterRow]) -> Vec<ParameterRecord> {
        let own = |key: &str| rows.iter().find(|row| row.key == key).map(|row| row.value.clone());
        let record = |axis: &Axis| ParameterRecord {
            key: axis.key().to_owned(),
            own: own(axis.key()),
            values: axis.settings().iter().map(plain).collect(),
        };
        self.options.parameters.iter().map(record).collect()
    }

    /// The candidate of the front that maximises the smallest of its improvements on the scenario's own values, one per
    /// objective; `None` if no candidate improves every objective.
    fn recommended(&self, last: &StageEnd, front: &[usize]) -> Option<usize> {
        let costs = self.costs(last);
        let of =
            |number: usize| &costs[last.runs.iter().position(|(one, _)| *one == number).expect("it was run")];
        let own = of(DEFAULTS);
        let gain = |number: usize| {
            let gains = of(number).iter().zip(own).map(|(cost, own)| gain(*cost, *own));
            gains.fold(f64::INFINITY, f64::min)
        };
        let better = front.iter().copied().filter(|number| *number != DEFAULTS && gain(*number) > 0.0);
        better.max_by(|a, b| gain(*a).total_cmp(&gain(*b)).then(b.cmp(a)))
    }

    /// Candidates in order of the first objective.
    fn sorted(&self, last: &StageEnd, mut numbers: Vec<usize>) -> Vec<usize> {
        let costs = self.costs(last);
        let first = |number: usize| {
            let place = last.runs.iter().position(|(one, _)| *one == number);
            place.map_or(f64::INFINITY, |place| costs[place][0])
        };
        numbers.sort_by(|a, b| first(*a).total_cmp(&first(*b)).then(a.cmp(b)));
        numbers
    }

    fn rung(&self, rung: &StageEnd) -> RungRecord {
        let complete = |(number, runs): &(usize, Vec<RunSummary>)| {
            let all =
                self.figures(runs).into_iter().map(|spread| spread.filter(|one| one.count == runs.len()));
            (*number, all.collect())
        };
        let candidates = rung.runs.iter().map(complete).collect();
        RungRecord { length_share: rung.length, seeds: rung.seeds, candidates }
    }

    /// The spread of each objective over the runs that have a figure.
    fn figures(&self, runs: &[RunSummary]) -> Vec<Option<Spread>> {
        let spread = |objective: &super::Objective| {
            let costs = runs.iter().map(|run| objective.cost(run));
            Spread::of(&costs.filter_map(|cost| objective.figure(cost)).collect::<Vec<f64>>())
        };
        self.options.objectives.iter().map(spread).collect()
    }

    fn check(&self, end: &StageEnd, recommended: Option<usize>) -> CheckRecord {
        let own = end.runs.iter().find(|(number, _)| *number == DEFAULTS).map_or(&[][..], |(_, runs)| runs);
        let checked = |(number, runs): &(usize, Vec<RunSummary>)| {
            let better: Vec<usize> =
                self.options.objectives.iter().map(|one| wins(*one, runs, own)).collect();
            let chance = better.iter().map(|wins| sign_test(*wins, runs.len())).collect();
            CheckedCandidate { number: *number, figures: self.figures(runs), better, chance }
        };
        let candidates: Vec<CheckedCandidate> = end.runs.iter().map(checked).collect();
        let found = recommended.and_then(|number| candidates.iter().find(|one| one.number == number));
        let confirmed = found.map(|one| one.chance.iter().all(|chance| *chance <= SIGNIFICANCE));
        CheckRecord { first_seed: end.first_seed, seeds: end.seeds, candidates, confirmed }
    }
}

/// A value without quotes.
fn plain(setting: &Override) -> String {
    setting.value().trim_matches('"').to_owned()
}

fn candidate(one: &Candidate, ended: &[StageEnd]) -> CandidateRecord {
    let mut refused = ended.iter().flat_map(|end| &end.refused);
    CandidateRecord {
        number: one.number,
        values: one.settings.iter().map(plain).collect(),
        refused: refused.find(|(number, _)| *number == one.number).map(|(_, why)| why.clone()),
    }
}

/// The fraction by which one cost is below another: positive if it is better.
fn gain(cost: f64, own: f64) -> f64 {
    match (cost.is_finite(), own.is_finite()) {
        (true, true) if own == 0.0 => -cost,
        (true, true) => (own - cost) / own.abs(),
        (true, false) => f64::INFINITY,
        (false, _) => f64::NEG_INFINITY,
    }
}

/// The number of seeds for which a candidate is better than another.
fn wins(objective: super::Objective, runs: &[RunSummary], own: &[RunSummary]) -> usize {
    let pairs = runs.iter().zip(own);
    pairs.filter(|(run, own)| objective.cost(run) < objective.cost(own)).count()
}
