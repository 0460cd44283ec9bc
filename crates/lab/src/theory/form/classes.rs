//! The flows at the bottleneck, grouped into classes of identical sources.

use setpoint_control::NotificationPointParams;
use setpoint_fluid::{Class, Sending};
use setpoint_scenario::port_names;
use setpoint_sim::traffic::Traffic;
use setpoint_sim::{FlowSpec, NodeId, PortId};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

use super::dcqcn;
use super::overload::most;
use super::refusal::NoFluidForm;
use super::scheme::max_rate;
use super::timely;
use super::{Network, Passing};

/// Refuses flows that do not send at a definite rate, or that differ in a property for which the
/// models have a single value.
pub(super) fn check_flows(
    network: &Network<'_>,
    port: PortId,
    members: &[Passing],
) -> Result<(), NoFluidForm> {
    let flow = |member: &Passing| &network.spec.flows[member.flow];
    let port = port_names::shown(&network.spec.topology, port);
    if let Some((flow, traffic)) = members.iter().map(flow).find_map(|flow| Some((flow, not_a_rate(flow)?))) {
        return Err(NoFluidForm::Traffic { flow: flow.name.clone(), traffic });
    }
    let first = flow(&members[0]);
    if let Some(other) = members.iter().map(flow).find(|other| other.frame != first.frame) {
        let frames = [first.frame, other.frame];
        return Err(NoFluidForm::Frames { flows: [first.name.clone(), other.name.clone()], frames });
    }
    if let Some(other) = members.iter().map(flow).find(|other| other.priority != first.priority) {
        let priorities = [first.priority.get(), other.priority.get()];
        return Err(NoFluidForm::Priorities { port, priorities });
    }
    check_limiters(network, members)
}

fn not_a_rate(flow: &FlowSpec) -> Option<&'static str> {
    match flow.traffic {
        Traffic::Backlogged | Traffic::Constant { .. } => None,
        Traffic::OnOff { .. } => Some("bursts"),
        Traffic::Poisson { .. } | Traffic::Schedule(_) | Traffic::Dependent(_) => Some("messages"),
        Traffic::Message { .. } => Some("a message"),
    }
}

/// Refuses flows that share a limiter, because in the models every source has its own.
fn check_limiters(network: &Network<'_>, members: &[Passing]) -> Result<(), NoFluidForm> {
    let limiters = network.spec.control.limiters_per_station;
    if limiters == 0 {
        return Err(NoFluidForm::NotificationsIgnored("limiters_per_station = 0"));
    }
    let mut stations: Vec<u32> = members
        .iter()
        .filter(|member| network.is_controlled(member.flow))
        .map(|member| network.spec.flows[member.flow].source.0)
        .collect();
    stations.sort_unstable();
    let mut shared =
        stations.chunk_by(|one, other| one == other).filter(|flows| flows.len() > limiters as usize);
    if let Some(flows) = shared.next() {
        let station = network.spec.topology.node_at(NodeId(flows[0])).name.clone();
        return Err(NoFluidForm::SharedLimiters { station, flows: flows.len(), limiters });
    }
    Ok(())
}

/// Classes of identical flows, with their indices in the spec, in the order of their first flow.
pub(super) fn classes(
    network: &Network<'_>,
    members: &[Passing],
    leaves_out: &mut Vec<String>,
) -> Result<Vec<(Class, Vec<usize>)>, NoFluidForm> {
    let mut classes: Vec<(Class, Vec<usize>)> = Vec::new();
    for member in members {
        let one = source(network, member)?;
        match classes.iter_mut().find(|(class, _)| *class == one) {
            Some((_, flows)) => flows.push(member.flow),
            None => classes.push((one, vec![member.flow])),
        }
    }
    for (class, flows) in &mut classes {
        class.sources = flows.len() as u32;
        class.name = name(flows, |flow| &network.spec.flows[flow].name);
    }
    shared_ports(network, members, leaves_out);
    Ok(classes)
}

