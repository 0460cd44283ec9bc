//! Groups of a scenario, as results need them: who receives when, and which flows carry it.

use std::ops::Range;

use setpoint_sim::NodeId;
use setpoint_units::{Time, TimeDelta};

/// A group of stations and those who send to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Group {
    /// Its name.
    pub name: String,
    /// The stations that are members at any time, in ascending order.
    pub members: Vec<Member>,
    /// Who sends to it, in the order of the flows.
    pub sessions: Vec<Session>,
}

/// A station that is a member of a group at some time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The station.
    pub station: NodeId,
    /// When it is a member: from, and to (exclusive), in order; [`Time::MAX`] for one that stays.
    pub spans: Vec<(Time, Time)>,
}

/// What one sender sends to a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// Its name in the scenario, which is that of its flow with multicast.
    pub name: String,
    /// The sender.
    pub source: NodeId,
    /// Its flows, by index: a single one with multicast, and with multiple unicast one for each of the members, in
    /// their order.
    pub flows: Range<usize>,
}

impl Group {
    /// When it has a member at least, in order and without overlap.
    #[must_use]
    pub fn occupied(&self) -> Vec<(Time, Time)> {
        let mut spans: Vec<(Time, Time)> =
            self.members.iter().flat_map(|member| member.spans.iter().copied()).collect();
        spans.sort_unstable();
        let mut occupied: Vec<(Time, Time)> = Vec::new();
        for (begin, end) in spans {
            match occupied.last_mut() {
                Some((_, last)) if begin <= *last => *last = end.max(*last),
                _ => occupied.push((begin, end)),
            }
        }
        occupied
    }

    /// For how long it has a member at least between two instants.
    #[must_use]
    pub fn occupied_within(&self, from: Time, to: Time) -> TimeDelta {
        within(&self.occupied(), from, to)
    }
}

impl Member {
    /// For how long it is a member between two instants.
    #[must_use]
    pub fn time_within(&self, from: Time, to: Time) -> TimeDelta {
        within(&self.spans, from, to)
    }
}

/// How much of spans that do not overlap lies between two instants.
fn within(spans: &[(Time, Time)], from: Time, to: Time) -> TimeDelta {
    spans.iter().map(|&(begin, end)| end.min(to).saturating_since(begin.max(from))).sum()
}
