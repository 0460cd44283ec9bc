//! What happened when, and how long the bottleneck took to settle after it.

use setpoint_sim::Spec;
use setpoint_units::Time;

use super::Event;
use super::axis::Axis;
use super::settling::Bottleneck;
use crate::results::{EventSummary, Series, Summary};

/// The events in order of time, each with its settling time. Events at the same instant share it.
pub(super) fn summaries(
    events: &[Event],
    bottleneck: Option<&Bottleneck<'_>>,
    axis: &Axis,
) -> Vec<EventSummary> {
    let mut events: Vec<&Event> = events.iter().filter(|event| event.at < axis.end).collect();
    events.sort_by_key(|event| event.at);
    let next = |at: Time| events.iter().map(|event| event.at).find(|&other| other > at).unwrap_or(axis.end);
    let summary = |event: &&Event| EventSummary {
        at_s: event.at.as_secs_f64(),
        label: event.label.clone(),
        settling_s: bottleneck.and_then(|bottleneck| settling(bottleneck, axis, event.at, next(event.at))),
    };
    events.iter().map(summary).collect()
}

fn settling(bottleneck: &Bottleneck<'_>, axis: &Axis, from: Time, to: Time) -> Option<f64> {
    let segment = axis.within(from, to);
    let samples = bottleneck.settling(segment.clone())?;
    Some(axis.begin(segment.start + samples).saturating_since(from).as_secs_f64())
}

/// The queue that is watched and its port. None without queues, and none where no congestion point ever acted on
/// that queue: what nobody controls is not said to settle.
pub(super) fn bottleneck<'a>(
    spec: &Spec,
    summary: &Summary,
    series: &'a Series,
    axis: &Axis,
) -> Option<Bottleneck<'a>> {
    let watched = summary.watched()?;
    let queue = summary.queues.get(watched).filter(|queue| queue.notifications > 0)?;
    let curve = series.queues.get(watched)?;
    let port = series.ports.iter().find(|port| port.name == queue.port)?;
    let frame = spec.flows.iter().map(|flow| flow.frame.get()).max().unwrap_or(0);
    Some(Bottleneck {
        queue: &curve.length_bytes,
        throughput: &port.utilisation_share,
        notifications: &curve.notifications,
        set_point: queue.set_point_bytes.map(|bytes| bytes as f64),
        frame: frame as f64,
        window: axis.window(),
    })
}
