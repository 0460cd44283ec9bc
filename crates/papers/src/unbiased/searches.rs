//! What finding culprits cost.

use setpoint_lab::results::CulpritSummary;
use setpoint_report::document::Block;
use setpoint_report::quantity::Unit;

use crate::runs::{Run, Runs};
use crate::tables;

/// A table of searches by case, as means and deviations over seeds.
pub(super) fn table(runs: &Runs, cases: &[(&str, &str)]) -> Vec<Block> {
    let lead = "What searches of the culprit arrays cost, over all inputs and the whole run. A search is made for every notification; it reads at \
                random, up to 16 times, and then falls back to reading one after another.";
    let table = tables::by_case(
        runs,
        cases,
        &[
            ("Searches", Unit::Count, |run| Some(total(run, |cost| cost.searches))),
            ("Reads per search", Unit::Ratio, |run| per_search(run, |cost| cost.reads)),
            ("Fall-backs", Unit::Count, |run| Some(total(run, |cost| cost.fallbacks))),
            ("Of all searches", Unit::Share, |run| per_search(run, |cost| cost.fallbacks)),
            ("Reads of fall-backs", Unit::Count, |run| Some(total(run, |cost| cost.fallback_reads))),
        ],
    );
    vec![Block::Prose(lead.to_owned()), Block::Table(table)]
}

/// A count over all inputs.
fn total(run: &Run, count: fn(&CulpritSummary) -> u64) -> f64 {
    run.summary.queues.iter().filter_map(|queue| queue.culprits.as_ref()).map(count).sum::<u64>() as f64
}

fn per_search(run: &Run, count: fn(&CulpritSummary) -> u64) -> Option<f64> {
    let searches = total(run, |cost| cost.searches);
    (searches > 0.0).then(|| total(run, count) / searches)
}
