//! The panels of the paper's figures: rates, rate limits and buffers over time.

use setpoint_report::document::Block;
use setpoint_report::plot::{Axis, Colour, Direction, Figure, Reference, Room, Shape};
use setpoint_report::quantity::Unit;

use super::measure::delivered;
use super::{BUFFER, PAUSE, SET_POINT};
use crate::curves::{self, line, timed};
use crate::runs::{Run, Seed};

/// A curve: its name in the legend, and its values at the samples.
pub(super) type Curve<'a> = (&'a str, Vec<f64>);

/// Rates over time, up to a highest one.
pub(super) fn rates(run: &Run, name: &str, title: &str, top: f64, drawn: &[Curve<'_>]) -> Figure {
    let y = Axis::linear("Rate", Unit::BitsPerSecond, (0.0, top));
    let mut figure = over_time(run, (name, title), y, drawn);
    figure.alternative = format!("Rates of {} flows over time.", drawn.len());
    figure
}

/// A level in a buffer that is marked.
#[derive(Clone, Copy, Debug)]
pub(super) enum Level {
    /// The thresholds of PAUSE.
    Pause,
    /// The set point of a congestion point.
    SetPoint,
}

/// What buffers hold over time, with a level marked.
pub(super) fn buffers(run: &Run, name: &str, title: &str, level: Level, drawn: &[Curve<'_>]) -> Figure {
    let y = Axis::linear("Held", Unit::Bytes, (0.0, BUFFER * 1.05));
    let mut figure = over_time(run, (name, title), y, drawn);
    let at = |at: f64, label: &str| Reference { label: label.to_owned(), at, direction: Direction::Across };
    figure.references = match level {
        Level::Pause => vec![at(PAUSE.0, "STOP"), at(PAUSE.1, "GO")],
        Level::SetPoint => vec![at(SET_POINT, "set point")],
    };
    figure.alternative = "What a buffer holds over time.".to_owned();
    figure
}

fn over_time(run: &Run, (name, title): (&str, &str), y: Axis, drawn: &[Curve<'_>]) -> Figure {
    let mut figure = curves::over_time(run, name, title, y);
    for (index, (label, values)) in drawn.iter().enumerate() {
        figure.marks.push(line(label, Colour::Series(index), Shape::Straight, timed(run, values)));
    }
    figure.room = Room::Half;
    figure
}

/// What flows deliver over time: two in colours, and below them others in grey that have one name together.
pub(super) fn two_and_others(
    run: &Run,
    (name, title): (&str, &str),
    top: f64,
    two: [&str; 2],
    (label, others): (&str, &[&str]),
) -> Figure {
    let values = |flow: &str| delivered(run, flow).unwrap_or_default();
    let mut figure = rates(run, name, title, top, &two.map(|flow| (flow, values(flow))));
    // What has no name is not in the legend.
    let names = [label].into_iter().chain(std::iter::repeat(""));
    let grey = names
        .zip(others)
        .map(|(label, flow)| line(label, Colour::Muted, Shape::Straight, timed(run, &values(flow))));
    figure.marks.splice(0..0, grey.collect::<Vec<_>>());
    figure
}

/// Figures with the seed that they show.
pub(super) fn of_seed(seed: Seed<'_>, figures: Vec<Figure>) -> [Block; 2] {
    let note = format!(
        "Seed {}. Where samples are dense, a line is their mean and the pale band their range.",
        seed.number()
    );
    [Block::Figures(figures), Block::Note(note)]
}
