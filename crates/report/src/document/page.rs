//! Renders the template of a document.

use askama::Template;

use super::table::Kind;
use super::{Block, Document, Link, Section};
use crate::page::Drawn;
use crate::{assets, contents};
use setpoint_plot::{Room, Size, Surface};

#[derive(Template)]
#[template(path = "document.html")]
struct DocumentPage<'a> {
    themes: &'static str,
    style: &'static str,
    document_style: &'static str,
    script: &'static str,
    version: &'static str,
    document: &'a Document,
}

pub(super) fn html(document: &Document) -> String {
    let page = DocumentPage {
        themes: setpoint_plot::THEMES,
        style: assets::STYLE,
        document_style: assets::DOCUMENT_STYLE,
        script: assets::SCRIPT,
        version: setpoint_record::VERSION,
        document,
    };
    contents::insert(&page.render().expect("a template of strings always renders"))
}

/// The part of the page between its header and its scripts.
#[derive(Template)]
#[template(path = "content.html")]
struct Content<'a> {
    document: &'a Document,
}

pub(super) fn content(document: &Document) -> String {
    contents::insert(&Content { document }.render().expect("a template of strings always renders"))
}

/// One block; blocks may contain others.
#[derive(Template)]
#[template(path = "block.html")]
struct BlockView<'a> {
    block: &'a Block,
    section: &'a Section,
}

fn block(block: &Block, section: &Section) -> String {
    BlockView { block, section }.render().expect("a template of strings always renders")
}

pub(super) fn blocks(section: &Section) -> String {
    section.blocks.iter().map(|one| block(one, section)).collect()
}

/// The style-sheet class for the width of a map.
fn class(room: &Room) -> &'static str {
    match room {
        Room::Full => "full",
        Room::Half => "half",
        Room::Major => "major",
        Room::Minor => "minor",
    }
}

/// The address of a link, unless it would run a script.
fn address(link: &Link) -> &str {
    let before_colon = link.address.split(['/', '?', '#']).next().unwrap_or_default();
    let harmless = !before_colon.contains(':') || link.address.starts_with("https:");
    if harmless { &link.address } else { "#" }
}

/// Units after a number in prose.
const UNITS: [&str; 13] = ["Gb/s", "Mb/s", "kb/s", "b/s", "MB", "kB", "B", "s", "ms", "us", "µs", "ns", "%"];

/// Prose with no line break between a number and its unit.
fn kept_together(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    for (index, word) in text.split(' ').enumerate() {
        let unit = UNITS.contains(&word.trim_end_matches(['.', ',', ';', ':', ')']));
        let after_number = kept.ends_with(|c: char| c.is_ascii_digit());
        match index {
            0 => {}
            _ if unit && after_number => kept.push('\u{a0}'),
            _ => kept.push(' '),
        }
        kept.push_str(word);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_kept_with_its_unit() {
        assert_eq!(kept_together("at 10 Gb/s, or 5 %."), "at 10\u{a0}Gb/s, or 5\u{a0}%.");
        assert_eq!(kept_together("2 flows s1  and 3"), "2 flows s1  and 3");
    }

    #[test]
    fn an_address_runs_no_script() {
        let safe = |text: &str| address(&Link::new(text, "")).to_owned();
        assert_eq!(safe("af-qcn/fig06.html"), "af-qcn/fig06.html");
        assert_eq!(safe("../index.html#a:b"), "../index.html#a:b");
        assert_eq!(safe("https://example.org/a"), "https://example.org/a");
        assert_eq!(safe("javascript:alert(1)"), "#");
        assert_eq!(safe("data:text/html,x"), "#");
    }
}
