//! The tables of a sweep's page.

use setpoint_lab::catalogue::Metric;
use setpoint_lab::confidence::Interval;
use setpoint_lab::sweep::{Spread, SweepSummary, VariantSummary};

use super::axes::{SweptAxis, bare};
use crate::document::{Cell, Column, Table};

/// Maximum numbers of rows and cells, to keep the page small; `sweep.csv` contains all of them.
const MOST_ROWS: usize = 300;
const MOST_CELLS: usize = 2_700;

/// Maximum number of rows in a table with this number of columns.
pub(super) fn most_rows(columns: usize) -> usize {
    MOST_ROWS.min(MOST_CELLS / columns.max(1))
}

/// The axes, one per line.
pub(super) fn swept(axes: &[SweptAxis]) -> Table {
    let columns = [Column::words("Key"), Column::figures("Number"), Column::words("Values")];
    let mut table = Table::new(columns);
    for axis in axes {
        let values = Cell::words(axis.values.join(", "));
        table.row([Cell::words(&axis.key), Cell::words(axis.values.len().to_string()), values]);
    }
    table
}

/// A line for each variant: its values, then mean and confidence interval of every metric.
pub(super) fn variants(summary: &SweepSummary, axes: &[SweptAxis], metrics: &[&'static Metric]) -> Table {
    let failures = summary.failures().next().is_some();
    let runs = failures.then(|| Column::figures("Runs"));
    let values = axes.iter().map(|axis| match axis.numbers {
        Some(_) => Column::figures(&axis.label),
        None => Column::words(&axis.label),
    });
    let headings = metrics.iter().map(|metric| Column::figures(metric.title));
    let mut table = Table::scrolled(values.chain(runs).chain(headings));
    for variant in summary.variants.iter().take(most_rows(axes.len() + metrics.len())) {
        let values = variant.values.iter().map(|value| Cell::words(bare(value)));
        let runs = failures.then(|| runs_cell(variant));
        let means = metrics.iter().map(|metric| mean(metric, variant));
        table.row(values.chain(runs).chain(means));
    }
    table
}

/// One line per metric of a single variant, over its seeds.
pub(super) fn over_seeds(variant: &VariantSummary, metrics: &[&'static Metric]) -> Table {
    let columns = ["Mean", "95 % interval", "Deviation", "Min", "Max"].map(Column::figures);
    let mut table = Table::scrolled([Column::words("Figure")].into_iter().chain(columns));
    for metric in metrics {
        let Some(spread) = variant.spread(metric) else { continue };
        let Spread { deviation, interval, min, max, .. } = spread;
        let text = |value: f64| Cell::words(metric.unit.text(value));
        let deviation = deviation.map(|deviation| metric.size_text(deviation, spread.mean));
        let deviation = Cell::words(deviation.unwrap_or_else(|| "–".to_owned()));
        let ends =
            |one: &Interval| format!("{} to {}", metric.unit.text(one.low), metric.unit.text(one.high));
        let interval = Cell::words(interval.as_ref().map_or_else(|| "–".to_owned(), ends));
        let mean = Cell::words(metric.unit.bounded_text(spread.bounded_mean()));
        table.row([Cell::words(metric.title), mean, interval, deviation, text(*min), text(*max)]);
    }
    table
}

/// One line per run of a single variant.
pub(super) fn seeds(variant: &VariantSummary, metrics: &[&'static Metric]) -> Table {
    let headings = metrics.iter().map(|metric| Column::figures(metric.title));
    let mut table = Table::scrolled([Column::figures("Seed")].into_iter().chain(headings));
    for run in variant.runs.iter().take(most_rows(1 + metrics.len())) {
        let value = |metric: &&Metric| {
            let text = run.value(metric).map(|value| metric.unit.bounded_text(value));
            Cell::words(text.unwrap_or_else(|| "–".to_owned()))
        };
        let values = metrics.iter().map(value);
        table.row([Cell::words(run.seed.to_string())].into_iter().chain(values));
    }
    table
}

fn runs_cell(variant: &VariantSummary) -> Cell {
    let failed = variant.runs.iter().filter(|run| run.error.is_some()).count();
    let note = if failed == 0 { String::new() } else { format!("{failed} failed") };
    Cell::words(variant.runs.len().to_string()).note(note)
}

fn mean(metric: &Metric, variant: &VariantSummary) -> Cell {
    let Some(spread) = variant.spread(metric) else {
        let failed = variant.runs.iter().any(|run| run.error.is_some());
        let reason = if failed { "failed" } else { metric.missing };
        return Cell::words("–").note(if reason == "no value" { "" } else { reason });
    };
    let done = variant.runs.iter().filter(|run| run.error.is_none()).count();
    let partly = match spread.count < done {
        true => format!("{} of {done} runs", spread.count),
        false => String::new(),
    };
    Cell::words(metric.unit.bounded_text(spread.bounded_mean()))
        .note(metric.uncertainty_text(spread))
        .note(partly)
}
