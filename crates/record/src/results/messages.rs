//! Messages.
//!
//! Every message in the measurement interval counts. For a message that was not completed, only a lower bound on the
//! completion time is known, so a mean or quantile that depends on it is also a lower bound: it has its own key
//! (`…_at_least…`), and [`Bounded`] carries both kinds.

use serde::{Deserialize, Serialize};
use setpoint_units::quantity::Bounded;

use super::keyed::{Keyed, keyed};

keyed! {
    /// Message completion.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct MessageSummary {
        /// Messages delivered in full; whole run.
        pub completed: u64,
        /// Messages still under way at the end, or cut off when their flow was stopped; whole run.
        pub unfinished: u64,
        /// Messages that lost a frame; whole run.
        pub damaged: u64,
        /// Messages of all sizes that were offered before `measure_from_s` and belong to no class. Omitted if there are
        /// none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub offered_before: Option<MessageClass>,
        /// Number of messages that were offered at or after `measure_messages_until_s` and belong to no class. Omitted
        /// if there are none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub offered_after: Option<u64>,
        /// Messages offered in the measurement interval, from `measure_from_s` until `measure_messages_until_s` or the
        /// end: all sizes together, then one entry per size class.
        pub classes: Vec<MessageClass>,
    }
}

impl MessageSummary {
    /// The messages by which a run is judged: those offered in the measurement interval or, if there are none, those
    /// offered before it. None if there are no messages.
    pub fn judged(&self) -> Option<&MessageClass> {
        self.measured().or(self.offered_before.as_ref()).filter(|class| class.count() > 0)
    }

    /// Messages offered in the measurement interval, if there are any.
    pub fn measured(&self) -> Option<&MessageClass> {
        self.classes.first().filter(|class| class.count() > 0)
    }

    /// Messages offered before the measurement interval, if the run is not judged by them.
    pub fn early(&self) -> Option<&MessageClass> {
        self.measured().and(self.offered_before.as_ref())
    }
}

keyed! {
    /// Messages of one size class.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct MessageClass {
        /// Smallest size, inclusive; `null` for no bound.
        pub from_bytes: Option<u64> = Bytes,
        /// Largest size, exclusive; `null` for no bound.
        pub to_bytes: Option<u64> = Bytes,
        /// Messages delivered in full.
        pub completed: u64,
        /// Messages still under way at the end, or cut off.
        pub unfinished: u64,
        /// Messages that lost a frame.
        pub damaged: u64,
        /// Messages that waited for earlier messages of their own flow.
        #[serde(default)]
        pub waited: u64,
        /// The part of the messages' time, from offer to completion or to the end of the run, that they spent waiting for
        /// earlier messages of their own flow.
        #[serde(default)]
        pub waited_share: f64 = Share,
        /// Mean completion time; `null` unless all messages were completed.
        pub fct_mean_s: Option<f64> = Seconds,
        /// Lower bound on the mean. Omitted if all messages were completed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub fct_mean_at_least_s: Option<f64> = Seconds,
        /// Quantiles of the completion time that are known to 1 %, as pairs of probability and time.
        pub fct_quantiles: Vec<(f64, f64)> = Seconds,
        /// Lower bounds on the other quantiles, which depend on messages that were not completed. Omitted if there are
        /// none.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub fct_at_least_quantiles: Vec<(f64, f64)> = Seconds,
        /// Quantiles of the slowdown that are known to 1 %, as pairs of probability and slowdown.
        pub slowdown_quantiles: Vec<(f64, f64)>,
        /// Lower bounds on the other quantiles of the slowdown. Omitted if there are none.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub slowdown_at_least_quantiles: Vec<(f64, f64)>,
    }
}

/// How a message ended, as in the table of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MessageState {
    /// Delivered in full.
    Completed,
    /// Still in progress at the end, or cut off when its flow was stopped.
    Unfinished,
    /// It lost a frame.
    Damaged,
}

impl MessageState {
    /// All states.
    pub const ALL: [Self; 3] = [Self::Completed, Self::Unfinished, Self::Damaged];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Unfinished => "unfinished",
            Self::Damaged => "damaged",
        }
    }
}

/// Message sizes, as classified in the literature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MessageSize {
    /// Below 100 kB.
    Short,
    /// From 100 kB to 10 MB.
    Medium,
    /// 10 MB or more.
    Large,
}

impl Keyed for MessageSize {}

impl MessageSize {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Short => "short",
            Self::Medium => "medium",
            Self::Large => "large",
        }
    }
}

keyed! {
    /// Short, medium or large messages.
    #[derive(Clone, Debug, PartialEq)]
    pub struct SizeClass {
        /// `short` (below 100 kB), `medium` (100 kB to 10 MB) or `large` (10 MB or more).
        pub size: MessageSize,
        /// The messages of these sizes by which the run is judged.
        pub messages: MessageClass,
    }
}

impl MessageClass {
    /// All messages of the class, completed or not.
    pub const fn count(&self) -> u64 {
        self.completed + self.unfinished + self.damaged
    }

    /// Messages that were not completed.
    pub const fn not_completed(&self) -> u64 {
        self.unfinished + self.damaged
    }

    /// Mean completion time.
    pub fn fct_mean(&self) -> Option<Bounded> {
        let at_least = || self.fct_mean_at_least_s.map(Bounded::at_least);
        self.fct_mean_s.map(Bounded::exact).or_else(at_least)
    }

    /// A quantile of the completion times, if there is one at this probability.
    pub fn fct_at(&self, probability: f64) -> Option<Bounded> {
        bounded(&self.fct_quantiles, &self.fct_at_least_quantiles, probability)
    }

    /// A quantile of the slowdowns, if there is one at this probability.
    pub fn slowdown_at(&self, probability: f64) -> Option<Bounded> {
        bounded(&self.slowdown_quantiles, &self.slowdown_at_least_quantiles, probability)
    }

    /// The 99th percentile of the completion times; `None` for a single message.
    pub fn fct_tail(&self) -> Option<Bounded> {
        self.fct_at(0.99).filter(|_| self.count() > 1)
    }

    /// The 99th percentile of the slowdowns; `None` for a single message.
    pub fn slowdown_tail(&self) -> Option<Bounded> {
        self.slowdown_at(0.99).filter(|_| self.count() > 1)
    }
}

/// The value at a probability: a known one or a lower bound.
pub(super) fn bounded(exact: &[(f64, f64)], at_least: &[(f64, f64)], probability: f64) -> Option<Bounded> {
    use crate::statistics::quantile::at;
    let bound = || at(at_least, probability).map(Bounded::at_least);
    at(exact, probability).map(Bounded::exact).or_else(bound)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_message_has_no_tail() {
        let quantiles = vec![(0.5, 1e-3), (0.99, 2e-3)];
        let class = |completed| MessageClass {
            completed,
            fct_quantiles: quantiles.clone(),
            slowdown_quantiles: quantiles.clone(),
            ..MessageClass::default()
        };
        let tails = |completed| (class(completed).fct_tail(), class(completed).slowdown_tail());
        assert_eq!(tails(1), (None, None));
        assert_eq!(tails(2), (Some(Bounded::exact(2e-3)), Some(Bounded::exact(2e-3))));
    }
}
