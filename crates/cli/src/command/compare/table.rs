//! A comparison on the terminal.

use setpoint_lab::compare::{ComparedFigure, ComparedResult, ComparedVariant, Comparison};
use setpoint_record::catalogue::Metric;
use setpoint_record::confidence::FEWEST_SEEDS;
use setpoint_scenario::key_words;

use crate::command::percentiles::percentiles;
use crate::terminal::{Column, Screen, Table, difference, mean, value};

/// A line per metric, for each variant: the figure of every result, and its difference from the first.
pub(super) fn render(comparison: &Comparison, screen: Screen) -> String {
    let keys = comparison.variants.first().map_or(&[][..], |variant| &variant.values);
    let names: Vec<String> = keys.iter().map(|(key, _)| key.clone()).collect();
    let mut columns: Vec<Column> =
        key_words(&names).into_iter().map(|words| Column::words(words, 0)).collect();
    columns.push(Column::words("figure", 0));
    for (place, result) in comparison.results.iter().enumerate() {
        columns.push(Column::figures(result.name.as_str(), 0));
        if place > 0 {
            columns.push(Column::figures("difference", 1));
        }
    }
    let mut table = Table::new(columns);
    table.row(settings("set point", comparison, keys.len(), |result| &result.set_points));
    if comparison.results.iter().any(|result| !result.presets.is_empty()) {
        table.row(settings("preset", comparison, keys.len(), |result| &result.presets));
    }
    for variant in &comparison.variants {
        for metric in comparison.metrics().filter(|metric| metric.terminal.is_some()) {
            if let Some(figures) = variant.figures.get(metric.name) {
                table.row(row(comparison, variant, metric, figures));
            }
        }
    }
    table.render_folded(screen) + &slowdowns(comparison, key_words(&names), screen)
}

/// Percentiles of the slowdown by message size; empty without messages.
fn slowdowns(comparison: &Comparison, keys: Vec<String>, screen: Screen) -> String {
    let mut rows: Vec<(Vec<String>, (&ComparedVariant, usize))> = Vec::new();
    for variant in &comparison.variants {
        for (place, result) in comparison.results.iter().enumerate() {
            let values = variant.values.iter().map(|(_, text)| value(text));
            rows.push((values.chain([result.name.clone()]).collect(), (variant, place)));
        }
    }
    let headings: Vec<String> = keys.into_iter().chain(["result".to_owned()]).collect();
    percentiles(&headings, &rows, screen, |(variant, place), metric| {
        let figure = variant.figures.get(metric.name)?[*place]?;
        Some(mean(metric, &figure.spread, comparison.results[*place].seeds))
    })
}

/// A line with one setting of every result.
fn settings(
    name: &str,
    comparison: &Comparison,
    keys: usize,
    of: impl Fn(&ComparedResult) -> &Vec<String>,
) -> Vec<String> {
    let mut cells = vec![String::new(); keys];
    cells.push(name.to_owned());
    for (place, result) in comparison.results.iter().enumerate() {
        let values = of(result);
        cells.push(if values.is_empty() { "none".to_owned() } else { values.join(", ") });
        cells.extend((place > 0).then(String::new));
    }
    cells
}

fn row(
    comparison: &Comparison,
    variant: &ComparedVariant,
    metric: &Metric,
    figures: &[Option<ComparedFigure>],
) -> Vec<String> {
    let mut cells: Vec<String> = variant.values.iter().map(|(_, text)| value(text)).collect();
    cells.push(metric.header.to_owned());
    for (place, (figure, result)) in figures.iter().zip(&comparison.results).enumerate() {
        let text = |figure: ComparedFigure| mean(metric, &figure.spread, result.seeds);
        cells.push(figure.map_or_else(|| "-".to_owned(), text));
        let between = figure.and_then(|figure| figure.difference);
        let text = |between| difference(metric, &between, comparison.seeds());
        let text = || between.map_or_else(|| "-".to_owned(), text);
        cells.extend((place > 0).then(text));
    }
    cells
}

/// The meaning of the differences, in a sentence.
pub(super) fn meaning(comparison: &Comparison) -> String {
    let first = &comparison.results[0].name;
    let meaning = match comparison.seeds() {
        seeds if seeds >= FEWEST_SEEDS => {
            format!("from {first}, on common seeds, ± 95 % confidence interval; ~ no clear difference")
        }
        1 => format!("from {first}; with one seed, they may be due to chance"),
        seeds => format!("from {first}; with {seeds} seeds, they may be due to chance"),
    };
    meaning + "; pp percentage points"
}
