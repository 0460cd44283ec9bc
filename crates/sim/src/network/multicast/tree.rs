//! The layout of trees as paths, and the members behind each port.
//!
//! Paths are sorted by their ports, so paths with a common prefix are adjacent, and the receivers behind a
//! port form a range. A port shared by several paths has an entry in each of them. The first entry describes
//! it, and copies that pass the port have their `step` there.

use super::super::Network;
use super::{Groups, Membership, Receiver, Tree};
use crate::ids::{GroupId, NodeId, PortId};
use crate::outcome::Copies;
use crate::routing::Route;
use crate::spec::{Destination, Spec};

/// A port of a tree, at its entry in the route table. Only the first entry of a port is meaningful.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Edge {
    /// The entry that describes it: this one or an earlier one.
    first: u32,
    /// The range of the ports after it in the list of branches, end exclusive.
    pub(super) branches: (u32, u32),
    /// The range of receivers behind it.
    pub(super) receivers: (u32, u32),
    /// The number of them that are currently members.
    pub(super) members: u32,
    pub(super) tree: u32,
}

impl Groups {
    /// The edge at an entry of the route table.
    #[inline]
    pub(super) fn edge(&self, step: u32) -> &Edge {
        let first = self.edges[(step - self.first_step) as usize].first;
        &self.edges[(first - self.first_step) as usize]
    }

    fn edge_mut(&mut self, step: u32) -> &mut Edge {
        let first = self.edges[(step - self.first_step) as usize].first;
        &mut self.edges[(first - self.first_step) as usize]
    }

    /// Appends a tree to the route table.
    fn add(&mut self, flow: u32, group: GroupId, paths: &[(Vec<PortId>, NodeId)], steps: &mut Vec<u32>) {
        let first_receiver = self.receivers.len() as u32;
        let mut joints: Vec<(u32, u32)> = Vec::new();
        for (index, (path, station)) in paths.iter().enumerate() {
            let begin = steps.len() as u32;
            steps.extend(path.iter().map(|port| port.0));
            let before = index.checked_sub(1).map(|before| paths[before].0.as_slice());
            joints.extend(self.add_path(path, begin, before.unwrap_or_default()));
            self.receivers.push(Receiver::new(*station, (begin, steps.len() as u32)));
        }
        self.add_branches(joints);
        let receivers = (first_receiver, self.receivers.len() as u32);
        self.trees.push(Tree { flow, group, receivers, copies: Copies::default() });
    }

    /// Adds the path to the next receiver, which may share a prefix with the previous path. Returns the ports
    /// after the shared prefix, each with its predecessor.
    fn add_path(&mut self, path: &[PortId], begin: u32, before: &[PortId]) -> Vec<(u32, u32)> {
        let (receiver, tree) = (self.receivers.len() as u32, self.trees.len() as u32);
        let shared = path.iter().zip(before).take_while(|(port, other)| port == other).count() as u32;
        let mut joints = Vec::new();
        for depth in 0..path.len() as u32 {
            let step = begin + depth;
            let first = if depth < shared {
                self.edges[(step - before.len() as u32 - self.first_step) as usize].first
            } else {
                step
            };
            self.edges.push(Edge { first, receivers: (receiver, receiver), tree, ..Edge::default() });
            self.edge_mut(step).receivers.1 = receiver + 1;
            if depth >= shared.max(1) {
                let leading = self.edges[(step - 1 - self.first_step) as usize].first;
                joints.push((leading, step));
            }
        }
        joints
    }

    /// Records the ports that follow each port.
    fn add_branches(&mut self, mut joints: Vec<(u32, u32)>) {
        joints.sort_unstable();
        for after in joints.chunk_by(|one, other| one.0 == other.0) {
            let begin = self.branches.len() as u32;
            self.branches.extend(after.iter().map(|&(_, step)| step));
            self.edge_mut(after[0].0).branches = (begin, self.branches.len() as u32);
        }
    }

    /// The receivers of a group at a station, one for each flow to the group.
    fn receivers_at(&self, group: GroupId, station: NodeId) -> Vec<usize> {
        let trees = self.trees.iter().filter(|tree| tree.group == group);
        let all = trees.flat_map(|tree| tree.receivers.0 as usize..tree.receivers.1 as usize);
        all.filter(|&receiver| self.receivers[receiver].station == station).collect()
    }

    fn change(&mut self, receiver: usize, membership: Membership) {
        let receiver = &mut self.receivers[receiver];
        if std::mem::replace(&mut receiver.membership, membership) == membership {
            return;
        }
        let (begin, end) = receiver.path;
        for step in begin..end {
            let members = &mut self.edge_mut(step).members;
            match membership {
                Membership::Member => *members += 1,
                Membership::NonMember => *members -= 1,
            }
        }
    }
}

impl Network {
    /// Lays out the trees of group flows, after the routes of all other flows.
    pub(in super::super) fn lay_out_trees(&mut self, spec: &Spec, routes: &[Route]) {
        self.groups.first_step = self.steps.len() as u32;
        for (index, (flow, route)) in spec.flows.iter().zip(routes).enumerate() {
            if let (Destination::Group(group), Route::Tree(paths)) = (flow.destination, route) {
                let begin = self.steps.len() as u32;
                self.groups.add(index as u32, group, paths, &mut self.steps);
                self.flows[index].second_step = begin + 1;
                self.flows[index].steps = self.steps.len() as u32 - begin;
            }
        }
        self.recorder.expect_receivers(self.groups.receivers.len());
        for (index, group) in spec.groups.iter().enumerate() {
            for &station in &group.members {
                self.set_membership(GroupId(index as u32), station, Membership::Member);
            }
        }
    }

    /// Adds a station to a group or removes it. Deliveries up to now are recorded first.
    pub(in super::super) fn set_membership(
        &mut self,
        group: GroupId,
        station: NodeId,
        membership: Membership,
    ) {
        for receiver in self.groups.receivers_at(group, station) {
            let (_, end) = self.groups.receivers[receiver].path;
            self.deliver_due(self.steps[end as usize - 1]);
            self.groups.change(receiver, membership);
        }
    }

    /// The paths to all receivers of a flow, each starting at the flow's station.
    pub(in super::super) fn paths(&self, flow: u32) -> impl Iterator<Item = &[u32]> {
        let receivers = &self.groups.receivers()[self.groups.receivers_of(flow)];
        let alone = receivers.is_empty().then(|| self.entries(flow));
        let branching =
            receivers.iter().map(|receiver| &self.steps[receiver.path.0 as usize..receiver.path.1 as usize]);
        alone.into_iter().chain(branching)
    }
}
