//! Congestion trees and deadlocks, with the names of ports.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use setpoint_sim::{CongestionTrees, Deadlock, PauseCause, PortId, Topology};

use crate::results::{DeadlockSummary, PauseSummary, TreesSummary};

/// The trees of a run; of pauses that took equally long the order is that of the ports.
pub(super) fn summary(topology: &Topology, trees: &CongestionTrees) -> TreesSummary {
    let mut names = Names { topology, known: BTreeMap::new() };
    let mut longest_first: Vec<&PauseCause> = trees.pauses.iter().collect();
    longest_first.sort_by_key(|pause| Reverse(pause.time));
    let pause = |pause: &PauseCause| PauseSummary {
        port: names.of(pause.paused),
        cause: names.of(pause.cause),
        root: names.of(pause.root),
        depth: pause.depth,
        pauses: pause.pauses,
        time_s: pause.time.as_secs_f64(),
    };
    TreesSummary {
        widest: trees.widest,
        deepest: trees.deepest,
        pauses: longest_first.into_iter().map(pause).collect(),
    }
}

/// A deadlock.
pub(super) fn deadlock(topology: &Topology, deadlock: &Deadlock) -> DeadlockSummary {
    DeadlockSummary {
        at_s: deadlock.at.as_secs_f64(),
        cycle: deadlock.cycle.iter().map(|&port| topology.port_name(port)).collect(),
        priority: deadlock.priority.map(setpoint_sim::Priority::get),
        stuck_ports: deadlock.stuck,
    }
}

/// The name of a port takes a look at all ports, and trees name few of them often.
struct Names<'a> {
    topology: &'a Topology,
    known: BTreeMap<PortId, String>,
}

impl Names<'_> {
    fn of(&mut self, port: PortId) -> String {
        self.known.entry(port).or_insert_with(|| self.topology.port_name(port)).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use setpoint_sim::Priority;
    use setpoint_sim::topology::Star;
    use setpoint_units::{Rate, Time, TimeDelta};

    fn star() -> Topology {
        Star { stations: 3, rate: Rate::from_gbps(10), delay: TimeDelta::ZERO }.build()
    }

    #[test]
    fn the_longest_pauses_come_first_and_ports_have_their_names() {
        let topology = star();
        let port = |name| topology.find_port(name).unwrap();
        let pause = |paused, micros| PauseCause {
            paused: port(paused),
            cause: port("bridge->h3"),
            root: port("bridge->h3"),
            depth: 1,
            pauses: 7,
            time: TimeDelta::from_micros(micros),
        };
        let pauses = vec![pause("h1->bridge", 20), pause("h2->bridge", 30)];
        let summary = summary(&topology, &CongestionTrees { pauses, widest: 2, deepest: 1 });
        let named: Vec<_> =
            summary.pauses.iter().map(|pause| (&*pause.port, &*pause.cause, pause.time_s)).collect();
        assert_eq!(named, [("h2->bridge", "bridge->h3", 30e-6), ("h1->bridge", "bridge->h3", 20e-6)]);
    }

    #[test]
    fn a_deadlock_names_its_cycle() {
        let topology = star();
        let cycle =
            vec![topology.find_port("bridge->h1").unwrap(), topology.find_port("h1->bridge").unwrap()];
        let at = Time::ZERO + TimeDelta::from_millis(2);
        let told = deadlock(&topology, &Deadlock { at, cycle, priority: Priority::new(3), stuck: 4 });
        assert_eq!(told.cycle, ["bridge->h1", "h1->bridge"]);
        assert_eq!((told.at_s, told.priority, told.stuck_ports), (2e-3, Some(3), 4));
    }
}
