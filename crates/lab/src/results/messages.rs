//! Messages, as they are stored.
//!
//! Every message counts. One that did not arrive in full took longer than can be said, so that a mean or a quantile that
//! depends on it is a lower bound: it is stored under a key of its own (`…_at_least…`), and [`Bounded`] carries both
//! kinds.

use serde::{Deserialize, Serialize};
use setpoint_units::quantity::Bounded;

/// What became of the messages.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MessageSummary {
    /// Messages delivered in full, over the whole run.
    pub completed: u64,
    /// Messages under way at the end, or cut off because their flow was stopped, over the whole run.
    pub unfinished: u64,
    /// Messages that lost a frame, over the whole run.
    pub damaged: u64,
    /// Those of them that were offered before measurement began, which are in none of the classes; none where there are
    /// none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offered_before: Option<MessageClass>,
    /// Messages offered in the measured part: all sizes together, then one per class of sizes.
    pub classes: Vec<MessageClass>,
}

impl MessageSummary {
    /// The messages by which a run is judged: those offered in the measured part or, where all were offered before it,
    /// those. None without messages.
    #[must_use]
    pub fn judged(&self) -> Option<&MessageClass> {
        let measured = self.classes.first().filter(|class| class.count() > 0);
        measured.or(self.offered_before.as_ref()).filter(|class| class.count() > 0)
    }
}

/// Messages of one class of sizes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MessageClass {
    /// Smallest size, inclusive; none for no bound.
    pub from_bytes: Option<u64>,
    /// Largest size, exclusive; none for no bound.
    pub to_bytes: Option<u64>,
    /// Messages delivered in full.
    pub completed: u64,
    /// Messages under way at the end, or cut off.
    pub unfinished: u64,
    /// Messages that lost a frame.
    pub damaged: u64,
    /// Mean completion time; none unless all were completed.
    pub fct_mean_s: Option<f64>,
    /// What the mean is at least, where not all were completed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fct_mean_at_least_s: Option<f64>,
    /// Completion times as (probability, seconds), as far as messages were completed.
    pub fct_quantiles: Vec<(f64, f64)>,
    /// The quantiles that fall among messages that were not completed: what they are at least.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fct_at_least_quantiles: Vec<(f64, f64)>,
    /// Slowdown (completion time over the ideal one) as (probability, slowdown), as far as messages were completed.
    pub slowdown_quantiles: Vec<(f64, f64)>,
    /// The quantiles that fall among messages that were not completed: what they are at least.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub slowdown_at_least_quantiles: Vec<(f64, f64)>,
}

impl MessageClass {
    /// All messages of the class, whatever became of them.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.completed + self.unfinished + self.damaged
    }

    /// Mean completion time.
    #[must_use]
    pub fn fct_mean(&self) -> Option<Bounded> {
        let at_least = || self.fct_mean_at_least_s.map(Bounded::at_least);
        self.fct_mean_s.map(Bounded::exact).or_else(at_least)
    }

    /// A quantile of the completion times, if there is one at this probability.
    #[must_use]
    pub fn fct_at(&self, probability: f64) -> Option<Bounded> {
        bounded(&self.fct_quantiles, &self.fct_at_least_quantiles, probability)
    }

    /// A quantile of the slowdowns, if there is one at this probability.
    #[must_use]
    pub fn slowdown_at(&self, probability: f64) -> Option<Bounded> {
        bounded(&self.slowdown_quantiles, &self.slowdown_at_least_quantiles, probability)
    }
}

fn bounded(exact: &[(f64, f64)], at_least: &[(f64, f64)], probability: f64) -> Option<Bounded> {
    use crate::metrics::quantile::at;
    let bound = || at(at_least, probability).map(Bounded::at_least);
    at(exact, probability).map(Bounded::exact).or_else(bound)
}
