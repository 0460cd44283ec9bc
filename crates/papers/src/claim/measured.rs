//! The figures for a claim in one set-up.

use setpoint_record::confidence::{Difference, Interval, Spread};
use setpoint_sim::{Purpose, RandomStream};
use setpoint_units::quantity::{Bounded, Unit};

use super::{Combine, Measure, PooledMeasure};
use crate::rule::{Agreement, Rule};
use crate::runs::{RUN_FAILED, Runs, Seed};

/// The figures for a claim in one set-up.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    /// The figure for each seed, in the order of the seeds; empty if nothing was measured.
    pub values: Vec<f64>,
    /// The figure for all seeds together, if the claim pools them.
    pub pooled: Option<Pooled>,
    /// The reason why nothing was measured.
    pub why_not: Option<String>,
    /// The reason why a short version cannot show the claimed behaviour.
    pub too_short: Option<String>,
}

/// The figures for a claim and for its premise, with some of the seeds.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    /// The claim's figures, whether its premise holds or not.
    pub(crate) figures: Measured,
    pub(super) premise: Option<Measured>,
}

/// The figure for all seeds together, and its bootstrap distribution: the figures for samples of the same number of
/// seeds, drawn with replacement.
#[derive(Clone, Debug, PartialEq)]
pub struct Pooled {
    /// The figure for all seeds together.
    pub value: f64,
    /// The figures for the samples, in ascending order.
    samples: Vec<f64>,
}

/// The number of bootstrap samples.
const SAMPLES: usize = 2000;
/// The fraction of the bootstrap distribution that an interval excludes at either end.
const TAIL: f64 = 0.025;

impl Measured {
    /// The result if nothing was measured, with the reason.
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
    pub fn agreement(&self, rule: Rule) -> Agreement {
        match &self.pooled {
            Some(pooled) => rule.agreement_of_samples(pooled.value, &pooled.samples),
            None => rule.agreement(&self.values),
        }
    }

    /// Whether a rule holds for some of the seeds or, for a pooled figure, for some of the bootstrap samples.
    pub(super) fn holds_for_some(&self, rule: Rule) -> bool {
        self.pooled
            .as_ref()
            .map_or(&self.values, |pooled| &pooled.samples)
            .iter()
            .any(|one| rule.allows(*one))
    }

    /// Whether a rule that does not hold in the leading set-up holds here, and not by chance: the two set-ups differ on
    /// common seeds by more than chance would explain, given the number of set-ups that were tried.
    pub(crate) fn turns(&self, leading: &Self, rule: Rule, tried: usize) -> bool {
        let pairs = self.values.iter().zip(&leading.values);
        let pairs: Vec<(Bounded, Bounded)> =
            pairs.map(|(here, there)| (Bounded::exact(*here), Bounded::exact(*there))).collect();
        let clear = match pairs.as_slice() {
            // If the result is not random, any difference is clear.
            [(here, there)] => here != there,
            pairs => Difference::of(pairs, tried).is_some_and(|difference| difference.is_clear),
        };
        clear
            && self.agreement(rule) == Agreement::Follows
            && leading.first(self.values.len()).agreement(rule) != Agreement::Follows
    }

    /// The figures for the first seeds. A pooled figure cannot be split by seed and is returned unchanged.
    pub(crate) fn first(&self, seeds: usize) -> Self {
        let values = self.values.iter().copied().take(seeds).collect();
        if self.pooled.is_some() { self.clone() } else { Self { values, ..self.clone() } }
    }

    fn join(&mut self, further: Self) {
        debug_assert!(self.pooled.is_none(), "figures of all seeds together cannot be added");
        self.values.extend(further.values);
        self.why_not = self.why_not.take().or(further.why_not);
        if self.why_not.is_some() {
            self.values.clear();
        }
    }

    /// The reason why a run failed, if one did.
    pub fn failure(&self) -> Option<&str> {
        self.why_not.as_deref().filter(|why| why.starts_with(RUN_FAILED))
    }

