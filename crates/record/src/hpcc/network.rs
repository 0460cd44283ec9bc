//! The network with HPCC's numbers.

use std::collections::HashMap;
use std::fmt::Write;

use super::standalone::{Paths, Way};
use crate::results::TopologyView;

/// The nodes and links of a run.
pub(super) struct Network {
    names: Vec<String>,
    is_bridge: Vec<bool>,
    /// HPCC's number of each node.
    numbers: Vec<u64>,
    indices: HashMap<String, usize>,
    paths: Paths,
}

impl Network {
    pub(super) fn of(view: &TopologyView) -> Self {
        let names: Vec<String> = view.nodes.iter().map(|node| node.name.clone()).collect();
        let is_bridge: Vec<bool> = view.nodes.iter().map(|node| node.bridge).collect();
        let paths = Paths::of_view(view);
        let indices = names.iter().cloned().zip(0..).collect();
        let numbers = own_numbers(&names).unwrap_or_else(|| in_order(&is_bridge));
        Self { names, is_bridge, numbers, indices, paths }
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
        let leads = |(index, end)| (end == to).then_some(index + 1);
        self.paths.neighbours(from).enumerate().filter_map(leads).nth(nth)
    }

    /// The paths from all nodes to a host.
    pub(super) fn ways_to(&self, host: usize) -> Vec<Option<Way>> {
        self.paths.ways_to(host)
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
    use crate::hpcc::example;

    fn network(names: [&str; 4]) -> Network {
        Network::of(&example::view(names))
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
