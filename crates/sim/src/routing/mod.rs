//! Shortest paths. A hash of the flow or group, the node and the seed breaks ties.

mod failures;
mod route;
mod tree;

use std::collections::{BTreeSet, HashMap, VecDeque};

use setpoint_random::mix;

use crate::ids::{FlowId, GroupId, LinkId, NodeId, PortId};
use crate::topology::{NodeKind, Topology};

pub(crate) use failures::{RouteChange, route_changes};
pub(crate) use route::{Detour, Route, ever_members, routes};
pub use route::{cut_off, paths};

/// The links of a topology, indexed for path search.
///
/// Nodes with the same neighbours are *twins*, such as the edge bridges of a pod in a fat tree. They have the same distance
/// to every other node, so distances are computed between sets of twins.
#[derive(Clone, Debug)]
pub(crate) struct Neighbours<'a> {
    topology: &'a Topology,
    /// For each node, the ports that lead to forwarding nodes, in ascending order.
    forwarding: Vec<Vec<PortId>>,
    /// For each node, its first port. A station has no other port.
    own: Vec<Option<PortId>>,
    /// For each node, the first of its twins. A node without forwarding neighbours has no twin.
    twins: Vec<NodeId>,
    /// For each node that is the first of its twins, the first twins of its forwarding neighbours.
    around: Vec<Vec<NodeId>>,
}

impl<'a> Neighbours<'a> {
    pub(crate) fn new(topology: &'a Topology) -> Self {
        Self::without(topology, &BTreeSet::new())
    }

    /// The links of a topology without those that are down.
    pub(crate) fn without(topology: &'a Topology, down: &BTreeSet<LinkId>) -> Self {
        let nodes = topology.nodes().len();
        let (mut forwarding, mut own) = (vec![Vec::new(); nodes], vec![None; nodes]);
        for port in topology.ports() {
            let from = topology.source(port).index();
            own[from].get_or_insert(port);
            let leads_to_bridge = topology.node_at(topology.target(port)).kind != NodeKind::Station;
            if leads_to_bridge && !down.contains(&port.link()) {
                forwarding[from].push(port);
            }
        }
        let (twins, around) = (vec![], vec![Vec::new(); nodes]);
        let mut neighbours = Self { topology, forwarding, own, twins, around };
        neighbours.find_twins();
        neighbours
    }

    fn find_twins(&mut self) {
        let mut firsts: HashMap<Vec<NodeId>, NodeId> = HashMap::new();
        self.twins = (0..self.forwarding.len() as u32).map(NodeId).collect();
        let forwards = |node: &NodeId| self.topology.node_at(*node).kind != NodeKind::Station;
        for node in self.twins.clone().into_iter().filter(forwards) {
            let around =
                distinct(self.forwarding[node.index()].iter().map(|port| self.topology.target(*port)));
            if !around.is_empty() {
                self.twins[node.index()] = *firsts.entry(around).or_insert(node);
            }
        }
        for (around, first) in firsts {
            self.around[first.index()] = distinct(around.into_iter().map(|node| self.twins[node.index()]));
        }
    }

