//! Figures and curves of ports.

use setpoint_sim::{Outcome, PortOutcome, Spec};
use setpoint_units::TimeDelta;

use super::axis::Axis;
use super::capacity::{Capacity, wire_factor};
use super::moments::share;
use crate::results::{PortSeries, PortSummary};

/// The figures of a port.
fn summary(spec: &Spec, port: &PortOutcome, measured: TimeDelta) -> PortSummary {
    let of_measured = |span: TimeDelta| share(span.as_picos() as f64, measured.as_picos() as f64);
    PortSummary {
        name: spec.topology.port_name(port.port),
        sent_bytes: port.sent.get(),
        utilisation_share: of_measured(port.busy),
        paused_share: of_measured(port.paused),
        pauses: port.pauses,
    }
}

/// The ports' figures, in the order of the outcome.
pub(super) fn summaries(spec: &Spec, outcome: &Outcome) -> Vec<PortSummary> {
    let measured = outcome.end.saturating_since(outcome.measure_from);
    outcome.ports.iter().map(|port| summary(spec, port, measured)).collect()
}

/// The curves of a port. A frame counts whole in the interval in which it was counted as sent, so
/// that a share can come out a frame above one: it is held there.
pub(super) fn series(spec: &Spec, name: String, port: PortOutcome, axis: &Axis) -> PortSeries {
    let capacity = Capacity::of(spec, port.port);
    let bits_per_byte = 8.0 * wire_factor(spec.overhead, port.sent_frames, port.sent);
    let utilisation = |(sample, bytes): (usize, u64)| {
        share(bytes as f64 * bits_per_byte, capacity.bits(axis.begin(sample), axis.finish(sample)))
    };
    let paused = |(sample, span): (usize, TimeDelta)| {
        share(span.as_picos() as f64, axis.span(sample).as_picos() as f64)
    };
    let mut curves = PortSeries {
        name,
        utilisation_share: port.sent_series.into_iter().enumerate().map(utilisation).collect(),
        paused_share: port.paused_series.into_iter().enumerate().map(paused).collect(),
    };
    curves.utilisation_share.resize(axis.samples, 0.0);
    curves.paused_share.resize(axis.samples, 0.0);
    curves
}
