//! Figures: queues and rates over time.

use setpoint_fluid::model::Course;
use setpoint_report::document::Block;
use setpoint_report::plot::{Axis, Colour, Direction, Figure, Mark, Reference, Room, Shape};
use setpoint_report::quantity::Unit;

use super::{BUFFER, Phase, QUEUE, TARGET};
use crate::curves::{self, largest, line, timed};
use crate::runs::{Run, Seed};

/// The bottleneck's queue over time, with its set point.
pub(super) fn queue(run: &Run, names: (&str, &str)) -> Figure {
    named_queue(run, names, QUEUE)
}

/// Any queue over time, with the set point.
pub(super) fn named_queue(run: &Run, names: (&str, &str), queue: &str) -> Figure {
    of_queue(run, names, queue, (0.0, run.summary.duration_s))
}

/// The bottleneck's queue in a phase alone.
pub(super) fn queue_in(run: &Run, names: (&str, &str), phase: Phase) -> Figure {
    let mut figure = of_queue(run, names, QUEUE, (run.time(phase.0), run.time(phase.1)));
    figure.events.clear();
    figure
}

fn of_queue(run: &Run, (name, title): (&str, &str), queue: &str, range: (f64, f64)) -> Figure {
    let top = BUFFER * 1.05;
    let mut figure = curves::over_time(run, name, title, Axis::linear("Queue", Unit::Bytes, (0.0, top)));
    figure.x.range = range;
    // A line below the curve: a reference would hide a queue that stays at its set point.
    let across = vec![(range.0, TARGET), (range.1, TARGET)];
    figure.marks.push(line("set point", Colour::Muted, Shape::Dashed, across));
    let mut points = timed(run, run.queue(queue).unwrap_or_default());
    points.retain(|point| range.0 <= point.0 && point.0 <= range.1);
    figure.marks.push(line("queue", Colour::Series(0), Shape::Straight, points));
    figure.alternative = "Length of the queue over time, between zero and the buffer of 150 kB.".to_owned();
    figure.room = Room::Half;
    figure
}

/// A curve: its name in the legend, and its values at the samples.
pub(super) type Curve<'a> = (&'a str, Vec<f64>);

/// Rates over time.
pub(super) fn rates(run: &Run, (name, title): (&str, &str), drawn: &[Curve<'_>]) -> Figure {
    let top = drawn.iter().map(|(_, values)| largest(values)).fold(0.0, f64::max);
    let y = Axis::from_zero("Rate", Unit::BitsPerSecond, top);
    let mut figure = curves::over_time(run, name, title, y);
    for (index, (label, values)) in drawn.iter().enumerate() {
        figure.marks.push(line(label, Colour::Series(index), Shape::Straight, timed(run, values)));
    }
    figure.alternative = format!("Rates over time, up to {}.", Unit::BitsPerSecond.text(top));
    figure.room = Room::Half;
    figure
}

/// A queue of packets in a phase, with that of a fluid solution over the same samples.
pub(super) fn beside(run: &Run, names: (&str, &str), course: Option<&Course>, phase: Phase) -> Figure {
    let mut figure = queue_in(run, names, phase);
    let range = figure.x.range;
    let within = |point: &(f64, f64)| range.0 <= point.0 && point.0 <= range.1;
    let fluid: Vec<(f64, f64)> = course.map_or_else(Vec::new, |course| {
        course.time_s.iter().copied().zip(course.queue_bytes.iter().copied()).filter(within).collect()
    });
    if let Some(Mark::Line(packets)) = figure.marks.last_mut() {
        "packets".clone_into(&mut packets.name);
        let highest = packets.points.iter().chain(&fluid).map(|point| point.1).fold(2.0 * TARGET, f64::max);
        figure.y = Axis::from_zero("Queue", Unit::Bytes, highest);
    }
    figure.marks.push(line("fluid", Colour::Series(1), Shape::Straight, fluid));
    figure.alternative = "Length of the queue over time, of packets and of the fluid model.".to_owned();
    figure
}

/// A value marked across a figure.
pub(super) fn across(at: f64, label: &str) -> Reference {
    Reference { label: label.to_owned(), at, direction: Direction::Across }
}

/// Figures with the seed that they show.
pub(super) fn of_seed(seed: Seed<'_>, figures: Vec<Figure>) -> [Block; 2] {
    let note = format!(
        "Seed {}. Where samples are dense, a line is their mean and the pale band their range.",
        seed.number()
    );
    [Block::Figures(figures), Block::Note(note)]
}
