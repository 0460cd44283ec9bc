//! The metrics of a sweep.

use std::collections::HashMap;

use setpoint_lab::catalogue::{self, Metric};
use setpoint_lab::sweep::{RunSummary, SweepSummary, VariantSummary};

use super::{Table, counts, numbers, origin, texts};
use crate::arrow::{Column, Values};

/// A row per variant: its values, its runs, and the mean and deviation of each metric.
pub(crate) fn variants(sweep: &SweepSummary) -> Table {
    let variants = &sweep.variants;
    let failed = |variant: &VariantSummary| variant.runs.iter().filter(|run| run.error.is_some()).count();
    let mut columns = vec![counts("variant", variants.iter().map(|variant| variant.index as u64))];
    columns.extend(axes(sweep, |_| 1));
    columns.push(counts("runs", variants.iter().map(|variant| variant.runs.len() as u64)));
    columns.push(counts("failed", variants.iter().map(|variant| failed(variant) as u64)));
    columns.extend(catalogue::all().flat_map(|metric| spreads(sweep, metric)));
    Table::new(columns, of_sweep(sweep))
}

/// A row per run: the values of its variant, its seed, its digest and its metrics.
pub(crate) fn runs(sweep: &SweepSummary) -> Table {
    let runs =
        || sweep.variants.iter().flat_map(|variant| variant.runs.iter().map(move |run| (variant, run)));
    let figures = |metric: &Metric| {
        let values = runs().map(|(_, run): (_, &RunSummary)| run.figures.get(metric.name).copied());
        Column { unit: metric.unit_text(), ..numbers(metric.name, values) }
    };
    let mut columns = vec![counts("variant", runs().map(|(variant, _)| variant.index as u64))];
    columns.extend(axes(sweep, |variant| variant.runs.len()));
    columns.push(counts("seed", runs().map(|(_, run)| run.seed)));
    columns.push(texts("digest", runs().map(|(_, run)| run.digest.clone())));
    columns.push(texts("error", runs().map(|(_, run)| run.error.clone())));
    columns.extend(catalogue::all().map(figures));
    Table::new(columns, of_sweep(sweep))
}

/// The values of the variants, each as often as the variant has rows.
fn axes(sweep: &SweepSummary, rows: impl Fn(&VariantSummary) -> usize) -> Vec<Column> {
    let value = |variant: &VariantSummary, axis: usize| {
        variant.values.get(axis).map(|value| value.trim_matches('"').to_owned())
    };
    let of = |(axis, key): (usize, &String)| {
        let repeated = |variant: &VariantSummary| vec![value(variant, axis); rows(variant)];
        texts(key, sweep.variants.iter().flat_map(repeated))
    };
    sweep.axes.iter().enumerate().map(of).collect()
}

/// The mean and the deviation of a metric and, if its mean can be a lower bound, whether it is one.
fn spreads(sweep: &SweepSummary, metric: &Metric) -> Vec<Column> {
    let spread = || sweep.variants.iter().map(|variant| variant.spread(metric));
    let (name, unit) = (metric.name, metric.unit_text());
    let mean = numbers(&format!("mean_{name}"), spread().map(|spread| Some(spread?.mean)));
    let deviation = numbers(&format!("deviation_{name}"), spread().map(|spread| spread?.deviation));
    let mut columns = vec![Column { unit, ..mean }, Column { unit, ..deviation }];
    if metric.can_be_lower_bound() {
        let values = spread().map(|spread| Some(spread?.is_lower_bound)).collect();
        let name = format!("mean_{name}_is_lower_bound");
        columns.push(Column { name, unit: "", values: Values::Truths(values) });
    }
    columns
}

fn of_sweep(sweep: &SweepSummary) -> HashMap<String, String> {
    origin(&[("scenario", sweep.scenario.clone()), ("version", sweep.version.clone())])
}
