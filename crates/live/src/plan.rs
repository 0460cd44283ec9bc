//! The configurations of a bridge and of stations, from the description of a network.
//!
//! The same description can be simulated: `setpoint run` and `setpoint live` read the same file.

use setpoint_control::dcqcn::Reports;
use setpoint_control::{Answers, NotificationPointParams, SourceNeeds, Start, Tenant};
use setpoint_sim::{
    Bridges, FlowSpec, NodeId, Placement, PointPlace, PortId, Priority, Reaction, Scheduling, Side, Spec,
    SpecError, link_budgets, point_id,
};
use setpoint_units::{Bytes, Rate, TimeDelta};
use setpoint_wire::MacAddress;

use crate::bridge::{BridgePlan, FlowPlan, Notified, Numbers, PortPlan};
use crate::options::Options;
use crate::station::{OwnFlow, StationFlow, StationPlan};

/// A program reacts more slowly than hardware, so inputs have more buffer space than the simulated network would need.
/// The additional space holds the data that arrives in this time at the rate of the link.
const LATENCY: TimeDelta = TimeDelta::from_millis(100);

/// The reason why a network cannot run on real frames.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// The algorithm requires a feature that live nodes or frames lack.
    #[error(
        "{algorithm} does not run on real frames: {reason}; try qcn, af-qcn, fqcn, smcc, aimd, afd, dcqcn or none"
    )]
    Algorithm {
        /// The algorithm.
        algorithm: &'static str,
        /// The missing service.
        reason: &'static str,
    },
    /// Receivers would report marks in acknowledgements.
    #[error(
        "`control.{0}.np.reports` is \"acknowledged\", which does not run on real frames: acknowledgements of RoCEv2 have no \
        field for a mark; set it to \"paced\", \"deferred\" or \"polled\""
    )]
    Acknowledgements(&'static str),
    /// The network has bridges with input buffers, but the live bridge has output queues.
    #[error(
        "bridges with input buffers are not supported on real frames; use `bridge = \"output-queued\"` and `placement = \
        \"outputs\"`"
    )]
    InputBuffers,
    /// Priorities have weights, but the live bridge serves the highest priority first.
    #[error("weights of priorities are not supported on real frames; use `scheduling = \"strict\"`")]
    Weights,
    /// The ports of bridges share a buffer, but the live bridge has a buffer per queue.
    #[error(
        "bridges with a shared buffer are not supported on real frames; use `bridge = \"output-queued\"`"
    )]
    SharedBuffer,
    /// Groups are not supported.
    #[error("groups are not supported on real frames: a bridge sends frames to a group through every port")]
    Groups,
    /// The network is invalid.
    #[error(transparent)]
    Spec(#[from] SpecError),
}

/// Checks that a network can run on real frames.
///
/// # Errors
/// The first reason why it cannot.
pub fn check(spec: &Spec) -> Result<(), PlanError> {
    let control = &spec.control;
    let algorithm = control.algorithm().name();
    if let Some(reason) = unmet(control.reaction_point.needs()) {
        return Err(PlanError::Algorithm { algorithm, reason });
    }
    if !can_reply(&control.notification_point) {
        return Err(PlanError::Acknowledgements(algorithm));
    }
    if spec.shared_buffer().is_some() {
        return Err(PlanError::SharedBuffer);
    }
    if spec.bridges != Bridges::OutputQueued || spec.control.placement != Placement::Outputs {
        return Err(PlanError::InputBuffers);
    }
    if spec.scheduling != Scheduling::Strict {
        return Err(PlanError::Weights);
    }
    if !spec.groups.is_empty() {
        return Err(PlanError::Groups);
    }
    Ok(())
}

/// The first requirement of a reaction point that a live station cannot meet.
fn unmet(needs: SourceNeeds) -> Option<&'static str> {
    let SourceNeeds { tags, telemetry, window, start } = needs;
    let reasons = [
        (tags, "frames have no field for the tags of its sources"),
        (telemetry, "frames have no field for the reports of bridges"),
        (window, "stations do not count the bytes in flight that its window limits"),
        (start == Start::FirstFrame, "stations create limiters only on the first notification"),
    ];
    reasons.into_iter().find(|(needed, _)| *needed).map(|(_, reason)| reason)
}

/// Whether a live station can send the replies of a notification point.
fn can_reply(point: &NotificationPointParams) -> bool {
    match (point.answers(), point) {
        (Answers::Never | Answers::MarkedFrames, _) => true,
        (Answers::EveryFrame, NotificationPointParams::Dcqcn(np)) => np.reports == Reports::Polled,
        (Answers::EveryFrame, _) => false,
    }
}

/// The ports of a node, in the order of their links.
pub fn ports_of(spec: &Spec, node: NodeId) -> Vec<PortId> {
    spec.topology.ports().filter(|port| spec.topology.source(*port) == node).collect()
}

/// The configuration of a bridge whose ports have the given addresses, in the order of [`ports_of`].
///
/// # Errors
/// If the network cannot run on real frames.
pub fn bridge(
    spec: &Spec,
    node: NodeId,
    addresses: &[MacAddress],
    options: Options,
) -> Result<(BridgePlan, Numbers), PlanError> {
    check(spec)?;
    let ports = ports_of(spec, node);
    let passing = passing_flows(spec, &ports)?;
    let plan = BridgePlan {
        ports: ports.iter().zip(addresses).map(|(port, address)| port_plan(spec, *port, *address)).collect(),
        control: spec.control,
        flow_control: spec.flow_control,
        buffer: spec.buffer,
        overhead: spec.overhead,
        seed: spec.seed,
        flows: passing.iter().map(|(_, flow)| *flow).collect(),
        options,
    };
    let mut queues: Vec<(usize, Priority)> =
        passing.iter().map(|(number, flow)| (flow.to, spec.flows[*number].priority)).collect();
    queues.sort_unstable();
    queues.dedup();
    let planned = passing.iter().map(|(number, _)| *number).collect();
    Ok((plan, Numbers { ports, queues, flows: spec.flows.len(), planned }))
}

