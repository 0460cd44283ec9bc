//! Shortest-path trees of multicast groups.
//!
//! A group's tree from a source is the union of shortest paths to all stations that are members
//! at some time during the run. If several neighbours of a node are one hop closer to the source, a hash of
//! the seed, the group and the node chooses one of them as its parent. So every node has one parent, and
//! paths that have diverged never meet again.

use super::{Choice, distances_from};
use crate::ids::{NodeId, PortId};
use crate::topology::{NodeKind, Topology};

/// The paths from a source to all reachable nodes.
#[derive(Clone, Debug)]
pub(crate) struct TreeFrom {
    /// For each node, the port that leads to it from its parent; `None` for the source and for unreachable
    /// nodes.
    parents: Vec<Option<PortId>>,
    source: NodeId,
}

impl TreeFrom {
    /// Runs a breadth-first search from the source. Stations do not forward.
    pub(crate) fn new(topology: &Topology, leaving: &[Vec<PortId>], source: NodeId, choice: Choice) -> Self {
        let distance = distances_from(topology, leaving, source);
        let parent = |node: usize| {
            let hops = distance[node].filter(|&hops| hops > 0)?;
            let nearer = |port: &PortId| {
                let from = topology.source(*port);
                distance[from.index()] == Some(hops - 1)
                    && (from == source || topology.node_at(from).kind != NodeKind::Station)
            };
            let equal: Vec<PortId> = leaving[node].iter().map(|port| port.peer()).filter(nearer).collect();
            Some(equal[choice.among(equal.len(), NodeId(node as u32))])
        };
        Self { parents: (0..distance.len()).map(parent).collect(), source }
    }

    /// The ports from the source to a node; `None` if there is no path.
    pub(crate) fn path(&self, topology: &Topology, to: NodeId) -> Option<Vec<PortId>> {
        let mut path = Vec::new();
        let mut node = to;
        while node != self.source {
            let port = self.parents[node.index()]?;
            path.push(port);
            node = topology.source(port);
        }
        path.reverse();
        Some(path)
    }
}
