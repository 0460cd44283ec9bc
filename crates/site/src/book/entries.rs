//! The sections of a chapter as search entries.

use pulldown_cmark::{Event, HeadingLevel, Tag, TagEnd};

use super::Heading;
use super::chapter::Chapter;
use crate::search::Entry;

/// The text under every heading, for the search.
pub(super) struct Entries {
    address: String,
    page: String,
    headings: std::vec::IntoIter<Heading>,
    is_in_heading: bool,
    found: Vec<Entry>,
}

impl Entries {
    pub(super) fn new(chapter: &Chapter) -> Self {
        let entry = Entry::new(&chapter.address, &chapter.title);
        Self {
            address: chapter.address.clone(),
            page: chapter.title.clone(),
            headings: chapter.headings.clone().into_iter(),
            is_in_heading: false,
            found: vec![entry],
        }
    }

    /// Reads the next event.
    pub(super) fn read(&mut self, event: &Event<'_>) {
        match event {
            Event::Start(Tag::Heading { .. }) => self.is_in_heading = true,
            Event::End(TagEnd::Heading(level)) => {
                self.is_in_heading = false;
                if *level > HeadingLevel::H1
                    && let Some(heading) = self.headings.next()
                {
                    let address = format!("{}#{}", self.address, heading.id);
                    let (page, section) = (self.page.clone(), heading.text);
                    self.found.push(Entry { address, page, section, text: String::new() });
                }
            }
            Event::Text(text) | Event::Code(text) if !self.is_in_heading => self.add(text),
            Event::SoftBreak | Event::HardBreak => self.add(" "),
            Event::End(TagEnd::Paragraph | TagEnd::Item | TagEnd::TableCell | TagEnd::CodeBlock) => {
                self.add(" ");
            }
            _ => {}
        }
    }

    fn add(&mut self, text: &str) {
        self.found.last_mut().expect("there is an entry for the title").text.push_str(text);
    }

    /// The entries of all sections.
    pub(super) fn finish(self) -> Vec<Entry> {
        self.found
    }
}
