//! Shortest paths. A hash of the flow or group, the node and the seed breaks ties.

mod route;
mod tree;

use std::collections::{HashMap, VecDeque};

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

    /// The nodes that have the same neighbours as a node are as far as it from every other node. Returns, for all nodes
    /// given, one node for each set of neighbours. A node without forwarding neighbours has no twin.
    pub(crate) fn twins(&self, nodes: impl Iterator<Item = NodeId>) -> HashMap<NodeId, NodeId> {
        let mut firsts: HashMap<Vec<NodeId>, NodeId> = HashMap::new();
        let mut twins = HashMap::new();
        for node in nodes {
            twins.entry(node).or_insert_with(|| {
                let ports = self.forwarding[node.index()].iter();
                let mut around: Vec<NodeId> = ports.map(|port| self.topology.target(*port)).collect();
                around.sort_unstable();
                around.dedup();
                if around.is_empty() { node } else { *firsts.entry(around).or_insert(node) }
            });
        }
        twins
    }

    /// The node at the other end of a station's link. Distances to it determine distances to the station.
    pub(crate) fn before(&self, station: NodeId) -> Option<NodeId> {
        self.own[station.index()].map(|port| self.topology.target(port))
    }
}

/// Distances to one destination, which determine the paths to it and to its twins ([`Neighbours::twins`]): for a twin, only the
/// last step differs, and the distances of the twins themselves.
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

    /// All paths from a node to the destination or one of its twins, `end`, in ascending order; `None` if there are more than `most`.
    pub(crate) fn all_from(
        &self,
        neighbours: &Neighbours<'_>,
        node: NodeId,
        end: NodeId,
        most: usize,
    ) -> Option<Vec<Vec<PortId>>> {
        let (mut found, mut open) = (Vec::new(), vec![(node, Vec::new())]);
        while let Some((node, path)) = open.pop() {
            if node == end {
                found.push(path);
                continue;
            }
            let further = |port: PortId| path.iter().copied().chain([port]).collect();
            let from = open.len();
            open.extend(
                self.steps(neighbours, node, end)
                    .map(|port| (neighbours.topology.target(port), further(port))),
            );
            open[from..].reverse();
            if found.len() + open.len() > most {
                return None;
            }
        }
        Some(found)
    }

    /// Appends to a path the ports from a node to the destination or one of its twins, `end`; `None` if there is no path.
    pub(crate) fn extend(
        &self,
        path: &mut Vec<PortId>,
        neighbours: &Neighbours<'_>,
        mut node: NodeId,
        end: NodeId,
        choice: Choice,
    ) -> Option<()> {
        while node != end {
            let port = self.next(neighbours, node, end, choice)?;
            path.push(port);
            node = neighbours.topology.target(port);
        }
        Some(())
    }

    /// The port of a node that leads nearer to `end`. A node without a path has none.
    fn next(&self, neighbours: &Neighbours<'_>, node: NodeId, end: NodeId, choice: Choice) -> Option<PortId> {
        let steps = || self.steps(neighbours, node, end);
        steps().nth(choice.among(steps().count(), node))
    }

    /// The ports of a node that lead nearer to `end`, in ascending order.
    fn steps<'a>(
        &'a self,
        neighbours: &'a Neighbours<'_>,
        node: NodeId,
        end: NodeId,
    ) -> impl Iterator<Item = PortId> {
        let ports = &neighbours.forwarding[node.index()];
        let (ports, only) = match self.distance[node.index()] {
            // The destination itself, on the way to a twin: all its neighbours are next to the twin.
            0 => (ports.as_slice(), None),
            1 => (ports.as_slice(), Some(end)),
            _ => (self.nearer(node), None),
        };
        let leads_there =
            move |port: &PortId| only.is_none_or(|end| neighbours.topology.target(*port) == end);
        ports.iter().copied().filter(leads_there)
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use setpoint_units::{Rate, TimeDelta};

    use super::*;
    use crate::topology::{FatTree, LeafSpine};

    const RATE: Rate = Rate::from_gbps(10);

    /// A fat tree, a leaf-spine network with a second link between some pairs, and bridges without links.
    fn networks() -> [Topology; 2] {
        let delay = TimeDelta::from_micros(1);
        let mut leaf_spine = LeafSpine {
            leaves: 5,
            spines: 3,
            stations_per_leaf: 1,
            access_rate: RATE,
            fabric_rate: RATE,
            access_delay: delay,
            fabric_delay: delay,
        }
        .build();
        let bridges: Vec<NodeId> = bridges(&leaf_spine);
        for (leaf, spine) in [(0, 5), (0, 6), (3, 7)] {
            leaf_spine.connect(bridges[leaf], bridges[spine], RATE, delay);
        }
        leaf_spine.bridge("alone", 1);
        leaf_spine.bridge("apart", 1);
        [FatTree { k: 4, rate: RATE, delay }.build(), leaf_spine]
    }

    fn bridges(topology: &Topology) -> Vec<NodeId> {
        let is_bridge = |index: &usize| topology.nodes()[*index].kind == NodeKind::Bridge;
        (0..topology.nodes().len()).filter(is_bridge).map(|index| NodeId(index as u32)).collect()
    }

    #[test]
    fn twins_have_the_paths_that_their_own_distances_give() {
        for topology in networks() {
            let neighbours = Neighbours::new(&topology);
            let bridges = bridges(&topology);
            let twins = neighbours.twins(bridges.iter().copied());
            assert!(bridges.iter().any(|bridge| twins[bridge] != *bridge), "there are twins");
            for &end in &bridges {
                let (shared, own) =
                    (RoutesTo::new(&neighbours, twins[&end]), RoutesTo::new(&neighbours, end));
                for (&from, flow) in bridges.iter().flat_map(|from| (0..5).map(move |flow| (from, flow))) {
                    let choice = Choice::of_flow(7, FlowId(flow));
                    let path = |to: &RoutesTo| {
                        let mut path = Vec::new();
                        to.extend(&mut path, &neighbours, from, end, choice).map(|()| path)
                    };
                    assert_eq!(path(&shared), path(&own), "from {from:?} to {end:?}");
                }
            }
        }
    }

    /// The work grows with the number of pods, not with the number of bridges.
    #[test]
    fn the_edge_bridges_of_a_pod_share_their_distances() {
        let topology = FatTree { k: 8, rate: RATE, delay: TimeDelta::ZERO }.build();
        let neighbours = Neighbours::new(&topology);
        let edges: BTreeSet<NodeId> =
            topology.stations().filter_map(|station| neighbours.before(station)).collect();
        let shared: BTreeSet<NodeId> = neighbours.twins(edges.iter().copied()).into_values().collect();
        assert_eq!((edges.len(), shared.len()), (32, 8));
    }
}
