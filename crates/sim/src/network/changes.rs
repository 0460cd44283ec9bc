//! Changes during the run.

use setpoint_control::Tenant;
use setpoint_units::{Rate, Time, TimeDelta};

use super::Network;
use super::link::{End, Owner};
use super::multicast::Membership;
use super::routes::Routes;
use crate::events::Event;
use crate::ids::FlowId;
use crate::index::SenderNo;
use crate::random::{Purpose, RandomStream};
use crate::spec::{Change, FlowSpec, Spec};

/// The starts and stops of flows.
pub(super) fn starts_and_stops(
    spec: &Spec,
    routes: &Routes,
    sender_of: impl Fn(FlowId) -> SenderNo,
) -> impl Iterator<Item = (Time, Event)> {
    spec.flows.iter().enumerate().flat_map(move |(index, flow)| {
        let id = FlowId(index as u32);
        let sender = sender_of(id);
        let line = spec.topology.link_at(routes.ports_of(id)[0].link()).rate;
        let start = start(spec.seed, id, flow, line);
        // Starts are spread at random, so a stop may come first; such a flow never runs.
        let runs = flow.stop.is_none_or(|stop| start < stop);
        let start = runs.then_some((start, Event::Start(sender)));
        start.into_iter().chain(flow.stop.map(|stop| (stop, Event::Stop(sender))))
    })
}

/// When a flow starts. Flows that start together do not send in step: each begins at a random time within its
/// first frame time.
fn start(seed: u64, id: FlowId, flow: &FlowSpec, line: Rate) -> Time {
    let span = line.time_to_send(flow.frame);
    let share = RandomStream::new(seed, Purpose::Phase, id.0).unit();
    flow.start.saturating_add(TimeDelta::from_picos((span.as_picos() as f64 * share) as u64))
}

impl Network {
    /// Applies a change.
    pub(super) fn apply(&mut self, change: Change) {
        let Self { cx, stations, bridges, .. } = self;
        match change {
            Change::PortRate(port, rate) => {
                if let End::Bridge(input) = cx.links[port].to {
                    bridges.set_feeding_rate(input, rate);
                }
                match self.owners[port] {
                    Owner::Station(station) => stations.set_rate(station, rate),
                    Owner::Bridge(port) => bridges.set_rate(cx, port, rate),
                }
            }
            Change::StartFlow(flow) => stations.start(cx, stations.sender_of(flow)),
            Change::StopFlow(flow) => stations.stop(cx, stations.sender_of(flow)),
            Change::Weight(flow, weight) => {
                stations.set_weight(stations.sender_of(flow), weight);
                self.with_tenant_of(flow, |tenant| tenant.weight = weight);
            }
            Change::Max(flow, max) => self.with_tenant_of(flow, |tenant| tenant.max = max),
            Change::Cap(flow, cap) => stations.set_cap(cx, stations.sender_of(flow), cap),
            Change::Join(group, station) => cx.set_membership(group, station, Membership::Member),
            Change::Leave(group, station) => cx.set_membership(group, station, Membership::NonMember),
            Change::ReactionPoint(params) => stations.set_reaction_params(cx, &params),
        }
    }

    /// Applies a change to the tenant of a flow, for all flows of that tenant.
    fn with_tenant_of(&mut self, flow: FlowId, change: impl Fn(&mut Tenant)) {
        let tenants = &mut self.cx.routes.tenants;
        if let Some(&Tenant { id, .. }) = tenants.get(flow) {
            tenants.iter_mut().filter(|tenant| tenant.id == id).for_each(change);
        }
    }
}
