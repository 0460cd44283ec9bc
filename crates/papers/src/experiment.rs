//! Papers and their experiments, as data.

use setpoint_report::document::Block;

use crate::case::{Case, Timing};
use crate::claim::Claim;
use crate::runs::Runs;

/// A published paper and what it tried.
#[derive(Debug)]
pub struct Paper {
    /// Short name, the first part of its experiments' ids.
    pub id: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Who wrote it, where and when it appeared.
    pub source: &'static str,
    /// What it is about, in our words.
    pub about: &'static str,
    /// The experiments, in the order of the paper.
    pub experiments: Vec<Experiment>,
}

/// One experiment of a paper: what is run, what is shown and what is claimed.
#[derive(Debug)]
pub struct Experiment {
    /// `paper/name`, as in `smcc/fig05`.
    pub id: &'static str,
    /// What it is about, in a few words.
    pub title: &'static str,
    /// What is set up, in our words.
    pub setup: &'static str,
    /// What the paper says is seen, in our words.
    pub paper_says: &'static str,
    /// What is taken where the paper leaves something open, or where we depart from it; a sentence or two each.
    pub we_take: Vec<String>,
    /// What is run; every case with every seed. Empty for what is computed alone: its claims and figures are given every
    /// seed, and no runs.
    pub cases: Vec<Case>,
    /// How the short version is made.
    pub timing: Timing,
    /// How often each case is run.
    pub repeats: Repeats,
    /// What of a run must be kept until the claims are judged.
    pub kept: Kept,
    /// What is shown of the runs, in the paper's form: figures and tables.
    pub shown: fn(&Runs) -> Vec<Block>,
    /// What the paper claims.
    pub claims: Vec<Claim>,
}

/// How often a case is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeats {
    /// Chance plays a part: so many seeds, at least [`Repeats::LEAST`].
    Seeds(u32),
    /// Chance plays a part, but a run takes so long that there are no more seeds than this. What is measured must be
    /// a mean over much within each of them.
    Costly(u32),
    /// Nothing is left to chance: one run says it all.
    Once,
}

/// What is kept of a run until its experiment is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// Summary and series.
    Series,
    /// Every message as well.
    Messages,
}

impl Paper {
    /// The experiment of an id.
    #[must_use]
    pub fn experiment(&self, id: &str) -> Option<&Experiment> {
        self.experiments.iter().find(|experiment| experiment.id == id)
    }
}

impl Experiment {
    /// The paper's part of the id.
    #[must_use]
    pub fn paper(&self) -> &'static str {
        self.id.split_once('/').map_or(self.id, |(paper, _)| paper)
    }

    /// The experiment's own part of the id.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.id.split_once('/').map_or(self.id, |(_, name)| name)
    }

    /// The seeds of every case.
    #[must_use]
    pub fn seeds(&self) -> std::ops::RangeInclusive<u64> {
        match self.repeats {
            Repeats::Seeds(seeds) | Repeats::Costly(seeds) => 1..=u64::from(seeds),
            Repeats::Once => 1..=1,
        }
    }
}

impl Repeats {
    /// Fewer seeds than this say nothing about something that chance plays a part in.
    pub const LEAST: u32 = 5;
}
