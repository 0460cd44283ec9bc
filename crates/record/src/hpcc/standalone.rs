//! HPCC's standalone times, by which it divides completion times.

use std::collections::VecDeque;

use setpoint_sim::Topology;
use setpoint_sim::topology::NodeKind;
use setpoint_units::{Rate, TimeDelta};

use crate::results::TopologyView;

/// The payload of a full frame, and the headers of a frame without telemetry.
const PAYLOAD: u64 = 1_000;
const HEADERS: u64 = 48;

/// The nodes of a network with the links between them.
pub(crate) struct Paths {
    /// Whether each node forwards frames.
    forwards: Vec<bool>,
    /// The links of each node, in the order of the topology.
    links: Vec<Vec<Link>>,
}

/// A link as seen from a node.
#[derive(Clone, Copy)]
struct Link {
    to: usize,
    bits_per_second: u64,
    delay_ns: u64,
}

/// The path between two hosts, as HPCC measures it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Way {
    /// The delay of the links in one direction.
    pub(crate) delay_ns: u64,
    /// The time that a full payload takes on all links.
    transmission_ns: u64,
    /// The rate of the slowest link.
    bits_per_second: u64,
}

impl Way {
    /// The completion time on an empty network: the base round-trip time, and all bytes with their headers at the slowest link.
    pub(crate) fn standalone_ns(self, bytes: u64) -> u64 {
        let total = u128::from(bytes) + u128::from(bytes.div_ceil(PAYLOAD)) * u128::from(HEADERS);
        let bottleneck = total * 8_000_000_000 / u128::from(self.bits_per_second.max(1));
        2 * self.delay_ns + self.transmission_ns + u64::try_from(bottleneck).unwrap_or(u64::MAX / 2)
    }

    /// The time until the sender could have received the last acknowledgement, given the time until the last byte arrived,
    /// divided by the completion time on an empty network; at least 1.
    pub(crate) fn slowdown(self, bytes: u64, elapsed: TimeDelta) -> f64 {
        let acknowledged_ns = elapsed.as_picos() as f64 / 1e3 + self.delay_ns as f64;
        (acknowledged_ns / self.standalone_ns(bytes).max(1) as f64).max(1.0)
    }
}

impl Paths {
    pub(crate) fn of(topology: &Topology) -> Self {
        let forwards = topology.nodes().iter().map(|node| node.kind != NodeKind::Station);
        let mut paths = Self::of_nodes(forwards.collect());
        for link in topology.links() {
            paths.connect([link.first.index(), link.second.index()], Some(link.rate), link.delay);
        }
        paths
    }

    pub(crate) fn of_view(view: &TopologyView) -> Self {
        let mut paths = Self::of_nodes(view.nodes.iter().map(|node| node.bridge).collect());
        for link in &view.links {
            let (rate, delay) = (link.rate.parse().ok(), link.delay.parse().unwrap_or(TimeDelta::ZERO));
            paths.connect([link.first, link.second], rate, delay);
        }
        paths
    }

    fn of_nodes(forwards: Vec<bool>) -> Self {
        Self { links: vec![Vec::new(); forwards.len()], forwards }
    }

    /// Adds a link. One without a rate has an interface, but is on no path.
    fn connect(&mut self, [first, second]: [usize; 2], rate: Option<Rate>, delay: TimeDelta) {
        let bits_per_second = rate.map_or(0, Rate::bits_per_second);
        for (from, to) in [(first, second), (second, first)] {
            self.links[from].push(Link { to, bits_per_second, delay_ns: delay.as_picos() / 1_000 });
        }
    }

    /// The nodes at the other ends of a node's links, in the order of the topology.
    pub(crate) fn neighbours(&self, node: usize) -> impl Iterator<Item = usize> {
        self.links[node].iter().map(|link| link.to)
    }

    /// The paths from all nodes to a host. If there are several shortest paths, the first one found is used, as in
    /// HPCC.
    pub(crate) fn ways_to(&self, host: usize) -> Vec<Option<Way>> {
        let mut ways = vec![None; self.links.len()];
        ways[host] = Some(Way { delay_ns: 0, transmission_ns: 0, bits_per_second: u64::MAX });
        let mut waiting = VecDeque::from([host]);
        while let Some(node) = waiting.pop_front() {
            let Some(Way { delay_ns, transmission_ns, bits_per_second }) = ways[node] else { continue };
            for link in self.links[node].iter().filter(|link| link.bits_per_second > 0) {
                if ways[link.to].is_none() {
                    ways[link.to] = Some(Way {
                        delay_ns: delay_ns + link.delay_ns,
                        transmission_ns: transmission_ns + PAYLOAD * 8_000_000_000 / link.bits_per_second,
                        bits_per_second: bits_per_second.min(link.bits_per_second),
                    });
                    waiting.extend(self.forwards[link.to].then_some(link.to));
                }
            }
        }
        ways
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hpcc::example;

    fn paths() -> Paths {
        Paths::of_view(&example::view(["h0", "s0", "s1", "h1"]))
    }

    #[test]
    fn standalone_times_follow_the_formula() {
        let way = paths().ways_to(3)[0].unwrap();
        assert_eq!(
            way,
            Way { delay_ns: 3_000, transmission_ns: 320 + 80 + 320, bits_per_second: 25_000_000_000 }
        );
        // 2500 B in three frames: 2644 B on the wire, which take 846.08 ns.
        assert_eq!(way.standalone_ns(2_500), 6_000 + 720 + 846);
        assert_eq!(way.standalone_ns(1_000), 6_000 + 720 + 335);
    }

    #[test]
    fn slowdowns_include_the_return_path_and_are_at_least_one() {
        let way = paths().ways_to(3)[0].unwrap();
        // 12 132 ns and the return path of 3000 ns, twice 7566 ns.
        assert_eq!(way.slowdown(2_500, TimeDelta::from_nanos(12_132)), 2.0);
        assert_eq!(way.slowdown(2_500, TimeDelta::from_nanos(4_000)), 1.0);
    }
}
