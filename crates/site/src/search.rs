//! The search index: the text of every section.
//!
//! The page searches the text itself. An inverted index would be as long as the text and would find neither parts of words
//! nor phrases. The index is a script, because pages that are opened as files may load scripts but no data.

use serde_json::json;

/// A section that the search finds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The address, relative to the folder of the site.
    pub(crate) address: String,
    /// The title of the page.
    pub(crate) page: String,
    /// The heading; empty for the beginning of the page.
    pub(crate) section: String,
    /// The text.
    pub(crate) text: String,
}

impl Entry {
    /// The beginning of a page.
    pub(crate) fn new(address: &str, page: &str) -> Self {
        Self {
            address: address.to_owned(),
            page: page.to_owned(),
            section: String::new(),
            text: String::new(),
        }
    }
}

/// The index as a script.
pub(crate) fn script<'a>(entries: impl Iterator<Item = &'a Entry>) -> String {
    let line = |entry: &Entry| {
        let words: Vec<&str> = entry.text.split_whitespace().collect();
        json!([entry.address, entry.page, entry.section, words.join(" ")]).to_string()
    };
    let lines: Vec<String> = entries.map(line).collect();
    format!("globalThis.setpointIndex=[\n{}\n];\n", lines.join(",\n"))
}
