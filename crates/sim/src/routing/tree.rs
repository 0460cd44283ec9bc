//! Shortest-path trees of multicast groups.
//!
//! The tree of a group from a source is the union of shortest paths to all stations that are members at any time.
//! Where several neighbours of a node are nearer to the source by one hop, one of them is its parent, chosen by a hash
//! of the seed, the group and the node: so every node has one parent, and paths that have parted do not meet again.

use super::{Choice, distances_from};
use crate::ids::{NodeId, PortId};
use crate::topology::{NodeKind, Topology};

/// The paths from a source to all nodes it can reach.
#[derive(Clone, Debug)]
pub(crate) struct TreeFrom {
    /// By node: the port that leads to it, and where from; none for the source and where there is no way.
    parents: Vec<Option<PortId>>,
    source: NodeId,
}

impl TreeFrom {
    /// A breadth-first search from the source. Stations do not forward.
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

    /// The ports from the source to a node; none if there is no way.
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
