//! Every rule can fail: a run can produce an outcome that violates it.

use std::collections::BTreeMap;

use rayon::prelude::*;
use setpoint_papers::{
    Claim, ClaimRecord, ClaimSummary, Experiment, Probed, Rule, Sabotage, SearchSummary, papers, probe,
};

use super::verdicts::{Store, searches, store};

/// Changes to very short runs, and the factors by which they are longer than the shortest ones, in the order in which
/// they are tried.
fn tries(experiment: &Experiment) -> impl Iterator<Item = (Sabotage, u32)> {
    let short = [
        Sabotage::None,
        Sabotage::Deaf,
        Sabotage::Starved(None),
        Sabotage::Alone,
        Sabotage::WithoutFirst,
        Sabotage::Drastic,
        Sabotage::Hasty,
        Sabotage::Shifted(1),
        Sabotage::Shifted(2),
        Sabotage::Shifted(3),
    ];
    let starved = (0..experiment.cases.len()).map(|place| Sabotage::Starved(Some(place)));
    let short: Vec<Sabotage> = short.into_iter().chain(starved).collect();
    // Some claims can be measured only in longer runs; starved networks can be simulated quickly.
    let longer = short.clone().into_iter().map(|sabotage| (sabotage, 20));
    short.into_iter().map(|sabotage| (sabotage, 1)).chain(longer).chain([(Sabotage::Starved(None), 1_000)])
}

/// Whether a full run has violated the rule: with one of its seeds, in another set-up, or in the search.
fn was_broken(rule: Rule, record: &ClaimRecord, search: Option<&SearchSummary>) -> bool {
    let breaks = |value: &f64| !rule.allows(*value);
    let of_claim = |one: &&ClaimSummary| one.experiment == record.experiment && one.claim == record.claim;
    let range = search.and_then(|search| search.claims.iter().find(of_claim)?.range);
    let beside = record.beside.iter().filter_map(|other| other.measured);
    record
        .values
        .iter()
        .copied()
        .chain(beside)
        .chain(range.map(|(low, _)| low))
        .chain(range.map(|(_, high)| high))
        .any(|value| breaks(&value))
}

/// Whether a very short run violates the rule.
fn is_broken_by(probed: Option<&Vec<Probed>>, place: usize, rule: Rule) -> bool {
    probed.and_then(|claims| claims[place].figure).is_some_and(|figure| !rule.allows(figure))
}

/// The claims of an experiment whose rules no outcome breaks.
fn unbroken(
    experiment: &Experiment,
    store: &Store,
    searches: &BTreeMap<String, SearchSummary>,
) -> Vec<String> {
    let is_open = |(_, claim): &(usize, &Claim)| {
        let record = store.get(&(experiment.id.to_owned(), claim.name.clone()));
        let search = searches.get(experiment.paper());
        let known = |rule| record.is_some_and(|record| was_broken(rule, record, search));
        let computed = |rule: Rule| claim.counterexample().is_some_and(|(_, figure)| !rule.allows(figure));
        claim.rule().is_some_and(|rule| !computed(rule) && !known(rule))
    };
    let mut open: Vec<(usize, &Claim)> = experiment.claims.iter().enumerate().filter(is_open).collect();
    for (sabotage, length) in tries(experiment) {
        if open.is_empty() {
            break;
        }
        let probed = probe(experiment, sabotage, length);
        open.retain(|(place, claim)| {
            claim.rule().is_some_and(|rule| !is_broken_by(probed.as_ref(), *place, rule))
        });
    }
    let name =
        |(_, claim): (usize, &Claim)| format!("{} {}: {}", experiment.id, claim.name, claim.expected());
    open.into_iter().map(name).collect()
}

#[test]
fn every_rule_can_fail() {
    let experiments: Vec<Experiment> = papers().into_iter().flat_map(|paper| paper.experiments).collect();
    let (store, searches) = (store(), searches());
    // One experiment at a time for each core: a few take most of the time.
    let unbroken = experiments
        .par_iter()
        .with_max_len(1)
        .flat_map_iter(|experiment| unbroken(experiment, &store, &searches))
        .collect::<Vec<String>>();
    assert!(unbroken.is_empty(), "no outcome breaks {unbroken:#?}");
}
