//! How much flows offer to the ports on their routes.

use std::collections::BTreeSet;

use setpoint_units::{Rate, Time};

use crate::error::SpecError;
use crate::ids::PortId;
use crate::lossless::rate_ranges;
use crate::routing::routes;
use crate::spec::{FlowSpec, Spec};
use crate::traffic::Traffic;

/// A port that flows offer more to than it can send.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overload {
    /// The port.
    pub port: PortId,
    /// The largest sum of the rates that are offered at a time, with preamble and gap, in bit/s.
    pub offered_bps: f64,
    /// The highest rate of the port.
    pub capacity: Rate,
    /// From when on.
    pub from: Time,
}

/// Rates are compared with this tolerance: a load of exactly the capacity is not an overload.
const TOLERANCE: f64 = 1e-6;

/// Ports to which flows with a rate of their own offer more than the port can ever send, in the order of ports.
/// Backlogged flows and single messages have no rate: they take what there is.
///
/// # Errors
/// If a flow has no way to its destination.
pub fn overloads(spec: &Spec) -> Result<Vec<Overload>, SpecError> {
    // By port: when the load changes, and by how much.
    let mut steps: Vec<Vec<(Time, f64)>> = vec![Vec::new(); spec.topology.links().len() * 2];
    for (flow, route) in spec.flows.iter().zip(routes(spec)?) {
        let Some(rate) = offered_bps(spec, flow) else { continue };
        let ports: BTreeSet<PortId> = route.paths().flatten().copied().collect();
        for port in ports {
            steps[port.index()].push((flow.start, rate));
            steps[port.index()].extend(flow.stop.map(|stop| (stop, -rate)));
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

/// The mean rate that a flow offers on the link, if it has one.
fn offered_bps(spec: &Spec, flow: &FlowSpec) -> Option<f64> {
    let bare = match &flow.traffic {
        Traffic::Backlogged | Traffic::Message { .. } => return None,
        Traffic::Constant { rate } => rate.bits_per_second() as f64,
        Traffic::OnOff { offered, .. } => offered.bits_per_second() as f64,
        Traffic::Poisson { mean_gap, sizes } => sizes.mean() * 8.0 / mean_gap.as_secs_f64(),
    };
    let frame = flow.frame.get() as f64;
    let on_link = bare * (frame + spec.overhead.get() as f64) / frame;
    let cap = flow.cap.map_or(f64::INFINITY, |cap| cap.bits_per_second() as f64);
    Some(on_link.min(cap))
}

/// The largest load, and when it begins. At equal times loads end before others begin.
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
