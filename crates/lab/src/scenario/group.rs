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

impl Member {
    /// For how long it is a member between two instants.
    #[must_use]
    pub fn time_within(&self, from: Time, to: Time) -> TimeDelta {
        let within = |&(begin, end): &(Time, Time)| end.min(to).saturating_since(begin.max(from));
        self.spans.iter().map(within).fold(TimeDelta::ZERO, |sum, span| sum + span)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
