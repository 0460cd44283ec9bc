//! The tables of a sweep's page.

use setpoint_lab::sweep::{SweepSummary, VariantSummary};
use setpoint_record::catalogue::Metric;
use setpoint_record::confidence::{Interval, Spread};

use super::axes::{SweptAxis, bare};
use super::figures::missing;
use crate::document::{Block, Cell, Column, Table};

/// Maximum numbers of rows and cells, to keep the page small; `sweep.csv` contains all of them.
const MOST_ROWS: usize = 300;
const MOST_CELLS: usize = 2_700;

/// Maximum number of rows in a table with this number of columns.
pub(super) fn most_rows(columns: usize) -> usize {
    MOST_ROWS.min(MOST_CELLS / columns.max(1))
}

/// The axes, one per row.
pub(super) fn swept(axes: &[SweptAxis]) -> Table {
    let columns = [Column::words("Key"), Column::figures("Number"), Column::words("Values")];
    let mut table = Table::new(columns);
    for axis in axes {
        let values = Cell::words(axis.values.join(", "));
        table.row([Cell::words(&axis.key), Cell::words(axis.values.len().to_string()), values]);
    }
    table
}

/// Mean and confidence interval of every metric for all variants.
pub(super) fn variants(
    summary: &SweepSummary,
    axes: &[SweptAxis],
    metrics: &[&'static Metric],
) -> Vec<Block> {
    let failures = summary.failures().next().is_some();
    let runs = failures.then_some(runs_cell as fn(&VariantSummary) -> Cell);
    laid_out(axes, &summary.variants, metrics, runs, mean)
}

/// Maximum number of variants for which metrics are rows, so that the table fits a page.
const MOST_COLUMNS: usize = 8;
/// Maximum number of columns of a table of variants, so that it fits a page; other metrics are collapsed.
const FITTING: usize = 9;

/// A cell for each variant and metric. With few variants and many metrics, metrics are rows. Otherwise variants are rows,
/// and the metrics that matter most come first.
pub(super) fn laid_out(
    axes: &[SweptAxis],
    variants: &[VariantSummary],
    metrics: &[&'static Metric],
    runs: Option<fn(&VariantSummary) -> Cell>,
    cell: fn(&VariantSummary, &Metric) -> Cell,
) -> Vec<Block> {
    if variants.len() <= MOST_COLUMNS && axes.len() + metrics.len() > FITTING {
        return vec![Block::Table(by_metric(axes, variants, metrics, runs, cell))];
    }
    let shown = &variants[..variants.len().min(most_rows(axes.len() + metrics.len()))];
    let (leading, rest) = super::lead::split(metrics, variants);
    let metrics: Vec<&'static Metric> = leading.into_iter().map(|(metric, _)| metric).chain(rest).collect();
    let (first, others) = metrics.split_at(metrics.len().min(FITTING.saturating_sub(axes.len()).max(1)));
    let mut blocks = vec![Block::Table(by_variant(axes, shown, first, runs, cell))];
    for (index, others) in others.chunks(first.len().max(1)).enumerate() {
        let table = Block::Table(by_variant(axes, shown, others, None, cell));
        match (index, blocks.last_mut()) {
            (1.., Some(Block::More { blocks, .. })) => blocks.push(table),
            _ => blocks.push(Block::More { summary: more(&metrics[first.len()..]), blocks: vec![table] }),
        }
    }
    blocks
}

fn more(metrics: &[&'static Metric]) -> String {
    match metrics {
        [one] => one.title.to_owned(),
        several => format!("{} more metrics", several.len()),
    }
}

/// A row per metric and a column per variant.
fn by_metric(
    axes: &[SweptAxis],
    variants: &[VariantSummary],
    metrics: &[&'static Metric],
    runs: Option<fn(&VariantSummary) -> Cell>,
    cell: fn(&VariantSummary, &Metric) -> Cell,
) -> Table {
    let keys: Vec<&str> = axes.iter().map(|axis| axis.label.as_str()).collect();
    let values = |variant: &VariantSummary| {
        let values: Vec<String> = variant.values.iter().map(|value| bare(value)).collect();
        Column::figures(values.join(", "))
    };
    let headings = [Column::words(keys.join(", "))].into_iter().chain(variants.iter().map(values));
    let mut table = Table::scrolled(headings).in_order();
    if let Some(runs) = runs {
        table.row([Cell::words("Runs")].into_iter().chain(variants.iter().map(runs)));
    }
    for metric in metrics {
        let cells = variants.iter().map(|variant| cell(variant, metric));
        table.row([Cell::words(metric.title)].into_iter().chain(cells));
    }
    table
}

/// A row per variant and a column per metric.
fn by_variant(
    axes: &[SweptAxis],
    variants: &[VariantSummary],
    metrics: &[&'static Metric],
    runs: Option<fn(&VariantSummary) -> Cell>,
    cell: fn(&VariantSummary, &Metric) -> Cell,
) -> Table {
    let values = axes.iter().map(|axis| match axis.numbers {
        Some(_) => Column::figures(&axis.label),
        None => Column::words(&axis.label),
    });
    let headings = metrics.iter().map(|metric| Column::figures(metric.title));
    let mut table = Table::scrolled(values.chain(runs.map(|_| Column::figures("Runs"))).chain(headings));
    for variant in variants {
        let values = variant.values.iter().map(|value| Cell::words(bare(value)));
        let runs = runs.map(|runs| runs(variant));
        table.row(values.chain(runs).chain(metrics.iter().map(|metric| cell(variant, metric))));
    }
    table
}

/// One row per metric for a single variant, over its seeds.
pub(super) fn over_seeds(variant: &VariantSummary, metrics: &[&'static Metric]) -> Table {
    let columns = ["Mean", "95 % interval", "Deviation", "Min", "Max"].map(Column::figures);
    let mut table = Table::scrolled([Column::words("Figure")].into_iter().chain(columns)).in_order();
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
        let mean = mean.note(spread.coverage_text(variant.completed()));
        table.row([Cell::words(metric.title), mean, interval, deviation, text(*min), text(*max)]);
    }
    table
}

/// One row per run of a single variant.
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

/// A cell without a value, with the reason if a specific one is known.
pub(crate) fn absent(reason: &str) -> Cell {
    Cell::words("–").note(if reason == "no value" { "" } else { reason })
}

/// The mean of a metric with its confidence interval.
pub(super) fn mean(variant: &VariantSummary, metric: &Metric) -> Cell {
    let Some(spread) = variant.spread(metric) else {
        let reason = missing(variant, metric);
        return absent(reason);
    };
    let (mean, uncertainty) = metric.mean_and_uncertainty(spread);
    Cell::words(mean).note(uncertainty).note(spread.coverage_text(variant.completed()))
}
