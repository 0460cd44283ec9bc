//! Changes during the run.

use setpoint_control::Tenant;
use setpoint_random::{Purpose, RandomStream};
use setpoint_units::{Rate, Time, TimeDelta};

use crate::events::Event;
use crate::ids::{FlowId, GroupId, NodeId, PortId};
use crate::index::SenderNo;
use crate::network::components::Components;
use crate::network::node::just_before;
use crate::network::node::multicast::Membership;
use crate::network::node::partition::Partition;
use crate::network::node::places::Place;
use crate::network::node::routes::Routes;
use crate::spec::{Change, FlowSpec, Spec};

/// The starts and stops of flows.
pub(in crate::network) fn starts_and_stops(
    spec: &Spec,
    routes: &Routes,
    sender_of: impl Fn(FlowId) -> Option<SenderNo>,
) -> impl Iterator<Item = (Time, Event)> {
    let own = spec.flows.iter().enumerate().filter_map(move |(index, flow)| {
        let id = FlowId(index as u32);
        sender_of(id).map(|sender| (id, sender, flow))
    });
    own.flat_map(|(id, sender, flow)| {
        let line = spec.topology.link_at(routes.ports_of(id)[0].link()).rate;
        let start = start(spec.seed, id, flow, line);
        // Starts are spread at random, so a flow's stop may precede its start; such a flow never runs.
        let runs = flow.stop.is_none_or(|stop| start < stop);
        let start = runs.then_some((start, Event::Start(sender)));
        start.into_iter().chain(flow.stop.map(|stop| (stop, Event::Stop(sender))))
    })
}

/// The time at which a flow starts. Flows that start together do not send in step: each begins at a random time
/// within its first frame time. Messages that wait for others begin exactly, so that the time of a whole job can be computed.
fn start(seed: u64, id: FlowId, flow: &FlowSpec, line: Rate) -> Time {
    if !flow.traffic.dependent_messages().is_empty() {
        return flow.start;
    }
    let span = line.time_to_send(flow.frame);
    let share = RandomStream::new(seed, Purpose::Phase, id.0).unit();
    flow.start.saturating_add(TimeDelta::from_picos((span.as_picos() as f64 * share) as u64))
}

impl Components {
    /// Applies a change.
    pub(in crate::network) fn apply(&mut self, change: Change) {
        match change {
            Change::PortRate(port, rate) => self.set_rate(port, rate),
            Change::LinkDown(link) => self.disconnect(link),
            Change::LinkUp(link) => self.reconnect(link),
            Change::StartFlow(flow) => {
                let (Partition { cx, stations, .. }, sender) = self.sender_mut(flow);
                stations.start(cx, sender);
            }
            Change::StopFlow(flow) => {
                let (Partition { cx, stations, .. }, sender) = self.sender_mut(flow);
                stations.stop(cx, sender);
            }
            Change::Weight(flow, weight) => {
                let (Partition { stations, .. }, sender) = self.sender_mut(flow);
                stations.set_weight(sender, weight);
                self.with_tenant_of(flow, |tenant| tenant.weight = weight);
            }
            Change::Max(flow, max) => self.with_tenant_of(flow, |tenant| tenant.max = max),
            Change::Cap(flow, cap) => {
                let (Partition { cx, stations, .. }, sender) = self.sender_mut(flow);
                stations.set_cap(cx, sender, cap);
            }
            Change::Join(group, station) => self.set_membership(group, station, Membership::Member),
            Change::Leave(group, station) => self.set_membership(group, station, Membership::NonMember),
            Change::ReactionPoint(params) => {
                for part in self.parts.iter_mut() {
                    let Partition { cx, stations, bridges, .. } = &mut **part;
                    // Frames that have departed are marked and stamped as before the change.
                    bridges.core_mut().settle(cx, just_before(cx.now));
                    stations.set_reaction_params(cx, &params);
                }
            }
        }
        self.exchange();
    }

    /// A flow's sender, with its partition.
    fn sender_mut(&mut self, flow: FlowId) -> (&mut Partition, SenderNo) {
        let (part, sender) = self.senders.of(flow);
        (&mut self.parts[part], sender)
    }

    fn set_rate(&mut self, port: PortId, rate: Rate) {
        let far = self.owners[port.peer()];
        if let Place::Bridge(input) = far.place
            && let Some(bridges) = self.parts[far.part].bridges.cioq_mut()
        {
            bridges.set_feeding_rate(input, rate);
        }
        let own = self.owners[port];
        let Partition { cx, stations, bridges, .. } = &mut *self.parts[own.part];
        match own.place {
            Place::Station(station) => stations.set_rate(station, rate),
            Place::Bridge(port) => bridges.core_mut().set_rate(cx, port, rate),
        }
    }

    fn set_membership(&mut self, group: GroupId, station: NodeId, membership: Membership) {
        for part in self.parts.iter_mut() {
            part.cx.set_membership(group, station, membership);
        }
    }

    /// Applies a change to the tenant of a flow, which affects all flows of that tenant.
    fn with_tenant_of(&mut self, flow: FlowId, change: impl Fn(&mut Tenant)) {
        for part in self.parts.iter_mut() {
            let tenants = &mut part.cx.routes.tenants;
            if let Some(&Tenant { id, .. }) = tenants.get(flow) {
                tenants.iter_mut().filter(|tenant| tenant.id == id).for_each(&change);
            }
        }
    }
}
