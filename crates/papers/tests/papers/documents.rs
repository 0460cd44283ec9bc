//! The documents that are generated from the stored verdicts and searches. `UPDATE_DOCS=1` writes them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use setpoint_papers::{
    ClaimRecord, ClaimSummary, Paper, Reading, SearchSummary, SetupSummary, VerdictKind, conext16_margins,
    papers,
};
use setpoint_units::quantity::Unit;

use super::verdicts::{Store, folder, searches, store};

#[test]
fn the_documents_show_the_stored_verdicts() {
    let (store, searches, papers) = (store(), searches(), papers());
    compare("papers.md", |text| {
        let text = replaced(text, "summary", &summary(&papers, &store));
        let text = replaced(&text, "searches", &found(&papers, &searches));
        replaced(&text, "choices", &choices(&papers))
    });
    compare("verdicts.md", |_| page(&papers, &store, &searches));
}

#[test]
fn the_document_of_published_margins_is_current() {
    compare("conext16-margins.md", |_| conext16_margins());
}

/// Compares a document with its current text, or writes it if an update is requested.
fn compare(name: &str, current: impl Fn(&str) -> String) {
    let path = folder().join("../../docs").join(name);
    let text = fs::read_to_string(&path).unwrap_or_default();
    let current = current(&text);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, current).unwrap();
    } else {
        let remedy = "`UPDATE_DOCS=1 cargo test -p setpoint-papers --test papers`";
        assert!(text == current, "docs/{name} is out of date: {remedy}");
    }
}

/// A document with new content between the markers of a generated part.
fn replaced(text: &str, part: &str, content: &str) -> String {
    let (begin, end) =
        (format!("<!-- begin of the generated {part} -->"), format!("<!-- end of the generated {part} -->"));
    let (before, rest) = text.split_once(&begin).expect("the document marks the beginning of the part");
    let (_, after) = rest.split_once(&end).expect("the document marks the end of the part");
    format!("{before}{begin}\n{content}{end}{after}")
}

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
    let [robust, depends, spread, other, differs, open] =
        VerdictKind::FULL.map(|kind| count(true, Some(kind), ""));
    let holds = robust + depends;
    let checks = |id: &str| {
        let [robust, depends, spread, other, differs, open] =
            VerdictKind::FULL.map(|kind| count(false, Some(kind), id));
        (robust + depends, differs, spread + other + open)
    };
    let (held, failed, rest) = checks("");
    let names = VerdictKind::FULL.map(VerdictKind::name).join(" | ");
    let mut text = format!(
        "Of {} claims of the papers, {holds} hold ({robust} robustly; {depends} depend on the reading), {spread} are \
         within spread, {other} hold in another set-up, {differs} differ and {open} cannot be judged. Of our own {} \
         checks, {held} hold, {failed} differ and {rest} are undecided.\n\n\
         | paper or experiment | claims | {names} | our checks: hold, differ |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|---:|\n",
        count(true, None, ""),
        count(false, None, ""),
    );
    let row = |name: &str, id: &str| {
        let counts = VerdictKind::FULL.map(|kind| count(true, Some(kind), id).to_string()).join(" | ");
        let (held, failed, _) = checks(id);
        let checks = match count(false, None, id) {
            0 => "–".to_owned(),
            all => format!("{held}, {failed} of {all}"),
        };
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

/// The outcomes of the searches.
fn found(papers: &[Paper], searches: &BTreeMap<String, SearchSummary>) -> String {
    let mut text = "| paper | set-ups | claims | hold in the leading set-up | hold in the best | confirmed | hold in no set-up \
         | best set-up |\n|---|---:|---:|---:|---:|---:|---:|---|\n"
        .to_owned();
    for paper in papers {
        let search = &searches[paper.id];
        let never = search.claims.iter().filter(|claim| claim.holds_in == 0).count();
        let confirmed =
            |setup: &SetupSummary| setup.confirmed.map_or_else(|| "–".to_owned(), |one| one.to_string());
        writeln!(
            text,
            "| `{}` | {} | {} | {} (other seeds: {}) | {} | {} | {never} | {} |",
            search.paper,
            search.setups,
            search.claims.len(),
            search.leading.holds,
            confirmed(&search.leading),
            search.best.holds,
            confirmed(&search.best),
            search.best.words,
        )
        .unwrap();
    }
    text
}

/// All verdicts.
fn page(papers: &[Paper], store: &Store, searches: &BTreeMap<String, SearchSummary>) -> String {
    let mut text = "# Verdicts on the papers' claims\n\n\
         Generated from `crates/papers/verdicts.jsonl`, the stored outcome of a full run; [papers.md](papers.md) explains how claims are\n\
         judged and how to refresh this page. Figures are means ± standard deviations over seeds. The statement behind a claim, the reading of\n\
         the paper and the likely cause of a difference are on the experiment's page, which `setpoint reproduce` writes. A claim without a place\n\
         in the paper is our own check.\n"
        .to_owned();
    for paper in papers {
        write!(text, "\n## {}\n\n{}.\n", paper.title, paper.source).unwrap();
        for experiment in &paper.experiments {
            write!(text, "\n### `{}`: {}\n\n", experiment.id, experiment.title).unwrap();
            text += "| claim | place | verdict | measured | expected | seeds for which it holds | set-ups in which it holds |\n|---|---|---|---|---|---|---|\n";
            for claim in &experiment.claims {
                let record = &store[&(experiment.id.to_owned(), claim.name.clone())];
                text += &row(record, &set_ups(record, searches.get(paper.id)));
            }
        }
    }
    text
}

/// The number of set-ups of the search in which a claim holds.
fn set_ups(record: &ClaimRecord, search: Option<&SearchSummary>) -> String {
    let of = |claim: &&ClaimSummary| claim.experiment == record.experiment && claim.claim == record.claim;
    let found = search.and_then(|search| Some((search.claims.iter().find(of)?, search.setups)));
    found.map_or_else(|| "–".to_owned(), |(claim, setups)| format!("{} of {setups}", claim.holds_in))
}

fn row(record: &ClaimRecord, set_ups: &str) -> String {
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
    let seeds = match (record.samples_following, record.seeds) {
        (Some(share), _) => plain(format!("{} of samples", Unit::Share.text(share))),
        (None, 0) => "–".to_owned(),
        (None, seeds) => format!("{} of {seeds}", record.seeds_following),
    };
    let verdict = match record.holds_with().join("; or ").as_str() {
        "" => record.verdict.clone(),
        others => format!("holds if: {others}"),
    };
    let (place, expected) = (or_dash(&record.place), or_dash(&record.expected));
    format!("| `{}` | {place} | {verdict} | {measured} | {expected} | {seeds} | {set_ups} |\n", record.claim)
}
