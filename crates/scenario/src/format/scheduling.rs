//! The tables that define how ports choose among priorities.

use super::declare::{kinds, tables};
use super::no_keys::NoKeys;

/// Maximum weight of a priority, which allows shares in hundredths of a percent.
const MAX_WEIGHT: u64 = 10_000;

kinds! {
    /// How ports choose among priorities.
    pub(crate) enum Scheduling {
        /// Strict priority: of the priorities that have frames to send, the highest is served first.
        "strict" => Strict(NoKeys),
        /// Enhanced transmission selection (IEEE 802.1Qaz) at the ports of bridges and stations, with each priority as a
        /// traffic class of its own. Bandwidth that a priority does not use is available to the others. Stations and
        /// bridges send replies of receivers, PAUSE and PFC frames before all others. Needs output-queued bridges.
        "ets" => Ets(Ets),
    }
}

tables! {
    /// The weights of priorities.
    pub(crate) struct Ets {
        /// Weight of priority 0. The priorities with weights divide the bandwidth that strict priorities leave, in proportion to
        /// their weights, counted with preamble and gap. A priority without a weight is strict and is served before them.
        priority_0: Option<u32> [1..=MAX_WEIGHT], "strict";
        /// Weight of priority 1.
        priority_1: Option<u32> [1..=MAX_WEIGHT], "strict";
        /// Weight of priority 2.
        priority_2: Option<u32> [1..=MAX_WEIGHT], "strict";
        /// Weight of priority 3.
        priority_3: Option<u32> [1..=MAX_WEIGHT], "strict";
        /// Weight of priority 4.
        priority_4: Option<u32> [1..=MAX_WEIGHT], "strict";
        /// Weight of priority 5.
        priority_5: Option<u32> [1..=MAX_WEIGHT], "strict";
        /// Weight of priority 6.
        priority_6: Option<u32> [1..=MAX_WEIGHT], "strict";
        /// Weight of priority 7.
        priority_7: Option<u32> [1..=MAX_WEIGHT], "strict";
    }
}

impl Ets {
    /// The weights of all priorities, beginning with priority 0.
    pub(crate) fn weights(&self) -> [Option<u32>; 8] {
        [
            *self.priority_0,
            *self.priority_1,
            *self.priority_2,
            *self.priority_3,
            *self.priority_4,
            *self.priority_5,
            *self.priority_6,
            *self.priority_7,
        ]
    }
}
