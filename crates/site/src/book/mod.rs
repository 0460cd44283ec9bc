//! The documentation as a book: the Markdown files of the repository as pages.

mod chapter;
mod entries;
mod figure;
mod links;
mod list;
mod render;
mod slug;

use chapter::Chapter;
use links::Links;
pub(crate) use list::{IMAGES, Image};

use crate::SiteError;
use crate::search::Entry;

/// The book.
#[derive(Debug)]
pub(crate) struct Book {
    /// The parts, in reading order.
    pub(crate) parts: Vec<Part>,
}

/// Chapters under one heading.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) title: &'static str,
    pub(crate) chapters: Vec<Page>,
}

/// A chapter as a page.
#[derive(Debug)]
pub(crate) struct Page {
    /// The address, relative to the folder of the site.
    pub(crate) address: String,
    /// The title.
    pub(crate) title: String,
    /// The headings, for the table of contents.
    pub(crate) headings: Vec<Heading>,
    /// The content as HTML, with its title.
    pub(crate) html: String,
    /// Entries of the search index.
    pub(crate) entries: Vec<Entry>,
}

/// A heading below the title.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Heading {
    /// 2 or 3.
    pub(crate) level: u8,
    /// The identifier for links.
    pub(crate) id: String,
    /// The text.
    pub(crate) text: String,
}

impl Book {
    /// Renders the book. With a laboratory, its figures can be run.
    ///
    /// # Errors
    /// If a link or an image does not exist, a figure cannot be drawn, or a chapter contains HTML that is not supported.
    pub(crate) fn new(has_laboratory: bool) -> Result<Self, SiteError> {
        let chapters: Vec<Chapter> = list::PARTS
            .iter()
            .flat_map(|part| part.chapters)
            .map(Chapter::parse)
            .collect::<Result<_, _>>()?;
        let links = Links::new(&chapters);
        let mut pages = chapters.iter().map(|chapter| render::page(chapter, &links, has_laboratory));
        let part = |part: &list::Part| -> Result<Part, SiteError> {
            let chapters = pages.by_ref().take(part.chapters.len()).collect::<Result<_, _>>()?;
            Ok(Part { title: part.title, chapters })
        };
        Ok(Self { parts: list::PARTS.iter().map(part).collect::<Result<_, _>>()? })
    }

    /// All chapters, in reading order.
    pub(crate) fn chapters(&self) -> impl Iterator<Item = &Page> {
        self.parts.iter().flat_map(|part| &part.chapters)
    }
}

/// The address of an image, relative to the folder of the site.
pub(crate) fn image_address(image: &Image) -> String {
    format!("book/{}", image.path.trim_start_matches("docs/"))
}
