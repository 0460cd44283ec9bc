//! Shortest paths; among equal ones the choice falls by a hash of the flow or group, the place and the seed.

mod route;
mod tree;

use std::collections::VecDeque;

use crate::ids::{FlowId, GroupId, NodeId, PortId};
use crate::random::mix;
use crate::topology::{NodeKind, Topology};

pub use route::paths;
pub(crate) use route::{Route, ever_members, is_inside, routes};

/// Distances to one destination, and with them the way there.
#[derive(Clone, Debug)]
pub(crate) struct RoutesTo {
    /// Hops to the destination, by node; none where it cannot be reached.
    distance: Vec<Option<u32>>,
}

/// The ports that leave each node, in ascending order.
pub(crate) fn ports_by_node(topology: &Topology) -> Vec<Vec<PortId>> {
    let mut ports = vec![Vec::new(); topology.nodes().len()];
    for port in topology.ports() {
        ports[topology.source(port).index()].push(port);
    }
    ports
}

impl RoutesTo {
    /// A breadth-first search from the destination. Stations do not forward. Links lead both ways, so it is as far
    /// there as back.
    pub(crate) fn new(topology: &Topology, leaving: &[Vec<PortId>], destination: NodeId) -> Self {
        Self { distance: distances_from(topology, leaving, destination) }
    }

    /// The ports from a source to the destination; none if there is no way.
    pub(crate) fn path(
        &self,
        topology: &Topology,
        leaving: &[Vec<PortId>],
        source: NodeId,
        choice: Choice,
    ) -> Option<Vec<PortId>> {
        let mut path = Vec::new();
        let mut node = source;
        let mut left = self.distance[source.index()]?;
        while left > 0 {
            let nearer = |port: &&PortId| self.distance[topology.target(**port).index()] == Some(left - 1);
            let equal: Vec<PortId> = leaving[node.index()].iter().filter(nearer).copied().collect();
            let port = equal[choice.among(equal.len(), node)];
            path.push(port);
            node = topology.target(port);
            left -= 1;
        }
        Some(path)
    }
}

/// Which of several equal ports is taken: it depends on the seed, the flow or group and the node alone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    seed: u64,
    /// Flows count up, groups count down from the largest number.
    traveller: u32,
}

impl Choice {
    pub(crate) fn of_flow(seed: u64, flow: FlowId) -> Self {
        Self { seed, traveller: flow.0 }
    }

    pub(crate) fn of_group(seed: u64, group: GroupId) -> Self {
        Self { seed, traveller: !group.0 }
    }

    fn among(self, count: usize, node: NodeId) -> usize {
        let hash = mix(self.seed ^ mix(u64::from(self.traveller) << 32 | u64::from(node.0)));
        ((u128::from(hash) * count as u128) >> 64) as usize
    }
}

/// Hops from a node, by node; none where there is no way. Stations do not forward.
fn distances_from(topology: &Topology, leaving: &[Vec<PortId>], source: NodeId) -> Vec<Option<u32>> {
    let mut distance = vec![None; topology.nodes().len()];
    distance[source.index()] = Some(0);
    let mut reached = VecDeque::from([(source, 0)]);
    while let Some((node, hops)) = reached.pop_front() {
        for &port in &leaving[node.index()] {
            let neighbour = topology.target(port);
            if distance[neighbour.index()].is_none() {
                distance[neighbour.index()] = Some(hops + 1);
                if topology.node_at(neighbour).kind != NodeKind::Station {
                    reached.push_back((neighbour, hops + 1));
                }
            }
        }
    }
    distance
}
