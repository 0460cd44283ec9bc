//! Figures for the network as a whole.

use std::ops::Range;

use setpoint_sim::{FlowControl, Outcome, PrioritySet, Spec};
use setpoint_units::Time;

use super::Context;
use super::activity::Activity;
use super::axis::Axis;
use super::flows::round_trip_mean;
use super::groups::{multicast, occupied_share};
use super::jain::{jain_index, windowed};
use super::notified::Notified;
use super::receivers::Losses;
use crate::results::{FlowSeries, FlowSummary, Series, Summary, TotalSummary};
use crate::statistics::moments::ratio;

/// The figures that need no curves; [`add_windows`] adds Jain's index in windows, and
/// [`add_notifications`] adds the peak notification rate.
pub(super) fn summary(
    context: &Context<'_>,
    outcome: &Outcome,
    flows: &[FlowSummary],
    activity: &Activity,
) -> TotalSummary {
    let sent: u64 = flows.iter().map(|flow| flow.sent_frames).sum();
    let dropped: u64 = flows.iter().map(|flow| flow.dropped_frames).sum();
    let notifications: u64 = outcome.queues.iter().map(|queue| queue.congestion_point.notifications).sum();
    let received: u64 = flows.iter().map(|flow| flow.notifications).sum();
    let acknowledgements: u64 =
        outcome.flows.iter().map(|flow| flow.round_trips.get().acknowledgements).sum();
    TotalSummary {
        throughput_bps: rate_sum(context, outcome, flows, 0..flows.len()),
        dropped_frames: dropped,
        lost_on_links_frames: flows.iter().map(|flow| flow.lost_on_links_frames).sum(),
        loss_share: outcome.flows.iter().map(Losses::of).sum::<Losses>().share(),
        notifications,
        notifications_per_frame: ratio(notifications as f64, sent as f64),
        feedback_overhead: ratio(received as f64, sent as f64),
        notifications_per_source_peak: 0.0,
        marked_frames: outcome
            .queues
            .iter()
            .filter_map(|queue| queue.marked_frames)
            .reduce(|one, other| one + other),
        acknowledgements: (acknowledgements > 0).then_some(acknowledgements),
        acknowledgement_share: (acknowledgements > 0).then(|| {
            let bytes = acknowledgements * context.spec.control.notification_size.get();
            ratio(bytes as f64, outcome.flows.iter().map(|flow| flow.sent.get()).sum::<u64>() as f64)
        }),
        round_trip_mean_s: round_trip_mean(&outcome.flows),
        window_mean_bytes: None,
        load_mean: None,
        paused_s: outcome.ports.iter().map(|port| port.paused.as_secs_f64()).sum(),
        lossless: lossless(context.spec),
        jain_index: jain_index(competing(outcome, flows, activity)),
        jain_index_windowed_mean: None,
        jain_index_windowed_min: None,
        jain_window_s: 0.0,
    }
}

/// The sum of the rates of some flows over the measurement interval. The rate of a multicast flow covers only the time
/// during which its group has members, so it counts in proportion to that time.
pub(super) fn rate_sum(
    context: &Context<'_>,
    outcome: &Outcome,
    flows: &[FlowSummary],
    range: Range<usize>,
) -> f64 {
    let share = |flow| multicast(context, flow).map_or(1.0, |group| occupied_share(group, outcome));
    range.map(|flow| flows[flow].rate_bps * share(flow)).sum()
}

/// Adds Jain's index in windows of the measurement interval.
pub(super) fn add_windows(
    total: &mut TotalSummary,
    flows: &[FlowSeries],
    activity: &Activity,
    axis: &Axis,
    from: Time,
) {
    let jain = windowed(flows, activity, axis, axis.within(from, axis.end));
    total.jain_index_windowed_mean = jain.mean_and_min.map(|(mean, _)| mean);
    total.jain_index_windowed_min = jain.mean_and_min.map(|(_, min)| min);
    total.jain_window_s = (axis.interval * axis.window() as u64).as_secs_f64();
}

/// Adds the peak rate of notifications to a station.
pub(super) fn add_notifications(summary: &mut Summary, series: &Series, axis: &Axis) {
    let mut notified = Notified::default();
    for (flow, curves) in summary.flows.iter().zip(&series.flows) {
        notified.add(&flow.source, &curves.notifications);
    }
    summary.total.notifications_per_source_peak = notified.peak(axis);
}

/// The mean rates, per weight, of the flows that competed during the whole measurement interval: a flow that was off
/// for part of it had no chance of an equal share.
fn competing<'a>(
    outcome: &'a Outcome,
    flows: &'a [FlowSummary],
    activity: &'a Activity,
) -> impl Iterator<Item = f64> + 'a {
    let (from, to) = (outcome.measure_from, outcome.end);
    let competing = flows.iter().enumerate().filter(move |(index, _)| activity.covers(*index, from, to));
    competing.map(|(index, flow)| activity.per_weight(index, flow.rate_bps))
}

/// Whether flow control covers the priority of every flow, which makes the network lossless.
fn lossless(spec: &Spec) -> bool {
    let covered = match spec.flow_control {
        FlowControl::None => PrioritySet::NONE,
        FlowControl::Pause(_) => PrioritySet::ALL,
        FlowControl::Pfc(_, priorities) => priorities,
    };
    spec.flows.iter().all(|flow| covered.contains(flow.priority))
}
