//! Differences of the variants from the first, on common seeds.

use setpoint_lab::catalogue::Metric;
use setpoint_lab::confidence::{Difference, FEWEST_SEEDS};
use setpoint_lab::sweep::{SweepSummary, VariantSummary};

use super::axes::{SweptAxis, bare};
use super::table::most_rows;
use crate::document::{Block, Cell, Column, Section, Table};
use setpoint_plot::text::in_sentence;

/// Marks a difference that may be chance.
const UNCLEAR: &str = "unclear";

/// The differences; none without enough common seeds.
pub(super) fn section(
    summary: &SweepSummary,
    axes: &[SweptAxis],
    metrics: &[&'static Metric],
) -> Option<Section> {
    let (first, others) = summary.variants.split_first()?;
    let shown = |metric: &&&Metric| others.iter().any(|variant| variant.difference(metric).is_some());
    let metrics: Vec<&Metric> = metrics.iter().filter(shown).copied().collect();
    if metrics.is_empty() {
        return None;
    }
    let values = axes.iter().map(|axis| match axis.numbers {
        Some(_) => Column::figures(&axis.label),
        None => Column::words(&axis.label),
    });
    let headings = metrics.iter().map(|metric| Column::figures(metric.title));
    let mut table = Table::scrolled(values.chain(headings));
    for variant in others.iter().take(most_rows(axes.len() + metrics.len())) {
        let values = variant.values.iter().map(|value| Cell::words(bare(value)));
        table.row(values.chain(metrics.iter().map(|metric| cell(variant, metric))));
    }
    let section = Section::new("differences", "Differences from the first variant");
    Some(section.with(Block::Prose(introduction(first, axes, others.len()))).with(Block::Table(table)))
}

fn introduction(first: &VariantSummary, axes: &[SweptAxis], comparisons: usize) -> String {
    let value =
        |(axis, value): (&SweptAxis, &String)| format!("{} {}", in_sentence(&axis.label), bare(value));
    let values: Vec<String> = axes.iter().zip(&first.values).map(value).collect();
    let widened = match comparisons {
        1 => String::new(),
        several => format!(", widened so that the {several} intervals of a column hold together"),
    };
    format!(
        "Mean difference from {}, seed by seed, ± its 95 % confidence interval{widened}. If the interval contains zero, \
         there is no clear difference, and the table says “{UNCLEAR}”.",
        values.join(", ")
    )
}

fn cell(variant: &VariantSummary, metric: &Metric) -> Cell {
    variant.difference(metric).map_or_else(|| Cell::words("–"), |difference| compared(metric, difference))
}

/// A difference, and whether it may be chance.
pub(crate) fn compared(metric: &Metric, difference: &Difference) -> Cell {
    let text = metric.difference_text(difference);
    match difference.interval {
        _ if difference.is_clear => Cell::words(text),
        Some(interval) if interval.low == interval.high => Cell::words("none"),
        Some(_) => Cell::words(UNCLEAR).note(text),
        None if difference.count < FEWEST_SEEDS => Cell::words(text),
        None => Cell::words(text).note("lower bound"),
    }
}

/// Why a page shows no intervals; empty if it does.
pub(crate) fn why_no_interval(seeds: usize) -> &'static str {
    match seeds {
        1 => {
            "One seed: nothing shows how much of a difference is chance. Use --seeds 5 or more for confidence intervals."
        }
        2 => "Two seeds: too few for confidence intervals. Use --seeds 5 or more.",
        _ => "",
    }
}
