//! The stored verdicts of a full run and the stored searches match the current experiments.
//!
//! `UPDATE_VERDICTS=FILE` copies the lines of a full run from a file, such as `results/reproduce/verdicts.jsonl`, into
//! the store. Only the stored lines of the experiments in that file are replaced, and only by runs of the current
//! experiments.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex};

use rayon::prelude::*;
use setpoint_lab::sweep::Unwatched;
use setpoint_papers::{
    Agreement, Claim, ClaimRecord, Depth, Experiment, Fingerprint, Finished, Paper, Repeats, Reproduction,
    Search, SearchSummary, VerdictKind, papers,
};

/// The records of a full run by experiment and claim, without the reasons.
pub(crate) type Store = BTreeMap<(String, String), ClaimRecord>;

/// A claim with its experiment and the fingerprint of its inputs.
struct Current<'a> {
    experiment: &'a Experiment,
    claim: &'a Claim,
    inputs: String,
}

impl Current<'_> {
    fn key(&self) -> (String, String) {
        (self.experiment.id.to_owned(), self.claim.name.clone())
    }
}

pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

fn read(path: &Path) -> Store {
    let text = fs::read_to_string(path).unwrap_or_default();
    // Lines of an older version are out of date.
    let records = text.lines().filter_map(|line| serde_json::from_str::<ClaimRecord>(line).ok());
    records.map(|record| ((record.experiment.clone(), record.claim.clone()), record)).collect()
}

/// The store, after an update if one is requested.
pub(crate) fn store() -> Store {
    static WRITING: Mutex<()> = Mutex::new(());
    let _one_at_a_time = WRITING.lock().unwrap();
    let path = folder().join("verdicts.jsonl");
    if let Some(lines) = std::env::var_os("UPDATE_VERDICTS") {
        update(&path, &fs::read_to_string(lines).unwrap());
    }
    read(&path)
}

fn update(path: &Path, lines: &str) {
    let mut store = read(path);
    let papers = papers();
    let current = claims(&papers);
    for line in lines.lines() {
        let record: ClaimRecord = serde_json::from_str(line).unwrap();
        assert_eq!(record.depth, "full", "only a full run gives verdicts");
        let key = (record.experiment.clone(), record.claim.clone());
        let Some(claim) = current.iter().find(|claim| claim.key() == key) else { continue };
        let (id, name) = (&key.0, &key.1);
        assert_eq!(record.inputs, claim.inputs, "{id} {name} has changed since it was run: {REFRESH}");
        store.insert(key, ClaimRecord { why: String::new(), ..record });
    }
    let in_order = current.iter().filter_map(|claim| Some(store.get(&claim.key())?.json() + "\n"));
    fs::write(path, in_order.collect::<String>()).unwrap();
}

/// The stored outcomes of searches, by paper, after an update if one is requested: `UPDATE_SEARCHES=DIR` copies
/// `DIR/PAPER/search.json` of every paper that has one.
pub(crate) fn searches() -> BTreeMap<String, SearchSummary> {
    static WRITING: Mutex<()> = Mutex::new(());
    let _one_at_a_time = WRITING.lock().unwrap();
    let path = folder().join("searches.jsonl");
    let parse = |line: &str| serde_json::from_str::<SearchSummary>(line).unwrap();
    let text = fs::read_to_string(&path).unwrap_or_default();
    let mut stored: BTreeMap<String, SearchSummary> =
        text.lines().map(parse).map(|one| (one.paper.clone(), one)).collect();
    if let Some(from) = std::env::var_os("UPDATE_SEARCHES") {
        for paper in papers() {
            if let Ok(text) = fs::read_to_string(Path::new(&from).join(paper.id).join("search.json")) {
                let search = parse(&text);
                assert_eq!(search.inputs, fingerprint(&paper), "{} has changed since its search", paper.id);
                stored.insert(paper.id.to_owned(), search);
            }
        }
        fs::write(&path, stored.values().map(|one| one.json() + "\n").collect::<String>()).unwrap();
    }
    stored
}

