//! Tables of figures by case.

use setpoint_record::confidence::Spread;
use setpoint_report::document::{Cell, Column, Table};
use setpoint_units::quantity::Unit;

use crate::runs::{Run, Runs, Seed};

/// A column: heading, unit and figure measured in the run of a case.
pub(crate) type RunColumn<'a> = (&'a str, Unit, fn(&Run) -> Option<f64>);
/// A column whose figure may compare the runs of several cases.
pub(crate) type SeedColumn<'a> = (&'a str, Unit, fn(&Seed<'_>, &str) -> Option<f64>);

/// Figures by case, each as mean and standard deviation over seeds.
pub(crate) fn by_case(runs: &Runs, cases: &[(&str, &str)], columns: &[RunColumn<'_>]) -> Table {
    let mut table = with_headings("", columns.iter().map(|(heading, ..)| *heading));
    for (case, label) in cases {
        let cell =
            |(_, unit, measure): &RunColumn<'_>| cell(*unit, &runs.values(|seed| measure(seed.run(case))));
        table.row([Cell::words(*label)].into_iter().chain(columns.iter().map(cell)));
    }
    table
}

/// Like [`by_case`], with figures that compare cases.
pub(crate) fn by_case_and_seed(
    runs: &Runs,
    (heading, cases): (&str, &[(&str, &str)]),
    columns: &[SeedColumn<'_>],
) -> Table {
    let mut table = with_headings(heading, columns.iter().map(|(heading, ..)| *heading));
    for (case, label) in cases {
        let cell =
            |(_, unit, measure): &SeedColumn<'_>| cell(*unit, &runs.values(|seed| measure(seed, case)));
        table.row([Cell::words(*label)].into_iter().chain(columns.iter().map(cell)));
    }
    table
}

/// A table with a column of words and columns of figures.
pub(crate) fn with_headings<'a>(words: &str, figures: impl IntoIterator<Item = &'a str>) -> Table {
    Table::scrolled([Column::words(words)].into_iter().chain(figures.into_iter().map(Column::figures)))
}

/// The mean of some values with their standard deviation below; a dash if there are no values.
pub(crate) fn cell(unit: Unit, values: &[f64]) -> Cell {
    spread_cell(unit, Spread::of(values))
}

/// A mean with its standard deviation below; a dash if there is no mean.
pub(crate) fn spread_cell(unit: Unit, spread: Option<Spread>) -> Cell {
    spread.map_or_else(
        || Cell::words("–"),
        |spread| {
            let (mean, deviation) = unit.pair_text(spread.mean, spread.deviation);
            Cell::words(mean).note(deviation)
        },
    )
}

/// A value, or a dash if there is none.
pub(crate) fn value_cell(unit: Unit, value: Option<f64>) -> Cell {
    Cell::words(value.map_or_else(|| "–".to_owned(), |value| unit.text(value)))
}
