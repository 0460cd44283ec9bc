//! The panels of the paper's figures: CR and queues over time, and figures over set points.

use setpoint_lab::sweep::Spread;
use setpoint_report::document::{Block, Cell, Column, Table};
use setpoint_report::plot::{Axis, Colour, Direction, Figure, Mark, Reference, Room, Shape, Whiskers};
use setpoint_report::quantity::Unit;

use super::measure::{ALL, feedback, first_notified, limits, loss, mean_limit, smallest_limit};
use super::variant::{Delivery, Look, Sampling, Variant};
use super::{FRAME, LINE, MEAN, QUEUE, SET_POINTS};
use crate::curves::{self, line, timed};
use crate::runs::{Run, Runs, Seed};
use crate::tables::{Measure, by_case, spread_cell};

/// CR of all sources over time.
pub(super) fn limits_over_time(run: &Run, name: &str, title: &str) -> Figure {
    let y = Axis::linear("CR", Unit::BitsPerSecond, (0.0, LINE));
    let mut figure = curves::over_time(run, name, title, y);
    for (index, source) in ALL.names(run).into_iter().enumerate() {
        let points = timed(run, &limits(run, source));
        figure.marks.push(line(source, Colour::Series(index), Shape::Straight, points));
    }
    figure.references = vec![across(MEAN, "CR_mean")];
    // Every second a source comes, as the set-up says: marks for all of them would crowd out the rest.
    figure.events.clear();
    figure.alternative = "CR of six sources over time.".to_owned();
    figure.room = Room::Half;
    figure
}

/// The bottleneck's queue over time, with the set point.
pub(super) fn queue_over_time(run: &Run, name: &str, title: &str, frames: u32) -> Figure {
    let y = Axis::linear("Queue", Unit::Bytes, (0.0, 100.0 * FRAME));
    let mut figure = curves::over_time(run, name, title, y);
    let points = timed(run, run.queue(QUEUE).unwrap_or_default());
    figure.marks.push(line("queue", Colour::Series(0), Shape::Straight, points));
    figure.references = vec![across(f64::from(frames) * FRAME, "Qeq")];
    figure.events.clear();
    figure.alternative =
        "Length of the bottleneck’s queue over time, between zero and 100 frames.".to_owned();
    figure.room = Room::Half;
    figure
}

fn across(at: f64, label: &str) -> Reference {
    Reference { label: label.to_owned(), at, direction: Direction::Across }
}

/// The panels of CR of one delivery, by sampling and set point, and for each sampling the queue with the lowest set
/// point. Each has the number of the paper's figure.
pub(super) fn rates_and_queues(seed: Seed<'_>, delivery: Delivery, numbers: [u32; 4]) -> Vec<Block> {
    let mut figures = Vec::new();
    for sampling in Sampling::BOTH {
        let look = Look { seed, sampling };
        for (frames, number) in SET_POINTS.into_iter().zip(numbers) {
            let title = format!("({number}) CR, Qeq {frames} frames, {}", sampling.words());
            let name = format!("cr-{frames}-{}", sampling.key());
            figures.push(limits_over_time(look.run(delivery, frames), &name, &title));
        }
        let title = format!("({}) Queue, Qeq 25 frames, {}", numbers[3], sampling.words());
        let name = format!("queue-25-{}", sampling.key());
        figures.push(queue_over_time(look.run(delivery, SET_POINTS[0]), &name, &title, SET_POINTS[0]));
    }
    let note = format!(
        "{}, seed {}. Where samples are dense, a line is their mean and the pale band their range.",
        capital(delivery.words()),
        seed.number()
    );
    vec![Block::Figures(figures), Block::Note(note)]
}

fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A curve over set points: its name, and mean and deviation over seeds at each.
#[derive(Clone, Debug)]
pub(super) struct Curve {
    name: String,
    colour: Colour,
    shape: Shape,
    values: Vec<Option<Spread>>,
}

impl Curve {
    /// What is measured with a delivery and a sampling.
    pub(super) fn measured(
        runs: &Runs,
        name: &str,
        series: usize,
        (delivery, sampling): (Delivery, Sampling),
        measure: impl Fn(&Run) -> Option<f64>,
    ) -> Self {
        let at = |frames: u32| {
            let values = runs.seeds().map(|seed| measure(Look { seed, sampling }.run(delivery, frames)));
            Spread::of(&values.collect::<Option<Vec<f64>>>()?)
        };
        let values = SET_POINTS.into_iter().map(at).collect();
        Self { name: name.to_owned(), colour: Colour::Series(series), shape: Shape::Dotted, values }
    }

    /// What the paper says, in the colour of what it is compared with.
    pub(super) fn published(name: &str, series: usize, values: [f64; 3]) -> Self {
        let values = values.into_iter().map(|value| Spread::of(&[value])).collect();
        Self { name: name.to_owned(), colour: Colour::Series(series), shape: Shape::Dashed, values }
    }

