//! The network with HPCC's numbers, and its standalone times.

use std::collections::{HashMap, VecDeque};
use std::fmt::Write;

use setpoint_units::{Rate, TimeDelta};

use crate::results::TopologyView;

/// The payload of a full frame, and the headers of a frame without telemetry.
const PAYLOAD: u64 = 1_000;
const HEADERS: u64 = 48;

/// The nodes and links of a run.
pub(super) struct Network {
    names: Vec<String>,
    is_bridge: Vec<bool>,
    /// HPCC's number of each node.
    numbers: Vec<u64>,
    indices: HashMap<String, usize>,
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
pub(super) struct Way {
    /// The delay of the links in one direction.
    pub(super) delay_ns: u64,
    /// The time that a full payload takes on all links.
    transmission_ns: u64,
    /// The rate of the slowest link.
    bits_per_second: u64,
}

impl Way {
    /// The completion time on an empty network: the base round-trip time, and all bytes with their headers at the slowest link.
    pub(super) fn standalone_ns(self, bytes: u64) -> u64 {
        let total = u128::from(bytes) + u128::from(bytes.div_ceil(PAYLOAD)) * u128::from(HEADERS);
        let bottleneck = total * 8_000_000_000 / u128::from(self.bits_per_second.max(1));
        2 * self.delay_ns + self.transmission_ns + u64::try_from(bottleneck).unwrap_or(u64::MAX / 2)
    }
}

impl Network {
    pub(super) fn of(view: &TopologyView) -> Self {
        let names: Vec<String> = view.nodes.iter().map(|node| node.name.clone()).collect();
        let is_bridge: Vec<bool> = view.nodes.iter().map(|node| node.bridge).collect();
        let mut links = vec![Vec::new(); names.len()];
        for link in &view.links {
            let rate = link.rate.parse::<Rate>().map_or(0, Rate::bits_per_second);
            let delay = link.delay.parse::<TimeDelta>().map_or(0, |delay| delay.as_picos() / 1_000);
            for (from, to) in [(link.first, link.second), (link.second, link.first)] {
                links[from].push(Link { to, bits_per_second: rate, delay_ns: delay });
            }
        }
        let indices = names.iter().cloned().zip(0..).collect();
        let numbers = own_numbers(&names).unwrap_or_else(|| in_order(&is_bridge));
        Self { names, is_bridge, numbers, indices, links }
    }

    pub(super) fn index(&self, name: &str) -> Option<usize> {
        self.indices.get(name).copied()
    }

    /// HPCC's number of a node.
    pub(super) fn number(&self, node: usize) -> u64 {
        self.numbers[node]
    }

    /// The address that HPCC gives to a node.
    pub(super) fn address(&self, node: usize) -> u64 {
        let number = self.numbers[node];
        (0x0b00_0001 + number / 256 * 0x1_0000 + number % 256 * 0x100) & 0xffff_ffff
    }

    pub(super) fn is_bridge(&self, node: usize) -> bool {
        self.is_bridge[node]
    }

    /// The number of the interface that leads from a node to a neighbour; the first has the number 1. `nth` counts parallel links
    /// from 0.
    pub(super) fn interface(&self, from: usize, to: usize, nth: usize) -> Option<usize> {
        let leads = |(index, link): (usize, &Link)| (link.to == to).then_some(index + 1);
        self.links[from].iter().enumerate().filter_map(leads).nth(nth)
    }

    /// The paths from all nodes to a host. If there are several shortest paths, the first one found is used, as in
    /// HPCC.
    pub(super) fn ways_to(&self, host: usize) -> Vec<Option<Way>> {
        let mut ways = vec![None; self.names.len()];
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
                    // Hosts forward nothing.
                    waiting.extend(self.is_bridge[link.to].then_some(link.to));
                }
            }
        }
        ways
    }

    /// A line for each node: its number and its name.
    pub(super) fn list(&self) -> String {
        let mut lines: Vec<(u64, &String)> = self.numbers.iter().copied().zip(&self.names).collect();
        lines.sort_unstable();
        lines.iter().fold(String::new(), |mut text, (number, name)| {
            let _ = writeln!(text, "{number} {name}");
            text
        })
    }
}

/// The numbers in names such as h0 and s320, which imported networks have; none unless all nodes have different ones.
fn own_numbers(names: &[String]) -> Option<Vec<u64>> {
    let number = |name: &String| name.strip_prefix(['h', 's'])?.parse::<u32>().ok().map(u64::from);
    let numbers: Vec<u64> = names.iter().map(number).collect::<Option<_>>()?;
    let mut sorted = numbers.clone();
    sorted.sort_unstable();
    sorted.windows(2).all(|pair| pair[0] != pair[1]).then_some(numbers)
}

/// Numbers for hosts, and then for switches.
fn in_order(is_bridge: &[bool]) -> Vec<u64> {
    let hosts = is_bridge.iter().filter(|is_bridge| !**is_bridge).count() as u64;
    let mut next = [0, hosts];
    let number = |is_bridge: &bool| {
        let next = &mut next[usize::from(*is_bridge)];
        *next += 1;
        *next - 1
    };
    is_bridge.iter().map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::{LinkView, NodeView};

    /// Two hosts at 25 Gb/s under two switches, which are connected at 100 Gb/s.
    fn network(names: [&str; 4]) -> Network {
        let node =
            |(name, bridge): (&str, bool)| NodeView { name: name.to_owned(), bridge, spine: false, layer: 0 };
        let link = |first, second, rate: &str, delay: &str| LinkView {
            first,
            second,
            rate: rate.to_owned(),
            delay: delay.to_owned(),
            utilisation_share: None,
            paused_share: 0.0,
        };
        Network::of(&TopologyView {
            nodes: names.into_iter().zip([false, true, true, false]).map(node).collect(),
            links: vec![
                link(0, 1, "25 Gb/s", "1 µs"),
                link(1, 2, "100 Gb/s", "1.5 µs"),
                link(2, 3, "25 Gb/s", "500 ns"),
                link(2, 1, "100 Gb/s", "1.5 µs"),
            ],
        })
    }

    #[test]
    fn standalone_times_follow_the_formula() {
        let network = network(["a", "x", "y", "b"]);
        let way = network.ways_to(3)[0].unwrap();
        assert_eq!(
            way,
            Way { delay_ns: 3_000, transmission_ns: 320 + 80 + 320, bits_per_second: 25_000_000_000 }
        );
        // 2500 B in three frames: 2644 B on the wire, which take 846.08 ns.
        assert_eq!(way.standalone_ns(2_500), 6_000 + 720 + 846);
        assert_eq!(way.standalone_ns(1_000), 6_000 + 720 + 335);
    }

    #[test]
    fn nodes_keep_their_numbers() {
        let own = network(["h7", "s300", "s20", "h0"]);
        assert_eq!(own.list(), "0 h0\n7 h7\n20 s20\n300 s300\n");
        assert_eq!((own.address(0), own.address(1)), (0x0b00_0701, 0x0b01_2c01));
        let other = network(["h7", "s7", "y", "b"]);
        assert_eq!(other.list(), "0 h7\n1 b\n2 s7\n3 y\n");
        assert_eq!(other.interface(1, 2, 0), Some(2));
        assert_eq!(other.interface(2, 1, 1), Some(3));
        assert_eq!(other.interface(0, 2, 0), None);
    }
}
