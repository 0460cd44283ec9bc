//! The load that flows offer to the ports on their routes.

use setpoint_units::{Rate, Time};

use crate::error::SpecError;
use crate::ids::PortId;
use crate::lossless::rate_ranges;
use crate::routing::routes;
use crate::spec::{FlowSpec, Spec};
use crate::traffic::{Arrival, Traffic};

/// A port to which flows offer more than it can send.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overload {
    /// The port.
    pub port: PortId,
    /// The largest total offered rate at any time, including the preamble and gap, in bit/s.
    pub offered_bps: f64,
    /// The highest rate of the port during the run.
    pub capacity: Rate,
    /// The time at which the largest load begins.
    pub from: Time,
}

/// Relative tolerance: a load equal to the capacity is not an overload.
const TOLERANCE: f64 = 1e-6;

/// Lists the ports to which flows with a defined rate offer more than the port's highest rate, in port order.
/// Backlogged flows, single messages and messages that wait for others have no defined rate, so they do not count.
///
/// # Errors
/// Returns an error if a flow has no path to its destination.
pub fn overloads(spec: &Spec) -> Result<Vec<Overload>, SpecError> {
    // For each port, the times at which the load changes, and by how much.
    let mut steps: Vec<Vec<(Time, f64)>> = vec![Vec::new(); spec.topology.links().len() * 2];
    for (flow, route) in spec.flows.iter().zip(routes(spec)?) {
        let begins = flow.start.since_start() < spec.duration;
        let Some(rate) = offered_bps(spec, flow).filter(|_| begins) else { continue };
        for (port, share) in route.shares() {
            steps[port.index()].push((flow.start, rate * share));
            steps[port.index()].extend(flow.stop.map(|stop| (stop, -rate * share)));
        }
    }
    let ranges = rate_ranges(spec);
    let overload = |port: PortId| {
        let capacity = ranges[port.index()].fastest;
        let (from, offered_bps) = peak(&mut steps[port.index()])?;
        let most = capacity.bits_per_second() as f64 * (1.0 + TOLERANCE);
        (offered_bps > most).then_some(Overload { port, offered_bps, capacity, from })
    };
    Ok(spec.topology.ports().filter_map(overload).collect())
}

/// The mean rate that a flow offers on the link, or `None` if it has no defined rate.
pub(crate) fn offered_bps(spec: &Spec, flow: &FlowSpec) -> Option<f64> {
    let bare = match &flow.traffic {
        Traffic::Backlogged | Traffic::Message { .. } | Traffic::Dependent(_) => return None,
        Traffic::Constant { rate } => rate.bits_per_second() as f64,
        Traffic::OnOff { offered, .. } => offered.bits_per_second() as f64,
        Traffic::Poisson { mean_gap, sizes } => sizes.mean() * 8.0 / mean_gap.as_secs_f64(),
        Traffic::Schedule(arrivals) => listed_bps(spec, flow, arrivals)?,
    };
    let frame = flow.frame.get() as f64;
    let on_link = bare * (frame + spec.overhead.get() as f64) / frame;
    // If each message has its own cap, the messages together may exceed it.
    let cap = flow.cap.filter(|_| !flow.sends_independent_messages());
    let cap = cap.map_or(f64::INFINITY, |cap| cap.bits_per_second() as f64);
    Some(on_link.min(cap))
}

/// The mean rate of the messages offered from the flow's start until it stops or the run ends.
fn listed_bps(spec: &Spec, flow: &FlowSpec, arrivals: &[Arrival]) -> Option<f64> {
    let end = Time::ZERO + spec.duration;
    let active = flow.stop.unwrap_or(end).min(end).saturating_since(flow.start);
    let offered = arrivals.iter().take_while(|arrival| arrival.after < active);
    let bytes: f64 = offered.map(|arrival| arrival.size.get() as f64).sum();
    // A list with only one message has no defined rate, like a flow with a single message.
    (arrivals.len() > 1 && !active.is_zero()).then(|| bytes * 8.0 / active.as_secs_f64())
}

/// The largest load and when it begins. Loads that end at an instant are subtracted before loads that begin
/// at it are added.
fn peak(steps: &mut [(Time, f64)]) -> Option<(Time, f64)> {
    steps.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let mut load = 0.0;
    let mut most: Option<(Time, f64)> = None;
    for &(at, change) in steps.iter() {
        load += change;
        if most.is_none_or(|(_, highest)| load > highest) {
            most = Some((at, load));
        }
    }
    most
}
