//! Validation of a spec.

mod cioq;
mod dependent;
mod group;

pub use cioq::check_input_room;

use std::collections::BTreeSet;

use setpoint_units::{Bytes, Rate};

use crate::clock::MAX_CLOCK_TOLERANCE;
use crate::controllers::check_replies;
use crate::error::SpecError;
use crate::ids::{FlowId, NodeId, PortId, Priority};
use crate::lossless::{LinkBudget, budgets, check_shared, pause_bytes, rate_ranges};
use crate::routing::{Route, routes};
use crate::spec::{Change, Destination, FlowControl, FlowSpec, Spec};
use crate::topology::NodeKind;

/// The largest value of a simulated frame's length field.
const LONGEST_FRAME: Bytes = Bytes::new(u16::MAX as u64);

/// The largest number of ports or flows. Every hop of every route and every congestion point has a 32-bit number; there
/// are two congestion points per port and priority. The number of a bridge must fit in 24 bits of an event.
const MAX_COMPONENTS: usize = 1 << 24;

/// Checks a spec without running it.
///
/// # Errors
/// Returns an error if the spec is inconsistent or impossible.
pub fn validate(spec: &Spec) -> Result<(), SpecError> {
    check(spec).map(|_| ())
}

/// The findings of a spec's validation.
pub(crate) struct Findings {
    /// The route of every flow.
    pub(crate) routes: Vec<Route>,
    /// The budgets of links under flow control.
    pub(crate) budgets: Vec<LinkBudget>,
}

/// Like [`validate`], but returns its findings.
pub(crate) fn check(spec: &Spec) -> Result<Findings, SpecError> {
    check_size(spec)?;
    check_stations(spec)?;
    group::check(spec)?;
    for (index, flow) in spec.flows.iter().enumerate() {
        check_flow(spec, FlowId(index as u32), flow)?;
    }
    dependent::check(spec)?;
    check_control(spec)?;
    check_flow_control(spec)?;
    check_drops(spec)?;
    check_changes(spec)?;
    check_times(spec)?;
    cioq::check(spec)?;
    check_replies(spec, spec.control.notification_point.answers()).map_err(SpecError::Replies)?;
    let routes = routes(spec)?;
    let budgets = budgets(spec, &routes);
    cioq::check_room(spec, &budgets)?;
    check_shared(spec, &budgets)?;
    Ok(Findings { routes, budgets })
}

fn check_size(spec: &Spec) -> Result<(), SpecError> {
    if spec.sample_interval.is_zero() {
        return Err(SpecError::ZeroInterval);
    }
    if spec.control.notification_size.is_zero() || spec.control.notification_size > LONGEST_FRAME {
        return Err(SpecError::NotificationSize(spec.control.notification_size));
    }
    if spec.overhead > LONGEST_FRAME {
        return Err(SpecError::Overhead(spec.overhead));
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
    let destination = match flow.destination {
        Destination::Station(station) => Some(station),
        Destination::Group(_) => None,
    };
    if let Some(end) = destination.into_iter().chain([flow.source]).find(|&end| !is_station(spec, end)) {
        return Err(SpecError::NotAStation(id, end));
    }
    if destination == Some(flow.source) {
        return Err(SpecError::Loop(id));
    }
    group::check_flow(spec, id, flow)?;
    if flow.frame.is_zero() || flow.frame > LONGEST_FRAME {
        return Err(SpecError::FrameSize(id, flow.frame));
    }
    if flow.frame > spec.buffer && spec.shared_buffer().is_none() {
        return Err(SpecError::FrameBeyondBuffer(id, flow.frame, spec.buffer));
    }
    if flow.weight == 0 {
        return Err(SpecError::ZeroWeight(id));
    }
    flow.traffic.fault().map_or(Ok(()), |fault| Err(SpecError::Traffic(id, fault)))
}

fn is_station(spec: &Spec, node: NodeId) -> bool {
    spec.topology.nodes().get(node.index()).is_some_and(|node| node.kind == NodeKind::Station)
}

/// Checks the parameters of congestion and reaction points, initially and after every change, and the replies that reaction
/// points require.
fn check_control(spec: &Spec) -> Result<(), SpecError> {
    let changed = spec.changes.iter().filter_map(|change| match change.change {
        Change::ReactionPoint(params) => Some(params),
        _ => None,
    });
    spec.control.congestion_point.check().map_err(SpecError::Parameter)?;
    for reaction_point in changed.chain([spec.control.reaction_point]) {
        reaction_point.check().map_err(SpecError::Parameter)?;
        reaction_point.check_replies(&spec.control.notification_point).map_err(SpecError::Parameter)?;
    }
    Ok(())
}

/// Congestion points that drop frames must not control lossless priorities.
fn check_drops(spec: &Spec) -> Result<(), SpecError> {
    let protected = spec.flow_control.protected();
    let both =
        |priority: &Priority| spec.control.priorities.contains(*priority) && protected.contains(*priority);
    let clash = (0..Priority::COUNT as u8).filter_map(Priority::new).find(both);
    match clash {
        Some(priority) if spec.control.congestion_point.needs().admission => {
            Err(SpecError::DropsLossless(priority))
        }
        _ => Ok(()),
    }
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
        Change::LinkDown(link) | Change::LinkUp(link) => link.index() < spec.topology.links().len(),
        Change::StartFlow(flow) | Change::StopFlow(flow) | Change::Cap(flow, _) | Change::Max(flow, _) => {
            flow.index() < spec.flows.len()
        }
        Change::Join(group, _) | Change::Leave(group, _) => group.index() < spec.groups.len(),
        Change::Weight(flow, weight) => flow.index() < spec.flows.len() && weight > 0,
        Change::ReactionPoint(_) => true,
    };
    match spec.changes.iter().position(|change| !known(&change.change)) {
        Some(index) => Err(SpecError::UnknownTarget(index)),
        None => check_failures(spec),
    }
}

