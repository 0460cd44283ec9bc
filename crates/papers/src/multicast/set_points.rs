//! Figures and tables by set point.

use super::SET_POINTS;
use super::variation::Delivery;
use crate::panel::Swept;
use crate::prelude::*;
use crate::table::SeedColumn;

/// The note below figures over set points.
pub(super) const WHISKERS: &str = "Means over seeds; whiskers extend one standard deviation to either side.";

/// A curve over set points, for one delivery.
pub(super) fn curve(
    runs: &Runs,
    name: impl Into<String>,
    series: usize,
    delivery: Delivery,
    measure: impl Fn(&Seed<'_>, &str) -> Option<f64>,
) -> Swept {
    let places = SET_POINTS.map(|frames| (f64::from(frames), frames));
    Swept::measured(runs, name, series, places, |seed, frames| delivery.at(seed, frames, &measure))
}

/// A figure with curves over set points.
pub(super) fn figure((name, title): (&str, &str), (label, unit): (&str, Unit), curves: &[Swept]) -> Figure {
    let x = Axis::linear("Qeq in frames", Unit::Count, (20.0, 80.0));
    let mut figure = Figure::new(name, title, x, axis(label, unit, curves));
    figure.marks = curves.iter().flat_map(Swept::marks).collect();
    if figure.y.range.0 < 0.0 {
        figure.references.push(across(0.0, ""));
    }
    figure.alternative =
        format!("{title}: {} curves over the set points of 25, 50 and 75 frames.", curves.len());
    figure.room = Room::Half;
    figure
}

/// An axis that includes zero and all values.
fn axis(label: &str, unit: Unit, curves: &[Swept]) -> Axis {
    let highest = curves.iter().flat_map(Swept::extremes).fold(0.0, f64::max);
    let lowest = curves.iter().flat_map(Swept::extremes).fold(0.0, f64::min);
    if lowest < 0.0 {
        let room = (highest - lowest) * 0.05;
        return Axis::linear(label, unit, (lowest - room, highest + room));
    }
    if unit == Unit::Ratio {
        // For an index, the maximum is one, except for the ends of whiskers.
        return Axis::linear(label, unit, (0.0, highest.max(1.0)));
    }
    Axis::from_zero(label, unit, highest.max(f64::MIN_POSITIVE))
}

/// A figure with a curve for each delivery and one for its published values.
pub(super) fn by_delivery(
    runs: &Runs,
    names: (&str, &str),
    label: (&str, Unit),
    measure: impl Fn(&Seed<'_>, &str) -> Option<f64>,
    published: Option<[[f64; 3]; 2]>,
) -> Figure {
    let deliveries = || Delivery::BOTH.into_iter().enumerate();
    let measured =
        deliveries().map(|(series, delivery)| curve(runs, delivery.words(), series, delivery, &measure));
    let published = published.into_iter().flat_map(|values| {
        deliveries().map(move |(series, delivery)| {
            let points = SET_POINTS.map(f64::from).into_iter().zip(values[series]);
            Swept::published(format!("{}, paper", delivery.words()), series, points)
        })
    });
    figure(names, label, &measured.chain(published).collect::<Vec<Swept>>())
}

/// A table of figures by set point: a row for each figure and delivery.
pub(super) fn table(runs: &Runs, figures: &[SeedColumn<'_>]) -> Table {
    let headings = SET_POINTS.map(|frames| Column::figures(format!("Qeq {frames} frames")));
    let words = ["", "Delivery"].map(Column::words);
    let mut table = Table::scrolled(words.into_iter().chain(headings));
    for (heading, unit, measure) in figures {
        for delivery in Delivery::BOTH {
            let values = |frames| runs.values(|seed| delivery.at(seed, frames, measure));
            let words = [*heading, delivery.words()].map(Cell::words);
            table.row(words.into_iter().chain(SET_POINTS.map(|frames| table::cell(*unit, &values(frames)))));
        }
    }
    table
}
