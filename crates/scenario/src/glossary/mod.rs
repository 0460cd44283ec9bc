//! The glossary: the meaning of each term, its synonyms, and the scenario keys it concerns.
//!
//! `setpoint explain` and `docs/glossary.md` are generated from `terms.toml`.

use std::fmt::Write;
use std::sync::LazyLock;

use serde::Deserialize;

/// A term and its meaning.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Term {
    /// The term that the documentation uses: the one from the standard, if there is one.
    pub name: String,
    /// Synonyms, including abbreviations and symbols.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// Its meaning.
    pub meaning: String,
    /// The scenario keys that it concerns.
    #[serde(default)]
    pub keys: Vec<String>,
    /// A document with more detail.
    pub document: Option<String>,
}

/// Terms that belong together.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chapter {
    /// Their subject.
    pub title: String,
    /// The terms, in alphabetical order.
    #[serde(rename = "term")]
    pub terms: Vec<Term>,
}

#[derive(Deserialize)]
struct Glossary {
    chapter: Vec<Chapter>,
}

/// Every term, by chapter.
pub fn chapters() -> &'static [Chapter] {
    static GLOSSARY: LazyLock<Glossary> =
        LazyLock::new(|| toml::from_str(include_str!("terms.toml")).expect("the glossary is well-formed"));
    &GLOSSARY.chapter
}

/// Every term.
pub fn terms() -> impl Iterator<Item = &'static Term> + Clone {
    chapters().iter().flat_map(|chapter| &chapter.terms)
}

impl Term {
    /// The term and its synonyms.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.name).chain(&self.aliases).map(String::as_str)
    }
}

const INTRODUCTION: &str = "\
# Glossary

<!-- Generated from the table of terms; `cargo test -p setpoint-scenario glossary` fails if it is out of date. -->

The documentation uses the terms of IEEE 802.1Q and 802.3 where they define one. The table lists them together with the
terms used in papers and data sheets. `setpoint explain TERM` prints the same entry for any of the names.
";

/// The glossary as Markdown.
pub fn page() -> String {
    let mut page = String::from(INTRODUCTION);
    for chapter in chapters() {
        let _ = write!(page, "\n## {}\n\n", chapter.title);
        page.push_str("| term | also called | meaning | keys |\n|---|---|---|---|\n");
        for term in &chapter.terms {
            let _ = writeln!(page, "| {} |", row(term).join(" | "));
        }
    }
    page
}

fn row(term: &Term) -> [String; 4] {
    let keys: Vec<String> = term.keys.iter().map(|key| format!("`{key}`")).collect();
    let more = term.document.as_deref().map_or_else(String::new, |document| {
        let target = document.strip_prefix("docs/").unwrap_or(document);
        format!(" More in [{target}]({target}).")
    });
    let cell = |text: String| text.replace('|', "\\|");
    [
        format!("**{}**", term.name),
        cell(term.aliases.join(", ")),
        cell(format!("{}{more}", term.meaning)),
        keys.join(", "),
    ]
}
