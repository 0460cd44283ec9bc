//! Every rule can fail: a run can produce an outcome that violates it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use setpoint_papers::{
    Claim, ClaimRecord, ClaimSummary, Experiment, Probed, Rule, Sabotage, SearchSummary, papers, probe,
};

use super::verdicts::{Store, searches, store};

/// Changes to very short runs, and the factors by which they are longer than the shortest ones, in the order in which
/// they are tried.
fn tries(experiment: &Experiment) -> impl Iterator<Item = Try> {
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
    // Large shared buffers take a long time to fill.
    let longest = [(Sabotage::Shifted(3), 200), (Sabotage::Starved(None), 1_000)];
    short.into_iter().map(|sabotage| (sabotage, 1)).chain(longer).chain(longest)
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

/// A change to a run, and the factor by which the run is longer than the shortest one.
type Try = (Sabotage, u32);

/// A claim whose rule only a changed run breaks, and that change; none if there is none.
type Found = (String, String, Option<Try>);

/// The file with the change that breaks each claim: the search through all of them takes several minutes.
fn stored_tries() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/papers/falsified.csv")
}

fn line((experiment, claim, found): &Found) -> Option<String> {
    found.map(|(sabotage, length)| format!("{experiment},{claim},{sabotage:?},{length}"))
}

/// The claims of an experiment that need a changed run, with the change. It is taken from the stored lines, which must then
/// break the rule, or searched if there are none.
fn found(
    experiment: &Experiment,
    store: &Store,
    searches: &BTreeMap<String, SearchSummary>,
    stored: Option<&str>,
) -> Vec<Found> {
    let is_open = |(_, claim): &(usize, &Claim)| {
        let record = store.get(&(experiment.id.to_owned(), claim.name.clone()));
        let search = searches.get(experiment.paper());
        let known = |rule| record.is_some_and(|record| was_broken(rule, record, search));
        let computed = |rule: Rule| claim.counterexample().is_some_and(|(_, figure)| !rule.allows(figure));
        claim.rule().is_some_and(|rule| !computed(rule) && !known(rule))
    };
    let of = |claim: &Claim, found| (experiment.id.to_owned(), claim.name.clone(), found);
    let mut open: Vec<(usize, &Claim)> = experiment.claims.iter().enumerate().filter(is_open).collect();
    let mut all = Vec::new();
    for one in tries(experiment) {
        let is_stored = |claim: &Claim| {
            stored.is_none_or(|lines| {
                lines.lines().map(str::to_owned).any(|stored| line(&of(claim, Some(one))) == Some(stored))
            })
        };
        if !open.iter().any(|(_, claim)| is_stored(claim)) {
            continue;
        }
        let probed = probe(experiment, one.0, one.1);
        open.retain(|(place, claim)| {
            let is_broken = is_stored(claim)
                && claim.rule().is_some_and(|rule| is_broken_by(probed.as_ref(), *place, rule));
            if is_broken {
                all.push(of(claim, Some(one)));
            }
            !is_broken
        });
    }
    all.extend(open.into_iter().map(|(_, claim)| of(claim, None)));
    all
}

#[test]
fn every_rule_can_fail() {
    let experiments: Vec<Experiment> = papers().into_iter().flat_map(|paper| paper.experiments).collect();
    let (store, searches) = (store(), searches());
    let is_update = std::env::var_os("UPDATE_FALSIFIED").is_some();
    let lines = fs::read_to_string(stored_tries()).expect("it is stored");
    let stored = (!is_update).then_some(&*lines);
    // One experiment at a time for each core: a few take most of the time.
    let found: Vec<Found> = experiments
        .par_iter()
        .with_max_len(1)
        .flat_map_iter(|experiment| found(experiment, &store, &searches, stored))
        .collect();
    let unbroken: Vec<_> = found.iter().filter(|(.., found)| found.is_none()).collect();
    assert!(
        unbroken.is_empty(),
        "no stored change breaks {unbroken:#?}: search with `UPDATE_FALSIFIED=1 cargo test -p setpoint-papers falsify`"
    );
    let mut found: Vec<String> = found.iter().filter_map(line).collect();
    found.sort_unstable();
    if is_update {
        fs::write(stored_tries(), found.join("\n") + "\n").expect("it can be written");
    } else {
        assert!(lines.lines().eq(&found), "also stored are claims that need no changed run: {lines}");
    }
}
