//! The panels of the paper's figures: queues over time on one scale, and distributions of the queue.

use setpoint_report::plot::{Axis, Colour, Direction, Figure, Reference, Room, Shape, merged};
use setpoint_report::quantity::Unit;

use super::{BUFFER, QUEUE, TARGET};
use crate::curves::{self, line};
use crate::runs::{Run, Runs};

/// A panel: a case, and its title.
pub(super) type Panel<'a> = (&'a str, &'a str);

/// The bottleneck's queue of the first seed over time, a panel for each case.
pub(super) fn queues(runs: &Runs, panels: &[Panel<'_>]) -> Vec<Figure> {
    of_queues(runs, panels, &[(QUEUE, "queue")])
}

/// Queues of the first seed over time, a panel for each case and in each panel a curve for each queue.
pub(super) fn of_queues(runs: &Runs, panels: &[Panel<'_>], queues: &[(&str, &str)]) -> Vec<Figure> {
    let first = runs.first();
    let panel = |&(case, title): &Panel<'_>| {
        let mut figure = over_time(first.run(case), queues, &format!("queue-{case}"), title);
        figure.note = format!(
            "Seed {}. Where samples are dense, the line is their mean and the pale band their range.",
            first.number()
        );
        figure
    };
    panels.iter().map(panel).collect()
}

/// Figures with events of our own words, at times of the full experiment.
pub(super) fn with_events(
    runs: &Runs,
    events: &[(f64, &str)],
    figures: Vec<Figure>,
    case: &str,
) -> Vec<Figure> {
    let first = runs.first();
    let run = first.run(case);
    let events = merged(events.iter().map(|(time, label)| (run.time(*time), (*label).to_owned())));
    figures.into_iter().map(|figure| Figure { events: events.clone(), ..figure }).collect()
}

/// Figures in other room than they come in.
pub(super) fn in_room(room: Room, figures: Vec<Figure>) -> Vec<Figure> {
    figures.into_iter().map(|figure| Figure { room, ..figure }).collect()
}

fn over_time(run: &Run, queues: &[(&str, &str)], name: &str, title: &str) -> Figure {
    let y = Axis::linear("Queue", Unit::Bytes, (0.0, BUFFER));
    let mut figure = curves::over_time(run, name, title, y);
    // A line below the curves: a reference would hide a queue that stays at its set point.
    let across = vec![(0.0, TARGET), (run.summary.duration_s, TARGET)];
    figure.marks.push(line("set point", Colour::Muted, Shape::Dashed, across));
    for (index, (queue, label)) in queues.iter().enumerate() {
        let points = curves::timed(run, run.queue(queue).unwrap_or_default());
        figure.marks.push(line(label, Colour::Series(index), Shape::Straight, points));
    }
    figure.alternative = "Length of the queue over time, between zero and the buffer of 128 kB.".to_owned();
    figure.room = Room::Half;
    figure
}

/// The distribution of the queue over all seeds, a curve for each case.
pub(super) fn distribution(runs: &Runs, curves: &[(&str, &str, Shape)]) -> Figure {
    let x = Axis::linear("Queue", Unit::Bytes, (0.0, BUFFER));
    let y = Axis::linear("Share of samples at or below", Unit::Share, (0.0, 1.0));
    let mut figure = Figure::new("queue-cdf", "Distribution of the queue’s length", x, y);
    for (index, (case, label, shape)) in curves.iter().enumerate() {
        let samples = runs.seeds().flat_map(|seed| seed.run(case).queue(QUEUE).unwrap_or_default().to_vec());
        let points = curves::cdf(samples.collect());
        figure.marks.push(line(label, Colour::Series(index), *shape, points));
    }
    let label = "set point 64 kB".to_owned();
    figure.references.push(Reference { label, at: TARGET, direction: Direction::Upright });
    figure.alternative = "Cumulative distribution of the queue over all seeds.".to_owned();
    figure.note = "All samples of all seeds.".to_owned();
    figure
}
