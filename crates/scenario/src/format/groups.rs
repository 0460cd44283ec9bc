//! Groups of stations that receive the same frames.

use super::declare::{choice, tables};
use super::values::Names;
use crate::limits::MAX_NODES;

tables! {
    pub(crate) struct Group {
        /// Name of the group.
        name: Option<String>, "g1, g2, … in file order";
        /// Stations that are members from the start: a name, a pattern or a list, as in `flows.from`. Stations can join
        /// and leave later: see `at`.
        members: Option<Names>, "the stations that join";
        /// Number of members, taken from the beginning of `members`.
        size: Option<usize> [1..=MAX_NODES], "all of them";
    }
}

/// How the frames of a flow to a group reach its members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GroupDelivery {
    /// Sent once, and copied by bridges where paths diverge.
    Multicast,
    /// Sent once for each member, as separate flows.
    MultipleUnicast,
}

choice!(GroupDelivery { "multicast" => Multicast, "multiple-unicast" => MultipleUnicast });