/// A search over every paper. Its probes take most of the time of these tests.
static CURRENT: LazyLock<Vec<Search<'static>>> = LazyLock::new(|| {
    static PAPERS: LazyLock<Vec<Paper>> = LazyLock::new(papers);
    let search = |paper: &'static Paper| {
        let experiments: Vec<&Experiment> = paper.experiments.iter().collect();
        Search::new(paper, &experiments, Depth::Full, Vec::new())
    };
    PAPERS.par_iter().with_max_len(1).map(search).collect()
});

/// The fingerprint of a search over a paper.
fn fingerprint(paper: &Paper) -> String {
    let search = CURRENT.iter().find(|search| search.paper().id == paper.id);
    search.expect("every paper has a search").fingerprint()
}

/// The digests of an experiment's claims in a very short version, if it has runs and is not costly.
fn probe_digests(experiment: &Experiment) -> Option<Vec<String>> {
    let mut searched = CURRENT.iter().flat_map(Search::probes);
    match searched.find(|(other, _)| other.id == experiment.id) {
        Some((_, digests)) => Some(digests.to_vec()),
        None => experiment.probe_digests(),
    }
}

#[test]
fn the_stored_searches_match_the_current_experiments() {
    let stored = searches();
    for paper in &papers() {
        let refresh = format!(
            "`setpoint reproduce {} --search --out DIR`, then `UPDATE_SEARCHES=DIR UPDATE_DOCS=1 cargo test -p \
             setpoint-papers verdicts`",
            paper.id
        );
        assert_eq!(
            stored.get(paper.id).map(|search| &search.inputs),
            Some(&fingerprint(paper)),
            "the stored search of {} is missing or out of date: {refresh}",
            paper.id
        );
    }
}

fn claims(papers: &[Paper]) -> Vec<Current<'_>> {
    let of_experiment = |experiment| {
        let fingerprint = Fingerprint::new(experiment);
        let current = move |claim| Current { experiment, claim, inputs: fingerprint.of(claim) };
        experiment.claims.iter().map(current)
    };
    papers.iter().flat_map(|paper| &paper.experiments).flat_map(of_experiment).collect()
}

const REFRESH: &str = "run the experiments (`setpoint reproduce PAPER/NAME --out DIR`), then \
                       `UPDATE_VERDICTS=DIR/verdicts.jsonl UPDATE_DOCS=1 cargo test -p setpoint-papers --test papers`";

#[test]
fn the_store_matches_the_current_experiments() {
    let (store, papers) = (store(), papers());
    let current: BTreeMap<(String, String), String> =
        claims(&papers).into_iter().map(|claim| (claim.key(), claim.inputs)).collect();
    let stale: BTreeSet<&str> = current
        .iter()
        .filter(|(key, inputs)| store.get(key).is_none_or(|verdict| verdict.inputs != **inputs))
        .map(|((experiment, _), _)| experiment.as_str())
        .collect();
    assert!(stale.is_empty(), "the stored verdicts of {stale:?} are out of date: {REFRESH}");
    let gone: Vec<_> = store.keys().filter(|key| !current.contains_key(key)).collect();
    assert!(gone.is_empty(), "verdicts are stored for claims that do not exist: {gone:?}; {REFRESH}");
}

/// The simulator and the measures are the same as for the stored verdicts, as far as very short runs can show.
#[test]
fn the_simulator_and_the_measures_have_not_changed() {
    let store = store();
    let mut changed = BTreeSet::new();
    for experiment in papers().into_iter().flat_map(|paper| paper.experiments) {
        let Some(digests) = probe_digests(&experiment) else { continue };
        for (claim, digest) in experiment.claims.iter().zip(digests) {
            let stored = &store[&(experiment.id.to_owned(), claim.name.clone())];
            if stored.probe.as_ref() != Some(&digest) {
                changed.insert(format!("{} {}", experiment.id, claim.name));
            }
        }
    }
    assert!(changed.is_empty(), "the runs or figures of {changed:#?} have changed: {REFRESH}");
}

