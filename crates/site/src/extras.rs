//! Pages that other commands have written, and the laboratory, which become part of the site.

use std::borrow::Cow;

use crate::address::relative;
use crate::frame::{ATLAS, Area, BOOK, EXPERIMENTS, LABORATORY, LEAGUE};

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

    /// The parts of the site, in the order of the header.
    pub(crate) fn areas(&self) -> Vec<Area> {
        let has = |page: &Option<String>| page.as_deref().and_then(content).is_some();
        let parts = [
            (BOOK, true),
            (LABORATORY, self.has_laboratory()),
            (EXPERIMENTS, true),
            (LEAGUE, has(&self.league)),
            (ATLAS, has(&self.atlas)),
        ];
        parts.into_iter().filter_map(|(area, is_part)| is_part.then_some(area)).collect()
    }

    /// Titles and addresses of all other parts of the site, as seen from the page of the laboratory.
    #[must_use]
    pub fn beside_laboratory(&self) -> Vec<(&'static str, String)> {
        let others = self.areas().into_iter().filter(|&area| area != LABORATORY);
        others.map(|area| (area.title, relative(LABORATORY.address, area.address))).collect()
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
    fn the_laboratory_has_links_to_the_parts_of_its_site() {
        let of = |extras: &Extras| {
            extras
                .beside_laboratory()
                .into_iter()
                .map(|(title, address)| format!("{title} {address}"))
                .collect::<Vec<_>>()
                .join(", ")
        };
        let few = "Book ../index.html, Experiments ../papers/index.html";
        assert_eq!(of(&Extras::default()), few);
        let league = Some(Document::new("T").html());
        let atlas = Some("<p>another page</p>".to_owned());
        let more = Extras { league, atlas, ..Extras::default() };
        assert_eq!(of(&more), format!("{few}, League ../league/index.html"));
    }

    #[test]
    fn the_content_of_a_page_is_that_of_its_document() {
        let section = Section::new("a", "A").with(Block::Prose("</main> in the text".to_owned()));
        let document = Document::new("T").section(section);
        assert_eq!(content(&document.html()), Some(document.content().as_str()));
        assert_eq!(content("<p>another page</p>"), None);
    }
}
