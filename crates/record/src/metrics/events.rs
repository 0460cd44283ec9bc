//! Events, and how long queues took to settle after them.

use std::ops::Range;

use setpoint_sim::{Outcome, QueueOutcome, Side};
use setpoint_units::Time;

use super::axis::Axis;
use super::settling::Watched;
use super::{Context, Event};
use crate::results::{EventSummary, QueueSummary, Settling, Summary, Unsettled};
use crate::statistics::moments::share;

/// Adds the events in chronological order, each with the settling time of the watched queue after it.
/// Also adds, to every queue with a set point, its settling time after the last event. Events at the
/// same instant share a settling time.
pub(super) fn add(context: &Context<'_>, summary: &mut Summary, outcome: &Outcome, axis: &Axis) {
    let watched = summary.watched().map(|place| watch(context, &summary.queues[place], outcome, place, axis));
    let events = in_order(context.events, axis);
    let segment = |event: &Event| segment(event, &events, axis);
    let event = |event: &&Event| EventSummary {
        at_s: event.at.as_secs_f64(),
        label: event.label.clone(),
        settling: watched.as_ref().map_or(Settling::NotSettled(Unsettled::NoQueue), |watched| {
            settling(watched, segment(event), event.at, axis)
        }),
    };
    summary.events_at = events.iter().map(event).collect();
    let Some(last) = events.last() else { return };
    for (place, queue) in summary.queues.iter_mut().enumerate() {
        if queue.set_point_bytes.is_some() {
            let watched = watch(context, queue, outcome, place, axis);
            queue.settling = Some(settling(&watched, segment(last), last.at, axis));
        }
    }
}

fn in_order<'a>(events: &'a [Event], axis: &Axis) -> Vec<&'a Event> {
    let mut events: Vec<&Event> = events.iter().filter(|event| event.at < axis.end).collect();
    events.sort_by_key(|event| event.at);
    events
}

/// The sample intervals from an event to the next one, or to the end.
fn segment(event: &Event, events: &[&Event], axis: &Axis) -> Range<usize> {
    let next = events.iter().map(|event| event.at).find(|&other| other > event.at).unwrap_or(axis.end);
    axis.within(event.at, next)
}

fn settling(watched: &Watched, segment: Range<usize>, from: Time, axis: &Axis) -> Settling {
    match watched.settling(segment.clone(), axis) {
        Ok(samples) => {
            let settled = axis.begin(segment.start + samples);
            Settling::AfterS(settled.saturating_since(from).as_secs_f64())
        }
        Err(reason) => Settling::NotSettled(reason),
    }
}

/// The signals of a queue by its index in the summary, which is also its index in the outcome.
fn watch(context: &Context<'_>, queue: &QueueSummary, run: &Outcome, place: usize, axis: &Axis) -> Watched {
    let outcome = &run.queues[place];
    let signal = |series: &[u64]| {
        let mut signal: Vec<f64> = series.iter().map(|&bytes| bytes as f64).collect();
        signal.resize(axis.samples, 0.0);
        signal
    };
    let frame = context.spec.flows.iter().map(|flow| flow.frame.get()).max().unwrap_or(0);
    Watched {
        mean: signal(&outcome.mean_series),
        largest: signal(&outcome.largest_series),
        limit: outcome.limit.map(|limit| limit.get() as f64),
        port: (outcome.side == Side::Output).then(|| port(outcome, run, axis)),
        set_point: queue.set_point_bytes.map(|bytes| bytes as f64),
        frame: frame as f64,
    }
}

/// The share of each interval during which a queue's port transmits, and during which it is not paused.
fn port(queue: &QueueOutcome, run: &Outcome, axis: &Axis) -> (Vec<f64>, Vec<f64>) {
    let found = run.ports.binary_search_by_key(&queue.port, |port| port.port);
    // A port that never sent is not in the outcome.
    let Ok(port) = found.map(|place| &run.ports[place]) else {
        return (vec![0.0; axis.samples], vec![1.0; axis.samples]);
    };
    let shares = |series: &[setpoint_units::TimeDelta]| -> Vec<f64> {
        let span = |sample| axis.span(sample).as_picos() as f64;
        (0..axis.samples)
            .map(|sample| {
                let time = series.get(sample).map_or(0.0, |time| time.as_picos() as f64);
                share(time, span(sample))
            })
            .collect()
    };
    let free = shares(&port.paused_series).into_iter().map(|paused| 1.0 - paused).collect();
    (shares(&port.busy_series), free)
}
