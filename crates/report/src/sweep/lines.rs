//! A sweep over one axis: each metric with its confidence interval over seeds.

use setpoint_lab::sweep::{RunSummary, VariantSummary};
use setpoint_record::catalogue::Metric;
use setpoint_record::confidence::Spread;

use super::axes::{Grid, SweptAxis};
use super::figures::{better, missing};
use super::scale::scale;
use crate::slowdown::{BOUND, INTERVAL};
use setpoint_plot::text::in_sentence;
use setpoint_plot::{
    Axis, Band, Bars, Better, Colour, Direction, Figure, Line, Mark, Points, Reduction, Reference, Room,
    Scale, Shape, Symbol, Whiskers,
};
use setpoint_units::quantity::Unit;

/// Above this ratio of the largest to the smallest value, an axis is logarithmic, since small values would be
/// indistinguishable on a linear axis.
const WIDE: f64 = 20.0;
/// Maximum number of values in the alternative text.
const MOST_WORDS: usize = 12;

/// A metric along the axis: a line if the values are numbers, bars if they are text.
pub(super) fn figure(grid: &Grid<'_>, axis: &SweptAxis, metric: &Metric) -> Figure {
    let spreads: Vec<Option<Spread>> =
        (0..axis.values.len()).map(|place| grid.variant(&[place])?.spread(metric).copied()).collect();
    let mut figure = match &axis.numbers {
        Some((unit, numbers)) => line((axis, *unit, numbers), metric, &spreads),
        None => Figure { vacant: vacant(grid, axis, metric), ..bars(axis, metric, &spreads) },
    };
    figure.marks.extend(lower_bounds(axis, &spreads));
    figure.room = Room::Half;
    figure.note = direction(better(metric)).to_owned();
    figure.alternative = in_words(axis, metric, &spreads);
    figure
}

/// A metric of a single variant, seed by seed, with its mean.
pub(super) fn by_seed(variant: &VariantSummary, metric: &Metric) -> Option<Figure> {
    let spread = *variant.spread(metric)?;
    let value = |run: &RunSummary| Some((run.seed as f64, *run.figures.get(metric.name)?));
    let points: Vec<(f64, f64)> = variant.runs.iter().filter_map(value).collect();
    let (first, last) = (points.first()?.0, points.last()?.0);
    let marked =
        if points.len() <= MOST_WORDS { points.iter().map(|point| point.0).collect() } else { Vec::new() };
    let x = Axis { marked, ..Axis::linear("Seed", Unit::Count, (first - 0.5, last + 0.5)) };
    let y = scale(metric, &[spread], points.iter().map(|point| point.1));
    let mut figure = Figure::new(metric.name, metric.title, x, y);
    let mean = metric.unit.bounded_text(spread.bounded_mean());
    figure.alternative = format!(
        "{} over {} seeds: mean {mean}, from {} to {}.",
        metric.title,
        points.len(),
        metric.unit.text(spread.min),
        metric.unit.text(spread.max)
    );
    figure.references.push(Reference {
        label: format!("mean {mean}"),
        at: spread.mean,
        direction: Direction::Across,
    });
    let (name, colour, shape) = (metric.title.into(), Colour::Series(0), Shape::Dotted);
    figure.marks.push(Mark::Line(Line { name, colour, shape, points }));
    figure.note = direction(better(metric)).to_owned();
    figure.room = Room::Half;
    Some(figure)
}

/// The better direction, in words.
fn direction(better: Better) -> &'static str {
    match better {
        Better::Larger => "Higher is better.",
        Better::Smaller => "Lower is better.",
        Better::Neither => "",
    }
}

fn line(
    (axis, unit, numbers): (&SweptAxis, Unit, &[f64]),
    metric: &Metric,
    spreads: &[Option<Spread>],
) -> Figure {
    let y = vertical(metric, spreads);
    let floor = if y.scale == Scale::Logarithmic { y.range.0 } else { f64::NEG_INFINITY };
    let mut figure = Figure::new(metric.name, metric.title, horizontal(&axis.label, unit, numbers), y);
    let band: Vec<(f64, f64, f64)> = numbers
        .iter()
        .zip(spreads)
        .filter_map(|(&x, spread)| {
            let interval = (*spread)?.interval?;
            Some((x, interval.low.max(floor), interval.high))
        })
        .collect();
    if !band.is_empty() {
        figure.marks.push(Mark::Band(Band {
            name: INTERVAL.into(),
            colour: Colour::Series(0),
            opacity: 0.2,
            reduction: Reduction::Extremes,
            points: band,
        }));
    }
    let mean = |spread: &Option<Spread>| spread.map_or(f64::NAN, |spread| spread.mean);
    figure.marks.push(Mark::Line(Line {
        name: MEAN.into(),
        colour: Colour::Series(0),
        shape: Shape::Dotted,
        points: numbers.iter().zip(spreads).map(|(&x, spread)| (x, mean(spread))).collect(),
    }));
    figure
}

