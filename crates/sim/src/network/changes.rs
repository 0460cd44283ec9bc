//! Changes during the run.

use setpoint_control::Tenant;
use setpoint_units::Time;

use super::Network;
use super::link::Owner;
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
        let Self { cx, stations, bridges, .. } = self;
        match change {
            Change::PortRate(port, rate) => match self.owners[port] {
                Owner::Station(station) => stations.set_rate(station, rate),
                Owner::Bridge(port) => bridges.set_rate(cx, port, rate),
            },
            Change::StartFlow(flow) => stations.start(cx, flow),
            Change::StopFlow(flow) => {
                stations.stop(cx, flow);
                self.check_victim(flow);
                self.stations.look_at(&mut self.cx, flow);
            }
            Change::Weight(flow, weight) => {
                stations.set_weight(flow, weight);
                self.with_tenant_of(flow, |tenant| tenant.weight = weight);
            }
            Change::Max(flow, max) => self.with_tenant_of(flow, |tenant| tenant.max = max),
            Change::Cap(flow, cap) => stations.set_cap(cx, flow, cap),
            Change::Join(group, station) => cx.set_membership(group, station, Membership::Member),
            Change::Leave(group, station) => cx.set_membership(group, station, Membership::NonMember),
            Change::ReactionPoint(params) => stations.set_reaction_params(cx, &params),
        }
    }

    /// Applies a change to the tenant of a flow, for all flows of that tenant.
    fn with_tenant_of(&mut self, flow: FlowId, change: impl Fn(&mut Tenant)) {
        let flows = &mut self.cx.routes.flows;
        let id = flows[flow].tenant.id;
        flows.iter_mut().filter(|flow| flow.tenant.id == id).for_each(|flow| change(&mut flow.tenant));
    }
}
