//! Slowdown by message size, with one line per variant or result: a figure of the medians and one of the 99th
//! percentiles.

use setpoint_lab::sweep::SlowdownSpread;
use setpoint_plot::axis::nice_step;
use setpoint_plot::{
    Axis, Band, Colour, Figure, Line, Mark, Points, Reduction, Room, Shape, Symbol, Unit, Whiskers,
};
use setpoint_record::confidence::Spread;

use crate::words::listed;

/// Heading of a section with these figures.
pub(crate) const TITLE: &str = "Slowdown by message size";
/// Maximum number of lines in a figure.
pub(crate) const MOST_LINES: usize = 12;
/// Number of colours; further lines are dashed.
const COLOURS: usize = 6;
/// With fewer messages, the 99th percentile depends only on the slowest one.
const FEW: f64 = 100.0;

/// The legend of a confidence interval.
pub(crate) const INTERVAL: &str = "95 % interval";
/// The legend of the arrow at a lower bound.
pub(crate) const BOUND: &str = "> lower bound";

/// A line of both figures.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Curve<'a> {
    /// Its name in the legend.
    pub(crate) name: &'a str,
    /// The slowdown for each range of sizes, in ascending order.
    pub(crate) sizes: &'a [SlowdownSpread],
}

/// The percentile that a figure shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Percentile {
    Median,
    Tail,
}