/// The verdicts and the search of a paper come from one commit. Different papers may have different commits: probes
/// show that the simulator and the measures have not changed since older verdicts.
#[test]
fn the_verdicts_and_the_search_of_a_paper_come_from_one_build() {
    let (store, searches) = (store(), searches());
    for paper in papers() {
        let is_of_paper = |record: &&ClaimRecord| record.experiment.split('/').next() == Some(paper.id);
        let of_verdicts = store.values().filter(is_of_paper).map(|record| record.commit.as_deref());
        let of_search = searches.get(paper.id).map(|search| search.commit.as_deref());
        let commits: BTreeSet<Option<&str>> = of_verdicts.chain(of_search).collect();
        let commits: Vec<Option<&str>> = commits.into_iter().collect();
        assert!(
            matches!(commits[..], [Some(one)] if !one.ends_with("-dirty")),
            "those of {} come from {commits:?}",
            paper.id
        );
    }
}

#[test]
fn the_stored_verdicts_follow_from_the_figures() {
    let (store, papers) = (store(), papers());
    for current in claims(&papers) {
        let (record, Some(rule)) = (&store[&current.key()], current.claim.rule()) else { continue };
        let agreement = match record.samples_following {
            Some(share) if !record.measured.is_some_and(|figure| rule.allows(figure)) || share < 0.8 => None,
            Some(_) => Some(Agreement::Follows),
            None => Some(rule.agreement(&record.values)),
        };
        let key = current.key();
        assert_eq!(record.holds(), agreement == Some(Agreement::Follows), "{key:?}");
        let everywhere = record.beside.iter().all(|other| other.holds);
        assert_eq!(record.kind() == Some(VerdictKind::Robust), record.holds() && everywhere, "{key:?}");
        let turned = record.beside.iter().any(|other| other.turns);
        assert!(record.verdict != "holds if" || turned, "{key:?}");
        assert!(record.verdict != "differs" || !turned, "{key:?}");
    }
}

/// Detects changes to the simulator or to measurements without a full run.
#[test]
fn cheap_experiments_give_the_stored_figures() {
    let store = store();
    let cheap = |experiment: &Experiment| ["allerton/theorem1", "smcc/fig16"].contains(&experiment.id);
    papers().into_iter().flat_map(|paper| paper.experiments).filter(cheap).for_each(|one| check(one, &store));
}

#[test]
#[ignore = "runs one seed of every experiment, which takes minutes"]
fn all_experiments_give_the_stored_figures() {
    let store = store();
    let wanted = std::env::var("PAPER").unwrap_or_default();
    let is_wanted = |experiment: &Experiment| {
        experiment.id.starts_with(&wanted) && !matches!(experiment.repeats, Repeats::Costly(_))
    };
    papers()
        .into_iter()
        .flat_map(|paper| paper.experiments)
        .filter(is_wanted)
        .for_each(|one| check(one, &store));
}

/// Runs the first seed of an experiment and compares its figures with the stored ones.
fn check(experiment: Experiment, store: &Store) {
    let experiment = Experiment { repeats: Repeats::Once, ..experiment };
    let measured = Mutex::new(Vec::new());
    let finished = |finished: Finished<'_>| measured.lock().unwrap().extend(ClaimRecord::all(&finished));
    Reproduction::new(&[&experiment], Depth::Full).run(None, &Unwatched, &finished).unwrap();
    for record in measured.into_inner().unwrap() {
        let stored = store[&(record.experiment.clone(), record.claim.clone())].values.first().copied();
        let same = match (record.values.first(), stored) {
            (Some(now), Some(stored)) => (now - stored).abs() <= 1e-12 * stored.abs(),
            (now, stored) => now.is_none() && stored.is_none(),
        };
        let (id, claim, now) = (record.experiment, record.claim, record.values);
        assert!(same, "{id} {claim} gives {now:?} instead of {stored:?} with seed 1: {REFRESH}");
    }
}
