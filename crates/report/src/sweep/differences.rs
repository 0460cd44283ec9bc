//! Differences between each variant and the first one, on common seeds.

use setpoint_lab::sweep::{SweepSummary, VariantSummary};
use setpoint_record::catalogue::Metric;
use setpoint_record::confidence::Difference;

use super::axes::{SweptAxis, bare};
use super::table::laid_out;
use crate::document::{Block, Cell, Section};
use setpoint_plot::text::in_sentence;

/// Marks a difference that may be due to chance.
const UNCLEAR: &str = "unclear";

/// The unit of differences between shares, explained to readers.
pub(crate) const POINTS: &str = "Differences of percentages are in percentage points (pp).";

/// The differences; none if there are too few common seeds.
pub(super) fn section(
    summary: &SweepSummary,
    axes: &[SweptAxis],
    metrics: &[&'static Metric],
) -> Option<Section> {
    let (first, others) = summary.variants.split_first()?;
    let shown = |metric: &&&Metric| others.iter().any(|variant| variant.difference(metric).is_some());
    let metrics: Vec<&'static Metric> = metrics.iter().filter(shown).copied().collect();
    if metrics.is_empty() {
        return None;
    }
    let section = Section::new("differences", "Differences from the first variant");
    let mut section = section.with(Block::Prose(introduction(first, axes, others.len())));
    section.blocks.extend(laid_out(axes, others, &metrics, None, cell));
    Some(section)
}

fn introduction(first: &VariantSummary, axes: &[SweptAxis], comparisons: usize) -> String {
    let value =
        |(axis, value): (&SweptAxis, &String)| format!("{} {}", in_sentence(&axis.label), bare(value));
    let values: Vec<String> = axes.iter().zip(&first.values).map(value).collect();
    let widened = match comparisons {
        1 => String::new(),
        several => format!(", widened so that the {several} intervals of a figure hold simultaneously"),
    };
    format!(
        "Mean difference from {}, seed by seed, ± its 95 % confidence interval{widened}. If the interval contains zero, \
         there is no clear difference, and the table says “{UNCLEAR}”. {POINTS}",
        values.join(", ")
    )
}

fn cell(variant: &VariantSummary, metric: &Metric) -> Cell {
    variant.difference(metric).map_or_else(|| Cell::words("–"), |difference| compared(metric, difference))
}

/// A difference, and whether it may be due to chance.
pub(crate) fn compared(metric: &Metric, difference: &Difference) -> Cell {
    let text = metric.difference_text(difference);
    match difference.interval {
        _ if difference.is_clear => Cell::words(text),
        Some(interval) if interval.low == interval.high => Cell::words("none"),
        Some(_) => Cell::words(UNCLEAR).note(text),
        None => Cell::words(text),
    }
}

/// The reason why a page shows no intervals; empty if it does.
pub(crate) fn why_no_interval(seeds: usize) -> &'static str {
    match seeds {
        1 => {
            "With one seed, it is unknown how much of a difference is due to chance. Use --seeds 5 or more for confidence \
            intervals."
        }
        2 => "Two seeds: too few for confidence intervals. Use --seeds 5 or more.",
        _ => "",
    }
}