fn bars(axis: &SweptAxis, metric: &Metric, spreads: &[Option<Spread>]) -> Figure {
    let highest =
        spreads.iter().flatten().map(|spread| spread.interval.map_or(spread.mean, |interval| interval.high));
    let y = Axis::from_zero(metric.title, metric.unit, highest.fold(0.0, f64::max));
    let x = Axis::categories(&axis.label, axis.values.clone());
    let mut figure = Figure::new(metric.name, metric.title, x, y);
    figure.marks.push(Mark::Bars(Bars {
        name: MEAN.into(),
        colour: Colour::Series(0),
        values: spreads.iter().map(|spread| spread.map_or(f64::NAN, |spread| spread.mean)).collect(),
    }));
    let whiskers: Vec<(f64, f64, f64)> = spreads
        .iter()
        .enumerate()
        .filter_map(|(place, spread)| {
            let interval = (*spread)?.interval?;
            Some((place as f64, interval.low, interval.high))
        })
        .collect();
    if !whiskers.is_empty() {
        let name = INTERVAL.into();
        figure.marks.push(Mark::Whiskers(Whiskers { name, colour: Colour::Ink, points: whiskers }));
    }
    figure
}

/// The values of the axis that have no bar, with the reasons, so that a gap is not mistaken for zero.
fn vacant(grid: &Grid<'_>, axis: &SweptAxis, metric: &Metric) -> Vec<(usize, String)> {
    let reason = |place: usize| {
        let variant = grid.variant(&[place])?;
        variant.spread(metric).is_none().then(|| (place, missing(variant, metric).to_owned()))
    };
    (0..axis.values.len()).filter_map(reason).collect()
}

/// An arrow at every mean that is a lower bound; `None` if there are no lower bounds.
fn lower_bounds(axis: &SweptAxis, spreads: &[Option<Spread>]) -> Option<Mark> {
    let place = |index: usize| axis.numbers.as_ref().map_or(index as f64, |(_, numbers)| numbers[index]);
    let bound = |(index, spread): (usize, &Option<Spread>)| {
        spread.filter(|spread| spread.is_lower_bound).map(|spread| (place(index), spread.mean))
    };
    let points: Vec<(f64, f64)> = spreads.iter().enumerate().filter_map(bound).collect();
    let (name, colour, symbol) = (BOUND.into(), Colour::Series(0), Symbol::Rising);
    (!points.is_empty()).then_some(Mark::Points(Points { name, colour, symbol, points }))
}

/// The legend entry for a line or a bar.
const MEAN: &str = "mean";

/// An axis with a tick at every number, and some space at its ends.
fn horizontal(label: &str, unit: Unit, numbers: &[f64]) -> Axis {
    let (low, high) = (numbers[0], numbers[numbers.len() - 1]);
    if low > 0.0 && high / low >= WIDE {
        let axis = Axis::logarithmic(label, unit, (low / 1.12, high * 1.12));
        return Axis { marked: numbers.to_vec(), ..axis };
    }
    let room = 0.03 * (high - low);
    Axis { marked: numbers.to_vec(), ..Axis::linear(label, unit, (low - room, high + room)) }
}

/// The vertical axis for means and their intervals.
pub(crate) fn vertical(metric: &Metric, spreads: &[Option<Spread>]) -> Axis {
    let means = || spreads.iter().flatten().map(|spread| spread.mean);
    let ends = spreads.iter().flatten().filter_map(|spread| spread.interval);
    let values: Vec<f64> = means().chain(ends.flat_map(|interval| [interval.low, interval.high])).collect();
    let known: Vec<Spread> = spreads.iter().flatten().copied().collect();
    let axis = scale(metric, &known, values.iter().copied());
    match axis.scale {
        Scale::Logarithmic if means().all(|mean| mean > 0.0) => scale(metric, &known, means()),
        // A mean of zero cannot be drawn on a logarithmic axis and would be missing from the line.
        Scale::Logarithmic => {
            Axis::from_zero(metric.title, metric.unit, values.into_iter().fold(0.0, f64::max))
        }
        Scale::Linear | Scale::Categories(_) => axis,
    }
}

fn in_words(axis: &SweptAxis, metric: &Metric, spreads: &[Option<Spread>]) -> String {
    let words = axis.values.iter().zip(spreads).map(|(value, spread)| match spread {
        Some(spread) => format!("{} at {value}", metric.mean_text(spread)),
        None => format!("no value at {value}"),
    });
    let mut words: Vec<String> = words.take(MOST_WORDS).collect();
    if axis.values.len() > words.len() {
        words.push(format!("and {} more", axis.values.len() - words.len()));
    }
    format!("{} over {}: {}.", metric.title, in_sentence(&axis.label), words.join(", "))
}
