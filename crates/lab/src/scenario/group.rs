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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_is_occupied_while_anybody_is_in_it() {
        let at = Time::from_picos;
        let member = |spans: &[(u64, u64)]| Member {
            station: NodeId(1),
            spans: spans.iter().map(|&(begin, end)| (at(begin), at(end))).collect(),
        };
        let members = vec![member(&[(10, 20), (50, 60)]), member(&[(15, 30)]), member(&[(30, 40)])];
        let group = Group { members, ..Group::default() };
        assert_eq!(group.occupied(), [(at(10), at(40)), (at(50), at(60))]);
        assert_eq!(group.occupied_within(at(35), at(55)).as_picos(), 10);
    }

    #[test]
    fn membership_is_counted_within_bounds() {
        let at = Time::from_picos;
        let member = Member { station: NodeId(1), spans: vec![(at(10), at(20)), (at(30), Time::MAX)] };
        let within = |from, to| member.time_within(at(from), at(to)).as_picos();
        assert_eq!(within(0, 40), 20);
        assert_eq!(within(12, 18), 6);
        assert_eq!(within(20, 30), 0);
        assert_eq!(within(15, 35), 10);
        assert_eq!(within(0, 5), 0);
    }
}
