//! Figures for the network as a whole.

use setpoint_sim::{FlowControl, Outcome, PrioritySet, Spec};
use setpoint_units::Time;

use super::Context;
use super::activity::Activity;
use super::axis::Axis;
use super::groups::multicast;
use super::jain::{jain_index, windowed};
use super::moments::ratio;
use super::notified::Notified;
use super::receivers::Losses;
use crate::results::{FlowSeries, FlowSummary, Series, Summary, TotalSummary};

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
    let rates =
        flows.iter().enumerate().map(|(index, flow)| flow.rate_bps * present(context, outcome, index));
    TotalSummary {
        throughput_bps: rates.sum(),
        dropped_frames: dropped,
        loss_share: outcome.flows.iter().map(Losses::of).sum::<Losses>().share(),
        notifications,
        notifications_per_frame: ratio(notifications as f64, sent as f64),
        feedback_overhead: ratio(received as f64, sent as f64),
        notifications_per_source_peak: 0.0,
        paused_s: outcome.ports.iter().map(|port| port.paused.as_secs_f64()).sum(),
        lossless: lossless(context.spec),
        jain_index: jain_index(competing(outcome, flows, activity)),
        jain_index_windowed_mean: None,
        jain_index_windowed_min: None,
        jain_window_s: 0.0,
    }
}

/// The share of the measured time that the rate of a flow covers. For a multicast flow, this is the time in which its
/// group has members.
fn present(context: &Context<'_>, outcome: &Outcome, flow: usize) -> f64 {
    let (from, to) = (outcome.measure_from, outcome.end);
    multicast(context, flow).map_or(1.0, |group| {
        let occupied = group.occupied_within(from, to).as_picos() as f64;
        ratio(occupied, to.saturating_since(from).as_picos() as f64)
    })
}

/// Adds Jain's index in windows of the measured time.
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

/// The mean rates, per weight, of the flows that competed during the whole measured time: a flow that
/// was off for part of it had no chance of an equal share.
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
