//! Panels that the papers share: curves over time, distributions, curves over a parameter, and heat maps.

mod distribution;
mod heat;
mod swept;

use setpoint_plot::{Axis, Colour, Direction, Figure, Line, Mark, Reference, Room, Shape, merged};
use setpoint_report::document::Block;
use setpoint_units::quantity::Unit;
use setpoint_units::spelling::arrows;

use crate::runs::{Run, Runs, Seed};

pub(crate) use distribution::distribution;
pub(crate) use heat::{HeatPlot, heat_cell};
pub(crate) use swept::Swept;

/// A curve over time: its name in the legend, and its values at the sample times.
pub(crate) type Curve<'a> = (&'a str, Vec<f64>);
/// The file name and the title of a figure.
pub(crate) type Names<'a> = (&'a str, &'a str);

/// The size and the set point of a queue's buffer, in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Buffer {
    pub(crate) size: f64,
    pub(crate) set_point: f64,
}

/// Curves over the duration of a run, with its events.
pub(crate) fn over_time(run: &Run, (name, title): Names<'_>, y: Axis, curves: &[Curve<'_>]) -> Figure {
    let x = Axis::linear("Time", Unit::Seconds, (0.0, run.summary.duration_s));
    let mut figure = Figure::new(name, title, x, y);
    let events = run.summary.events_at.iter().filter(|event| event.at_s > 0.0);
    figure.events = merged(events.map(|event| (event.at_s, arrows(&event.label))));
    for (index, (label, values)) in curves.iter().enumerate() {
        figure.marks.push(line(label, Colour::Series(index), Shape::Straight, run.timed(values)));
    }
    figure.alternative = format!("{title}: {} curves over time.", curves.len());
    figure.room = Room::Half;
    figure
}

/// Rates over time, on an axis up to the largest rate.
pub(crate) fn rates(run: &Run, names: Names<'_>, curves: &[Curve<'_>]) -> Figure {
    let values = curves.iter().flat_map(|(_, values)| values).copied();
    let top = values.filter(|value| value.is_finite()).fold(0.0, f64::max);
    over_time(run, names, Axis::from_zero("Rate", Unit::BitsPerSecond, top), curves)
}

/// Rates over time, on an axis up to the line rate.
pub(crate) fn rates_up_to(line: f64, run: &Run, names: Names<'_>, curves: &[Curve<'_>]) -> Figure {
    over_time(run, names, Axis::linear("Rate", Unit::BitsPerSecond, (0.0, line)), curves)
}

/// The delivery rates of flows over time, each with its name in the legend.
pub(crate) fn flow_rates(run: &Run, names: Names<'_>, flows: &[(&str, &str)]) -> Figure {
    rates(run, names, &curves(flows, |flow| run.rates(flow)))
}

/// Queues over time, each with its name in the legend, and their set point.
pub(crate) fn queues(run: &Run, names: Names<'_>, buffer: Buffer, queues: &[(&str, &str)]) -> Figure {
    let y = Axis::linear("Queue", Unit::Bytes, (0.0, buffer.size * 1.05));
    let mut figure = over_time(run, names, y, &curves(queues, |queue| run.queue(queue)));
    // The set point is drawn as a line below the curves, since a reference line would hide a queue that stays at its
    // set point.
    let set_point = vec![(0.0, buffer.set_point), (run.summary.duration_s, buffer.set_point)];
    figure.marks.insert(0, line("set point", Colour::Muted, Shape::Dashed, set_point));
    figure.alternative = "Length of the queue over time, from zero to the size of the buffer.".to_owned();
    figure
}

/// The values of several items, each with its name in the legend.
pub(crate) fn curves<'a, 'v>(
    named: &[(&'a str, &'a str)],
    values: impl Fn(&'a str) -> Option<&'v [f64]>,
) -> Vec<Curve<'a>> {
    named.iter().map(|(name, label)| (*label, values(name).unwrap_or_default().to_vec())).collect()
}

/// Queues over time with the first seed, one panel per case.
pub(crate) fn queues_by_case(
    runs: &Runs,
    cases: &[(&str, &str)],
    buffer: Buffer,
    names: &[(&str, &str)],
) -> Vec<Figure> {
    let first = runs.first();
    let panel = |(case, title): &(&str, &str)| Figure {
        note: seed_note(first),
        ..queues(first.run(case), (&format!("queue-{case}"), title), buffer, names)
    };
    cases.iter().map(panel).collect()
}

/// Figures for one seed, with a note about the seed.
pub(crate) fn of_seed(seed: Seed<'_>, figures: impl IntoIterator<Item = Figure>) -> Vec<Block> {
    vec![Block::Figures(figures.into_iter().collect()), Block::Note(seed_note(seed))]
}

fn seed_note(seed: Seed<'_>) -> String {
    let number = seed.number();
    format!(
        "Seed {number}. Where samples are dense, the line shows their mean and the pale band their range."
    )
}

/// Sets the width of figures.
pub(crate) fn in_room(room: Room, figures: impl IntoIterator<Item = Figure>) -> Vec<Figure> {
    figures.into_iter().map(|figure| Figure { room, ..figure }).collect()
}

/// A line. An empty name keeps it out of the legend.
pub(crate) fn line(name: &str, colour: Colour, shape: Shape, points: Vec<(f64, f64)>) -> Mark {
    Mark::Line(Line { name: name.to_owned(), colour, shape, points })
}

/// A value marked on the vertical axis.
pub(crate) fn across(at: f64, label: &str) -> Reference {
    Reference { label: label.to_owned(), at, direction: Direction::Across }
}

/// A value marked on the horizontal axis.
pub(crate) fn upright(at: f64, label: &str) -> Reference {
    Reference { label: label.to_owned(), at, direction: Direction::Upright }
}
