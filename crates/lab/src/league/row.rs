//! The results of one algorithm on one scenario.

use serde::{Deserialize, Serialize};
use setpoint_record::catalogue::{self, Metric};
use setpoint_record::confidence::{Difference, Spread};
use setpoint_record::keyed;
use setpoint_record::results::{Keyed, WarningRecord};

use super::{Contestant, DISCIPLINES, UNANIMOUS};
use crate::sweep::{RunSummary, VariantSummary};

keyed! {
    /// The results of one algorithm on one scenario.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Row {
        /// Name of the algorithm, with the profile if it is not the first: `timely:patched`.
        pub algorithm: String,
        /// Number of seeds; 0 if the algorithm does not take part.
        pub runs: usize,
        /// The reason why figures are missing: the error of the first run that failed, or why the algorithm
        /// does not take part; otherwise `null`.
        pub trouble: Option<String>,
        /// Warnings about its finished runs, once per check and mechanism. Omitted if there are none.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub warnings: Vec<WarningRecord>,
        /// One entry per column, in the order of the column table. `null` if the algorithm has no such
        /// figure; this includes algorithms that never settle, although the tables mark them as the
        /// worst if they have five or more runs.
        pub scores: Vec<Option<Score>>,
    }
}

impl Row {
    /// The score for a metric; `None` if the algorithm has no score for it, or if the league does not compare it.
    pub fn score(&self, metric: &Metric) -> Option<Score> {
        // Leagues stored by earlier versions have fewer columns.
        *self.scores.get(place(metric)?)?
    }

    pub(super) fn score_mut(&mut self, metric: &Metric) -> Option<&mut Score> {
        self.scores[place(metric)?].as_mut()
    }

    /// Whether the metric is the settling time and the algorithm has a set point at which its queue did
    /// not settle in any run.
    pub fn never_settles(&self, metric: &Metric) -> bool {
        *metric == catalogue::SETTLING
            && self.score(&catalogue::SETTLING).is_none()
            && self.score(&catalogue::QUEUE_ERROR).is_some()
    }

    /// Whether the algorithm never settles, and there are enough runs to rule out chance: it is then marked worst.
    pub fn is_worst_at_settling(&self, metric: &Metric) -> bool {
        self.never_settles(metric) && self.runs >= UNANIMOUS
    }
}

/// Whether the algorithms differ in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Some algorithms differ by more than chance.
    Clear,
    /// The differences may be due to chance.
    NoClearDifference,
    /// There are too few seeds for a verdict.
    TooFewSeeds,
    /// Fewer than two algorithms have the figure.
    NotCompared,
}

impl Keyed for Verdict {}

pub(super) fn place(metric: &Metric) -> Option<usize> {
    DISCIPLINES.iter().position(|other| *other == metric)
}

keyed! {
    /// A figure of one algorithm on one scenario.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Score {
        /// Mean and spread over seeds, as in [sweep.json](#sweepjson).
        pub spread: Spread,
        /// Difference from the baseline on common seeds; `null` for the baseline itself, or if the two have no common
        /// seed with the figure.
        #[serde(default)]
        pub difference: Option<Difference>,
        /// `best`, `worst` or `null`.
        pub mark: Option<Mark>,
    }
}

/// The mark of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    /// Best of all algorithms.
    Best,
    /// Worst of all algorithms.
    Worst,
}

impl Keyed for Mark {}

impl Mark {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Best => "best",
            Self::Worst => "worst",
        }
    }
}

impl Row {
    pub(super) fn new(contestant: Contestant, variant: Option<&VariantSummary>) -> Self {
        let score = |metric: &&Metric| {
            // An algorithm without notifications must not win merely because it sends none.
            let absent = **metric == catalogue::NOTIFICATIONS_PER_FRAME && !contestant.algorithm.notifies();
            let spread = *variant.filter(|_| !absent)?.spread(metric)?;
            Some(Score { spread, difference: None, mark: None })
        };
        let failed = variant.and_then(|variant| variant.runs.iter().find_map(|run| run.error.clone()));
        let absent = || String::from("works by dropping frames and takes part only without flow control");
        Self {
            algorithm: contestant.to_string(),
            runs: variant.map_or(0, |variant| variant.runs.len()),
            trouble: if variant.is_none() { Some(absent()) } else { failed },
            warnings: variant.map_or_else(Vec::new, |variant| RunSummary::distinct_warnings(&variant.runs)),
            scores: DISCIPLINES.iter().map(score).collect(),
        }
    }
}
