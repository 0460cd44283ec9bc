//! Tables of results with several seeds or variants.

use setpoint_lab::compare::{ComparedFigure, ComparedVariant, Comparison};
use setpoint_record::catalogue::Metric;
use setpoint_units::spelling;

use crate::document::{Block, Cell, Column, Table};
use crate::percentiles::tables;
use crate::sweep::{absent, key_headings};

/// All metrics: one table for a single variant, or a table per metric for several variants.
pub(super) fn blocks(comparison: &Comparison) -> Vec<Block> {
    match &comparison.variants[..] {
        [variant] => vec![Block::Table(of_variant(comparison, variant))],
        _ => of_variants(comparison),
    }
}

/// The set point of each result, as a row of a table.
pub(super) fn set_points(comparison: &Comparison) -> Vec<Cell> {
    let text = |points: &Vec<String>| if points.is_empty() { "none".to_owned() } else { points.join(", ") };
    let cells = comparison.results.iter().map(|result| Cell::words(text(&result.set_points)));
    [Cell::words("Set point")].into_iter().chain(cells).collect()
}

/// A row per metric and a column per result.
fn of_variant(comparison: &Comparison, variant: &ComparedVariant) -> Table {
    let columns = comparison.results.iter().map(|result| Column::figures(result.name.as_str()));
    let mut table = Table::scrolled([Column::words("Metric")].into_iter().chain(columns)).in_order();
    table.row(set_points(comparison));
    for metric in comparison.metrics() {
        let cells = cells(comparison, variant, metric);
        table.row([Cell::words(metric.title)].into_iter().chain(cells));
    }
    table
}

/// Metrics with a clear difference first; the others are collapsed.
fn of_variants(comparison: &Comparison) -> Vec<Block> {
    let is_clear = |metric: &&Metric| {
        let figures = comparison.variants.iter().filter_map(|variant| variant.figures.get(metric.name));
        let differences = figures.flatten().flatten().filter_map(|figure| figure.difference);
        differences.into_iter().any(|difference| difference.is_clear)
    };
    let (clear, others): (Vec<&Metric>, Vec<&Metric>) =
        comparison.metrics().filter(|metric| metric.on_page).partition(is_clear);
    let of = |metrics: &[&Metric]| -> Vec<Block> {
        let one = |metric: &&Metric| {
            [Block::Prose(metric.title.to_owned()), Block::Table(of_metric(comparison, metric))]
        };
        metrics.iter().flat_map(one).collect()
    };
    let mut blocks = of(&clear);
    if clear.is_empty() {
        blocks.push(Block::Prose("No metric shows a clear difference.".to_owned()));
    }
    if !others.is_empty() {
        let summary = format!("{} metrics without a clear difference", others.len());
        blocks.push(Block::More { summary, blocks: of(&others) });
    }
    blocks
}

/// A row per variant and a column per result.
fn of_metric(comparison: &Comparison, metric: &Metric) -> Table {
    let keys: Vec<String> = comparison.variants[0].values.iter().map(|(key, _)| key.clone()).collect();
    let axes = key_headings(&keys).into_iter().map(Column::words);
    let columns = comparison.results.iter().map(|result| Column::figures(result.name.as_str()));
    let mut table = Table::scrolled(axes.chain(columns));
    for variant in &comparison.variants {
        if !variant.figures.contains_key(metric.name) {
            continue;
        }
        let values = variant.values.iter().map(|(_, value)| Cell::words(spelling::value(value)));
        table.row(values.chain(cells(comparison, variant, metric)));
    }
    table
}

/// The percentiles of the slowdown of all results, for each variant; none without messages.
pub(super) fn percentiles(comparison: &Comparison) -> Vec<Block> {
    let mut rows: Vec<(String, (&ComparedVariant, usize))> = Vec::new();
    for variant in &comparison.variants {
        for (place, result) in comparison.results.iter().enumerate() {
            let values = variant.values.iter().map(|(_, value)| spelling::value(value));
            let name: Vec<String> = values.chain([result.name.clone()]).collect();
            rows.push((name.join(", "), (variant, place)));
        }
    }
    tables("Result", &rows, |(variant, place), metric| {
        let figure = variant.figures.get(metric.name)?[*place]?;
        Some(cell(metric, Some(&figure), (comparison.results[*place].seeds, comparison.seeds())))
    })
}

/// The values of a metric for all results; empty if no result has one.
fn cells(comparison: &Comparison, variant: &ComparedVariant, metric: &Metric) -> Vec<Cell> {
    let figures = variant.figures.get(metric.name).into_iter().flatten().zip(&comparison.results);
    figures
        .map(|(figure, result)| cell(metric, figure.as_ref(), (result.seeds, comparison.seeds())))
        .collect()
}

/// A mean with its interval and, below it, the difference from the first result. `runs` is the number of the result's
/// runs, and `seeds` is the number of common seeds.
fn cell(metric: &Metric, figure: Option<&ComparedFigure>, (runs, seeds): (usize, usize)) -> Cell {
    let Some(ComparedFigure { spread, difference }) = figure else {
        return absent(metric.missing);
    };
    let cell = Cell::words(metric.mean_text(spread)).note(spread.coverage_text(runs));
    let Some(difference) = difference else { return cell };
    let text = metric.difference_text(difference);
    let cell = match difference.interval {
        Some(interval) if interval.low == interval.high && !difference.is_clear => cell.note("no difference"),
        Some(_) if !difference.is_clear => cell.note("no clear difference").note(text),
        _ => cell.note(format!("difference {text}")),
    };
    cell.note(difference.coverage_text(seeds))
}
