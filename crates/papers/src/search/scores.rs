//! The scores of set-ups, and the conclusions about choices and claims.

use super::ClaimInSetup;
use crate::choice::{Choice, Reading};
use crate::claim::Claim;
use crate::experiment::Experiment;
use crate::setup::Setup;

/// The outcome of every claim in every set-up that was scored.
#[derive(Debug)]
pub struct Scores<'a> {
    claims: Vec<(&'a Experiment, &'a Claim)>,
    /// Combinations of options that matter, with the leading set-up first, followed by other set-ups.
    rows: Vec<Row>,
    /// The number of combinations.
    combined: usize,
}

/// A set-up with its outcomes, by claim.
#[derive(Debug)]
struct Row {
    setup: Setup,
    certainty: Certainty,
    outcomes: Vec<ClaimInSetup>,
    /// The outcomes of the confirming seeds, if they were run.
    confirmed: Option<Vec<ClaimInSetup>>,
}

/// How the outcomes in a set-up were obtained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Certainty {
    /// In each experiment, options that change nothing in the leading set-up are left out.
    Combined,
    /// Every experiment was run with all options of the set-up.
    Exact,
    /// As for `Exact`, and the same is true of every set-up that differs from it in one choice.
    Checked,
}

/// The benefit of an option compared with the leading option of its choice.
#[derive(Clone, Debug)]
pub struct Worth {
    /// The choice.
    pub choice: &'static Choice,
    /// The option.
    pub option: &'static Reading,
    /// The claims that hold with the option but not in the leading set-up, with all other choices at their leading
    /// options.
    pub gained: Vec<usize>,
    /// The claims that hold in the leading set-up but not with the option.
    pub lost: Vec<usize>,
    /// The mean difference between the scores over all combinations with other options that matter.
    pub mean: f64,
}

/// The results for a claim over all set-ups.
#[derive(Clone, Copy, Debug)]
pub struct ClaimScore<'a> {
    /// The experiment.
    pub experiment: &'a Experiment,
    /// The claim.
    pub claim: &'a Claim,
    /// Number of set-ups in which it holds.
    pub holds_in: usize,
    /// Number of set-ups in which it could be measured.
    pub measured_in: usize,
    /// The smallest and the largest figure over all set-ups; none if it was never measured.
    pub range: Option<(f64, f64)>,
}

impl<'a> Scores<'a> {
    /// The outcomes in combinations of options that matter; the leading set-up comes first.
    pub(super) fn new(
        claims: Vec<(&'a Experiment, &'a Claim)>,
        combined: impl Iterator<Item = (Setup, Vec<ClaimInSetup>)>,
    ) -> Self {
        let row =
            |(setup, outcomes)| Row { setup, certainty: Certainty::Combined, outcomes, confirmed: None };
        let rows: Vec<Row> = combined.map(row).collect();
        Self { claims, combined: rows.len(), rows }
    }

    /// Adds a set-up whose outcomes are exact, or replaces its estimated ones.
    pub(super) fn put_exact(&mut self, setup: Setup, outcomes: Vec<ClaimInSetup>) {
        match self.rows.iter_mut().find(|row| row.setup == setup) {
            Some(row) if row.certainty != Certainty::Combined => {}
            Some(row) => (row.outcomes, row.certainty) = (outcomes, Certainty::Exact),
            None => {
                self.rows.push(Row { setup, certainty: Certainty::Exact, outcomes, confirmed: None });
            }
        }
    }

    /// Marks a set-up as checked: all set-ups that differ from it in one choice are known exactly.
    pub(super) fn mark_checked(&mut self, setup: &Setup) {
        if let Some(row) = self.row_mut(setup) {
            row.certainty = Certainty::Checked;
        }
    }

    /// Adds the outcomes of the confirming seeds, if they were run.
    pub(super) fn confirm(&mut self, setup: &Setup, outcomes: Option<Vec<ClaimInSetup>>) {
        if let Some(row) = self.row_mut(setup) {
            row.confirmed = outcomes;
        }
    }

    fn row_mut(&mut self, setup: &Setup) -> Option<&mut Row> {
        self.rows.iter_mut().find(|row| row.setup == *setup)
    }

    fn row(&self, setup: &Setup) -> Option<&Row> {
        self.rows.iter().find(|row| row.setup == *setup)
    }

    /// The best set-up, and how its outcomes were obtained.
    pub(super) fn front(&self) -> (&Setup, Certainty) {
        let row = self.ranked()[0];
        (&row.setup, row.certainty)
    }

    /// The combinations of options that matter.
    fn combinations(&self) -> impl Iterator<Item = &Row> {
        self.rows[..self.combined].iter()
    }

    /// The number of these combinations.
    pub fn combined(&self) -> usize {
        self.combined
    }

    /// The claims with their experiments.
    pub fn claims(&self) -> &[(&'a Experiment, &'a Claim)] {
        &self.claims
    }

    /// The number of set-ups.
    pub fn count(&self) -> usize {
        self.rows.len()
    }

    /// All set-ups, the best first. Among set-ups with the same score, the one with fewer departures from the leading
    /// set-up comes first.
    fn ranked(&self) -> Vec<&Row> {
        let mut rows: Vec<&Row> = self.rows.iter().collect();
        rows.sort_by_key(|row| (std::cmp::Reverse(row.score()), row.setup.departures().count()));
        rows
    }

