//! The introduction to the page: what was swept, in words and numbers.

use crate::words::listed;
use setpoint_lab::sweep::SweepSummary;

use super::axes::SweptAxis;
use crate::figures::port_text;
use setpoint_plot::text::in_sentence;

/// Maximum number of values of an axis in the description.
const MOST_VALUES: usize = 8;

/// Sentences about the axes and the queue that is compared.
pub(super) fn description(summary: &SweepSummary, axes: &[SweptAxis]) -> String {
    [variants(summary, axes), watched(summary)].join(" ").trim_end().to_owned()
}

fn variants(summary: &SweepSummary, axes: &[SweptAxis]) -> String {
    let seeds = summary.variants.iter().map(|variant| variant.runs.len()).max().unwrap_or(0);
    let seeds = match seeds {
        1 => "with one seed".to_owned(),
        several if axes.is_empty() => format!("with {several} seeds"),
        several => format!("with {several} seeds each; figures are means over seeds"),
    };
    if axes.is_empty() {
        return format!("Runs of the scenario {} {seeds}.", summary.scenario);
    }
    let over: Vec<String> = axes.iter().map(over).collect();
    format!("A sweep of the scenario {} over {}, {seeds}.", summary.scenario, listed(&over))
}

/// Names the queue to which the figures refer, in a sentence.
fn watched(summary: &SweepSummary) -> String {
    let [watched] = &summary.watched[..] else { return String::new() };
    match &watched.queue {
        Some(queue) => {
            format!("Figures for queues and ports refer to {} in all variants.", port_text(queue))
        }
        None => {
            "The variants have no queue in common: figures refer to the longest queue of each variant and its port."
                .to_owned()
        }
    }
}

/// An axis in a sentence: `senders (1, 4, 10, 40)`.
fn over(axis: &SweptAxis) -> String {
    let values = match &axis.values[..] {
        [first, .., last] if axis.values.len() > MOST_VALUES => {
            format!("{first} to {last}, {} values", axis.values.len())
        }
        values => values.join(", "),
    };
    // No line break between a number and its unit.
    let values = values.replace(' ', "\u{a0}").replace(",\u{a0}", ", ");
    format!("{} ({values})", in_sentence(&axis.label))
}

/// The numbers of variants, seeds and runs.
pub(super) fn facts(summary: &SweepSummary) -> Vec<String> {
    let runs: usize = summary.variants.iter().map(|variant| variant.runs.len()).sum();
    let failed = summary.failures().count();
    let count = |number: usize, one: &str, several: &str| match number {
        1 => format!("1 {one}"),
        number => format!("{number} {several}"),
    };
    let seeds = summary.variants.iter().map(|variant| variant.runs.len()).max().unwrap_or(0);
    let mut facts = vec![count(seeds, "seed", "seeds"), count(runs, "run", "runs")];
    if !summary.axes.is_empty() {
        facts.insert(0, count(summary.variants.len(), "variant", "variants"));
    }
    if failed > 0 {
        facts.push(format!("{failed} failed"));
    }
    facts.push(format!("Setpoint {}", summary.version));
    facts
}
