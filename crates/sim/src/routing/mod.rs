//! Shortest paths; among equal ones the choice falls by a hash of the flow or group, the place and the seed.

mod route;
mod tree;

use std::collections::VecDeque;

use crate::ids::{FlowId, GroupId, NodeId, PortId};
use crate::random::mix;
use crate::topology::{NodeKind, Topology};

pub use route::paths;
pub(crate) use route::{Route, ever_members, is_inside, routes};

/// The links of a topology, as paths are searched for.
#[derive(Clone, Debug)]
pub(crate) struct Neighbours<'a> {
    topology: &'a Topology,
    /// By node: the ports that lead to nodes that forward, in ascending order.
    forwarding: Vec<Vec<PortId>>,
    /// By node: its first port. A station has no other.
    own: Vec<Option<PortId>>,
}

impl<'a> Neighbours<'a> {
    pub(crate) fn new(topology: &'a Topology) -> Self {
        let nodes = topology.nodes().len();
        let (mut forwarding, mut own) = (vec![Vec::new(); nodes], vec![None; nodes]);
        for port in topology.ports() {
            let from = topology.source(port).index();
            own[from].get_or_insert(port);
            if topology.node_at(topology.target(port)).kind != NodeKind::Station {
                forwarding[from].push(port);
            }
        }
        Self { topology, forwarding, own }
    }

    /// The port of a station.
    pub(crate) fn port_of(&self, station: NodeId) -> Option<PortId> {
        self.own[station.index()]
    }

    /// The node at the other end of a station's link: what is true of the way to it is true of the way to the station.
    pub(crate) fn before(&self, station: NodeId) -> Option<NodeId> {
        self.own[station.index()].map(|port| self.topology.target(port))
    }
}

/// Distances to one destination, and with them the way there.
#[derive(Clone, Debug)]
pub(crate) struct RoutesTo {
    /// Hops to the destination, by node that forwards; [`FAR`] for stations and where it cannot be reached.
    distance: Vec<u32>,
}

/// No way.
const FAR: u32 = u32::MAX;

impl RoutesTo {
    /// A breadth-first search from the destination, over nodes that forward. Links lead both ways, so it is as far there
    /// as back.
    pub(crate) fn new(neighbours: &Neighbours<'_>, destination: NodeId) -> Self {
        let mut distance = vec![FAR; neighbours.forwarding.len()];
        distance[destination.index()] = 0;
        let mut reached = VecDeque::from([destination]);
        while let Some(node) = reached.pop_front() {
            for &port in &neighbours.forwarding[node.index()] {
                let neighbour = neighbours.topology.target(port);
                if distance[neighbour.index()] == FAR {
                    distance[neighbour.index()] = distance[node.index()] + 1;
                    reached.push_back(neighbour);
                }
            }
        }
        Self { distance }
    }

    /// Appends the ports from a node to the destination to a path; none if there is no way.
    pub(crate) fn extend(
        &self,
        path: &mut Vec<PortId>,
        neighbours: &Neighbours<'_>,
        mut node: NodeId,
        choice: Choice,
    ) -> Option<()> {
        let distance = |port: &PortId| self.distance[neighbours.topology.target(*port).index()];
        let mut left = self.distance[node.index()];
        if left == FAR {
            return None;
        }
        while left > 0 {
            left -= 1;
            let nearer = || neighbours.forwarding[node.index()].iter().filter(|port| distance(port) == left);
            let port = *nearer().nth(choice.among(nearer().count(), node))?;
            path.push(port);
            node = neighbours.topology.target(port);
        }
        Some(())
    }
}

/// The ports that leave each node, in ascending order.
pub(crate) fn ports_by_node(topology: &Topology) -> Vec<Vec<PortId>> {
    let mut ports = vec![Vec::new(); topology.nodes().len()];
    for port in topology.ports() {
        ports[topology.source(port).index()].push(port);
    }
    ports
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
