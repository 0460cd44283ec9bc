//! Figures and curves of flows.

use setpoint_sim::{Destination, FlowOutcome, FlowSpec, Outcome, Spec};
use setpoint_units::{Time, TimeDelta};

use super::axis::Axis;
use super::moments::{Moments, ratio};
use crate::results::{FlowSeries, FlowSummary};

/// The figures of a flow, all but the deviation of its rate, which is taken from its curve.
pub(super) fn summary(
    spec: &Spec,
    flow: &FlowSpec,
    outcome: &FlowOutcome,
    measured: TimeDelta,
) -> FlowSummary {
    let node = |id| spec.topology.node_at(id).name.clone();
    FlowSummary {
        name: flow.name.clone(),
        source: node(flow.source),
        destination: match flow.destination {
            Destination::Station(station) => node(station),
            Destination::Group(group) => spec.groups[group.index()].name.clone(),
        },
        rate_bps: rate(outcome.delivered_measured.get(), measured),
        rate_deviation_bps: 0.0,
        sent_frames: outcome.sent_frames,
        delivered_frames: outcome.delivered_frames,
        dropped_frames: outcome.dropped_frames,
        notifications: outcome.notifications,
        delay_mean_s: delay_mean(outcome),
        delay_max_s: (outcome.delay_frames > 0).then(|| outcome.delay_max.as_secs_f64()),
        decreases: outcome.reaction.decreases,
        increases: outcome.reaction.increases,
        stops: outcome.reaction.stops,
        fast_recovery_cycles: outcome.reaction.fast_recovery_cycles,
        active_increase_cycles: outcome.reaction.active_increase_cycles,
        hyper_increase_cycles: outcome.reaction.hyper_increase_cycles,
        held_up_s: outcome.held_up.as_secs_f64(),
    }
}

/// The curves of a flow.
pub(super) fn series(name: String, outcome: FlowOutcome, axis: &Axis) -> FlowSeries {
    let rates = outcome.delivered_series.into_iter().enumerate();
    let mut curves = FlowSeries {
        name,
        rate_bps: rates.map(|(sample, bytes)| rate(bytes, axis.span(sample))).collect(),
        limit_bps: outcome
            .limit_series
            .iter()
            .map(|limit| Some(limit.as_ref()?.bits_per_second() as f64))
            .collect(),
        notifications: outcome.notification_series,
    };
    curves.rate_bps.resize(axis.samples, 0.0);
    curves.limit_bps.resize(axis.samples, None);
    curves.notifications.resize(axis.samples, 0);
    curves
}

/// Standard deviation of a flow's rate over the intervals that are measured.
pub(super) fn rate_deviation(curves: &FlowSeries, axis: &Axis, from: Time) -> f64 {
    let measured = axis.within(from, axis.end);
    Moments::of(curves.rate_bps[measured].iter().copied()).deviation()
}

/// Bits per second.
fn rate(bytes: u64, span: TimeDelta) -> f64 {
    // In this order a whole number of bits per second comes out as one.
    ratio(bytes as f64 * 8e12, span.as_picos() as f64)
}

/// The mean in seconds; the sum is in picoseconds.
fn delay_mean(outcome: &FlowOutcome) -> Option<f64> {
    (outcome.delay_frames > 0).then(|| outcome.delay_sum as f64 / outcome.delay_frames as f64 / 1e12)
}

/// The flows' figures, in the order of their ids.
pub(super) fn summaries(spec: &Spec, outcome: &Outcome) -> Vec<FlowSummary> {
    let measured = outcome.end.saturating_since(outcome.measure_from);
    let pairs = spec.flows.iter().zip(&outcome.flows);
    pairs.map(|(flow, outcome)| summary(spec, flow, outcome, measured)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use setpoint_units::Rate;

    #[test]
    fn rates_are_bits_over_time() {
        assert_eq!(rate(125_000, TimeDelta::from_millis(1)), 1e9);
        assert_eq!(rate(1, TimeDelta::ZERO), 0.0);
    }

    #[test]
    fn a_short_last_interval_does_not_lower_the_rate() {
        let end = Time::ZERO + TimeDelta::from_micros(150);
        let axis = Axis { interval: TimeDelta::from_micros(100), end, samples: 2 };
        let outcome = FlowOutcome {
            delivered_series: vec![12_500, 6_250],
            limit_series: vec![None, Some(Rate::from_gbps(2))],
            ..FlowOutcome::default()
        };
        let curves = series("f".to_owned(), outcome, &axis);
        assert_eq!(curves.rate_bps, [1e9, 1e9]);
        assert_eq!(curves.limit_bps, [None, Some(2e9)]);
        assert_eq!(curves.notifications, [0, 0]);
    }

    #[test]
    fn the_mean_delay_is_the_sum_over_frames() {
        let mut outcome = FlowOutcome { delay_sum: 30_000_000, delay_frames: 3, ..FlowOutcome::default() };
        assert_eq!(delay_mean(&outcome), Some(1e-5));
        outcome.delay_frames = 0;
        assert_eq!(delay_mean(&outcome), None);
    }

    #[test]
    fn the_deviation_covers_what_is_measured() {
        let end = Time::ZERO + TimeDelta::from_micros(400);
        let axis = Axis { interval: TimeDelta::from_micros(100), end, samples: 4 };
        let curves = FlowSeries { rate_bps: vec![0.0, 0.0, 1.0, 3.0], ..FlowSeries::default() };
        let from = Time::ZERO + TimeDelta::from_micros(200);
        assert_eq!(rate_deviation(&curves, &axis, from), 1.0);
    }
}
