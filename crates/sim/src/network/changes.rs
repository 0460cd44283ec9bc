//! Changes during the run.

use setpoint_control::Tenant;
use setpoint_units::Time;

use super::Network;
use super::multicast::Membership;
use crate::ids::FlowId;
use crate::spec::{Change, Spec, TimedChange};

/// The changes in a spec and the starts and stops of its flows, in chronological order. At equal
/// times, changes keep the spec's order and come before starts and stops.
pub(super) fn timeline(spec: &Spec, starts: &[Time]) -> Vec<TimedChange> {
    let mut changes = spec.changes.clone();
    for (index, (flow, &start)) in spec.flows.iter().zip(starts).enumerate() {
        let id = FlowId(index as u32);
        // Starts are spread at random, so a stop may come first; such a flow never runs.
        if flow.stop.is_none_or(|stop| start < stop) {
            changes.push(TimedChange { at: start, change: Change::StartFlow(id) });
        }
        if let Some(at) = flow.stop {
            changes.push(TimedChange { at, change: Change::StopFlow(id) });
        }
    }
    changes.sort_by_key(|change| change.at);
    changes
}

impl Network {
    /// Applies the next change.
    pub(super) fn apply_changes(&mut self) {
        let TimedChange { change, .. } = self.changes[self.next_change];
        self.next_change += 1;
        match change {
            Change::PortRate(port, rate) => {
                self.recall(port.0);
                self.ports[port.index()].set_rate(rate);
            }
            Change::StartFlow(flow) => {
                self.flows[flow.index()].source.start(self.now);
                self.reconsider(self.flows[flow.index()].lane);
            }
            Change::StopFlow(flow) => {
                let entry = &mut self.flows[flow.index()];
                entry.source.stop(entry.books.sent, self.now, |message| self.recorder.cut(flow.0, message));
                self.check_victim(flow.0);
                self.reconsider(self.flows[flow.index()].lane);
            }
            Change::Weight(flow, weight) => {
                self.flows[flow.index()].weight = weight;
                self.with_tenant_of(flow, |tenant| tenant.weight = weight);
            }
            Change::Max(flow, max) => self.with_tenant_of(flow, |tenant| tenant.max = max),
            Change::Cap(flow, cap) => {
                self.flows[flow.index()].cap = cap;
                self.apply_rate(self.flows[flow.index()].lane);
            }
            Change::Join(group, station) => self.set_membership(group, station, Membership::Member),
            Change::Leave(group, station) => self.set_membership(group, station, Membership::NonMember),
            Change::ReactionPoint(params) => self.set_reaction_params(&params),
        }
    }

    /// Applies a change to the tenant of a flow, for all flows of that tenant.
    fn with_tenant_of(&mut self, flow: FlowId, change: impl Fn(&mut Tenant)) {
        let id = self.flows[flow.index()].tenant.id;
        self.flows.iter_mut().filter(|flow| flow.tenant.id == id).for_each(|flow| change(&mut flow.tenant));
    }
}
