//! Members of groups.

use super::Context;
use crate::ids::{FlowId, GroupId, NodeId, PortId};
use crate::network::node::multicast::Membership;

impl Context {
    /// Adds a station to a group or removes it. Deliveries up to now are recorded first.
    pub(in crate::network) fn set_membership(
        &mut self,
        group: GroupId,
        station: NodeId,
        membership: Membership,
    ) {
        for receiver in self.groups.receivers_at(group, station) {
            if let Some(&last) = self.groups.path_of(&self.routes, receiver).last() {
                self.deliver_due(last);
            }
            self.groups.change(receiver, membership);
        }
    }

    /// The paths to all receivers of a flow, each starting at the flow's station.
    pub(in crate::network) fn paths(&self, flow: FlowId) -> impl Iterator<Item = &[PortId]> {
        let receivers = self.groups.receivers_of(flow);
        let alone = receivers.is_empty().then(|| self.routes.paths_of(flow));
        alone
            .into_iter()
            .flatten()
            .chain(receivers.map(|receiver| self.groups.path_of(&self.routes, receiver)))
    }
}