    /// The number of seeds, or of bootstrap samples for a pooled figure, for which a rule holds; empty for a single
    /// seed.
    pub fn support(&self, rule: Rule) -> String {
        match (&self.pooled, self.values.len()) {
            (Some(pooled), _) => share_of_samples(pooled.support(rule)),
            (None, 0 | 1) => String::new(),
            (None, seeds) => format!("{} of {seeds} seeds", rule.followers(&self.values)),
        }
    }

    /// The figure to report: the pooled figure, or the mean over seeds.
    pub fn figure(&self) -> Option<f64> {
        let mean = || self.spread().map(|spread| spread.mean);
        self.pooled.as_ref().map(|pooled| pooled.value).or_else(mean)
    }

    /// The range that contains the figure of one more run, such as the paper's, with a probability of 95 %. If the
    /// result is not random, the figure itself; none if nothing was measured.
    pub fn prediction(&self) -> Option<(f64, f64)> {
        match self.values.as_slice() {
            [] => self.figure().map(|figure| (figure, figure)),
            [value] => Some((*value, *value)),
            values => Interval::of_one_more(values).map(|interval| (interval.low, interval.high)),
        }
    }

    /// The smallest and the largest figure over the seeds; for a pooled figure, its 95 % interval.
    pub fn range(&self) -> Option<(f64, f64)> {
        let of_seeds = || self.spread().map(|spread| (spread.min, spread.max));
        self.pooled.as_ref().map(Pooled::interval).or_else(of_seeds)
    }

    /// Mean and spread over seeds; none if nothing was measured.
    pub fn spread(&self) -> Option<Spread> {
        Spread::of(&self.values)
    }
}

impl Sample {
    /// Adds the figures for further seeds. Pooled figures cannot be added.
    pub(crate) fn join(&mut self, further: Self) {
        self.figures.join(further.figures);
        if let (Some(premise), Some(further)) = (&mut self.premise, further.premise) {
            premise.join(further);
        }
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
    pub fn support(&self, rule: Rule) -> f64 {
        rule.followers(&self.samples) as f64 / self.samples.len() as f64
    }

    /// The interval that contains the figures for 95 % of the samples.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The share of experiments whose interval covers the true mean, in per cent. Each seed has several independent
    /// values, and the figure is the mean of all of them.
    fn coverage(seeds: usize, mean: f64, draw: impl Fn(&mut RandomStream) -> f64) -> f64 {
        const EXPERIMENTS: usize = 300;
        const VALUES: usize = 20;
        let mut random = RandomStream::new(3, Purpose::Bootstrap, 1);
        let covers = |_: &usize| {
            let part = |_| (0..VALUES).map(|_| draw(&mut random)).sum::<f64>() / VALUES as f64;
            let parts: Vec<f64> = (0..seeds).map(part).collect();
            let combine: Combine = Box::new(move |chosen: &[usize]| {
                Some(chosen.iter().map(|place| parts[*place]).sum::<f64>() / chosen.len() as f64)
            });
            let (low, high) = Pooled::new(seeds, &combine).expect("there are values").interval();
            (low..=high).contains(&mean)
        };
        (100.0 * (0..EXPERIMENTS).filter(covers).count() as f64 / EXPERIMENTS as f64).round()
    }

    /// The figures in docs/papers.md. One standard error of a share near 95 % is 1.3 percentage points.
    #[test]
    fn bootstrap_intervals_cover_the_mean_less_often_than_promised_if_tails_are_heavy() {
        let exponential = [10, 30].map(|seeds| coverage(seeds, 1.0, RandomStream::exponential));
        // The inverse of the cumulative Pareto distribution with shape 1.5 and mean 3.
        let pareto = |random: &mut RandomStream| libm::pow(1.0 - random.unit(), -1.0 / 1.5);
        let heavy = [10, 30].map(|seeds| coverage(seeds, 3.0, pareto));
        assert_eq!((exponential, heavy), ([87.0, 95.0], [73.0, 78.0]));
    }
}
