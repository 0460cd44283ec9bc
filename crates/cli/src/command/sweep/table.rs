//! The metrics of a sweep on the terminal.

use setpoint_lab::catalogue::{self, Metric};
use setpoint_lab::sweep::{SweepSummary, VariantSummary};

use crate::terminal::{Column, Screen, Table, bounded, mean_and_spread, quantity};

/// One line per variant; for a single variant, one line per metric.
pub(super) fn table(summary: &SweepSummary, screen: Screen) -> String {
    match &summary.variants[..] {
        [variant] if summary.axes.is_empty() => figures(summary, variant, screen),
        variants => {
            let mut table = Table::new(columns(summary));
            variants.iter().for_each(|variant| table.row(cells(summary, variant)));
            table.render_folded(screen)
        }
    }
}

/// The metrics with a column; sweep.csv has all of them.
fn shown(summary: &SweepSummary) -> impl Iterator<Item = (&'static Metric, u8)> {
    let has = |metric: &Metric| summary.variants.iter().any(|variant| variant.spread(metric).is_some());
    catalogue::all()
        .filter_map(|metric| Some((metric, metric.terminal?)))
        .filter(move |(metric, _)| has(metric))
}

fn columns(summary: &SweepSummary) -> Vec<Column> {
    let last = |key: &String| key.rsplit('.').next().unwrap_or(key).to_owned();
    let axes = summary.axes.iter().map(|key| Column::words(last(key), 0));
    axes.chain(shown(summary).map(|(metric, rank)| Column::figures(metric.header, rank))).collect()
}

fn cells(summary: &SweepSummary, variant: &VariantSummary) -> Vec<String> {
    let values = variant.values.iter().map(|value| value.trim_matches('"').to_owned());
    let failed = variant.runs.iter().all(|run| run.error.is_some());
    let figure = |(metric, _): (&Metric, u8)| match variant.spread(metric) {
        Some(spread) => mean_and_spread(metric.unit, spread),
        None if failed => "failed".to_owned(),
        None => "-".to_owned(),
    };
    values.chain(shown(summary).map(figure)).collect()
}

fn figures(summary: &SweepSummary, variant: &VariantSummary, screen: Screen) -> String {
    let mut table = Table::new(vec![
        Column::words("figure", 0),
        Column::figures("mean", 0),
        Column::figures("deviation", 1),
        Column::figures("min", 2),
        Column::figures("max", 3),
    ]);
    for (metric, _) in shown(summary) {
        let Some(spread) = variant.spread(metric) else { continue };
        let text = |value| quantity(metric.unit, value);
        let deviation = spread.deviation.map_or_else(|| "-".to_owned(), text);
        let mean = bounded(metric.unit, spread.bounded_mean());
        table.row([metric.header.to_owned(), mean, deviation, text(spread.min), text(spread.max)]);
    }
    table.render(screen).0
}

/// The queue and port that are compared.
pub(super) fn compared(summary: &SweepSummary) -> String {
    match &summary.watched[..] {
        [watched] => match &watched.queue {
            Some(queue) => format!("queue and utilisation refer to {queue} in every run"),
            None => "the runs have no queue in common: figures refer to the longest queue of each".to_owned(),
        },
        _ => String::new(),
    }
}
