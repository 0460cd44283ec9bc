//! The paths of flows in an idle network.

use setpoint_control::Path;
use setpoint_units::{Bytes, TimeDelta};

use crate::error::SpecError;
use crate::ids::PortId;
use crate::routing::paths;
use crate::spec::Spec;

/// The path of every flow as its reaction point knows it: the first one, if a flow has several. `None` for flows to groups.
///
/// # Errors
/// Returns an error if a flow has no path to its destination.
pub fn idle_paths(spec: &Spec) -> Result<Vec<Option<Path>>, SpecError> {
    let rate = |port: &PortId| spec.topology.link_at(port.link()).rate;
    let path = |(flow, ports): (usize, Vec<PortId>)| {
        let frame = spec.flows[flow].frame;
        let (line_rate, base_rtt) = (rate(ports.first()?), round_trip(spec, frame, &ports));
        Some(Path { line_rate, base_rtt, largest_rtt: base_rtt, bridges: bridges(&ports), frame })
    };
    let mut known: Vec<Option<Path>> = paths(spec)?.into_iter().enumerate().map(path).collect();
    let largest = known.iter().flatten().map(|path| path.base_rtt).max().unwrap_or(TimeDelta::ZERO);
    known.iter_mut().flatten().for_each(|path| path.largest_rtt = largest);
    Ok(known)
}

/// The time that a frame takes through the given ports, plus the time that its reply takes back.
pub(crate) fn round_trip(spec: &Spec, frame: Bytes, ports: &[PortId]) -> TimeDelta {
    let span = |port: PortId, bytes: Bytes| {
        let link = spec.topology.link_at(port.link());
        (bytes + spec.overhead) / link.rate + link.delay
    };
    let there_and_back =
        |port: &PortId| span(*port, frame) + span(port.peer(), spec.control.notification_size);
    ports.iter().fold(TimeDelta::ZERO, |sum, port| sum + there_and_back(port))
}

/// The number of bridges on a path.
pub(crate) fn bridges(ports: &[PortId]) -> u32 {
    ports.len().saturating_sub(1) as u32
}
