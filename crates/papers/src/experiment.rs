//! Papers and their experiments, as data.

use std::fmt;

use setpoint_report::document::Block;

use crate::case::{Case, Depth};
use crate::choice::Choice;
use crate::claim::Claim;
use crate::runs::{Keep, Runs};

/// A published paper and its experiments.
#[derive(Debug)]
pub struct Paper {
    /// Short name, the first part of the experiments' ids.
    pub id: &'static str,
    /// Title.
    pub title: &'static str,
    /// Authors, place and year of publication.
    pub source: &'static str,
    /// Its subject, in our words.
    pub about: &'static str,
    /// The experiments, in the order of the paper.
    pub experiments: Vec<Experiment>,
}

/// One experiment from a paper: cases to run, panels to show and claims to judge.
///
/// Built from [`Experiment::new`] with the methods named after the fields.
#[must_use]
pub struct Experiment {
    /// `paper/name`, as in `smcc/fig05`.
    pub id: &'static str,
    /// Subject, in a few words.
    pub title: &'static str,
    /// The set-up, in our words.
    pub setup: &'static str,
    /// The paper's observations, in our words.
    pub paper_says: &'static str,
    /// Our choices where the paper is not specific or where we depart from it, each in a sentence or two.
    pub assumptions: Vec<String>,
    /// The points that the paper leaves open and that matter here. All experiments of a paper share one leading
    /// set-up, since they share these declarations.
    pub choices: Vec<&'static Choice>,
    /// Every case is run with every seed. An experiment that only computes, such as a theorem, has no cases: its
    /// claims and panels receive the seeds.
    pub cases: Vec<Case>,
    /// Factor by which the short version multiplies the times of the scenarios.
    pub quick: f64,
    /// Factor by which the paper's times exceed those of the scenarios, which are shorter if runs are costly.
    pub full_size: f64,
    /// Number of seeds.
    pub repeats: Repeats,
    /// Parts of a run to keep until the claims are judged.
    pub keep: Keep,
    /// Figures and tables derived from the runs, in the paper's form.
    pub panels: Panels,
    /// The claims.
    pub claims: Vec<Claim>,
}

/// Creates the figures and tables of an experiment from its runs, all of which succeeded.
pub type Panels = Box<dyn Fn(&Runs) -> Vec<Block> + Send + Sync>;

/// Number of seeds with which each case is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeats {
    /// The result is random: at least [`Repeats::LEAST`] seeds.
    Seeds(u32),
    /// The result is random, but runs take so long that fewer seeds are run. Each figure must then be a mean over many
    /// flows of a run.
    Costly(u32),
    /// The result is not random: one run is enough.
    Once,
}

impl Paper {
    /// The experiment with the given id.
    pub fn experiment(&self, id: &str) -> Option<&Experiment> {
        self.experiments.iter().find(|experiment| experiment.id == id)
    }

    /// The choices of all experiments, each once.
    pub fn choices(&self) -> Vec<&'static Choice> {
        let mut choices: Vec<&'static Choice> = Vec::new();
        for choice in self.experiments.iter().flat_map(|experiment| &experiment.choices) {
            if !choices.iter().any(|known| known.name == choice.name) {
                choices.push(choice);
            }
        }
        choices
    }
}

impl Experiment {
    /// An experiment with ten seeds and a short version that takes a quarter of the time; it has no cases, panels or
    /// claims yet.
    pub fn new(id: &'static str, title: &'static str) -> Self {
        Self {
            id,
            title,
            setup: "",
            paper_says: "",
            assumptions: Vec::new(),
            choices: Vec::new(),
            cases: Vec::new(),
            quick: 0.25,
            full_size: 1.0,
            repeats: Repeats::Seeds(10),
            keep: Keep::Series,
            panels: Box::new(|_| Vec::new()),
            claims: Vec::new(),
        }
    }

    /// Describes the set-up.
    pub fn setup(self, setup: &'static str) -> Self {
        Self { setup, ..self }
    }

    /// Describes the paper's observation.
    pub fn paper_says(self, paper_says: &'static str) -> Self {
        Self { paper_says, ..self }
    }

    /// Adds assumptions.
    pub fn assumptions<S: Into<String>>(mut self, assumptions: impl IntoIterator<Item = S>) -> Self {
        self.assumptions.extend(assumptions.into_iter().map(Into::into));
        self
    }

    /// Adds choices.
    pub fn choices(mut self, choices: impl IntoIterator<Item = &'static Choice>) -> Self {
        self.choices.extend(choices);
        self
    }

    /// Adds cases.
    pub fn cases(mut self, cases: impl IntoIterator<Item = Case>) -> Self {
        self.cases.extend(cases);
        self
    }

    /// Sets the factor of the short version.
    pub fn quick(self, quick: f64) -> Self {
        Self { quick, ..self }
    }

    /// Sets the factor by which the paper's times exceed those of the scenarios.
    pub fn full_size(self, full_size: f64) -> Self {
        Self { full_size, ..self }
    }

    /// Sets the number of seeds.
    pub fn seeds(self, seeds: u32) -> Self {
        self.repeats(Repeats::Seeds(seeds))
    }

    /// Sets the number of seeds, and whether it may be small.
    pub fn repeats(self, repeats: Repeats) -> Self {
        Self { repeats, ..self }
    }

    /// Keeps the messages of every run.
    pub fn keep_messages(self) -> Self {
        Self { keep: Keep::Messages, ..self }
    }

    /// Sets the figures and tables.
    pub fn panels(self, panels: impl Fn(&Runs) -> Vec<Block> + Send + Sync + 'static) -> Self {
        Self { panels: Box::new(panels), ..self }
    }

    /// Adds claims.
    pub fn claims(mut self, claims: impl IntoIterator<Item = Claim>) -> Self {
        self.claims.extend(claims);
        self
    }

    /// The paper's part of the id.
    pub fn paper(&self) -> &'static str {
        self.id.split_once('/').map_or(self.id, |(paper, _)| paper)
    }

    /// The experiment's own part of the id.
    pub fn name(&self) -> &'static str {
        self.id.split_once('/').map_or(self.id, |(_, name)| name)
    }

    /// The numbers of the seeds.
    pub fn seed_numbers(&self) -> std::ops::RangeInclusive<u64> {
        match self.repeats {
            Repeats::Seeds(seeds) | Repeats::Costly(seeds) => 1..=u64::from(seeds),
            Repeats::Once => 1..=1,
        }
    }

    /// Whether a claim needs the figures of all seeds together.
    pub fn pools(&self) -> bool {
        self.claims.iter().any(Claim::is_pooled)
    }

    /// The factor by which times are multiplied.
    pub fn factor(&self, depth: Depth) -> f64 {
        match depth {
            Depth::Full => 1.0,
            Depth::Quick => self.quick,
            Depth::FullSize => self.full_size,
        }
    }
}

impl fmt::Debug for Experiment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Experiment")
            .field("id", &self.id)
            .field("claims", &self.claims)
            .finish_non_exhaustive()
    }
}

impl Repeats {
    /// The minimum number of seeds for a random result.
    pub const LEAST: u32 = 5;
}
