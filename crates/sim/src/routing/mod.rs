//! Shortest paths. A hash of the flow or group, the node and the seed breaks ties.

mod route;
mod tree;

use std::collections::VecDeque;

use crate::ids::{FlowId, GroupId, NodeId, PortId};
use crate::random::mix;
use crate::topology::{NodeKind, Topology};

pub use route::paths;
pub(crate) use route::{Route, ever_members, routes};

/// The links of a topology, indexed for path search.
#[derive(Clone, Debug)]
pub(crate) struct Neighbours<'a> {
    topology: &'a Topology,
    /// For each node, the ports that lead to forwarding nodes, in ascending order.
    forwarding: Vec<Vec<PortId>>,
    /// For each node, its first port. A station has no other.
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

    /// The node at the other end of a station's link. Distances to it determine distances to the station.
    pub(crate) fn before(&self, station: NodeId) -> Option<NodeId> {
        self.own[station.index()].map(|port| self.topology.target(port))
    }
}

/// Distances to one destination, which determine the paths to it.
#[derive(Clone, Debug)]
pub(crate) struct RoutesTo {
    /// Hops to the destination from each forwarding node; [`FAR`] for stations and nodes without a path.
    distance: Vec<u32>,
    /// The ports of all nodes that lead nearer to the destination, node by node, in ascending order.
    nearer: Vec<PortId>,
    /// For each node, the index of its first port in `nearer`, and one more for the end.
    begin: Vec<u32>,
}

/// No path.
const FAR: u32 = u32::MAX;

impl RoutesTo {
    /// Runs a breadth-first search from the destination over forwarding nodes. Links are bidirectional, so
    /// distances are the same both ways.
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
        let (mut nearer, mut begin) = (Vec::new(), vec![0]);
        for (node, ports) in neighbours.forwarding.iter().enumerate() {
            let of = |port: &PortId| distance[neighbours.topology.target(*port).index()];
            if let Some(next) = distance[node].checked_sub(1)
                && distance[node] != FAR
            {
                nearer.extend(ports.iter().filter(|port| of(port) == next));
            }
            begin.push(nearer.len() as u32);
        }
        Self { distance, nearer, begin }
    }

    /// The ports of a node that lead nearer to the destination.
    fn nearer(&self, node: NodeId) -> &[PortId] {
        let [begin, end] = [0, 1].map(|next| self.begin[node.index() + next] as usize);
        &self.nearer[begin..end]
    }

    /// All paths from a node to the destination, in ascending order; `None` if there are more than `most`.
    pub(crate) fn all_from(
        &self,
        neighbours: &Neighbours<'_>,
        node: NodeId,
        most: usize,
    ) -> Option<Vec<Vec<PortId>>> {
        let (mut found, mut open) = (Vec::new(), vec![(node, Vec::new())]);
        while let Some((node, path)) = open.pop() {
            if self.distance[node.index()] == 0 {
                found.push(path.clone());
            }
            if found.len() + open.len() > most {
                return None;
            }
            for &port in self.nearer(node).iter().rev() {
                open.push((neighbours.topology.target(port), path.iter().copied().chain([port]).collect()));
            }
        }
        Some(found)
    }

    /// Appends to a path the ports from a node to the destination; `None` if there is no path.
    pub(crate) fn extend(
        &self,
        path: &mut Vec<PortId>,
        neighbours: &Neighbours<'_>,
        mut node: NodeId,
        choice: Choice,
    ) -> Option<()> {
        while self.distance[node.index()] > 0 {
            let nearer = self.nearer(node);
            // A node without a path has no such port.
            let port = *nearer.get(choice.among(nearer.len(), node))?;
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

/// Chooses among several equal ports, depending only on the seed, the flow or group, and the node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    seed: u64,
    /// Flow numbers count up from zero; groups count down from the largest number.
    owner: u32,
}

impl Choice {
    pub(crate) fn of_flow(seed: u64, flow: FlowId) -> Self {
        Self { seed, owner: flow.0 }
    }

    /// One of several choices of the same owner; number 0 is this choice itself.
    fn variant(self, number: u32) -> Self {
        let seed = if number == 0 { self.seed } else { self.seed ^ mix(u64::from(number)) };
        Self { seed, ..self }
    }

    pub(crate) fn of_group(seed: u64, group: GroupId) -> Self {
        Self { seed, owner: !group.0 }
    }

    fn among(self, count: usize, node: NodeId) -> usize {
        let hash = mix(self.seed ^ mix(u64::from(self.owner) << 32 | u64::from(node.0)));
        ((u128::from(hash) * count as u128) >> 64) as usize
    }
}

/// Hops from a node to each node; `None` if there is no path. Stations do not forward.
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
