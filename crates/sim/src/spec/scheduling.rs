//! How ports choose among priorities.

use std::num::NonZeroU16;

use crate::ids::{Priority, PrioritySet};

/// How the ports of bridges and stations choose among the priorities that have frames to send. PAUSE and PFC frames always
/// come first, and so do the replies that a station sends as a receiver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scheduling {
    /// Strict priority (IEEE 802.1Q, 8.6.8.1): the highest priority first.
    #[default]
    Strict,
    /// Enhanced transmission selection (IEEE 802.1Q, 8.6.8.3 and clause 37).
    Ets(Ets),
}

/// Enhanced transmission selection, with each priority as a traffic class of its own. Strict priorities come first, in
/// descending order. The weighted priorities divide the remaining bandwidth in proportion to their weights; bandwidth that one
/// of them does not use is available to the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ets {
    weights: [Option<NonZeroU16>; Priority::COUNT],
}

impl Ets {
    /// A copy with a weight for one more priority. Priorities without a weight are strict.
    #[must_use]
    pub const fn with(mut self, priority: Priority, weight: NonZeroU16) -> Self {
        self.weights[priority.index()] = Some(weight);
        self
    }

    /// The weight of a priority, or `None` if it is strict.
    pub const fn weight(&self, priority: Priority) -> Option<NonZeroU16> {
        self.weights[priority.index()]
    }

    /// The priorities with weights.
    pub fn weighted(&self) -> PrioritySet {
        let all = (0..Priority::COUNT as u8).filter_map(Priority::new);
        all.filter(|priority| self.weight(*priority).is_some()).fold(PrioritySet::NONE, PrioritySet::with)
    }
}
