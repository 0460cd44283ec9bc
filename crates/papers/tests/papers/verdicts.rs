//! The stored verdicts of a full run: they match the current experiments, and the documents show them.
//!
//! `UPDATE_VERDICTS=FILE` copies the lines of a full run from a file, such as `results/reproduce/verdicts.jsonl`, into
//! the store. Only the stored lines of the experiments in that file are replaced, and only by runs of the current
//! experiments. `UPDATE_DOCS=1` writes the documents.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use serde::{Deserialize, Serialize};
use setpoint_lab::sweep::Unwatched;
use setpoint_papers::{
    Claim, ClaimRecord, Depth, Experiment, Finished, Options, Paper, Repeats, fingerprint, papers, reproduce,
};

/// The verdict on one claim in a full run.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct StoredVerdict {
    experiment: String,
    claim: String,
    /// Fingerprint of the scenarios, settings, seeds and rule that were judged.
    inputs: String,
    verdict: String,
    measured: Option<f64>,
    deviation: Option<f64>,
    /// The figure for the first seed; a test can measure it again.
    first: Option<f64>,
    seeds: usize,
    seeds_following: usize,
    unit: String,
    expected: String,
}

/// The stored verdicts by experiment and claim.
type Store = BTreeMap<(String, String), StoredVerdict>;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

fn read(path: &Path) -> Store {
    let text = fs::read_to_string(path).unwrap();
    let verdicts = text.lines().map(|line| serde_json::from_str::<StoredVerdict>(line).unwrap());
    verdicts.map(|verdict| ((verdict.experiment.clone(), verdict.claim.clone()), verdict)).collect()
}

/// The store, after an update if one is requested.
fn store() -> Store {
    static WRITING: Mutex<()> = Mutex::new(());
    let _one_at_a_time = WRITING.lock().unwrap();
    let path = folder().join("verdicts.jsonl");
    if let Some(lines) = std::env::var_os("UPDATE_VERDICTS") {
        update(&path, &fs::read_to_string(lines).unwrap());
    }
    read(&path)
}

fn update(path: &Path, lines: &str) {
    let mut store = if path.exists() { read(path) } else { Store::new() };
    let records: Vec<ClaimRecord> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(records.iter().all(|record| record.depth == "full"), "only a full run gives verdicts");
    let papers = papers();
    let current: Vec<(&Experiment, &Claim)> = claims(&papers).collect();
    for record in records {
        let key = (record.experiment.clone(), record.claim.clone());
        let of =
            |(experiment, claim): &&(&Experiment, &Claim)| key == (experiment.id.into(), claim.name.clone());
        let Some((experiment, claim)) = current.iter().find(of) else { continue };
        let is_current = record.inputs == fingerprint(experiment, claim);
        assert!(is_current, "{} {} has changed since it was run: {REFRESH}", key.0, key.1);
        store.insert(key, stored(record));
    }
    let in_order = current.iter().filter_map(|(experiment, claim)| {
        let verdict = store.get(&(experiment.id.to_owned(), claim.name.clone()))?;
        Some(serde_json::to_string(verdict).unwrap() + "\n")
    });
    fs::write(path, in_order.collect::<String>()).unwrap();
}

fn stored(record: ClaimRecord) -> StoredVerdict {
    StoredVerdict {
        inputs: record.inputs,
        deviation: record.spread.and_then(|spread| spread.deviation),
        first: record.values.first().copied(),
        experiment: record.experiment,
        claim: record.claim,
        verdict: record.verdict,
        measured: record.measured,
        seeds: record.seeds,
        seeds_following: record.seeds_following,
        unit: record.unit,
        expected: record.expected,
    }
}

fn claims(papers: &[Paper]) -> impl Iterator<Item = (&Experiment, &Claim)> {
    let experiments = papers.iter().flat_map(|paper| &paper.experiments);
    experiments.flat_map(|experiment| experiment.claims.iter().map(move |claim| (experiment, claim)))
}

const REFRESH: &str = "run the experiments (`setpoint reproduce PAPER/NAME --out DIR`), then \
                       `UPDATE_VERDICTS=DIR/verdicts.jsonl UPDATE_DOCS=1 cargo test -p setpoint-papers verdicts`";

