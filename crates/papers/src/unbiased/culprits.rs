//! The cost of searching the culprit arrays.

use setpoint_record::results::CulpritSummary;

use crate::prelude::*;

/// A table of searches by case.
pub(super) fn table(runs: &Runs, cases: &[(&str, &str)]) -> [Block; 2] {
    let lead = "Cost of searching the culprit arrays, summed over all inputs and the whole run. Every notification \
        requires a search, which makes up to 16 random reads and then falls back to sequential reads.";
    let table = table::by_case(
        runs,
        cases,
        &[
            ("Searches", Unit::Count, |run| Some(total(run, |cost| cost.searches))),
            ("Reads per search", Unit::Ratio, |run| per_search(run, |cost| cost.reads)),
            ("Fallbacks", Unit::Count, |run| Some(total(run, |cost| cost.fallbacks))),
            ("Share of searches with a fallback", Unit::Share, |run| per_search(run, |cost| cost.fallbacks)),
            ("Fallback reads", Unit::Count, |run| Some(total(run, |cost| cost.fallback_reads))),
        ],
    );
    [Block::Prose(lead.to_owned()), Block::Table(table)]
}

/// A count summed over all inputs.
fn total(run: &Run, count: fn(&CulpritSummary) -> u64) -> f64 {
    run.summary.queues.iter().filter_map(|queue| queue.culprits.as_ref()).map(count).sum::<u64>() as f64
}

fn per_search(run: &Run, count: fn(&CulpritSummary) -> u64) -> Option<f64> {
    let searches = total(run, |cost| cost.searches);
    (searches > 0.0).then(|| total(run, count) / searches)
}
