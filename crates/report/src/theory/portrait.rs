//! Drawings of a phase plane.

use setpoint_lab::theory::{PhaseRecord, Trajectory};

use setpoint_plot::{Axis, Colour, Figure, Line, Mark, Path, Plane, Room, Shape};
use setpoint_units::quantity::Unit;

use crate::words::capital;

/// Up to this many trajectories have their own colour and name.
const NAMED: usize = 6;
/// The share of the plane around the set point that is drawn in detail, if trajectories end in it.
const CLOSER: f64 = 0.2;

/// The whole plane, as far as the trajectories reach.
pub(super) fn whole(record: &PhaseRecord) -> Figure {
    let points = || record.trajectories.iter().flat_map(points_of);
    let ends = || record.lines.iter().flat_map(|line| line.ends);
    // Without trajectories, the lines determine the size of the plane.
    let (x, y) = extent(points()).or_else(|| extent(ends())).unwrap_or(((-1e3, 1e3), (-1e6, 1e6)));
    let mut figure = plane(record, "plane", "Trajectories", x, y);
    figure.alternative = words(record);
    figure
}

/// The neighbourhood of the set point in detail, if trajectories end there.
pub(super) fn around_the_set_point(record: &PhaseRecord) -> Option<Figure> {
    let (x, y) = extent(record.trajectories.iter().flat_map(points_of))?;
    let near = |(low, high): (f64, f64)| CLOSER * high.max(-low);
    let (x, y) = (near(x), near(y));
    let ends_within = |trajectory: &Trajectory| {
        points_of(trajectory).last().is_some_and(|(offset, excess)| offset.abs() < x && excess.abs() < y)
    };
    if !record.trajectories.iter().any(ends_within) {
        return None;
    }
    let mut figure = plane(record, "set-point", "Around the set point", (-x, x), (-y, y));
    figure.alternative = format!("The same within {} of the set point.", Unit::Bytes.text(x));
    Some(figure)
}

fn plane(record: &PhaseRecord, name: &str, title: &str, x: (f64, f64), y: (f64, f64)) -> Figure {
    let axes =
        (Axis::linear("Queue offset", Unit::Bytes, x), Axis::linear("Rate excess", Unit::BitsPerSecond, y));
    let mut figure = Figure::new(name, title, axes.0, axes.1);
    figure.plane = Plane::Phase;
    for segment in &record.sliding {
        figure.marks.push(Mark::Path(Path::sliding("sliding", Colour::Series(4), segment.ends.to_vec())));
    }
    for line in &record.lines {
        figure.marks.push(Mark::Path(Path::border(&line.name, Colour::Ink, line.ends.to_vec())));
    }
    let named = record.trajectories.len() <= NAMED;
    for (index, trajectory) in record.trajectories.iter().enumerate() {
        let name = if named { numbered(index) } else { "trajectory".to_owned() };
        let points = points_of(trajectory).collect();
        let path = Path::trajectory(name, Colour::Series(colour(index, named)), points);
        figure.marks.push(Mark::Path(path.along("Time", Unit::Seconds, trajectory.time_s.clone())));
    }
    figure
}

fn numbered(index: usize) -> String {
    format!("trajectory {}", index + 1)
}

/// Skips the colour that is used for the sliding segments.
fn colour(index: usize, named: bool) -> usize {
    match index {
        _ if !named => 0,
        4.. => index + 1,
        index => index,
    }
}

fn points_of(trajectory: &Trajectory) -> impl Iterator<Item = (f64, f64)> {
    trajectory.offset_bytes.iter().copied().zip(trajectory.excess_bps.iter().copied())
}

/// The range of the points including the origin, slightly enlarged; `None` if they do not extend in both
/// directions.
fn extent(points: impl Iterator<Item = (f64, f64)>) -> Option<((f64, f64), (f64, f64))> {
    let finite = points.filter(|(x, y)| x.is_finite() && y.is_finite());
    let (x, y): (Vec<f64>, Vec<f64>) = finite.unzip();
    padded(&x).zip(padded(&y))
}

/// The range of the values including zero, slightly enlarged.
fn padded(values: &[f64]) -> Option<(f64, f64)> {
    let (low, high) =
        (values.iter().copied().fold(0.0, f64::min), values.iter().copied().fold(0.0, f64::max));
    let more = 0.07 * (high - low);
    (more > 0.0 && more.is_finite()).then_some((low - more, high + more))
}

/// One quantity of all trajectories over time.
pub(super) fn over_time(
    record: &PhaseRecord,
    (name, label, unit): (&str, &str, Unit),
    of: fn(&Trajectory) -> &Vec<f64>,
) -> Figure {
    let named = record.trajectories.len() <= NAMED;
    let line = |(index, trajectory): (usize, &Trajectory)| {
        let points = trajectory.time_s.iter().copied().zip(of(trajectory).iter().copied()).collect();
        let name = if named { numbered(index) } else { String::new() };
        Mark::Line(Line {
            name,
            colour: Colour::Series(colour(index, named)),
            shape: Shape::Straight,
            points,
        })
    };
    let finite =
        |values: &[f64]| values.iter().copied().filter(|value| value.is_finite()).collect::<Vec<_>>();
    let times: Vec<f64> = record.trajectories.iter().flat_map(|one| finite(&one.time_s)).collect();
    let values: Vec<f64> = record.trajectories.iter().flat_map(|one| finite(of(one))).collect();
    let farthest = values.iter().map(|value| value.abs()).fold(0.0, f64::max);
    let range = padded(&values).unwrap_or((-1.0, 1.0));
    let end = times.iter().copied().fold(0.0, f64::max);
    let axes = (Axis::linear("Time", Unit::Seconds, (0.0, end)), Axis::linear(label, unit, range));
    let mut figure = Figure::new(name, &format!("{label} over time"), axes.0, axes.1);
    figure.room = Room::Half;
    figure.marks = record.trajectories.iter().enumerate().map(line).collect();
    let across = Line {
        name: String::new(),
        colour: Colour::Muted,
        shape: Shape::Straight,
        points: vec![(0.0, 0.0), (end, 0.0)],
    };
    if !figure.marks.is_empty() {
        figure.marks.insert(0, Mark::Line(across));
    }
    figure.alternative = format!(
        "{label} of {} trajectories over time, up to {} from zero.",
        record.trajectories.len(),
        unit.text(farthest)
    );
    figure
}

fn words(record: &PhaseRecord) -> String {
    let described = record.trajectories.iter().take(NAMED).enumerate().map(|(index, trajectory)| {
        let first = points_of(trajectory).next().unwrap_or((f64::NAN, f64::NAN));
        let (offset, excess) = (Unit::Bytes.signed_text(first.0), Unit::BitsPerSecond.signed_text(first.1));
        format!(" {} starts at {offset}, {excess}: {}.", capital(&numbered(index)), trajectory.end)
    });
    let lines: Vec<&str> = record.lines.iter().map(|line| line.name.as_str()).collect();
    let lines =
        if lines.is_empty() { String::new() } else { format!(" Switching lines: {}.", lines.join(", ")) };
    format!("Phase plane of queue offset and rate excess.{lines}{}", described.collect::<String>())
}
