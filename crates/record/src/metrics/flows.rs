//! Figures and curves of flows.

use setpoint_control::Role;
use setpoint_scenario::Group;
use setpoint_sim::{Destination, FlowOutcome, FlowSpec, Outcome, Reaction, Spec, Topology};
use setpoint_units::{Time, TimeDelta};

use super::axis::Axis;
use super::{Context, groups, receivers};
use crate::results::{CounterSummary, FlowSeries, FlowSummary};
use crate::statistics::moments::{Moments, ratio};

/// The flows' figures in the order of their ids; [`add_spread`] adds those computed from curves.
pub(super) fn summaries(context: &Context<'_>, outcome: &Outcome) -> Vec<FlowSummary> {
    let mut names = groups::names(context.spec, context.groups).into_iter();
    let figures = |flow: usize| FlowSummary {
        group: names.next().flatten(),
        receivers: groups::receivers(context, flow, outcome),
        ..summary(context, flow, outcome)
    };
    (0..context.spec.flows.len().min(outcome.flows.len())).map(figures).collect()
}

fn summary(context: &Context<'_>, index: usize, run: &Outcome) -> FlowSummary {
    let (spec, flow, outcome) = (context.spec, &context.spec.flows[index], &run.flows[index]);
    let node = |id| spec.topology.node_at(id).name.clone();
    let lost = outcome.lost_on_links.get();
    let (measured, reaction) = (run.end.saturating_since(run.measure_from), outcome.reaction.get());
    let round_trips = outcome.round_trips.get();
    FlowSummary {
        name: flow.name.clone(),
        source: node(flow.source),
        destination: match flow.destination {
            Destination::Station(station) => node(station),
            Destination::Group(group) => spec.groups[group.index()].name.clone(),
        },
        rate_bps: match groups::multicast(context, index) {
            Some(group) => receivers::rate(outcome, group, run.measure_from, run.end),
            None => rate(outcome.delivered_measured.get(), measured),
        },
        sent_frames: outcome.sent_frames,
        delivered_frames: outcome.delivered_frames,
        dropped_frames: outcome.dropped_frames,
        lost_on_links_frames: lost.frames,
        unreachable_frames: lost.unreachable_frames,
        notifications: outcome.notifications,
        feedback_overhead: ratio(outcome.notifications as f64, outcome.sent_frames as f64),
        first_notified_s: outcome.first_notified.map(Time::as_secs_f64),
        delay_mean_s: delay_mean(outcome),
        delay_max_s: (outcome.delay_frames > 0).then(|| outcome.delay_max.as_secs_f64()),
        acknowledgements: (round_trips.acknowledgements > 0).then_some(round_trips.acknowledgements),
        round_trip_mean_s: round_trip_mean([outcome]),
        round_trip_max_s: (round_trips.measured > 0).then(|| round_trips.max.as_secs_f64()),
        window_mean_bytes: None,
        load_mean: None,
        decreases: reaction.get("decreases"),
        increases: reaction.get("increases"),
        stops: reaction.get("stops"),
        fast_recovery_cycles: reaction.get("fast_recovery_cycles"),
        active_increase_cycles: reaction.get("active_increase_cycles"),
        hyper_increase_cycles: reaction.get("hyper_increase_cycles"),
        victim_s: outcome.victim.as_secs_f64(),
        counters: CounterSummary::of(Role::ReactionPoint, &reaction)
            .chain(CounterSummary::of(Role::NotificationPoint, &outcome.replies.get()))
            .collect(),
        ..FlowSummary::default()
    }
}

/// The curves of a flow; `group` is the group of a multicast flow.
pub(super) fn series(name: String, outcome: FlowOutcome, group: Option<&Group>, axis: &Axis) -> FlowSeries {
    let mut curves = FlowSeries {
        name,
        rate_bps: match group {
            Some(group) => receivers::rates(&outcome, group, axis),
            None => {
                let bytes = outcome.delivered_series.into_iter().enumerate();
                bytes.map(|(sample, bytes)| rate(bytes, axis.span(sample))).collect()
            }
        },
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

/// Adds the spread of rates and limits over the measured intervals.
pub(super) fn add_spread(
    spec: &Spec,
    flows: &mut [FlowSummary],
    curves: &[FlowSeries],
    axis: &Axis,
    from: Time,
) {
    let measured = axis.within(from, axis.end);
    let lines = line_rates(&spec.topology);
    for ((summary, curves), flow) in flows.iter_mut().zip(curves).zip(&spec.flows) {
        let rates = curves.rate_bps[measured.clone()].iter().copied();
        summary.rate_deviation_bps = Moments::of(rates).deviation();
        if can_be_limited(spec, flow) && !measured.is_empty() {
            let line = lines[flow.source.index()];
            let limits = curves.limit_bps[measured.clone()].iter().map(|limit| limit.unwrap_or(line));
            let moments = Moments::of(limits);
            summary.limit_mean_bps = Some(moments.mean);
            summary.limit_deviation_bps = Some(moments.deviation());
        }
    }
}

fn can_be_limited(spec: &Spec, flow: &FlowSpec) -> bool {
    let control = &spec.control;
    flow.reaction == Reaction::Controlled
        && control.limiters_per_station > 0
        && control.priorities.contains(flow.priority)
}

/// The rate of each station's link at the start of the run.
fn line_rates(topology: &Topology) -> Vec<f64> {
    let mut rates = vec![0.0; topology.nodes().len()];
    for link in topology.links() {
        for end in [link.first, link.second] {
            rates[end.index()] = link.rate.bits_per_second() as f64;
        }
    }
    rates
}

/// Bits per second.
fn rate(bytes: u64, span: TimeDelta) -> f64 {
    // In this order of operations, a rate that is a whole number of bits per second is exact.
    ratio(bytes as f64 * 8e12, span.as_picos() as f64)
}

/// The mean in seconds; the sum is in picoseconds.
fn delay_mean(outcome: &FlowOutcome) -> Option<f64> {
    (outcome.delay_frames > 0).then(|| outcome.delay_sum as f64 / outcome.delay_frames as f64 / 1e12)
}

/// The mean round-trip time of some flows in seconds, over all their acknowledgements.
pub(super) fn round_trip_mean<'a>(flows: impl IntoIterator<Item = &'a FlowOutcome>) -> Option<f64> {
    let add = |(count, sum): (u64, u128), flow: &FlowOutcome| {
        let round_trips = flow.round_trips.get();
        (count + round_trips.measured, sum + round_trips.sum)
    };
    let (count, sum) = flows.into_iter().fold((0, 0), add);
    (count > 0).then(|| sum as f64 / count as f64 / 1e12)
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
        let curves = series("f".to_owned(), outcome, None, &axis);
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
}