/// Links fail only while they are up and recover only while they are down. Links inside distributed bridges do not fail.
fn check_failures(spec: &Spec) -> Result<(), SpecError> {
    let mut changes: Vec<_> = spec.changes.iter().enumerate().collect();
    changes.sort_by_key(|(_, change)| change.at);
    let mut down = BTreeSet::new();
    for (index, change) in changes {
        let is_possible = match change.change {
            Change::LinkDown(link) if spec.topology.is_inside(link.forward()) => {
                return Err(SpecError::FailureInside(link));
            }
            Change::LinkDown(link) => down.insert(link),
            Change::LinkUp(link) => down.remove(&link),
            _ => true,
        };
        if !is_possible {
            return Err(SpecError::LinkState(index));
        }
    }
    Ok(())
}

/// No event may be scheduled beyond the range of time. The latest departures scheduled in advance are those from a
/// full buffer, in the worst case with one-byte frames, or those of all frames inside a bridge with input buffers;
/// half of the range is reserved for pacing gaps.
fn check_times(spec: &Spec) -> Result<(), SpecError> {
    if spec.clock_tolerance > MAX_CLOCK_TOLERANCE {
        return Err(SpecError::ClockTolerance(spec.clock_tolerance));
    }
    if spec.measure_from.since_start() > spec.duration {
        return Err(SpecError::NothingMeasured(spec.measure_from));
    }
    if let Some(until) = spec.measure_messages_until.filter(|until| *until <= spec.measure_from) {
        return Err(SpecError::NoMessagesMeasured(until));
    }
    let buffer = u128::from(spec.buffer.get()) + u128::from(LONGEST_FRAME.get());
    let queued = buffer * (1 + u128::from(spec.overhead.get()));
    let paused = spec.flow_control.params().map_or(Bytes::ZERO, |params| pause_bytes(params.quanta));
    let rates = rate_ranges(spec);
    let bytes = queued + u128::from(paused.get()) + cioq::bytes_ahead(spec);
    let too_long = |port: &PortId| {
        let slowest = u128::from(rates[port.index()].slowest.bits_per_second());
        let busy = bytes.saturating_mul(u128::from(Rate::BYTE_PICOS)) / slowest;
        let delay = spec.topology.link_at(port.link()).delay;
        let spans = [spec.duration, spec.control.reaction_delay, delay, cioq::control_delay(spec)];
        let rest: u128 = spans.iter().map(|span| u128::from(span.as_picos())).sum();
        busy.saturating_add(rest) > u128::from(u64::MAX / 2)
    };
    match spec.topology.ports().find(too_long) {
        Some(port) => Err(SpecError::BeyondTime(port)),
        None => Ok(()),
    }
}
