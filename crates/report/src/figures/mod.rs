//! The figures of a run, one file per subject.

pub(crate) mod messages;
mod notifications;
mod pauses;
mod queues;
mod rates;
mod sources;

use setpoint_record::results::RunRecord;

use setpoint_plot::{Axis, Event, Figure, Room, merged};
use setpoint_units::quantity::Unit;
use setpoint_units::spelling::arrows;

/// A part of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    Rates,
    Queues,
    Sources,
    Notifications,
    Pauses,
    Messages,
}

/// Every figure for which the run has data, in the order of the report.
pub(crate) fn all(record: &RunRecord) -> Vec<(Subject, Figure)> {
    let mut figures = Vec::new();
    let mut add =
        |subject, list: Vec<Figure>| figures.extend(list.into_iter().map(|figure| (subject, figure)));
    add(Subject::Rates, rates::figures(record));
    add(Subject::Queues, queues::figures(record));
    add(Subject::Sources, sources::figures(record));
    add(Subject::Notifications, notifications::figures(record));
    add(Subject::Pauses, pauses::figures(record));
    add(Subject::Messages, messages::figures(record));
    figures
}

/// Events as they are marked in figures and numbered in the list of events.
pub(crate) fn events(record: &RunRecord) -> Vec<Event> {
    merged(record.summary.events_at.iter().map(|event| (event.at_s, port_text(&event.label))))
}

/// The name of a port or queue with a real arrow: `left→right`.
pub(crate) fn port_text(name: &str) -> String {
    arrows(name)
}

/// A figure over the duration of the run, with its events and the unmeasured part marked.
fn over_time(record: &RunRecord, name: &str, title: &str, y: Axis) -> Figure {
    let mut figure = Figure::new(name, title, time_axis(record), y);
    figure.events = events(record);
    figure.unmeasured = Some(record.summary.measure_from_s).filter(|&from| from > 0.0);
    figure
}

fn time_axis(record: &RunRecord) -> Axis {
    let last = record.series.time_s.last().copied().unwrap_or(0.0);
    let end = if record.summary.duration_s > 0.0 { record.summary.duration_s } else { last };
    Axis::linear("Time", Unit::Seconds, (0.0, end))
}

/// A series with its times, truncated to the shorter of the two.
fn timed(record: &RunRecord, values: &[f64]) -> Vec<(f64, f64)> {
    record.series.time_s.iter().copied().zip(values.iter().copied()).collect()
}

/// A wide figure over time and a small one side by side, or whichever exists.
fn beside(major: Option<Figure>, minor: Option<Figure>) -> Vec<Figure> {
    match (major, minor) {
        (Some(major), Some(minor)) => {
            vec![Figure { room: Room::Major, ..major }, Figure { room: Room::Minor, ..minor }]
        }
        (Some(alone), None) => vec![Figure { room: Room::Full, ..alone }],
        (None, Some(alone)) => vec![Figure { room: Room::Half, ..alone }],
        (None, None) => Vec::new(),
    }
}

/// The largest finite value, at least zero.
fn largest(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().filter(|value| value.is_finite()).fold(0.0, f64::max)
}

/// The time from one sample to the next.
fn interval(record: &RunRecord, index: usize) -> f64 {
    let times = &record.series.time_s;
    let before = if index == 0 { 0.0 } else { times[index - 1] };
    times[index] - before
}

/// Sums per interval as a rate, in at most `most` steps.
fn binned_rate(record: &RunRecord, sums: &[f64], most: usize) -> Vec<(f64, f64)> {
    let count = sums.len().min(record.series.time_s.len());
    let width = count.div_ceil(most).max(1);
    let mut points = Vec::new();
    for first in (0..count).step_by(width) {
        let range = first..(first + width).min(count);
        let span: f64 = range.clone().map(|index| interval(record, index)).sum();
        let start = record.series.time_s[first] - interval(record, first);
        points.push((start, sums[range].iter().sum::<f64>() / span));
    }
    // The value of the last step applies until the end.
    if let (Some(&(_, value)), Some(&end)) = (points.last(), record.series.time_s.get(count.wrapping_sub(1)))
    {
        points.push((end, value));
    }
    points
}

/// Adds series of the same length.
fn added<'a>(length: usize, series: impl Iterator<Item = &'a [f64]>) -> Vec<f64> {
    let mut total = vec![0.0; length];
    for values in series {
        for (sum, value) in total.iter_mut().zip(values) {
            *sum += if value.is_finite() { *value } else { 0.0 };
        }
    }
    total
}

/// A quantile of a distribution given as (probability, value), by linear interpolation.
pub(crate) fn quantile(points: &[(f64, f64)], probability: f64) -> Option<f64> {
    let above = points.iter().position(|point| point.0 >= probability)?;
    let (high, value) = points[above];
    let Some(&(low, before)) = above.checked_sub(1).and_then(|index| points.get(index)) else {
        return Some(value);
    };
    let share = if high > low { (probability - low) / (high - low) } else { 1.0 };
    Some(before + (value - before) * share)
}
