//! The metrics of a sweep on the terminal.

use setpoint_lab::sweep::{SweepSummary, VariantSummary};
use setpoint_record::catalogue::{self, Metric};
use setpoint_record::confidence::{Difference, FEWEST_SEEDS, Interval};
use setpoint_scenario::key_words;

use crate::command::percentiles::percentiles;
use crate::terminal::{Column, Screen, Table, bounded, mean, port, quantity, size, value};

/// One line per variant; for a single variant, one line per metric.
pub(super) fn table(summary: &SweepSummary, screen: Screen) -> String {
    match &summary.variants[..] {
        [variant] if summary.axes.is_empty() => {
            figures(summary, variant, screen) + &slowdowns(summary, screen)
        }
        variants => {
            let mut table = Table::new(columns(summary));
            variants.iter().for_each(|variant| table.row(cells(summary, variant)));
            table.render_folded(screen) + &slowdowns(summary, screen)
        }
    }
}

/// Percentiles of the slowdown by message size; empty without messages.
fn slowdowns(summary: &SweepSummary, screen: Screen) -> String {
    let row = |variant| (values(variant), variant);
    let rows: Vec<(Vec<String>, &VariantSummary)> = summary.variants.iter().map(row).collect();
    percentiles(&key_words(&summary.axes), &rows, screen, |variant, metric| {
        variant.spread(metric).map(|spread| mean(metric, spread, variant.completed()))
    })
}

/// The values of a variant, as text.
fn values(variant: &VariantSummary) -> Vec<String> {
    variant.values.iter().map(|text| value(text)).collect()
}

/// The metrics that have a column; sweep.csv contains all metrics.
fn shown(summary: &SweepSummary) -> impl Iterator<Item = (&'static Metric, u8)> {
    let has = |metric: &Metric| summary.variants.iter().any(|variant| variant.spread(metric).is_some());
    catalogue::all()
        .filter_map(|metric| Some((metric, metric.terminal?)))
        .filter(move |(metric, _)| has(metric))
}

fn columns(summary: &SweepSummary) -> Vec<Column> {
    let axes = key_words(&summary.axes).into_iter().map(|words| Column::words(words, 0));
    axes.chain(shown(summary).map(|(metric, rank)| Column::figures(metric.header, rank))).collect()
}

fn cells(summary: &SweepSummary, variant: &VariantSummary) -> Vec<String> {
    let failed = variant.runs.iter().all(|run| run.error.is_some());
    let figure = |(metric, _): (&Metric, u8)| match variant.spread(metric) {
        Some(spread) => {
            let is_unclear = variant.difference(metric).is_some_and(Difference::is_unclear);
            format!("{}{}", if is_unclear { "~ " } else { "" }, mean(metric, spread, variant.completed()))
        }
        None if failed => "failed".to_owned(),
        None => "-".to_owned(),
    };
    values(variant).into_iter().chain(shown(summary).map(figure)).collect()
}

fn figures(summary: &SweepSummary, variant: &VariantSummary, screen: Screen) -> String {
    let runs = variant.completed();
    // A column for the number of runs, if some metrics exist in only some of the runs.
    let partly =
        shown(summary).filter_map(|(metric, _)| variant.spread(metric)).any(|spread| spread.count < runs);
    let mut columns = vec![
        Column::words("figure", 0),
        Column::figures("mean", 0),
        Column::figures("95 % interval", 1),
        Column::figures("deviation", 2),
        Column::figures("min", 3),
        Column::figures("max", 4),
    ];
    if partly {
        columns.insert(2, Column::figures("runs", 0));
    }
    let mut table = Table::new(columns);
    for (metric, _) in shown(summary) {
        let Some(spread) = variant.spread(metric) else { continue };
        let text = |value| quantity(metric.unit, value);
        let deviation = spread.deviation.map(|deviation| size(metric, deviation, spread.mean));
        let deviation = deviation.unwrap_or_else(|| "-".to_owned());
        let ends = |one: Interval| format!("{} to {}", text(one.low), text(one.high));
        let interval = spread.interval.map_or_else(|| "-".to_owned(), ends);
        let mean = bounded(metric.unit, spread.bounded_mean());
        let count = partly.then(|| format!("{} of {runs}", spread.count));
        let rest = [interval, deviation, text(spread.min), text(spread.max)];
        table.row([metric.header.to_owned(), mean].into_iter().chain(count).chain(rest));
    }
    table.render(screen).0
}

/// A sentence about the uncertainty of the means and their differences; empty for a single seed of a single variant.
pub(super) fn certainty(summary: &SweepSummary) -> String {
    let seeds = summary.variants.iter().map(|variant| variant.runs.len()).max().unwrap_or(0);
    match (seeds, summary.variants.len()) {
        (seeds, _) if seeds < FEWEST_SEEDS => {
            "fewer than three seeds: no confidence intervals; `--seeds 5` shows how much is due to chance"
                .to_owned()
        }
        (_, 1) => "95 % confidence intervals of the means".to_owned(),
        _ => "mean ± 95 % confidence interval; ~ no clear difference from the first line, on common seeds"
            .to_owned(),
    }
}

/// The queue and port that are compared.
pub(super) fn compared(summary: &SweepSummary) -> String {
    match &summary.watched[..] {
        [watched] => match &watched.queue {
            Some(queue) => format!("queue and utilisation refer to {} in every run", port(queue)),
            None => "the runs have no queue in common: figures refer to the longest queue of each".to_owned(),
        },
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::Paint;
    use setpoint_lab::sweep::RunSummary;
    use setpoint_record::catalogue::{FCT_MEAN, Metric, QUEUE_MEAN, SETTLING};
    use setpoint_scenario::Colour;

    /// A variant with the given values of metrics, seed by seed; the last value of each completion time is a lower bound.
    fn variant(value: &str, figures: &[(&Metric, &[f64])]) -> VariantSummary {
        let run = |seed: usize| {
            let figure = |(metric, values): &(&Metric, &[f64])| {
                values.get(seed).map(|value| (metric.name.to_owned(), *value))
            };
            let lower_bounds = (seed == 2).then(|| FCT_MEAN.name.to_owned()).into_iter().collect();
            let figures = figures.iter().filter_map(figure).collect();
            RunSummary { seed: seed as u64, figures, lower_bounds, ..RunSummary::default() }
        };
        VariantSummary::of_runs(0, vec![value.to_owned()], (0..3).map(run).collect())
    }

    #[test]
    fn only_tested_differences_are_marked_and_missing_runs_are_counted() {
        let figures: [(&Metric, &[f64]); 3] =
            [(&QUEUE_MEAN, &[26e3, 27e3, 28e3]), (&FCT_MEAN, &[1e-3, 2e-3, 3e-3]), (&SETTLING, &[4e-3])];
        let (first, mut other) = (variant("1", &figures), variant("2", &figures));
        for (metric, _) in figures {
            let difference = Difference::of(&other.paired(&first, metric), 1).unwrap();
            other.differences.insert(metric.name.to_owned(), difference);
        }
        let axes = vec!["topology.dumbbell.senders".to_owned()];
        let summary = SweepSummary { axes, variants: vec![first, other], ..SweepSummary::default() };
        let screen = Screen { width: 120, paint: Paint::new(Colour::Off) };
        let text = table(&summary, screen);
        let line = text.lines().last().unwrap();
        assert!(line.contains("~ 27.0 kB ± 2.5 kB") && line.contains("4 ms (1 of 3 runs)"), "{text}");
        assert!(line.ends_with("  > 2 ms") && !line.contains("~ 4 ms"), "{text}");
    }
}
