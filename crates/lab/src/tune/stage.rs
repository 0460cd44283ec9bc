//! The stages of tuning: rungs with fewer and fewer candidates and longer and longer runs, and a check with unseen
//! seeds.

use std::num::NonZeroU32;

use setpoint_scenario::{Diagnostics, Override, Variant};

use super::rank::{self, Costs};
use super::{Candidate, DEFAULTS, Tuning};
use crate::sweep::{RunSummary, SweepSummary, VariantSummary};

/// A rung keeps one in this many candidates.
const KEPT: usize = 3;
/// A rung keeps at least this many candidates, so that there is a front.
const FEWEST: usize = 4;
/// The rungs: the share of the duration, and the share of the seeds of the last rung.
const RUNGS: [(f64, f64); 3] = [(0.25, 0.25), (0.5, 0.5), (1.0, 1.0)];

/// The runs of a stage, which can be executed like those of a sweep.
#[derive(Debug)]
pub struct Stage {
    /// Its number, from 0.
    pub number: usize,
    /// The share of the scenario's duration.
    pub length: f64,
    /// The candidates.
    pub candidates: Vec<usize>,
    /// Candidates whose settings do not fit together, each with the reason.
    pub refused: Vec<(usize, String)>,
    /// The first seed.
    pub first_seed: u64,
    /// Seeds per candidate.
    pub seeds: NonZeroU32,
    /// The scenarios, one per candidate that was not refused.
    pub variants: Vec<Variant>,
}

/// The results of a stage.
#[derive(Clone, Debug)]
pub struct StageEnd {
    pub(super) length: f64,
    pub(super) first_seed: u64,
    pub(super) seeds: u32,
    pub(super) refused: Vec<(usize, String)>,
    /// The runs of each candidate, by seed.
    pub(super) runs: Vec<(usize, Vec<RunSummary>)>,
}

impl Stage {
    /// The number of runs.
    pub fn runs(&self) -> usize {
        self.variants.len() * self.seeds.get() as usize
    }

    /// The stage with the results of its runs.
    pub fn end(self, summary: SweepSummary) -> StageEnd {
        let refused = |number: &usize| self.refused.iter().any(|(one, _)| one == number);
        let run = self.candidates.iter().copied().filter(|number| !refused(number));
        let runs = run
            .zip(summary.variants)
            .map(|(number, variant): (usize, VariantSummary)| (number, variant.runs));
        StageEnd {
            length: self.length,
            first_seed: self.first_seed,
            seeds: self.seeds.get(),
            runs: runs.collect(),
            refused: self.refused,
        }
    }
}

impl Tuning<'_> {
    /// The next stage after those that have ended; none after the last.
    ///
    /// # Errors
    /// If the scenario itself cannot be shortened.
    pub fn stage(&self, ended: &[StageEnd]) -> Result<Option<Stage>, Diagnostics> {
        let number = ended.len();
        let seeds = self.options.seeds.get();
        let stage = match ended.last() {
            None => self.stage_of(0, (0..self.candidates.len()).collect())?,
            Some(last) if number < RUNGS.len() => self.stage_of(number, self.promoted(last))?,
            Some(last) if number == RUNGS.len() => {
                let mut finalists = self.front(last);
                add_defaults(&mut finalists);
                let first = self.scenario.seed().saturating_add(u64::from(seeds));
                self.prepare(Plan { number, length: 1.0, first, seeds: self.options.unseen }, finalists)?
            }
            Some(_) => return Ok(None),
        };
        Ok(Some(stage))
    }

    /// The number of stages.
    pub fn stages() -> usize {
        RUNGS.len() + 1
    }

    fn stage_of(&self, number: usize, candidates: Vec<usize>) -> Result<Stage, Diagnostics> {
        let (length, share) = RUNGS[number];
        let seeds = (f64::from(self.options.seeds.get()) * share).round() as u32;
        let seeds = NonZeroU32::new(seeds).unwrap_or(NonZeroU32::MIN);
        self.prepare(Plan { number, length, first: self.scenario.seed(), seeds }, candidates)
    }

    fn prepare(&self, plan: Plan, candidates: Vec<usize>) -> Result<Stage, Diagnostics> {
        let mut common: Vec<Override> = Vec::new();
        if plan.first != self.scenario.seed() {
            common.push(format!("seed={}", plan.first).parse()?);
        }
        let (mut variants, mut refused) = (Vec::new(), Vec::new());
        for number in &candidates {
            match self.variant(&self.candidates[*number], &common, plan) {
                Ok(variant) => variants.push(variant),
                // The defaults must work; the error then describes what is wrong with the scenario.
                Err(error) if *number == DEFAULTS => return Err(error),
                Err(error) => refused.push((*number, reason(&error))),
            }
        }
        let Plan { number, length, first: first_seed, seeds } = plan;
        Ok(Stage { number, length, candidates, refused, first_seed, seeds, variants })
    }

    fn variant(
        &self,
        candidate: &Candidate,
        common: &[Override],
        plan: Plan,
    ) -> Result<Variant, Diagnostics> {
        // A parameter may itself be one of the times that are shortened.
        let mut settings = candidate.settings.clone();
        settings.extend(self.scenario.with_settings(settings.clone())?.shortened(plan.length)?);
        settings.extend(common.iter().cloned());
        let scenario = self.scenario.with_settings(settings)?;
        let values = candidate.settings.iter().map(|one| (one.key().to_owned(), one.value()));
        // The length comes first, because long folder names are truncated.
        let length = ("length".to_owned(), format!("{}", plan.length));
        Ok(Variant {
            index: candidate.number,
            assignments: [length].into_iter().chain(values).collect(),
            scenario,
        })
    }

    /// The best candidates of a rung, and the defaults.
    pub(super) fn promoted(&self, rung: &StageEnd) -> Vec<usize> {
        let kept = rung.runs.len().div_ceil(KEPT).max(FEWEST);
        let costs = self.costs(rung);
        let best = rank::order(&costs).into_iter().take(kept);
        let mut numbers: Vec<usize> = best.map(|place| rung.runs[place].0).collect();
        add_defaults(&mut numbers);
        numbers
    }

    /// The candidates of a rung that no other dominates, and that have a figure for some objective.
    pub(super) fn front(&self, rung: &StageEnd) -> Vec<usize> {
        let costs = self.costs(rung);
        let has_figures = |place: &usize| costs[*place].iter().any(|cost| cost.is_finite());
        rank::front(&costs).into_iter().filter(has_figures).map(|place| rung.runs[place].0).collect()
    }

    /// The mean cost of each candidate over its runs.
    pub(super) fn costs(&self, rung: &StageEnd) -> Vec<Costs> {
        let of_runs = |(_, runs): &(usize, Vec<RunSummary>)| {
            let mean = |objective: &super::Objective| {
                runs.iter().map(|run| objective.cost(run)).sum::<f64>() / runs.len() as f64
            };
            self.options.objectives.iter().map(mean).collect()
        };
        rung.runs.iter().map(of_runs).collect()
    }
}

/// The length and the seeds of a stage.
#[derive(Clone, Copy)]
struct Plan {
    number: usize,
    length: f64,
    first: u64,
    seeds: NonZeroU32,
}

fn add_defaults(numbers: &mut Vec<usize>) {
    numbers.push(DEFAULTS);
    numbers.sort_unstable();
    numbers.dedup();
}

/// The reason why settings do not fit together, in one line.
fn reason(error: &Diagnostics) -> String {
    error.problems().first().map_or_else(String::new, |problem| problem.message().to_owned())
}