    fn points(&self) -> impl Iterator<Item = (f64, Spread)> + '_ {
        let places = SET_POINTS.iter().map(|frames| f64::from(*frames));
        places.zip(&self.values).filter_map(|(place, value)| Some((place, (*value)?)))
    }

    fn marks(&self) -> Vec<Mark> {
        let means = self.points().map(|(place, value)| (place, value.mean)).collect();
        let around = |(place, value): (f64, Spread)| {
            let deviation = value.deviation?;
            Some((place, value.mean - deviation, value.mean + deviation))
        };
        let points = self.points().filter_map(around).collect();
        // What has no name is not in the legend.
        let whiskers = Whiskers { name: String::new(), colour: self.colour, points };
        vec![line(&self.name, self.colour, self.shape, means), Mark::Whiskers(whiskers)]
    }

    fn extremes(&self) -> impl Iterator<Item = f64> + '_ {
        self.points().flat_map(|(_, value)| {
            let deviation = value.deviation.unwrap_or(0.0);
            [value.mean - deviation, value.mean + deviation]
        })
    }
}

/// Curves over set points.
pub(super) fn over_set_points(
    name: &str,
    title: &str,
    (label, unit): (&str, Unit),
    drawn: &[Curve],
) -> Figure {
    let x = Axis::linear("Qeq in frames", Unit::Count, (20.0, 80.0));
    let mut figure = Figure::new(name, title, x, around_zero(label, unit, drawn));
    figure.marks = drawn.iter().flat_map(Curve::marks).collect();
    if figure.y.range.0 < 0.0 {
        figure.references.push(across(0.0, ""));
    }
    figure.alternative =
        format!("{title}: {} curves over the set points of 25, 50 and 75 frames.", drawn.len());
    figure.room = Room::Half;
    figure
}

/// An axis that holds zero and all values.
fn around_zero(label: &str, unit: Unit, drawn: &[Curve]) -> Axis {
    let highest = drawn.iter().flat_map(Curve::extremes).fold(0.0, f64::max);
    let lowest = drawn.iter().flat_map(Curve::extremes).fold(0.0, f64::min);
    if lowest < 0.0 {
        let room = (highest - lowest) * 0.05;
        return Axis::linear(label, unit, (lowest - room, highest + room));
    }
    if unit == Unit::Ratio {
        // An index: one is as much as there is, but for the ends of whiskers.
        return Axis::linear(label, unit, (0.0, highest.max(1.0)));
    }
    Axis::from_zero(label, unit, highest.max(f64::MIN_POSITIVE))
}

/// A figure for each sampling, with a curve for each delivery.
pub(super) fn by_delivery(
    runs: &Runs,
    (name, title): (&str, &str),
    (label, unit): (&str, Unit),
    measure: impl Fn(&Run) -> Option<f64>,
    published: Option<[[f64; 3]; 2]>,
) -> Vec<Figure> {
    let of = |sampling: Sampling| {
        let mut drawn = Vec::new();
        for (series, delivery) in Delivery::BOTH.into_iter().enumerate() {
            drawn.push(Curve::measured(runs, delivery.words(), series, (delivery, sampling), &measure));
        }
        for (series, delivery) in Delivery::BOTH.into_iter().enumerate() {
            let name = format!("{}, paper", delivery.words());
            drawn.extend(published.map(|values| Curve::published(&name, series, values[series])));
        }
        let name = format!("{name}-{}", sampling.key());
        over_set_points(&name, &format!("{title}, {}", sampling.words()), (label, unit), &drawn)
    };
    Sampling::BOTH.into_iter().map(of).collect()
}

/// What every figure over set points shows.
pub(super) const WHISKERS: &str = "Means over seeds; whiskers are a standard deviation to either side.";

/// A table of figures by set point: a row for each figure, sampling and delivery.
pub(super) fn by_set_point(runs: &Runs, figures: &[(&str, Unit, Measure)]) -> Table {
    let headings = SET_POINTS.map(|frames| Column::figures(format!("Qeq {frames} frames")));
    let words = ["", "Sampling", "Delivery"].map(Column::words);
    let mut table = Table::scrolled(words.into_iter().chain(headings));
    for (heading, unit, measure) in figures {
        for sampling in Sampling::BOTH {
            for delivery in Delivery::BOTH {
                let curve = Curve::measured(runs, "", 0, (delivery, sampling), measure);
                let cells = curve.values.into_iter().map(|value| spread_cell(*unit, value));
                let words = [*heading, sampling.words(), delivery.words()].map(Cell::words);
                table.row(words.into_iter().chain(cells));
            }
        }
    }
    table
}

/// A table of what is seen of CR, by case.
pub(super) fn of_rates(runs: &Runs, cases: &[(&str, &str)]) -> Table {
    by_case(
        runs,
        cases,
        &[
            ("First notification", Unit::Seconds, first_notified),
            ("CR, 6 to 10 s", Unit::BitsPerSecond, mean_limit),
            ("Over CR_mean", Unit::Ratio, |run| Some(mean_limit(run)? / MEAN)),
            ("Smallest CR", Unit::BitsPerSecond, smallest_limit),
            ("Feedback", Unit::Share, |run| feedback(run, ALL)),
            ("Loss", Unit::Share, |run| loss(run, ALL)),
        ],
    )
}

/// The names and labels of the variants of a delivery, for a table.
pub(super) fn rows(delivery: Delivery) -> Vec<(&'static str, &'static str)> {
    delivery.variants().iter().map(|variant: &Variant| (variant.name, variant.label())).collect()
}
