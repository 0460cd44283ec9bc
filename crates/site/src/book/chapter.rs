//! A Markdown file as events, with its headings.

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::Heading;
use super::list::{File, address};
use super::slug::Slugs;
use crate::SiteError;

/// A parsed chapter.
#[derive(Debug)]
pub(super) struct Chapter {
    /// The path in the repository.
    pub(super) path: &'static str,
    /// The address of its page.
    pub(super) address: String,
    /// The title: the first heading.
    pub(super) title: String,
    /// All headings except the title.
    pub(super) headings: Vec<Heading>,
    /// The content.
    pub(super) events: Vec<Event<'static>>,
}

impl Chapter {
    /// Parses a chapter.
    ///
    /// # Errors
    /// If it does not begin with its title.
    pub(super) fn parse(file: &File) -> Result<Self, SiteError> {
        let events: Vec<Event<'static>> = Parser::new_ext(file.text, Options::ENABLE_TABLES).collect();
        let mut headings = headings(&events);
        match headings.first() {
            Some((1, _)) => {}
            _ => return Err(SiteError::NoTitle { chapter: file.path }),
        }
        let (_, title) = headings.remove(0);
        let mut slugs = Slugs::default();
        slugs.next(&title);
        let heading = |(level, text): (u8, String)| Heading { level, id: slugs.next(&text), text };
        Ok(Self {
            path: file.path,
            address: address(file.path),
            title,
            headings: headings.into_iter().map(heading).collect(),
            events,
        })
    }
}

/// The level and the text of every heading.
fn headings(events: &[Event<'_>]) -> Vec<(u8, String)> {
    let mut found: Vec<(u8, String)> = Vec::new();
    let mut is_inside = false;
    for event in events {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                is_inside = true;
                found.push((number(*level), String::new()));
            }
            Event::End(TagEnd::Heading(_)) => is_inside = false,
            Event::Text(text) | Event::Code(text) if is_inside => {
                found.last_mut().expect("a heading has started").1.push_str(text);
            }
            _ => {}
        }
    }
    found
}

fn number(level: HeadingLevel) -> u8 {
    level as u8
}
