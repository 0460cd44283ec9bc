//! The times at which ports were paused, in a run that records them or in which messages wait for other messages.

use std::collections::BTreeMap;

use setpoint_units::{Time, TimeDelta};

use crate::ids::PortId;

/// For each port that was ever paused, the changes of the paused classes.
#[derive(Clone, Debug, Default)]
pub(in crate::network) struct Holds {
    /// Whether anything is recorded.
    records: bool,
    ports: BTreeMap<PortId, Vec<(Time, u8)>>,
}

impl Holds {
    /// A record without any pause, which remains so unless `records`.
    pub(in crate::network) fn new(records: bool) -> Self {
        Self { records, ports: BTreeMap::new() }
    }

    /// Records that the paused classes of a port have changed.
    pub(in crate::network) fn hold(&mut self, at: Time, port: PortId, classes: u8) {
        if self.records {
            self.ports.entry(port).or_default().push((at, classes));
        }
    }

    /// The time for which a class of a port was paused in an interval.
    pub(in crate::network) fn within(&self, port: PortId, class: u8, from: Time, until: Time) -> TimeDelta {
        let Some(changes) = self.ports.get(&port) else { return TimeDelta::ZERO };
        let first = changes.partition_point(|(at, _)| *at <= from).saturating_sub(1);
        let mut held = TimeDelta::ZERO;
        for (place, (at, classes)) in changes.iter().enumerate().skip(first) {
            if *at >= until {
                break;
            }
            if classes & (1 << class) != 0 {
                let end = changes.get(place + 1).map_or(until, |(next, _)| (*next).min(until));
                held += end.saturating_since((*at).max(from));
            }
        }
        held
    }

    /// The changes of all ports: the port, the time and the classes that are paused from then on.
    pub(in crate::network) fn changes(&self) -> impl Iterator<Item = (PortId, Time, u8)> {
        let of_port = |(port, changes): (&PortId, &Vec<(Time, u8)>)| {
            let port = *port;
            changes.iter().map(move |(at, classes)| (port, *at, *classes)).collect::<Vec<_>>()
        };
        self.ports.iter().flat_map(of_port)
    }

    /// Bytes on the heap.
    pub(in crate::network) fn heap_bytes(&self) -> usize {
        self.ports.values().map(|changes| changes.capacity() * size_of::<(Time, u8)>()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_time_in_the_interval_counts() {
        let at = |nanos| Time::ZERO + TimeDelta::from_nanos(nanos);
        let mut holds = Holds::new(true);
        let port = PortId(3);
        for (nanos, classes) in [(10, 0b10), (20, 0b11), (30, 0b01), (50, 0b00), (70, 0b10)] {
            holds.hold(at(nanos), port, classes);
        }
        let within = |class, from, until| holds.within(port, class, at(from), at(until)).as_picos() / 1_000;
        assert_eq!(within(1, 0, 100), 20 + 30);
        assert_eq!(within(0, 0, 100), 30);
        assert_eq!(within(1, 15, 25), 10);
        assert_eq!(within(1, 30, 70), 0);
        assert_eq!(within(0, 25, 26), 1);
        assert_eq!(within(1, 80, 90), 10);
        assert_eq!(holds.within(PortId(4), 1, at(0), at(100)), TimeDelta::ZERO);
    }
}