fn port_plan(spec: &Spec, port: PortId, address: MacAddress) -> PortPlan {
    let rate = spec.topology.link_at(port.link()).rate;
    let point = |number: usize| {
        let priority = Priority::new(number as u8).expect("there are eight priorities");
        let unused = setpoint_control::PointId(u32::MAX - port.0 * 8 - number as u32);
        point_id(spec, &PointPlace { port, side: Side::Output, priority }).unwrap_or(unused)
    };
    let needed = link_budgets(spec).unwrap_or_default();
    let budget = needed.iter().find(|budget| budget.port == port.peer()).map(setpoint_sim::LinkBudget::room);
    PortPlan {
        name: spec.topology.port_name(port),
        address,
        rate,
        points: std::array::from_fn(point),
        room: budget.unwrap_or(Bytes::ZERO) + sent_in(rate, LATENCY),
    }
}

/// The bytes that a port sends in a time span.
fn sent_in(rate: Rate, span: TimeDelta) -> Bytes {
    let bytes =
        u128::from(span.as_picos()) * u128::from(rate.bits_per_second()) / u128::from(Rate::BYTE_PICOS);
    Bytes::new(bytes as u64)
}

/// The flows that pass through a bridge, with their numbers.
fn passing_flows(spec: &Spec, ports: &[PortId]) -> Result<Vec<(usize, FlowPlan)>, PlanError> {
    let paths = setpoint_sim::paths(spec)?;
    let mut passing = Vec::new();
    for (number, (flow, path)) in spec.flows.iter().zip(&paths).enumerate() {
        let steps = path.windows(2).filter_map(|pair| {
            let from = ports.iter().position(|port| *port == pair[0].peer())?;
            Some((from, ports.iter().position(|port| *port == pair[1])?))
        });
        passing.extend(steps.map(|(from, to)| (number, flow_plan(flow, from, to))));
    }
    Ok(passing)
}

fn flow_plan(flow: &FlowSpec, from: usize, to: usize) -> FlowPlan {
    FlowPlan {
        from,
        to,
        priority: setpoint_wire::Priority::ALL[flow.priority.index()],
        tenant: Tenant { id: flow.tenant, weight: flow.weight, max: flow.max },
        notified: match flow.reaction {
            Reaction::Controlled => Notified::Yes,
            Reaction::Uncontrolled => Notified::No,
        },
    }
}

/// A network with the flows that a station has sent, in the order of its outcome. Flows of the description keep their
/// names; further ones are named by their addresses.
pub fn as_seen_at_station(spec: &Spec, node: NodeId, seen: &[StationFlow]) -> Spec {
    let planned: Vec<&FlowSpec> = spec.flows.iter().filter(|flow| flow.source == node).collect();
    let other = spec.topology.stations().find(|station| *station != node).unwrap_or(node);
    let flow = |(index, seen): (usize, &StationFlow)| match (planned.get(index), spec.flows.first()) {
        (Some(flow), _) => Some((*flow).clone()),
        (None, Some(any)) => {
            Some(FlowSpec { name: seen.name.clone(), source: node, destination: other.into(), ..any.clone() })
        }
        (None, None) => None,
    };
    Spec { flows: seen.iter().enumerate().filter_map(flow).collect(), ..spec.clone() }
}

/// The configuration of a station with the given address.
///
/// # Errors
/// If the network cannot run on real frames.
pub fn station(
    spec: &Spec,
    node: NodeId,
    address: MacAddress,
    options: Options,
) -> Result<StationPlan, PlanError> {
    check(spec)?;
    let port = ports_of(spec, node)[0];
    let flows = spec.flows.iter().enumerate().filter(|(_, flow)| flow.source == node);
    let own = |(number, flow): (usize, &FlowSpec)| {
        let FlowSpec { weight, reaction, .. } = *flow;
        OwnFlow { number: number as u32, weight, reaction }
    };
    let any = spec.flows.iter().find(|flow| flow.source == node).or(spec.flows.first());
    let priority = any.map_or(spec.control.notification_priority, |flow| flow.priority);
    Ok(StationPlan {
        name: spec.topology.port_name(port),
        address,
        rate: spec.topology.link_at(port.link()).rate,
        overhead: spec.overhead,
        control: spec.control,
        lossless: spec.flow_control.protected(),
        priority: setpoint_wire::Priority::ALL[priority.index()],
        seed: spec.seed,
        flows: flows.map(own).collect(),
        options,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_need_of_a_source_is_checked() {
        let none = SourceNeeds::NONE;
        assert_eq!(unmet(none), None);
        let unmet_with = |needs| unmet(needs).unwrap_or_default().split(' ').next_back();
        assert_eq!(unmet_with(SourceNeeds { tags: true, ..none }), Some("sources"));
        assert_eq!(unmet_with(SourceNeeds { telemetry: true, ..none }), Some("bridges"));
        assert_eq!(unmet_with(SourceNeeds { window: true, ..none }), Some("limits"));
        assert_eq!(unmet_with(SourceNeeds { start: Start::FirstFrame, ..none }), Some("notification"));
    }
}
