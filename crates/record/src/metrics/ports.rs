//! Figures and curves of ports.

use setpoint_scenario::PortNames;
use setpoint_sim::{Outcome, PortOutcome};
use setpoint_units::TimeDelta;

use super::axis::Axis;
use crate::results::{PortSeries, PortSummary};
use crate::statistics::moments::share;

/// The figures for a port.
fn summary(names: &PortNames, port: &PortOutcome, measured: TimeDelta) -> PortSummary {
    let of_measured = |span: TimeDelta| share(span.as_picos() as f64, measured.as_picos() as f64);
    PortSummary {
        name: names.of(port.port).to_owned(),
        sent_bytes: port.sent.get(),
        utilisation_share: of_measured(port.busy),
        paused_share: of_measured(port.paused),
        pauses: port.pauses,
    }
}

/// The ports' figures, in the order of the outcome.
pub(super) fn summaries(names: &PortNames, outcome: &Outcome) -> Vec<PortSummary> {
    let measured = outcome.end.saturating_since(outcome.measure_from);
    outcome.ports.iter().map(|port| summary(names, port, measured)).collect()
}

/// The curves of a port.
pub(super) fn series(name: String, port: PortOutcome, axis: &Axis) -> PortSeries {
    let shares = |spans: Vec<TimeDelta>| {
        let share_of = |(sample, span): (usize, TimeDelta)| {
            share(span.as_picos() as f64, axis.span(sample).as_picos() as f64)
        };
        let mut shares: Vec<f64> = spans.into_iter().enumerate().map(share_of).collect();
        shares.resize(axis.samples, 0.0);
        shares
    };
    PortSeries { name, utilisation_share: shares(port.busy_series), paused_share: shares(port.paused_series) }
}
