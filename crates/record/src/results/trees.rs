//! The spread of pauses.

use std::collections::{BTreeMap, BTreeSet};

use super::keyed::keyed;
use crate::statistics::moments::ratio;

keyed! {
    /// Congestion trees of the whole run.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct TreesSummary {
        /// Largest number of ports that were paused at the same time; whole run.
        pub widest: u32,
        /// Largest depth of a tree; whole run. 0 without pauses.
        pub deepest: u32,
        /// One entry per paused port, cause and root, the longest pauses first.
        pub pauses: Vec<PauseSummary>,
    }
}

keyed! {
    /// The pauses of one port for one cause and root.
    #[derive(Clone, Debug, PartialEq)]
    pub struct PauseSummary {
        /// The port that was asked to pause, `from->to`.
        pub port: String,
        /// The output that its frames waited for, at the bridge it feeds.
        pub cause: String,
        /// The output where the congestion began.
        pub root: String,
        /// Number of links from the port to the root's bridge: 1 if the port feeds that bridge; the largest number if
        /// there were several paths.
        pub depth: u32,
        /// Number of times it was asked to pause; whole run.
        pub pauses: u64,
        /// Total time from request to release; whole run.
        pub time_s: f64 = Seconds,
    }
}

keyed! {
    /// Ports that wait for each other in a cycle forever.
    #[derive(Clone, Debug, PartialEq)]
    pub struct DeadlockSummary {
        /// The time at which it was detected, which is the end of a sample interval.
        pub at_s: f64 = Seconds,
        /// The ports of the cycle: each is paused until the next one sends, and the last until the first does.
        pub cycle: Vec<String>,
        /// The priority that is stuck; `null` with PAUSE, which stops a whole link.
        pub priority: Option<u8>,
        /// Ports that were stuck when the run ended, in the cycle or behind it.
        pub stuck_ports: u32,
    }
}

/// The extent of congestion, and where it began.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Congestion<'a> {
    /// Ports that were paused.
    pub ports: usize,
    /// Outputs where congestion began.
    pub roots: usize,
    /// The root that caused the longest pauses, the first in case of a tie.
    pub main_root: &'a str,
    /// Its share of the total pause time.
    pub main_share: f64,
}

impl TreesSummary {
    /// The extent of congestion; none if there were no pauses.
    pub fn congestion(&self) -> Option<Congestion<'_>> {
        let ports: BTreeSet<&str> = self.pauses.iter().map(|pause| pause.port.as_str()).collect();
        let mut roots: BTreeMap<&str, f64> = BTreeMap::new();
        for pause in &self.pauses {
            *roots.entry(&pause.root).or_default() += pause.time_s;
        }
        // `max_by` returns the last of several equal elements.
        let (main_root, time) = roots.iter().rev().max_by(|a, b| a.1.total_cmp(b.1))?;
        let main_share = ratio(*time, roots.values().sum());
        Some(Congestion { ports: ports.len(), roots: roots.len(), main_root, main_share })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_main_root_is_the_first_of_those_with_the_longest_pauses() {
        let pause = |port: &str, root: &str, time_s: f64| {
            let (port, cause, root) = (port.to_owned(), root.to_owned(), root.to_owned());
            PauseSummary { port, cause, root, depth: 1, pauses: 1, time_s }
        };
        let pauses =
            vec![pause("a", "y", 3.0), pause("a", "x", 2.0), pause("b", "x", 1.0), pause("c", "z", 2.0)];
        let trees = TreesSummary { widest: 3, deepest: 1, pauses };
        let expected = Congestion { ports: 3, roots: 3, main_root: "x", main_share: 0.375 };
        assert_eq!(trees.congestion(), Some(expected));
        assert_eq!(TreesSummary::default().congestion(), None);
    }
}