/// Both figures; none if no line has two points. `panel` names them if a page has several pairs.
pub(crate) fn figures(curves: &[Curve<'_>], panel: Option<(usize, &str)>) -> Vec<Figure> {
    let kinds = [Percentile::Median, Percentile::Tail];
    kinds.into_iter().filter_map(|kind| figure(curves, kind, panel)).collect()
}

fn figure(curves: &[Curve<'_>], kind: Percentile, panel: Option<(usize, &str)>) -> Option<Figure> {
    let curves: Vec<(&str, Vec<Point>)> = curves
        .iter()
        .take(MOST_LINES)
        .map(|curve| (curve.name, kind.points(curve.sizes)))
        .filter(|(_, points)| !points.is_empty())
        .collect();
    if curves.iter().all(|(_, points)| points.len() < 2) {
        return None;
    }
    let (name, title) = kind.names(panel);
    let mut figure = Figure::new(&name, &title, horizontal(&curves), vertical(&curves, kind));
    figure.keys = keys(&curves);
    figure.marks = intervals(&curves).into_iter().chain(lines(&curves)).chain(bounds(&curves)).collect();
    let words: Vec<String> = curves.iter().map(|(name, points)| in_words(name, points)).collect();
    figure.alternative = format!("{title}: {}.", words.join("; "));
    figure.note = note(&curves, kind);
    figure.room = Room::Half;
    Some(figure)
}

/// A value on a line.
#[derive(Clone, Copy, Debug)]
struct Point {
    sizes: (f64, f64),
    messages: f64,
    spread: Spread,
}

impl Point {
    /// The middle of the size range on a logarithmic axis.
    fn x(&self) -> f64 {
        (self.sizes.0.max(1.0) * self.sizes.1).sqrt()
    }
}

impl Percentile {
    fn points(self, sizes: &[SlowdownSpread]) -> Vec<Point> {
        let point = |one: &SlowdownSpread| {
            let spread = match self {
                Self::Median => Some(one.p50),
                Self::Tail => one.p99,
            };
            let sizes = (one.from_bytes as f64, one.to_bytes as f64);
            Some(Point { sizes, messages: one.messages, spread: spread? })
        };
        sizes.iter().filter_map(point).collect()
    }

    /// The label of the vertical axis, which names the percentile for figures without a title.
    const fn label(self) -> &'static str {
        match self {
            Self::Median => "Slowdown, median (ideal = 1)",
            Self::Tail => "Slowdown, 99th percentile (ideal = 1)",
        }
    }

    /// The name of the file and the title.
    fn names(self, panel: Option<(usize, &str)>) -> (String, String) {
        let (name, title) = match self {
            Self::Median => ("slowdown-by-size-p50", "Median slowdown"),
            Self::Tail => ("slowdown-by-size-p99", "99th percentile of the slowdown"),
        };
        match panel {
            Some((number, text)) => (format!("{name}-{number}"), format!("{title}, {text}")),
            None => (name.to_owned(), title.to_owned()),
        }
    }
}

fn horizontal(curves: &[(&str, Vec<Point>)]) -> Axis {
    let sizes = || curves.iter().flat_map(|(_, points)| points).map(|point| point.sizes);
    let least = sizes().map(|(from, _)| from.max(1.0)).fold(f64::INFINITY, f64::min);
    Axis::logarithmic("Message size", Unit::Bytes, (least, sizes().map(|(_, to)| to).fold(0.0, f64::max)))
}

fn vertical(curves: &[(&str, Vec<Point>)], kind: Percentile) -> Axis {
    let spreads = curves.iter().flat_map(|(_, points)| points).map(|point| point.spread);
    let top = spreads.map(|spread| spread.interval.map_or(spread.mean, |interval| interval.high));
    let top = nice_step(top.fold(2.0, f64::max));
    Axis::logarithmic(kind.label(), Unit::Ratio, (1.0, top))
}

/// The confidence intervals: a band over neighbouring points that have intervals, whiskers at an isolated point.
fn intervals(curves: &[(&str, Vec<Point>)]) -> Vec<Mark> {
    // With several lines, a band belongs to its line, and the legend has a key for all of them.
    let mut name = if curves.len() == 1 { INTERVAL } else { "" };
    let mut marks = Vec::new();
    for (index, (_, points)) in curves.iter().enumerate() {
        let colour = Colour::Series(index);
        for stretch in points.split(|point| point.spread.interval.is_none()) {
            let ends = |point: &Point| {
                let interval = point.spread.interval?;
                Some((point.x(), interval.low, interval.high))
            };
            let points: Vec<(f64, f64, f64)> = stretch.iter().filter_map(ends).collect();
            let (reduction, opacity) = (Reduction::Extremes, 0.15);
            match points.len() {
                0 => {}
                1 => marks.push(Mark::Whiskers(Whiskers { name: String::new(), colour, points })),
                _ => {
                    // One legend entry is enough for all pieces.
                    let name = std::mem::take(&mut name).to_owned();
                    marks.push(Mark::Band(Band { name, colour, opacity, reduction, points }));
                }
            }
        }
    }
    marks
}

fn lines(curves: &[(&str, Vec<Point>)]) -> Vec<Mark> {
    let line = |(index, (name, points)): (usize, &(&str, Vec<Point>))| {
        Mark::Line(Line {
            name: (*name).to_owned(),
            colour: Colour::Series(index),
            shape: if index < COLOURS { Shape::Dotted } else { Shape::Dashed },
            points: points.iter().map(|point| (point.x(), point.spread.mean)).collect(),
        })
    };
    curves.iter().enumerate().map(line).collect()
}

/// An arrow at every value that is a lower bound, in the colour of its line.
fn bounds(curves: &[(&str, Vec<Point>)]) -> Vec<Mark> {
    let bound = |point: &&Point| point.spread.is_lower_bound;
    let arrows = |(index, (_, points)): (usize, &(&str, Vec<Point>))| {
        let points: Vec<(f64, f64)> =
            points.iter().filter(bound).map(|point| (point.x(), point.spread.mean)).collect();
        let (colour, symbol) = (Colour::Series(index), Symbol::Rising);
        (!points.is_empty()).then(|| Mark::Points(Points { name: String::new(), colour, symbol, points }))
    };
    curves.iter().enumerate().filter_map(arrows).collect()
}

/// Entries of the legend for intervals and lower bounds, which have the colours of their lines.
fn keys(curves: &[(&str, Vec<Point>)]) -> Vec<Mark> {
    let marks = if curves.len() == 1 { Vec::new() } else { intervals(curves) };
    let is_band = |mark: &Mark| matches!(mark, Mark::Band(_));
    let (colour, reduction, points) = (Colour::Ink, Reduction::Extremes, Vec::new());
    let interval = match () {
        () if marks.iter().any(is_band) => {
            Some(Mark::Band(Band { name: INTERVAL.to_owned(), colour, opacity: 0.15, reduction, points }))
        }
        () if !marks.is_empty() => {
            Some(Mark::Whiskers(Whiskers { name: INTERVAL.to_owned(), colour, points }))
        }
        () => None,
    };
    let bound = curves.iter().flat_map(|(_, points)| points).any(|point| point.spread.is_lower_bound);
    let (name, symbol, points) = (BOUND.to_owned(), Symbol::Rising, Vec::new());
    let bound = bound.then_some(Mark::Points(Points { name, colour, symbol, points }));
    interval.into_iter().chain(bound).collect()
}

fn in_words(name: &str, points: &[Point]) -> String {
    let at = |point: &Point| {
        let value = Unit::Ratio.bounded_text(point.spread.bounded_mean());
        format!("{value} at {}", sizes_text(point.sizes))
    };
    let ends: Vec<String> = points.first().into_iter().chain(points.last()).map(at).collect();
    format!("{name} {}", ends.join(" and ")).trim().to_owned()
}

fn sizes_text((from, to): (f64, f64)) -> String {
    format!("{} to {}", Unit::Bytes.text(from), Unit::Bytes.text(to))
}

/// Ranges of sizes in ascending order, with adjacent ones joined.
fn joined(mut sizes: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    sizes.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut joined: Vec<(f64, f64)> = Vec::new();
    for (from, to) in sizes {
        match joined.last_mut() {
            Some(last) if from <= last.1 => last.1 = last.1.max(to),
            _ => joined.push((from, to)),
        }
    }
    joined
}

fn note(curves: &[(&str, Vec<Point>)], kind: Percentile) -> String {
    let all = || curves.iter().flat_map(|(_, points)| points);
    let mut sentences = vec!["Lower is better."];
    if all().any(|point| point.spread.is_lower_bound) {
        sentences.push(
            "An arrow marks a lower bound: in at least one run, the percentile depends on messages that were not completed, so \
             the true value may be higher.",
        );
    }
    let few = all().filter(|point| point.messages < FEW).map(|point| point.sizes);
    let few: Vec<String> = joined(few.collect()).into_iter().map(sizes_text).collect();
    let sparse = match kind {
        Percentile::Tail if !few.is_empty() => format!(
            " Sizes with fewer than 100 messages per run: {}; there, the 99th percentile is close to the slowest message.",
            listed(&few)
        ),
        _ => String::new(),
    };
    sentences.join(" ") + &sparse
}

/// How to read the figures. `seeds` is the largest number of seeds.
pub(crate) fn reading(seeds: usize) -> String {
    let value = match seeds {
        1 => "covers",
        2 => "is the mean over two seeds for",
        _ => "is the mean over seeds for",
    };
    let interval = match seeds {
        ..3 => "",
        _ => {
            " Bands are 95 % confidence intervals; between points without one, the interval is an error bar. A point has none if \
             it is a lower bound or if fewer than three runs have such messages."
        }
    };
    format!(
        "Slowdown is the completion time of a message divided by its completion time on an empty network. Each point {value} \
         the messages in a range of sizes; the ranges begin at powers of ten and, from 1 kB on, also at 2 and 5 times a \
         power of ten.{interval}"
    )
}