    /// The first twin of a node.
    pub(crate) fn first_twin(&self, node: NodeId) -> NodeId {
        self.twins[node.index()]
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

/// Nodes in ascending order, each once.
fn distinct(nodes: impl Iterator<Item = NodeId>) -> Vec<NodeId> {
    let mut nodes: Vec<NodeId> = nodes.collect();
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}

/// Distances to one destination and its twins, which determine the paths to them.
#[derive(Clone, Debug)]
pub(crate) struct RoutesTo {
    /// Hops to the destination from each node that is the first of its twins; [`FAR`] for nodes without a path. Twins of the
    /// destination also have distance 0, although they are two hops from the destination.
    distance: Vec<u32>,
    /// The ports that lead closer to the destination, in ascending order for each node whose ports have been looked up.
    nearer: Vec<PortId>,
    /// For each node, the range of its ports in `nearer`; [`UNKNOWN`] if they have not been looked up.
    ranges: Vec<(u32, u32)>,
}

/// No path.
const FAR: u32 = u32::MAX;
/// Ports that have not been looked up.
const UNKNOWN: (u32, u32) = (u32::MAX, 0);

impl RoutesTo {
    /// Runs a breadth-first search from the destination over sets of twins. Links are bidirectional, so distances are the same
    /// both ways.
    pub(crate) fn new(neighbours: &Neighbours<'_>, destination: NodeId) -> Self {
        let nodes = neighbours.forwarding.len();
        let destination = neighbours.first_twin(destination);
        let mut distance = vec![FAR; nodes];
        distance[destination.index()] = 0;
        let mut reached = VecDeque::from([destination]);
        while let Some(node) = reached.pop_front() {
            for &neighbour in &neighbours.around[node.index()] {
                if distance[neighbour.index()] == FAR {
                    distance[neighbour.index()] = distance[node.index()] + 1;
                    reached.push_back(neighbour);
                }
            }
        }
        Self { distance, nearer: Vec::new(), ranges: vec![UNKNOWN; nodes] }
    }

    fn distance(&self, neighbours: &Neighbours<'_>, node: NodeId) -> u32 {
        self.distance[neighbours.first_twin(node).index()]
    }

    /// The ports of a node that lead closer to the destination. The node is neither adjacent to the destination nor one of
    /// its twins.
    fn nearer(&mut self, neighbours: &Neighbours<'_>, node: NodeId) -> &[PortId] {
        if self.ranges[node.index()] == UNKNOWN {
            let (begin, distance) = (self.nearer.len(), self.distance(neighbours, node));
            for &port in &neighbours.forwarding[node.index()] {
                let next = self.distance(neighbours, neighbours.topology.target(port));
                if distance != FAR && next == distance - 1 {
                    self.nearer.push(port);
                }
            }
            self.ranges[node.index()] = (begin as u32, self.nearer.len() as u32);
        }
        let (begin, end) = self.ranges[node.index()];
        &self.nearer[begin as usize..end as usize]
    }

    /// All paths from a node to the destination or one of its twins, `end`, in ascending order; `None` if there are more than `most`.
    pub(crate) fn all_from(
        &mut self,
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
        &mut self,
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

    /// The port of a node that leads closer to `end`. A node without a path has none.
    fn next(
        &mut self,
        neighbours: &Neighbours<'_>,
        node: NodeId,
        end: NodeId,
        choice: Choice,
    ) -> Option<PortId> {
        let mut steps = self.steps(neighbours, node, end);
        let count = steps.clone().count();
        steps.nth(choice.among(count, node))
    }

    /// The ports of a node that lead closer to `end`, in ascending order.
    fn steps<'a>(
        &'a mut self,
        neighbours: &'a Neighbours<'_>,
        node: NodeId,
        end: NodeId,
    ) -> impl Iterator<Item = PortId> + Clone {
        let ports = neighbours.forwarding[node.index()].as_slice();
        let (ports, only) = match self.distance(neighbours, node) {
            // A twin of the end: all its neighbours are adjacent to the end.
            0 => (ports, None),
            1 => (ports, Some(end)),
            _ => (self.nearer(neighbours, node), None),
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

/// Chooses one of several equally good ports, depending only on the seed, the flow or group, and the node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    seed: u64,
    /// Flows are numbered upwards from zero; groups are numbered downwards from the largest number.
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

    /// The path found by a search over all nodes.
    fn plain_path(topology: &Topology, from: NodeId, end: NodeId, choice: Choice) -> Option<Vec<PortId>> {
        let leaving = ports_by_node(topology);
        let distance = distances_from(topology, &leaving, end);
        let (mut path, mut node) = (Vec::new(), from);
        while node != end {
            let next = distance[node.index()]? - 1;
            let forwards = |port: &&PortId| {
                let target = topology.target(**port);
                topology.node_at(target).kind != NodeKind::Station && distance[target.index()] == Some(next)
            };
            let nearer: Vec<&PortId> = leaving[node.index()].iter().filter(forwards).collect();
            let port = **nearer.get(choice.among(nearer.len(), node))?;
            path.push(port);
            node = topology.target(port);
        }
        Some(path)
    }

    #[test]
    fn paths_are_those_of_a_search_over_all_nodes() {
        for topology in networks() {
            let neighbours = Neighbours::new(&topology);
            let bridges = bridges(&topology);
            for &end in &bridges {
                // The distances of any twin can be used.
                let mut to = RoutesTo::new(&neighbours, neighbours.first_twin(end));
                for (&from, flow) in bridges.iter().flat_map(|from| (0..5).map(move |flow| (from, flow))) {
                    let choice = Choice::of_flow(7, FlowId(flow));
                    let mut path = Vec::new();
                    let found = to.extend(&mut path, &neighbours, from, end, choice).map(|()| path);
                    assert_eq!(found, plain_path(&topology, from, end, choice), "from {from:?} to {end:?}");
                }
            }
        }
    }

    /// The work grows with the number of pods, not with the number of bridges or of links between them.
    #[test]
    fn the_edge_bridges_of_a_pod_share_their_distances() {
        let topology = FatTree { k: 8, rate: RATE, delay: TimeDelta::ZERO }.build();
        let neighbours = Neighbours::new(&topology);
        let edges: BTreeSet<NodeId> =
            topology.stations().filter_map(|station| neighbours.before(station)).collect();
        let shared: BTreeSet<NodeId> = edges.iter().map(|edge| neighbours.first_twin(*edge)).collect();
        assert_eq!((edges.len(), shared.len()), (32, 8));
        // Each of 32 aggregation bridges has a link to its pod's edge bridges and to its group of core bridges.
        assert_eq!(neighbours.around.iter().map(Vec::len).sum::<usize>(), 2 * 64);
    }
}
