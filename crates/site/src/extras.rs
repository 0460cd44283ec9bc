//! Pages that other commands have written, and the laboratory, which become part of the site.

use std::borrow::Cow;

/// Parts of the site that come from elsewhere; pages are HTML.
#[derive(Clone, Debug, Default)]
pub struct Extras {
    /// The page of `setpoint league`.
    pub league: Option<String>,
    /// The page of `setpoint atlas`.
    pub atlas: Option<String>,
    /// Pages of `setpoint reproduce`, by the ids of the experiments. They replace the pages with the stored verdicts.
    pub experiments: Vec<(String, String)>,
    /// The files of the laboratory with its engine, by their paths; empty for a site without it.
    pub laboratory: Vec<(String, Cow<'static, [u8]>)>,
}

impl Extras {
    /// Whether the site contains the laboratory.
    pub(crate) fn has_laboratory(&self) -> bool {
        !self.laboratory.is_empty()
    }
}

/// The content of a page that a command has written, without its header; `None` if it is not such a page.
pub(crate) fn content(page: &str) -> Option<&str> {
    let (_, rest) = page.split_once("<main id=\"main\">\n")?;
    Some(rest.rsplit_once("</main>")?.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use setpoint_report::document::{Block, Document, Section};

    #[test]
    fn the_content_of_a_page_is_that_of_its_document() {
        let section = Section::new("a", "A").with(Block::Prose("</main> in the text".to_owned()));
        let document = Document::new("T").section(section);
        assert_eq!(content(&document.html()), Some(document.content().as_str()));
        assert_eq!(content("<p>another page</p>"), None);
    }
}
