//! Figures with units, formatted with plain spaces and minus signs.

use setpoint_record::catalogue::Metric;
use setpoint_record::confidence::{Difference, Spread};
use setpoint_record::results::{Bounded, Settling};
use setpoint_units::quantity::change_text;
use setpoint_units::spelling;

use super::Unit;
use super::text::plain as sanitised;

/// A figure with its unit: `9.98 Gb/s`, `26.4 kB`, `2.4 µs`, `12 345`.
pub(crate) fn quantity(unit: Unit, value: f64) -> String {
    plain(&unit.text(value))
}

/// A figure, or a lower bound on it: `> 50 ms`.
pub(crate) fn bounded(unit: Unit, figure: Bounded) -> String {
    plain(&unit.bounded_text(figure))
}

/// Whether and when a queue settled; the time is accurate to one sample interval.
pub(crate) fn settling(settling: Settling, interval: f64) -> String {
    plain(&settling.text(interval))
}

/// A signed relative change in per cent.
pub(crate) fn change(share: f64) -> String {
    plain(&change_text(share))
}

/// A value of a scenario key, or its label: `26 kB`.
pub(crate) fn value(text: &str) -> String {
    plain(&sanitised(&spelling::value(text)))
}

fn plain(text: &str) -> String {
    let letter = |c| match c {
        '\u{a0}' | '\u{202f}' => ' ',
        '−' | '–' => '-',
        other => other,
    };
    text.chars().map(letter).collect()
}

pub(crate) fn count(value: u64) -> String {
    quantity(Unit::Count, value as f64)
}

/// A count and a noun, with a plural s if needed.
pub(crate) fn things(value: u64, name: &str) -> String {
    format!("{} {name}{}", count(value), if value == 1 { "" } else { "s" })
}

/// Mean and 95 % confidence interval over seeds, `26.40 kB ± 0.31 kB`, with the number of runs that have the metric if not
/// all `runs` have it.
pub(crate) fn mean(metric: &Metric, spread: &Spread, runs: usize) -> String {
    let coverage = spread.coverage_text(runs);
    let coverage = if coverage.is_empty() { coverage } else { format!(" ({coverage})") };
    plain(&metric.mean_text(spread)) + &coverage
}

/// A size that is shown next to a mean, such as a deviation.
pub(crate) fn size(metric: &Metric, size: f64, mean: f64) -> String {
    plain(&metric.size_text(size, mean))
}

/// A difference on common seeds, `+1.20 kB ± 0.31 kB`; with `~` if it may be due to chance, and with the number of
/// common seeds that have the metric if it is less than `seeds`.
pub(crate) fn difference(metric: &Metric, difference: &Difference, seeds: usize) -> String {
    let mark = if difference.is_unclear() { "~ " } else { "" };
    let coverage = difference.coverage_text(seeds);
    let coverage = if coverage.is_empty() { coverage } else { format!(" ({coverage})") };
    format!("{mark}{}{coverage}", plain(&metric.difference_text(difference)))
}

/// Mean and standard deviation over seeds: `26.40 kB ± 0.31 kB`.
pub(crate) fn mean_and_spread(unit: Unit, spread: &Spread) -> String {
    let mark = if spread.is_lower_bound { "> " } else { "" };
    format!("{mark}{}", plain(&unit.text_with_spread(spread.mean, spread.deviation)))
}
