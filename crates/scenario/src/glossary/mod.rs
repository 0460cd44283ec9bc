//! The glossary: the meaning of each term, its synonyms, and the scenario keys it concerns.
//!
//! `setpoint explain` and `docs/glossary.md` are generated from these tables.

mod figures;
mod lossless;
mod network;
mod notification;

use std::fmt::Write;

/// A term and its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// The term that the documentation uses: the one from the standard, if there is one.
    pub name: &'static str,
    /// Synonyms, including abbreviations and symbols.
    pub aliases: &'static [&'static str],
    /// Its meaning.
    pub meaning: &'static str,
    /// The scenario keys that it concerns.
    pub keys: &'static [&'static str],
    /// A document with more detail.
    pub document: Option<&'static str>,
}

/// Terms that belong together.
#[derive(Clone, Copy, Debug)]
pub struct Chapter {
    /// Their subject.
    pub title: &'static str,
    /// The terms, in alphabetical order.
    pub terms: &'static [Term],
}

/// Every term, by chapter.
pub const CHAPTERS: [Chapter; 4] = [
    Chapter { title: "Networks and traffic", terms: network::TERMS },
    Chapter { title: "Congestion control", terms: notification::TERMS },
    Chapter { title: "Lossless Ethernet", terms: lossless::TERMS },
    Chapter { title: "Figures and runs", terms: figures::TERMS },
];

/// Every term.
pub fn terms() -> impl Iterator<Item = &'static Term> + Clone {
    CHAPTERS.iter().flat_map(|chapter| chapter.terms)
}

impl Term {
    /// The term and its synonyms.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }

    const fn new(name: &'static str, aliases: &'static [&'static str], meaning: &'static str) -> Self {
        Self { name, aliases, meaning, keys: &[], document: None }
    }

    const fn keys(self, keys: &'static [&'static str]) -> Self {
        Self { keys, ..self }
    }

    const fn document(self, document: &'static str) -> Self {
        Self { document: Some(document), ..self }
    }
}

const INTRODUCTION: &str = "\
# Glossary

<!-- Generated from the table of terms; `cargo test -p setpoint-scenario glossary` fails if it is out of date. -->

The documentation uses the terms of IEEE 802.1Q and 802.3 where they define one. The table lists them together with the
terms used in papers and data sheets. `setpoint explain TERM` prints the same entry for any of the names.
";

/// The glossary as Markdown.
#[must_use]
pub fn page() -> String {
    let mut page = String::from(INTRODUCTION);
    for chapter in CHAPTERS {
        let _ = write!(page, "\n## {}\n\n", chapter.title);
        page.push_str("| term | also called | meaning | keys |\n|---|---|---|---|\n");
        for term in chapter.terms {
            let _ = writeln!(page, "| {} |", row(term).join(" | "));
        }
    }
    page
}

fn row(term: &Term) -> [String; 4] {
    let keys: Vec<String> = term.keys.iter().map(|key| format!("`{key}`")).collect();
    let more = term.document.map_or_else(String::new, |document| {
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
