//! The figures for a claim in one set-up.

use setpoint_lab::sweep::Spread;
use setpoint_sim::{Purpose, RandomStream};
use setpoint_units::quantity::Unit;

use super::{Combine, Measure, PooledMeasure};
use crate::plan::RUN_FAILED;
use crate::rule::{Agreement, Rule};
use crate::runs::{Runs, Seed};

/// The figures for a claim in one set-up.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    /// The figure for each seed, in the order of the seeds; empty if nothing was measured.
    pub values: Vec<f64>,
    /// The figure for all seeds together, if the claim pools them.
    pub pooled: Option<Pooled>,
    /// Why nothing was measured.
    pub why_not: Option<String>,
    /// Why a short version cannot show the claimed behaviour.
    pub too_short: Option<String>,
}

/// The figure for all seeds together, and its bootstrap distribution: the figures for samples of the same number of
/// seeds, drawn with replacement.
#[derive(Clone, Debug, PartialEq)]
pub struct Pooled {
    /// The figure of all seeds.
    pub value: f64,
    /// The figures for the samples, in ascending order.
    samples: Vec<f64>,
}

/// The number of bootstrap samples.
const SAMPLES: usize = 2000;
/// The part of the bootstrap distribution that an interval leaves out at either end.
const TAIL: f64 = 0.025;

impl Measured {
    /// Nothing was measured, for a reason.
    pub(super) fn none(why: String) -> Self {
        Self { why_not: Some(why), ..Self::default() }
    }

    pub(super) fn per_seed(runs: &Runs, measure: &Measure) -> Self {
        match values(runs, measure) {
            Ok(values) => Self { values, ..Self::default() },
            Err(why) => Self::none(why),
        }
    }

    pub(super) fn pooled(runs: &Runs, measure: &PooledMeasure) -> Self {
        if let Some(failure) = runs.failures().first() {
            return Self::none(failure.clone());
        }
        let seeds: Vec<Seed<'_>> = runs.seeds().collect();
        let pooled = measure(&seeds).and_then(|combine| {
            // A single seed may have no figure of its own.
            let of_seed = |seed: usize| combine(&[seed]).filter(|value| value.is_finite());
            let values = (0..seeds.len()).filter_map(of_seed).collect();
            Some(Self { values, pooled: Some(Pooled::new(seeds.len(), &combine)?), ..Self::default() })
        });
        pooled.unwrap_or_else(|| Self::none("there was nothing to measure".to_owned()))
    }

    /// How the figures relate to a rule.
    #[must_use]
    pub fn agreement(&self, rule: Rule) -> Agreement {
        match &self.pooled {
            Some(pooled) => rule.agreement_around(Some(pooled.value), &pooled.samples),
            None => rule.agreement(&self.values),
        }
    }

    /// The figures for the first seeds. A figure for all seeds together cannot be divided and stays as it is.
    pub(crate) fn first(&self, seeds: usize) -> Self {
        let values = self.values.iter().copied().take(seeds).collect();
        if self.pooled.is_some() { self.clone() } else { Self { values, ..self.clone() } }
    }

    /// Why a run failed, if one did.
    #[must_use]
    pub fn failure(&self) -> Option<&str> {
        self.why_not.as_deref().filter(|why| why.starts_with(RUN_FAILED))
    }

    /// For how many seeds a rule holds or, for a figure for all seeds together, for how many bootstrap samples; empty
    /// for a single seed.
    #[must_use]
    pub fn support(&self, rule: Rule) -> String {
        match (&self.pooled, self.values.len()) {
            (Some(pooled), _) => share_of_samples(pooled.support(rule)),
            (None, 0 | 1) => String::new(),
            (None, seeds) => format!("{} of {seeds} seeds", rule.followers(&self.values)),
        }
    }

    /// The figure to report: of all seeds together, or the mean over seeds.
    #[must_use]
    pub fn figure(&self) -> Option<f64> {
        let mean = || self.spread().map(|spread| spread.mean);
        self.pooled.as_ref().map(|pooled| pooled.value).or_else(mean)
    }

    /// The smallest and the largest figure of a seed; for a pooled figure, its 95 % interval.
    #[must_use]
    pub fn range(&self) -> Option<(f64, f64)> {
        let of_seeds = || self.spread().map(|spread| (spread.min, spread.max));
        self.pooled.as_ref().map(Pooled::interval).or_else(of_seeds)
    }

    /// Mean and spread over seeds; none if nothing was measured.
    #[must_use]
    pub fn spread(&self) -> Option<Spread> {
        Spread::of(&self.values)
    }
}

impl Pooled {
    fn new(seeds: usize, combine: &Combine) -> Option<Self> {
        let finite = |chosen: &[usize]| combine(chosen).filter(|value| value.is_finite());
        let value = finite(&(0..seeds).collect::<Vec<_>>())?;
        let mut random = RandomStream::new(1, Purpose::Bootstrap, 0);
        let mut samples = Vec::with_capacity(SAMPLES);
        for _ in 0..SAMPLES {
            let chosen: Vec<usize> = (0..seeds).map(|_| random.below(seeds as u64) as usize).collect();
            samples.extend(finite(&chosen));
        }
        samples.sort_by(f64::total_cmp);
        (!samples.is_empty()).then_some(Self { value, samples })
    }

    /// The share of the samples for which a rule holds.
    #[must_use]
    pub fn support(&self, rule: Rule) -> f64 {
        rule.followers(&self.samples) as f64 / self.samples.len() as f64
    }

    /// The interval that contains the figures for 95 % of the samples.
    #[must_use]
    pub fn interval(&self) -> (f64, f64) {
        let at = |share: f64| {
            let place = (share * (self.samples.len() as f64 - 1.0)).round();
            self.samples.get(place as usize).copied().unwrap_or(self.value)
        };
        (at(TAIL), at(1.0 - TAIL))
    }
}

/// A share of the bootstrap samples in words.
pub(crate) fn share_of_samples(share: f64) -> String {
    format!("{} of bootstrap samples", Unit::Share.text(share))
}

/// The figure for every seed, or the reason why there is none.
fn values(runs: &Runs, measure: &Measure) -> Result<Vec<f64>, String> {
    if let Some(failure) = runs.failures().first() {
        return Err(failure.clone());
    }
    let figure = |seed: Seed<'_>| {
        let value = measure(&seed).filter(|value| value.is_finite());
        value.ok_or_else(|| format!("there was nothing to measure with seed {}", seed.number()))
    };
    runs.seeds().map(figure).collect()
}
