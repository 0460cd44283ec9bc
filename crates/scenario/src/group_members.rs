//! The groups of a scenario in the form that results need: members, membership periods and flows.

use std::ops::Range;

use setpoint_sim::NodeId;
use setpoint_units::{Time, TimeDelta};

/// A group of stations and its senders.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Group {
    /// Its name.
    pub name: String,
    /// The stations that are members at some time, in ascending order.
    pub members: Vec<Member>,
    /// Its senders, in the order of the flows.
    pub sessions: Vec<Session>,
}

/// A station that is a member of a group at some time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The station.
    pub station: NodeId,
    /// The periods of membership in order, each with its exclusive end; [`Time::MAX`] if the station stays.
    pub spans: Vec<(Time, Time)>,
}

/// The flows of one sender to a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// Its name in the scenario; with multicast, the name of its flow.
    pub name: String,
    /// The sender.
    pub source: NodeId,
    /// The indices of its flows: a single one with multicast, one for each member with multiple unicast.
    pub flows: Range<usize>,
}

impl Group {
    /// The periods with at least one member, in order and without overlap.
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

    /// The total time between two instants during which the group has at least one member.
    pub fn occupied_within(&self, from: Time, to: Time) -> TimeDelta {
        within(&self.occupied(), from, to)
    }
}

impl Member {
    /// The total time between two instants during which the station is a member.
    pub fn time_within(&self, from: Time, to: Time) -> TimeDelta {
        within(&self.spans, from, to)
    }
}

/// The part of disjoint spans that lies between two instants.
fn within(spans: &[(Time, Time)], from: Time, to: Time) -> TimeDelta {
    spans.iter().map(|&(begin, end)| end.min(to).saturating_since(begin.max(from))).sum()
}
