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

use setpoint_lab::sweep::Unwatched;
use setpoint_papers::{
    Claim, ClaimRecord, Depth, Experiment, Fingerprint, Finished, Paper, Reading, Repeats, Reproduction,
    VerdictKind, papers,
};

/// The records of a full run by experiment and claim, without the texts of causes.
type Store = BTreeMap<(String, String), ClaimRecord>;

/// A claim with its experiment and the fingerprint of what it depends on.
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

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

fn read(path: &Path) -> Store {
    let text = fs::read_to_string(path).unwrap();
    let records = text.lines().map(|line| serde_json::from_str::<ClaimRecord>(line).unwrap());
    records.map(|record| ((record.experiment.clone(), record.claim.clone()), record)).collect()
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

fn claims(papers: &[Paper]) -> Vec<Current<'_>> {
    let of_experiment = |experiment| {
        let fingerprint = Fingerprint::new(experiment);
        let current = move |claim| Current { experiment, claim, inputs: fingerprint.of(claim) };
        experiment.claims.iter().map(current)
    };
    papers.iter().flat_map(|paper| &paper.experiments).flat_map(of_experiment).collect()
}

const REFRESH: &str = "run the experiments (`setpoint reproduce PAPER/NAME --out DIR`), then \
                       `UPDATE_VERDICTS=DIR/verdicts.jsonl UPDATE_DOCS=1 cargo test -p setpoint-papers verdicts`";

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

#[test]
fn the_documents_show_the_stored_verdicts() {
    let (store, papers) = (store(), papers());
    compare("papers.md", |text| {
        let text = replaced(text, "summary", &summary(&papers, &store));
        replaced(&text, "choices", &choices(&papers))
    });
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

/// A document with another content between the markers of a generated part.
fn replaced(text: &str, part: &str, content: &str) -> String {
    let (begin, end) =
        (format!("<!-- begin of the generated {part} -->"), format!("<!-- end of the generated {part} -->"));
    let (before, rest) = text.split_once(&begin).expect("the document marks the beginning of the part");
    let (_, after) = rest.split_once(&end).expect("the document marks the end of the part");
    format!("{before}{begin}\n{content}{end}{after}")
}

/// The choices of all papers.
fn choices(papers: &[Paper]) -> String {
    let mut text = String::new();
    for paper in papers.iter().filter(|paper| !paper.choices().is_empty()) {
        write!(
            text,
            "\n**`{}`**\n\n| question | the paper | leading option | other options |\n|---|---|---|---|\n",
            paper.id
        )
        .unwrap();
        for choice in paper.choices() {
            let option = |option: &Reading| format!("`{}`: {}", option.name, option.words);
            let others: Vec<String> = choice.options[1..].iter().map(option).collect();
            let (leading, others) = (option(choice.leading()), others.join("; "));
            writeln!(
                text,
                "| {} | {} | {leading}. {} | {others} |",
                choice.question, choice.text, choice.why
            )
            .unwrap();
        }
    }
    text + "\n"
}

/// The number of verdicts by paper and by experiment.
fn summary(papers: &[Paper], store: &Store) -> String {
    let count = |of_paper: bool, kind: Option<VerdictKind>, id: &str| {
        let counts = |record: &&ClaimRecord| {
            let of_id = record.experiment == id || record.experiment.starts_with(&format!("{id}/"));
            record.is_of_paper() == of_paper
                && (id.is_empty() || of_id)
                && (kind.is_none() || record.kind() == kind)
        };
        store.values().filter(counts).count()
    };
    let [holds, spread, other, differs, open] = VerdictKind::FULL.map(|kind| count(true, Some(kind), ""));
    let (checks, held) = (count(false, None, ""), count(false, Some(VerdictKind::Holds), ""));
    let names = VerdictKind::FULL.map(VerdictKind::name).join(" | ");
    let mut text = format!(
        "Of {} claims of the papers, {holds} hold, {spread} are within spread, {other} hold in another set-up, \
         {differs} differ and {open} cannot be judged. Of {checks} checks of ours, {held} hold.\n\n\
         | paper or experiment | claims | {names} | our checks that hold |\n|---|---:|---:|---:|---:|---:|---:|---:|\n",
        count(true, None, ""),
    );
    let row = |name: &str, id: &str| {
        let counts = VerdictKind::FULL.map(|kind| count(true, Some(kind), id).to_string()).join(" | ");
        let (checks, held) = (count(false, None, id), count(false, Some(VerdictKind::Holds), id));
        let checks = if checks == 0 { "–".to_owned() } else { format!("{held} of {checks}") };
        format!("| {name} | {} | {counts} | {checks} |\n", count(true, None, id))
    };
    for paper in papers {
        text += &row(&format!("**{}**", paper.id), paper.id);
        text.extend(
            paper.experiments.iter().map(|experiment| row(&format!("`{}`", experiment.id), experiment.id)),
        );
    }
    text
}

/// All verdicts.
fn page(papers: &[Paper], store: &Store) -> String {
    let mut text = "# Verdicts on the papers' claims\n\n\
         Generated from `crates/papers/verdicts.jsonl`, the stored outcome of a full run; [papers.md](papers.md) explains how claims are\n\
         judged and how to refresh this page. Figures are means ± standard deviations over seeds. The statement behind a claim, the reading of\n\
         the paper and the likely cause of a difference are on the experiment's page, which `setpoint reproduce` writes. A claim without a place\n\
         in the paper is a check of ours.\n"
        .to_owned();
    for paper in papers {
        write!(text, "\n## {}\n\n{}.\n", paper.title, paper.source).unwrap();
        for experiment in &paper.experiments {
            write!(text, "\n### `{}`: {}\n\n", experiment.id, experiment.title).unwrap();
            text += "| claim | place | verdict | measured | expected | seeds for which it holds |\n|---|---|---|---|---|---|\n";
            for claim in &experiment.claims {
                text += &row(&store[&(experiment.id.to_owned(), claim.name.clone())]);
            }
        }
    }
    text
}

fn row(record: &ClaimRecord) -> String {
    let unit = record.quantity();
    let plain = |text: String| text.replace(['\u{a0}', '\u{202f}'], " ");
    let deviation = record.spread.and_then(|spread| spread.deviation);
    let measured = match (record.measured, record.interval) {
        (None, _) => "–".to_owned(),
        (Some(pooled), Some([low, high])) => {
            plain(format!("{} ({} to {})", unit.text(pooled), unit.text(low), unit.text(high)))
        }
        (Some(mean), None) => plain(unit.text_with_spread(mean, deviation)),
    };
    let or_dash = |text: &str| if text.is_empty() { "–".to_owned() } else { text.to_owned() };
    let seeds = match record.seeds {
        0 => "–".to_owned(),
        seeds => format!("{} of {seeds}", record.seeds_following),
    };
    let others: Vec<&str> =
        record.beside.iter().filter(|other| other.holds).map(|other| other.words.as_str()).collect();
    let verdict = match record.kind() {
        Some(VerdictKind::HoldsIf) => format!("holds if: {}", others.join("; or ")),
        _ => record.verdict.clone(),
    };
    let (place, expected) = (or_dash(&record.place), or_dash(&record.expected));
    format!("| `{}` | {place} | {verdict} | {measured} | {expected} | {seeds} |\n", record.claim)
}