    /// All set-ups with their scores, the best first.
    pub fn ranking(&self) -> Vec<(&Setup, usize)> {
        self.ranked().into_iter().map(|row| (&row.setup, row.score())).collect()
    }

    /// The best set-up.
    pub fn best(&self) -> &Setup {
        self.front().0
    }

    /// The number of claims that hold in the leading set-up.
    pub fn leading(&self) -> usize {
        self.rows[0].score()
    }

    /// Whether each claim holds in a set-up.
    pub fn holds(&self, setup: &Setup) -> Vec<bool> {
        self.row(setup).map_or_else(Vec::new, Row::holds)
    }

    /// The number of claims that hold in a set-up with the confirming seeds; none if they were not run.
    pub fn confirmed(&self, setup: &Setup) -> Option<usize> {
        let outcomes = self.row(setup)?.confirmed.as_ref()?;
        Some(outcomes.iter().filter(|outcome| outcome.holds).count())
    }

    /// The figure of each claim in a set-up.
    pub fn figures(&self, setup: &Setup) -> Vec<Option<f64>> {
        figures(self.row(setup).map(|row| &row.outcomes))
    }

    /// The figure of each claim in a set-up with the confirming seeds; empty if they were not run.
    pub fn confirmed_figures(&self, setup: &Setup) -> Vec<Option<f64>> {
        figures(self.row(setup).and_then(|row| row.confirmed.as_ref()))
    }

    /// The results for every claim over all set-ups, in the order of the claims.
    pub fn by_claim(&self) -> Vec<ClaimScore<'a>> {
        let of_claim = |(index, (experiment, claim)): (usize, &(&'a Experiment, &'a Claim))| {
            let outcomes = self.rows.iter().map(|row| &row.outcomes[index]);
            let figures = outcomes.clone().filter_map(|outcome| outcome.measured);
            let range = figures.fold(None, |range: Option<(f64, f64)>, figure| {
                let (low, high) = range.unwrap_or((figure, figure));
                Some((low.min(figure), high.max(figure)))
            });
            ClaimScore {
                experiment,
                claim,
                holds_in: outcomes.clone().filter(|outcome| outcome.holds).count(),
                measured_in: outcomes.filter(|outcome| outcome.measured.is_some()).count(),
                range,
            }
        };
        self.claims.iter().enumerate().map(of_claim).collect()
    }

    /// The benefit of each option other than the leading ones.
    pub fn worth(&self, choices: &[&'static Choice]) -> Vec<Worth> {
        let others = |choice: &&'static Choice| {
            let choice = *choice;
            choice.options[1..].iter().map(move |option| (choice, option))
        };
        let is_combined = |(choice, option): &(&'static Choice, &'static Reading)| {
            self.combinations().any(|row| row.setup.option(choice).name == option.name)
        };
        choices
            .iter()
            .flat_map(others)
            .filter(is_combined)
            .map(|(choice, option)| self.worth_of(choice, option))
            .collect()
    }

    fn worth_of(&self, choice: &'static Choice, option: &'static Reading) -> Worth {
        let has = |row: &Row, wanted: &Reading| row.setup.option(choice).name == wanted.name;
        let alone = |row: &&Row| {
            has(row, option) && row.setup.departures().all(|(departed, _)| departed.name == choice.name)
        };
        let leading = self.rows[0].holds();
        let changed = self.combinations().find(alone).map_or_else(Vec::new, Row::holds);
        let turned = |from: &[bool], to: &[bool]| {
            let turned = from.iter().zip(to).enumerate().filter(|(_, (from, to))| !**from && **to);
            turned.map(|(index, _)| index).collect::<Vec<usize>>()
        };
        let mean = |wanted: &Reading| {
            let scores: Vec<usize> =
                self.combinations().filter(|row| has(row, wanted)).map(Row::score).collect();
            scores.iter().sum::<usize>() as f64 / scores.len() as f64
        };
        Worth {
            choice,
            option,
            gained: turned(&leading, &changed),
            lost: turned(&changed, &leading),
            mean: mean(option) - mean(choice.leading()),
        }
    }

    /// Pairs of claims that each hold in some set-up, but never in the same one.
    pub fn exclusive_pairs(&self) -> Vec<(usize, usize)> {
        let holds = |claim: usize| self.rows.iter().map(move |row| row.outcomes[claim].holds);
        let possible: Vec<usize> =
            (0..self.claims.len()).filter(|claim| holds(*claim).any(|holds| holds)).collect();
        let mut pairs = Vec::new();
        for (index, &one) in possible.iter().enumerate() {
            for &other in &possible[index + 1..] {
                if !holds(one).zip(holds(other)).any(|(one, other)| one && other) {
                    pairs.push((one, other));
                }
            }
        }
        pairs
    }
}

impl Row {
    /// The number of claims that hold.
    fn score(&self) -> usize {
        self.outcomes.iter().filter(|outcome| outcome.holds).count()
    }

    fn holds(&self) -> Vec<bool> {
        self.outcomes.iter().map(|outcome| outcome.holds).collect()
    }
}

/// The figure of each claim; none without outcomes.
fn figures(outcomes: Option<&Vec<ClaimInSetup>>) -> Vec<Option<f64>> {
    outcomes.into_iter().flatten().map(|outcome| outcome.measured).collect()
}
