//! The glossary: its page is up to date, its keys exist, and no name refers to two terms.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use setpoint_scenario::glossary::{chapters, page, terms};
use setpoint_scenario::keys;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

#[test]
fn the_page_is_up_to_date() {
    let path = root().join("docs/glossary.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, page()).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(written == page(), "run `UPDATE_DOCS=1 cargo test -p setpoint-scenario glossary`");
}

#[test]
fn keys_and_documents_exist() {
    let known: BTreeSet<String> = keys().into_iter().map(|key| key.key).collect();
    for term in terms() {
        for key in &term.keys {
            assert!(known.contains(key), "{}: there is no key {key}", term.name);
        }
        if let Some(document) = &term.document {
            assert!(root().join(document).is_file(), "{}: there is no {document}", term.name);
        }
    }
}

#[test]
fn every_name_refers_to_one_term() {
    let mut seen = BTreeSet::new();
    for name in terms().flat_map(|term| term.names().map(str::to_lowercase).collect::<BTreeSet<_>>()) {
        assert!(seen.insert(name.clone()), "{name} occurs twice");
    }
}

#[test]
fn terms_are_in_alphabetical_order() {
    for chapter in chapters() {
        let names: Vec<String> = chapter.terms.iter().map(|term| term.name.to_lowercase()).collect();
        assert!(names.is_sorted(), "{}: {names:?}", chapter.title);
    }
}

/// The terms that papers and data sheets use.
#[test]
fn common_terms_are_included() {
    let known: BTreeSet<String> = terms().flat_map(|term| term.names().map(str::to_lowercase)).collect();
    let words = "Qeq, w, Gd, Fb, CNM, ECMP, host, switch, packet, victim, deadlock, headroom, XOFF, XON, incast, FCT, \
        slowdown, RP, CP, PFC, RoCE, setpoint, sample, mark table, Jain";
    for word in words.split(", ") {
        assert!(known.contains(&word.to_lowercase()), "{word}");
    }
}
