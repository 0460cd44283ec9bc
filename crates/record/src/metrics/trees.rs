//! Congestion trees and deadlocks, with port names.

use std::cmp::Reverse;

use setpoint_scenario::PortNames;
use setpoint_sim::{CongestionTrees, Deadlock, PauseCause};

use crate::results::{DeadlockSummary, PauseSummary, TreesSummary};

/// The trees of a run; pauses of equal length are in the order of the ports.
pub(super) fn summary(names: &PortNames, trees: &CongestionTrees) -> TreesSummary {
    let mut longest_first: Vec<&PauseCause> = trees.pauses.iter().collect();
    longest_first.sort_by_key(|pause| Reverse(pause.time));
    let pause = |pause: &PauseCause| PauseSummary {
        port: names.of(pause.paused).to_owned(),
        cause: names.of(pause.cause).to_owned(),
        root: names.of(pause.root).to_owned(),
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
pub(super) fn deadlock(names: &PortNames, deadlock: &Deadlock) -> DeadlockSummary {
    DeadlockSummary {
        at_s: deadlock.at.as_secs_f64(),
        cycle: deadlock.cycle.iter().map(|&port| names.of(port).to_owned()).collect(),
        priority: deadlock.priority.map(setpoint_sim::Priority::get),
        stuck_ports: deadlock.stuck,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use setpoint_sim::topology::Star;
    use setpoint_sim::{Priority, Topology};
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
        let summary =
            summary(&PortNames::of_all(&topology), &CongestionTrees { pauses, widest: 2, deepest: 1 });
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
        let summary = deadlock(
            &PortNames::of_all(&topology),
            &Deadlock { at, cycle, priority: Priority::new(3), stuck: 4 },
        );
        assert_eq!(summary.cycle, ["bridge->h1", "h1->bridge"]);
        assert_eq!((summary.at_s, summary.priority, summary.stuck_ports), (2e-3, Some(3), 4));
    }
}
