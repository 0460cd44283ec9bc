//! The scores of set-ups, and the conclusions about choices and claims.

use std::collections::HashMap;

use super::effects::Effects;
use super::{ClaimInSetup, Known, Part, Search};
use crate::choice::{Choice, Reading, Setup};
use crate::claim::Claim;
use crate::experiment::Experiment;
use crate::plan::Task;

/// The outcome of every claim in every set-up.
#[derive(Debug)]
pub struct Scores<'a> {
    /// The claims with their experiments.
    claims: Vec<(&'a Experiment, &'a Claim)>,
    setups: Vec<Setup>,
    /// By set-up, then by claim.
    outcomes: Vec<Vec<ClaimInSetup>>,
    /// The outcomes of the confirming seeds, for set-ups that were run with them.
    confirmed: HashMap<String, Vec<ClaimInSetup>>,
}

/// The worth of an option compared with the leading option of its choice.
#[derive(Clone, Debug)]
pub struct Worth {
    /// The choice.
    pub choice: &'static Choice,
    /// The option.
    pub option: &'static Reading,
    /// The claims that hold with it but not in the leading set-up, with all other choices at their leading
    /// options.
    pub gained: Vec<usize>,
    /// The claims that hold in the leading set-up but not with it.
    pub lost: Vec<usize>,
    /// The mean difference between the scores over all combinations of the other choices.
    pub mean: f64,
}

/// A claim over all set-ups.
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
    /// The outcomes in some set-ups, all of which have been scored.
    pub(super) fn new(search: &Search<'a>, setups: Vec<Setup>, effects: &Effects, known: &Known) -> Self {
        let outcome = |setup: &Setup, part: Part| -> Option<Vec<ClaimInSetup>> {
            let of_experiment = |experiment: &&Experiment| {
                let task = Task::of_part(experiment, effects.reduced(setup, experiment), part);
                Some(known.of(&task)?.claims.clone())
            };
            let outcomes: Option<Vec<_>> = search.experiments.iter().map(of_experiment).collect();
            Some(outcomes?.concat())
        };
        let outcomes = setups.iter().filter_map(|setup| outcome(setup, Part::Scoring)).collect();
        let confirmed =
            setups.iter().filter_map(|setup| Some((setup.to_string(), outcome(setup, Part::Confirming)?)));
        Self { claims: search.claims().collect(), outcomes, confirmed: confirmed.collect(), setups }
    }

    /// The claims with their experiments.
    #[must_use]
    pub fn claims(&self) -> &[(&'a Experiment, &'a Claim)] {
        &self.claims
    }

    /// The number of set-ups.
    #[must_use]
    pub fn count(&self) -> usize {
        self.setups.len()
    }

    /// The number of claims that hold in a set-up, by its position.
    fn score(&self, place: usize) -> usize {
        self.outcomes[place].iter().filter(|outcome| outcome.holds).count()
    }

    /// All set-ups with their scores, the best first. Of set-ups with the same score, the one with fewer departures
    /// from the leading set-up comes first.
    #[must_use]
    pub fn ranking(&self) -> Vec<(&Setup, usize)> {
        let mut places: Vec<usize> = (0..self.setups.len()).collect();
        places.sort_by_key(|place| {
            (std::cmp::Reverse(self.score(*place)), self.setups[*place].departures().count(), *place)
        });
        places.into_iter().map(|place| (&self.setups[place], self.score(place))).collect()
    }

    /// The best set-up.
    #[must_use]
    pub fn best(&self) -> &Setup {
        self.ranking()[0].0
    }

    /// The number of claims that hold in the leading set-up.
    #[must_use]
    pub fn leading(&self) -> usize {
        self.score(0)
    }

    /// Whether each claim holds in a set-up.
    #[must_use]
    pub fn holds(&self, setup: &Setup) -> Vec<bool> {
        let place = self.setups.iter().position(|one| one == setup);
        place.map_or_else(Vec::new, |place| self.outcomes[place].iter().map(|one| one.holds).collect())
    }

    /// The number of claims that hold in a set-up with the confirming seeds; none if they were not run.
    #[must_use]
    pub fn confirmed(&self, setup: &Setup) -> Option<usize> {
        let outcomes = self.confirmed.get(&setup.to_string())?;
        Some(outcomes.iter().filter(|outcome| outcome.holds).count())
    }

    /// The figure of each claim in a set-up.
    #[must_use]
    pub fn figures(&self, setup: &Setup) -> Vec<Option<f64>> {
        let place = self.setups.iter().position(|one| one == setup);
        place.map_or_else(Vec::new, |place| self.outcomes[place].iter().map(|one| one.measured).collect())
    }

    /// The figure of each claim in a set-up with the confirming seeds; empty if they were not run.
    #[must_use]
    pub fn confirmed_figures(&self, setup: &Setup) -> Vec<Option<f64>> {
        let outcomes = self.confirmed.get(&setup.to_string());
        outcomes.map_or_else(Vec::new, |outcomes| outcomes.iter().map(|one| one.measured).collect())
    }

    /// Every claim over all set-ups, in order.
    #[must_use]
    pub fn by_claim(&self) -> Vec<ClaimScore<'a>> {
        let of_claim = |(index, (experiment, claim)): (usize, &(&'a Experiment, &'a Claim))| {
            let outcomes = self.outcomes.iter().map(|outcomes| &outcomes[index]);
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

    /// The worth of each option that does not lead.
    #[must_use]
    pub fn worth(&self, choices: &[&'static Choice]) -> Vec<Worth> {
        let others = |choice: &&'static Choice| {
            let choice = *choice;
            choice.options[1..].iter().map(move |option| (choice, option))
        };
        let is_combined = |(choice, option): &(&'static Choice, &'static Reading)| {
            self.setups.iter().any(|setup| setup.option(choice).name == option.name)
        };
        choices
            .iter()
            .flat_map(others)
            .filter(is_combined)
            .map(|(choice, option)| self.worth_of(choice, option))
            .collect()
    }

    fn worth_of(&self, choice: &'static Choice, option: &'static Reading) -> Worth {
        let has = |setup: &Setup, wanted: &Reading| setup.option(choice).name == wanted.name;
        let alone = |setup: &&Setup| {
            has(setup, option) && setup.departures().all(|(departed, _)| departed.name == choice.name)
        };
        let leading = self.holds(&self.setups[0]);
        let changed = self.setups.iter().find(alone).map_or_else(Vec::new, |setup| self.holds(setup));
        let turned = |from: &[bool], to: &[bool]| {
            let turned = from.iter().zip(to).enumerate().filter(|(_, (from, to))| !**from && **to);
            turned.map(|(index, _)| index).collect::<Vec<usize>>()
        };
        let mean = |wanted: &Reading| {
            let places = (0..self.setups.len()).filter(|place| has(&self.setups[*place], wanted));
            let scores: Vec<usize> = places.map(|place| self.score(place)).collect();
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
    #[must_use]
    pub fn exclusive_pairs(&self) -> Vec<(usize, usize)> {
        let holds = |claim: usize| self.outcomes.iter().map(move |outcomes| outcomes[claim].holds);
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
