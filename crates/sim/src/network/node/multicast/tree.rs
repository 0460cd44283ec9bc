//! The layout of trees as paths, and the members behind each port.
//!
//! Paths are sorted by their ports, so paths with a common prefix are adjacent, and the receivers behind a
//! port form a range. A port shared by several paths has an entry in each of them. The first entry describes
//! the port, and copies that pass through the port use it as their `hop`.

use super::{Groups, Membership, Receiver, Tree};
use crate::ids::{FlowId, GroupId, NodeId, PortId};
use crate::index::{HopNo, PortNo};
use crate::network::node::routes::{Routes, RoutesInMaking};
use crate::outcome::Copies;
use crate::routing::Route;
use crate::spec::{Destination, Spec};

/// A port of a tree, at its entry in the route table. Only the first entry of a port is meaningful.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Edge {
    /// The entry that describes it: this one or an earlier one.
    first: HopNo,
    /// The range of the ports after it in the list of branches, end exclusive.
    pub(super) branches: (u32, u32),
    /// The range of receivers behind it.
    pub(super) receivers: (u32, u32),
    /// The number of these receivers that are currently members.
    pub(super) members: u32,
    pub(super) tree: u32,
}

impl Groups {
    /// The edge at an entry of the route table.
    #[inline]
    pub(super) fn edge(&self, hop: HopNo) -> &Edge {
        &self.edges[self.place(self.edges[self.place(hop)].first)]
    }

    fn edge_mut(&mut self, hop: HopNo) -> &mut Edge {
        let place = self.place(self.edges[self.place(hop)].first);
        &mut self.edges[place]
    }

    /// The index of an entry's edge.
    #[inline]
    fn place(&self, hop: HopNo) -> usize {
        (hop.0 - self.first.0) as usize
    }

    /// Appends a tree to the route table.
    fn add(
        &mut self,
        flow: FlowId,
        group: GroupId,
        paths: &[(Vec<PortId>, NodeId)],
        table: &mut RoutesInMaking,
        number: impl Fn(PortId) -> PortNo,
    ) {
        let first_receiver = self.receivers.len() as u32;
        let mut joints: Vec<(HopNo, HopNo)> = Vec::new();
        for (index, (path, station)) in paths.iter().enumerate() {
            let begin = table.add(path, &number);
            let before = index.checked_sub(1).map(|before| paths[before].0.as_slice());
            joints.extend(self.add_path(path, begin, before.unwrap_or_default()));
            self.receivers.push(Receiver::new(*station, (begin, HopNo(table.len() as u32))));
        }
        self.add_branches(joints);
        let receivers = (first_receiver, self.receivers.len() as u32);
        self.trees.push(Tree { flow, group, receivers, copies: Copies::default() });
    }

    /// Adds the path to the next receiver, which may share a prefix with the previous path. Returns the ports
    /// after the shared prefix, each with its predecessor.
    fn add_path(&mut self, path: &[PortId], begin: HopNo, before: &[PortId]) -> Vec<(HopNo, HopNo)> {
        let (receiver, tree) = (self.receivers.len() as u32, self.trees.len() as u32);
        let shared = path.iter().zip(before).take_while(|(port, other)| port == other).count() as u32;
        let mut joints = Vec::new();
        for depth in 0..path.len() as u32 {
            let hop = HopNo(begin.0 + depth);
            let first = if depth < shared { self.edges[self.place(hop) - before.len()].first } else { hop };
            self.edges.push(Edge { first, receivers: (receiver, receiver), tree, ..Edge::default() });
            self.edge_mut(hop).receivers.1 = receiver + 1;
            if depth >= shared.max(1) {
                joints.push((self.edges[self.place(hop) - 1].first, hop));
            }
        }
        joints
    }

    /// Records the ports that follow each port.
    fn add_branches(&mut self, mut joints: Vec<(HopNo, HopNo)>) {
        joints.sort_unstable();
        for after in joints.chunk_by(|one, other| one.0 == other.0) {
            let begin = self.branches.len() as u32;
            self.branches.extend(after.iter().map(|&(_, hop)| hop));
            self.edge_mut(after[0].0).branches = (begin, self.branches.len() as u32);
        }
    }

    /// The receivers of a group at a station, one for each flow to the group.
    pub(in crate::network) fn receivers_at(&self, group: GroupId, station: NodeId) -> Vec<usize> {
        let trees = self.trees.iter().filter(|tree| tree.group == group);
        let all = trees.flat_map(|tree| tree.receivers.0 as usize..tree.receivers.1 as usize);
        all.filter(|&receiver| self.receivers[receiver].station == station).collect()
    }

    pub(in crate::network) fn change(&mut self, receiver: usize, membership: Membership) {
        let receiver = &mut self.receivers[receiver];
        if std::mem::replace(&mut receiver.membership, membership) == membership {
            return;
        }
        let (begin, end) = receiver.path;
        for hop in (begin.0..end.0).map(HopNo) {
            let members = &mut self.edge_mut(hop).members;
            match membership {
                Membership::Member => *members += 1,
                Membership::NonMember => *members -= 1,
            }
        }
    }
}

impl Groups {
    /// Lays out the trees of group flows, after the routes of all other flows.
    pub(in crate::network) fn lay_out(
        spec: &Spec,
        routes: &[Route],
        table: &mut RoutesInMaking,
        number: impl Fn(PortId) -> PortNo,
    ) -> Self {
        let mut groups = Self { first: HopNo(table.len() as u32), ..Self::default() };
        for (index, (flow, route)) in spec.flows.iter().zip(routes).enumerate() {
            if let (Destination::Group(group), Route::Tree(paths)) = (flow.destination, route) {
                let (id, first) = (FlowId(index as u32), HopNo(table.len() as u32));
                groups.add(id, group, paths, table, &number);
                let facts = &mut table.flows[id];
                facts.first = first;
                facts.length = (groups.edges.len() as u32 + groups.first.0) - first.0;
            }
        }
        for (index, group) in spec.groups.iter().enumerate() {
            for &station in &group.members {
                for receiver in groups.receivers_at(GroupId(index as u32), station) {
                    groups.change(receiver, Membership::Member);
                }
            }
        }
        groups
    }

    /// The path to a receiver.
    pub(in crate::network) fn path_of<'r>(&self, routes: &'r Routes, receiver: usize) -> &'r [PortId] {
        let (first, end) = self.receivers[receiver].path;
        routes.ports(first, end.0 - first.0)
    }
}
