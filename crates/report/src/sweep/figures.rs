//! The metrics by which a page compares the variants of a sweep.

use setpoint_lab::sweep::{SweepSummary, VariantSummary};
use setpoint_record::catalogue::{self, Metric};

/// The metrics on the page for which a sweep has values.
pub(super) fn all(summary: &SweepSummary) -> Vec<&'static Metric> {
    let has = |metric: &&Metric| summary.variants.iter().any(|variant| variant.spread(metric).is_some());
    catalogue::all().filter(|metric| metric.on_page).filter(has).collect()
}

/// The metrics in which variants differ, and the metrics that are equal in all variants, each with its value.
pub(super) fn sorted(summary: &SweepSummary) -> (Vec<&'static Metric>, Vec<(&'static Metric, f64)>) {
    let (mut differing, mut same) = (Vec::new(), Vec::new());
    for metric in all(summary) {
        match common_value(summary, metric) {
            Some(value) => same.push((metric, value)),
            None => differing.push(metric),
        }
    }
    (differing, same)
}

/// The mean shared by all variants that have a result.
fn common_value(summary: &SweepSummary, metric: &Metric) -> Option<f64> {
    let with_result = summary.variants.iter().filter(|variant| !variant.figures.is_empty());
    let means: Option<Vec<f64>> =
        with_result.map(|variant| variant.spread(metric).map(|spread| spread.mean)).collect();
    let means = means?;
    let first = *means.first()?;
    // Means over seeds have rounding errors.
    means.iter().all(|mean| (mean - first).abs() <= 1e-9 * first.abs()).then_some(first)
}

/// The reason why a variant has no value for a metric.
pub(super) fn missing(variant: &VariantSummary, metric: &Metric) -> &'static str {
    if variant.runs.iter().any(|run| run.error.is_some()) { "failed" } else { metric.missing }
}

/// The better end of a scale, for drawings.
pub(super) const fn better(metric: &Metric) -> setpoint_plot::Better {
    match metric.better {
        catalogue::Better::Larger => setpoint_plot::Better::Larger,
        catalogue::Better::Smaller => setpoint_plot::Better::Smaller,
        catalogue::Better::Neither => setpoint_plot::Better::Neither,
    }
}
