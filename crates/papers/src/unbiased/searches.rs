//! What finding culprits cost.

use setpoint_report::document::Block;
use setpoint_report::quantity::Unit;

use super::panel;
use crate::runs::{Run, Runs};

/// A table of searches by case, as means and deviations over seeds.
pub(super) fn table(runs: &Runs, cases: &[(&str, &str)]) -> Vec<Block> {
    let lead = "What searches of the culprit arrays cost, over all inputs and the whole run. A search is made for every notification; it reads at \
                random, up to 16 times, and then falls back to reading one after another.";
    let table = panel::by_case(
        runs,
        cases,
        &[
            ("Searches", Unit::Count, |run| Some(run.culprits.searches as f64)),
            ("Reads per search", Unit::Ratio, reads_per_search),
            ("Fall-backs", Unit::Count, |run| Some(run.culprits.fallbacks as f64)),
            ("Of all searches", Unit::Share, |run| part(run, run.culprits.fallbacks)),
            ("Reads of fall-backs", Unit::Count, |run| Some(run.culprits.fallback_reads as f64)),
        ],
    );
    vec![Block::Prose(lead.to_owned()), Block::Table(table)]
}

fn reads_per_search(run: &Run) -> Option<f64> {
    part(run, run.culprits.reads)
}

fn part(run: &Run, count: u64) -> Option<f64> {
    (run.culprits.searches > 0).then(|| count as f64 / run.culprits.searches as f64)
}