#[test]
fn the_store_matches_the_current_experiments() {
    let (store, papers) = (store(), papers());
    let current: BTreeMap<(String, String), String> = claims(&papers)
        .map(|(experiment, claim)| {
            ((experiment.id.to_owned(), claim.name.clone()), fingerprint(experiment, claim))
        })
        .collect();
    let stale: BTreeSet<&str> = current
        .iter()
        .filter(|(key, inputs)| store.get(key).is_none_or(|verdict| verdict.inputs != **inputs))
        .map(|((experiment, _), _)| experiment.as_str())
        .collect();
    assert!(stale.is_empty(), "the stored verdicts of {stale:?} are out of date: {REFRESH}");
    let gone: Vec<_> = store.keys().filter(|key| !current.contains_key(key)).collect();
    assert!(gone.is_empty(), "verdicts are stored for claims that do not exist: {gone:?}; {REFRESH}");
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
    let options = Options { depth: Depth::Full, threads: None };
    reproduce(&[&experiment], options, &Unwatched, &finished).unwrap();
    for record in measured.into_inner().unwrap() {
        let stored = store[&(record.experiment.clone(), record.claim.clone())].first;
        let same = match (record.values.first(), stored) {
            (Some(now), Some(stored)) => (now - stored).abs() <= 1e-12 * stored.abs(),
            (now, stored) => now.is_none() && stored.is_none(),
        };
        let (id, claim, now) = (record.experiment, record.claim, record.values);
        assert!(same, "{id} {claim} gives {now:?} instead of {stored:?} with seed 1: {REFRESH}");
    }
}

#[test]
fn the_documents_show_the_stored_verdicts() {
    let (store, papers) = (store(), papers());
    let marked = |text: &str| {
        let (before, rest) =
            text.split_once(BEGIN).expect("docs/papers.md marks the beginning of the summary");
        let (_, after) = rest.split_once(CLOSE).expect("docs/papers.md marks the end of the summary");
        format!("{before}{BEGIN}\n{}{CLOSE}{after}", summary(&papers, &store))
    };
    compare("papers.md", marked);
    compare("verdicts.md", |_| page(&papers, &store));
}

/// Compares a document with its current text, or writes it if an update is requested.
fn compare(name: &str, current: impl Fn(&str) -> String) {
    let path = folder().join("../../docs").join(name);
    let text = fs::read_to_string(&path).unwrap_or_default();
    let current = current(&text);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, current).unwrap();
    } else {
        let remedy = "`UPDATE_DOCS=1 cargo test -p setpoint-papers verdicts`";
        assert!(text == current, "docs/{name} is out of date: {remedy}");
    }
}

const BEGIN: &str = "<!-- begin of the generated summary -->";
const CLOSE: &str = "<!-- end of the generated summary -->";

/// The number of verdicts by experiment.
fn summary(papers: &[Paper], store: &Store) -> String {
    let count = |verdict: &str, id: Option<&str>| {
        let counts = |stored: &&StoredVerdict| {
            stored.verdict == verdict && id.is_none_or(|id| stored.experiment == id)
        };
        store.values().filter(counts).count()
    };
    let verdicts = ["holds", "differs", "cannot be judged"];
    let [hold, differ, open] = verdicts.map(|verdict| count(verdict, None));
    let mut text = format!(
        "Of {} claims, {hold} hold, {differ} differ and {open} cannot be judged.\n\n\
         | experiment | holds | differs | cannot be judged |\n|---|---:|---:|---:|\n",
        store.len()
    );
    for experiment in papers.iter().flat_map(|paper| &paper.experiments) {
        let counts = verdicts.map(|verdict| count(verdict, Some(experiment.id)).to_string());
        writeln!(text, "| `{}` | {} |", experiment.id, counts.join(" | ")).unwrap();
    }
    text
}

/// All verdicts.
fn page(papers: &[Paper], store: &Store) -> String {
    let mut text = "# Verdicts on the papers' claims\n\n\
         Generated from `crates/papers/verdicts.jsonl`, the stored outcome of a full run; [papers.md](papers.md) explains how claims are\n\
         judged and how to refresh this page. Figures are means ± standard deviations over seeds. The statement behind a claim, the reading of\n\
         the paper and the likely cause of a difference are on the experiment's page, which `setpoint reproduce` writes.\n"
        .to_owned();
    for paper in papers {
        write!(text, "\n## {}\n\n{}.\n", paper.title, paper.source).unwrap();
        for experiment in &paper.experiments {
            write!(text, "\n### `{}`: {}\n\n", experiment.id, experiment.title).unwrap();
            text += "| claim | verdict | measured | expected | seeds for which it holds |\n|---|---|---|---|---|\n";
            for claim in &experiment.claims {
                let verdict = &store[&(experiment.id.to_owned(), claim.name.clone())];
                text += &row(verdict);
            }
        }
    }
    text
}

fn row(verdict: &StoredVerdict) -> String {
    let unit = setpoint_papers::unit(&verdict.unit);
    let measured = verdict.measured.map_or_else(
        || "–".to_owned(),
        |mean| unit.text_with_spread(mean, verdict.deviation).replace(['\u{a0}', '\u{202f}'], " "),
    );
    let expected = if verdict.expected.is_empty() { "–" } else { &verdict.expected };
    let seeds = match verdict.seeds {
        0 => "–".to_owned(),
        seeds => format!("{} of {seeds}", verdict.seeds_following),
    };
    format!("| `{}` | {} | {measured} | {expected} | {seeds} |\n", verdict.claim, verdict.verdict)
}
