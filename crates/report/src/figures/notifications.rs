//! Notifications and marks over time, and notifications by flow.

use setpoint_record::results::{QueueSeries, RunRecord};

use super::{beside, binned_rate, largest, over_time};
use setpoint_plot::{Axis, Bars, Colour, Figure, Line, Mark, Shape};
use setpoint_units::quantity::Unit;

/// Number of steps in the run.
const STEPS: usize = 160;
/// If there are at most this many flows, all of them are drawn, in their order.
const ALL: usize = 24;
/// If there are more flows, only this many are drawn: those with the largest counts.
const MOST: usize = 16;

pub(super) fn figures(record: &RunRecord) -> Vec<Figure> {
    let notifications = match record.summary.total.notifications {
        0 => Vec::new(),
        _ => beside(NOTIFICATIONS.figure(record), by_flow(record)),
    };
    MARKS.figure(record).into_iter().chain(notifications).collect()
}

/// A quantity that congestion points count.
struct Counted {
    id: &'static str,
    title: &'static str,
    axis: &'static str,
    /// The count of a sample.
    read: fn(&QueueSeries, usize) -> u32,
}

const NOTIFICATIONS: Counted = Counted {
    id: "notifications",
    title: "Notifications sent",
    axis: "Notifications",
    read: |queue, sample| queue.notifications[sample],
};

const MARKS: Counted = Counted {
    id: "marked-frames",
    title: "Frames marked",
    axis: "Marked frames",
    read: |queue, sample| queue.marked_frames.get(sample).copied().flatten().unwrap_or(0),
};

impl Counted {
    /// The counts of all congestion points over time, unless all are zero.
    fn figure(&self, record: &RunRecord) -> Option<Figure> {
        let all =
            |sample| record.series.queues.iter().map(|queue| f64::from((self.read)(queue, sample))).sum();
        let sums: Vec<f64> = (0..record.series.time_s.len()).map(all).collect();
        let count: f64 = sums.iter().sum();
        if count == 0.0 {
            return None;
        }
        let points = binned_rate(record, &sums, STEPS);
        let top = largest(points.iter().map(|point| point.1));
        let axis = Axis::from_zero(self.axis, Unit::PerSecond, top);
        let mut figure = over_time(record, self.id, self.title, axis);
        let (name, colour) = ("all congestion points".into(), Colour::Series(1));
        figure.marks.push(Mark::Line(Line { name, colour, shape: Shape::Area, points }));
        figure.alternative = format!(
            "{} per second over time, up to {}; {} in the whole run.",
            self.axis,
            Unit::PerSecond.text(top),
            Unit::Count.text(count)
        );
        Some(figure)
    }
}

fn by_flow(record: &RunRecord) -> Option<Figure> {
    let flows = &record.summary.flows;
    if flows.len() < 2 || flows.iter().all(|flow| flow.notifications == 0) {
        return None;
    }
    let mut counts: Vec<(String, f64)> =
        flows.iter().map(|flow| (flow.name.clone(), flow.notifications as f64)).collect();
    let all = counts.len() <= ALL;
    if !all {
        counts.sort_by(|a, b| b.1.total_cmp(&a.1));
        counts.truncate(MOST);
    }
    let top = largest(counts.iter().map(|entry| entry.1));
    let label = if all { "Flow" } else { "Flow, most notified first" };
    let (names, values) = counts.into_iter().unzip();
    let y = Axis::from_zero("Notifications", Unit::Count, top);
    let mut figure =
        Figure::new("notifications-by-flow", "Notifications by flow", Axis::categories(label, names), y);
    let (name, colour) = ("notifications".into(), Colour::Series(1));
    figure.marks.push(Mark::Bars(Bars { name, colour, values }));
    if !all {
        figure.note = format!("The {MOST} most notified of {} flows.", Unit::Count.text(flows.len() as f64));
    }
    figure.alternative =
        format!("Notifications received by each of {} flows, up to {}.", flows.len(), Unit::Count.text(top));
    Some(figure)
}
