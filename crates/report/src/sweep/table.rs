//! The tables of a sweep's page.

use setpoint_lab::results::Bounded;
use setpoint_lab::sweep::{Spread, SweepSummary, VariantSummary};

use super::axes::{SweptAxis, bare};
use super::figures::Compared;
use crate::document::{Cell, Column, Table};

/// Rows and cells at most, so that the page stays light; `sweep.csv` has them all.
const MOST_ROWS: usize = 300;
const MOST_CELLS: usize = 2_700;

/// Rows of a table with so many columns at most.
pub(super) fn most_rows(columns: usize) -> usize {
    MOST_ROWS.min(MOST_CELLS / columns.max(1))
}

/// What was swept: a line for each axis.
pub(super) fn swept(axes: &[SweptAxis]) -> Table {
    let columns = [Column::words("Key"), Column::figures("Number"), Column::words("Values")];
    let mut table = Table::new(columns);
    for axis in axes {
        let values = Cell::words(axis.values.join(", "));
        table.row([Cell::words(&axis.key), Cell::words(axis.values.len().to_string()), values]);
    }
    table
}

/// A line for each variant: its values, then mean and deviation of every figure.
pub(super) fn variants(summary: &SweepSummary, axes: &[SweptAxis], figures: &[Compared]) -> Table {
    let failures = summary.failures().next().is_some();
    let runs = failures.then(|| Column::figures("Runs"));
    let values = axes.iter().map(|axis| match axis.numbers {
        Some(_) => Column::figures(&axis.label),
        None => Column::words(&axis.label),
    });
    let headings = figures.iter().map(|figure| Column::figures(figure.title));
    let mut table = Table::scrolled(values.chain(runs).chain(headings));
    for variant in summary.variants.iter().take(most_rows(axes.len() + figures.len())) {
        let values = variant.values.iter().map(|value| Cell::words(bare(value)));
        let runs = failures.then(|| runs_cell(variant));
        let means = figures.iter().map(|figure| mean(*figure, variant));
        table.row(values.chain(runs).chain(means));
    }
    table
}

/// A line for each figure of a single variant: over its seeds.
pub(super) fn over_seeds(variant: &VariantSummary, figures: &[Compared]) -> Table {
    let columns = ["Mean", "Deviation", "Least", "Most"].map(Column::figures);
    let mut table = Table::scrolled([Column::words("Figure")].into_iter().chain(columns));
    for figure in figures {
        let Some(spread) = figure.of(variant) else { continue };
        let Spread { deviation, min, max, .. } = spread;
        let text = |value: f64| Cell::words(figure.unit.text(value));
        let deviation = deviation.map_or_else(|| Cell::words("–"), text);
        let mean = Cell::words(figure.unit.bounded_text(spread.bounded_mean()));
        table.row([Cell::words(figure.title), mean, deviation, text(*min), text(*max)]);
    }
    table
}

/// A line for each run of a single variant.
pub(super) fn seeds(variant: &VariantSummary, figures: &[Compared]) -> Table {
    let headings = figures.iter().map(|figure| Column::figures(figure.title));
    let mut table = Table::scrolled([Column::figures("Seed")].into_iter().chain(headings));
    for run in variant.runs.iter().take(most_rows(1 + figures.len())) {
        let value = |figure: &Compared| {
            let is_lower_bound = run.lower_bounds.contains(figure.name);
            let text = |value: &f64| figure.unit.bounded_text(Bounded { value: *value, is_lower_bound });
            run.figures.get(figure.name).map_or_else(|| "–".to_owned(), text)
        };
        let values = figures.iter().map(|figure| Cell::words(value(figure)));
        table.row([Cell::words(run.seed.to_string())].into_iter().chain(values));
    }
    table
}

fn runs_cell(variant: &VariantSummary) -> Cell {
    let failed = variant.runs.iter().filter(|run| run.error.is_some()).count();
    let note = if failed == 0 { String::new() } else { format!("{failed} failed") };
    Cell::words(variant.runs.len().to_string()).note(note)
}

fn mean(figure: Compared, variant: &VariantSummary) -> Cell {
    let Some(spread) = figure.of(variant) else {
        let failed = variant.runs.iter().any(|run| run.error.is_some());
        let reason = if failed { "failed" } else { figure.missing };
        return Cell::words("–").note(if reason == "no value" { "" } else { reason });
    };
    let done = variant.runs.iter().filter(|run| run.error.is_none()).count();
    let partly = match spread.count < done {
        true => format!("{} of {done} runs", spread.count),
        false => String::new(),
    };
    Cell::words(figure.unit.bounded_text(spread.bounded_mean()))
        .note(figure.unit.spread_text(spread.mean, spread.deviation))
        .note(partly)
}
