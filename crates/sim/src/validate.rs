//! Whether a spec makes sense.

use setpoint_units::Bytes;

use crate::error::SpecError;
use crate::events::MAX_COMPONENTS;
use crate::ids::FlowId;
use crate::network::routes;
use crate::spec::{Change, FlowControl, FlowSpec, Spec};
use crate::topology::NodeKind;

/// Checks a spec without running it.
///
/// # Errors
/// If the spec makes no sense.
pub fn validate(spec: &Spec) -> Result<(), SpecError> {
    check_size(spec)?;
    check_stations(spec)?;
    for (index, flow) in spec.flows.iter().enumerate() {
        check_flow(spec, FlowId(index as u32), flow)?;
    }
    check_flow_control(spec)?;
    check_changes(spec)?;
    routes(spec).map(|_| ())
}

fn check_size(spec: &Spec) -> Result<(), SpecError> {
    if spec.sample_interval.is_zero() {
        return Err(SpecError::ZeroInterval);
    }
    let counts = [(spec.topology.links().len() * 2, "ports"), (spec.flows.len(), "flows")];
    match counts.into_iter().find(|(count, _)| *count > MAX_COMPONENTS) {
        Some((count, what)) => Err(SpecError::TooMany(count, what, MAX_COMPONENTS)),
        None => Ok(()),
    }
}

fn check_stations(spec: &Spec) -> Result<(), SpecError> {
    let mut links = vec![0usize; spec.topology.nodes().len()];
    for link in spec.topology.links() {
        links[link.first.index()] += 1;
        links[link.second.index()] += 1;
    }
    match spec.topology.stations().find(|station| links[station.index()] != 1) {
        Some(station) => Err(SpecError::StationLinks(station, links[station.index()])),
        None => Ok(()),
    }
}

fn check_flow(spec: &Spec, id: FlowId, flow: &FlowSpec) -> Result<(), SpecError> {
    for end in [flow.source, flow.destination] {
        if spec.topology.node_at(end).kind != NodeKind::Station {
            return Err(SpecError::NotAStation(id, end));
        }
    }
    if flow.source == flow.destination {
        return Err(SpecError::Loop(id));
    }
    if flow.frame.is_zero() || flow.frame > Bytes::new(u64::from(u16::MAX)) {
        return Err(SpecError::FrameSize(id, flow.frame));
    }
    if flow.frame > spec.buffer {
        return Err(SpecError::FrameBeyondBuffer(id, flow.frame, spec.buffer));
    }
    if flow.weight == 0 { Err(SpecError::ZeroWeight(id)) } else { Ok(()) }
}

fn check_flow_control(spec: &Spec) -> Result<(), SpecError> {
    match spec.flow_control {
        FlowControl::Pause(params) | FlowControl::Pfc(params, _) => {
            if params.xon > params.xoff {
                Err(SpecError::XonAboveXoff(params.xoff, params.xon))
            } else if params.quanta == 0 {
                Err(SpecError::ZeroQuanta)
            } else {
                Ok(())
            }
        }
        FlowControl::None => Ok(()),
    }
}

fn check_changes(spec: &Spec) -> Result<(), SpecError> {
    let known = |change: &Change| match *change {
        Change::PortRate(port, _) => port.link().index() < spec.topology.links().len(),
        Change::StartFlow(flow) | Change::StopFlow(flow) | Change::Cap(flow, _) => {
            flow.index() < spec.flows.len()
        }
        Change::Weight(flow, weight) => flow.index() < spec.flows.len() && weight > 0,
        Change::ReactionPoint(_) => true,
    };
    match spec.changes.iter().position(|change| !known(&change.change)) {
        Some(index) => Err(SpecError::UnknownTarget(index)),
        None => Ok(()),
    }
}