/// A class of one flow, without a name.
fn source(network: &Network<'_>, member: &Passing) -> Result<Class, NoFluidForm> {
    let (spec, flow) = (network.spec, &network.spec.flows[member.flow]);
    let line_rate =
        most(spec, member.flow).min(spec.topology.link_at(network.paths[member.flow][0].link()).rate);
    let (start, stop) = span(network, member.flow)?;
    let (sending, line_rate) = match network.is_controlled(member.flow) {
        true => {
            let port = spec.topology.link_at(network.paths[member.flow][0].link()).rate;
            let most = max_rate(spec, port).map_or(line_rate, |most| most.min(line_rate));
            (Sending::Controlled { weight: flow.weight }, most)
        }
        false => (Sending::Constant(line_rate), line_rate),
    };
    let delay = delay(network, member);
    Ok(Class { name: String::new(), sources: 1, delay, line_rate, start, stop, sending })
}

/// The times at which a flow starts and stops.
fn span(network: &Network<'_>, flow: usize) -> Result<(Time, Option<Time>), NoFluidForm> {
    let end = Time::ZERO + network.spec.duration;
    let within: Vec<&(Time, Time)> =
        network.activity.spans(flow).iter().filter(|span| span.0 < end && span.0 < span.1).collect();
    match within[..] {
        [&(start, stop)] => Ok((start, (stop < end).then_some(stop))),
        _ => Err(NoFluidForm::SeveralSpans {
            flow: network.spec.flows[flow].name.clone(),
            spans: within.len(),
        }),
    }
}

/// The loop delay of a flow, without queueing.
fn delay(network: &Network<'_>, member: &Passing) -> TimeDelta {
    let (spec, topology) = (network.spec, &network.spec.topology);
    let frame = spec.flows[member.flow].frame;
    let cross = |port: PortId, bytes: Bytes| {
        let link = topology.link_at(port.link());
        link.rate.time_to_send(bytes + spec.overhead) + link.delay
    };
    let over = |way: &[PortId], bytes: Bytes| {
        way.iter().fold(TimeDelta::ZERO, |sum, &port| sum + cross(port, bytes))
    };
    let path = &network.paths[member.flow];
    // Reports of marks come from the receiver, and notifications from the congested bridge.
    let way = match spec.control.notification_point {
        NotificationPointParams::Dcqcn(_)
        | NotificationPointParams::Timely(_)
        | NotificationPointParams::Hpcc(_)
        | NotificationPointParams::Powertcp(_)
        | NotificationPointParams::Swift(_) => &path[..],
        NotificationPointParams::None => &path[..member.place],
    };
    let replies = over(way, spec.control.notification_size);
    let there = over(way, frame).saturating_sub(timely::counted_twice(network, member));
    there + replies + spec.control.reaction_delay + dcqcn::waiting(spec)
}

/// Notes stations whose flows cannot all reach the rate that the model allows.
fn shared_ports(network: &Network<'_>, members: &[Passing], leaves_out: &mut Vec<String>) {
    let (spec, topology) = (network.spec, &network.spec.topology);
    let mut by_port: Vec<(PortId, Rate)> =
        members.iter().map(|member| (network.paths[member.flow][0], most(spec, member.flow))).collect();
    by_port.sort_unstable();
    for flows in by_port.chunk_by(|one, other| one.0 == other.0).filter(|flows| flows.len() > 1) {
        let line = topology.link_at(flows[0].0.link()).rate;
        let sum: u128 = flows.iter().map(|(_, most)| u128::from(line.min(*most).bits_per_second())).sum();
        if sum > u128::from(line.bits_per_second()) {
            let station = &topology.node_at(topology.source(flows[0].0)).name;
            leaves_out.push(format!(
                "The {} flows of {station} share its {line} port; in the model each has its own port.",
                flows.len()
            ));
            return;
        }
    }
}

/// The name of a class: its flows, abbreviated if there are many.
fn name<'a>(flows: &[usize], name: impl Fn(usize) -> &'a String) -> String {
    let (first, last) = (flows[0], flows[flows.len() - 1]);
    match flows.len() {
        1 => name(first).clone(),
        count if last - first + 1 == count => format!("{} to {}", name(first), name(last)),
        2 => format!("{} and {}", name(first), name(last)),
        count => format!("{} and {} identical flows", name(first), count - 1),
    }
}
