//! The static web site: the documentation as a book with search, and the reproduced experiments with their verdicts.
//!
//! [`Site::new`] returns all files of the site; the caller stores them. The pages have the style and the script of reports
//! ([`setpoint_report::document`]) in common files. All addresses are relative, so that the site works in any folder of any
//! file server, and, except for the laboratory, as files without a server. A service worker keeps the files in the browser. A page loads nothing from elsewhere, and its content
//! security policy forbids it.
//!
//! The Markdown files are part of the program, so that an installed program can write the site, too. `pulldown-cmark` parses
//! them. It is the parser that rustdoc and mdBook use, needs only four small crates, and yields a stream of events in which
//! links are rewritten and from which headings are collected.

mod address;
mod book;
mod escape;
mod experiments;
mod extras;
mod frame;
mod laboratory;
mod offline;
mod search;

use std::borrow::Cow;

use setpoint_report::document;

use book::{Book, IMAGES, image_address};
use frame::{ATLAS, Framed, LEAGUE};
use search::Entry;

pub use extras::Extras;

/// The icon of the page of `setpoint serve`.
const ICON: &[u8] = include_bytes!("../../serve/assets/icon.svg");

/// The files of the site.
#[derive(Clone, Debug, Default)]
pub struct Site {
    files: Vec<(String, Cow<'static, [u8]>)>,
}

/// The site cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages show the fields")]
pub enum SiteError {
    /// A link or an image leads nowhere.
    #[error("{chapter}: the link to `{link}` leads to no chapter, heading or image")]
    BrokenLink { chapter: &'static str, link: String },
    /// A chapter does not begin with its title.
    #[error("{chapter}: the first heading must be the title, with a single `#`")]
    NoTitle { chapter: &'static str },
    /// A figure in a chapter cannot be drawn.
    #[error("{chapter}: the figure `{figure}` cannot be drawn: {why}")]
    Figure { chapter: &'static str, figure: String, why: String },
    /// A chapter contains HTML other than the supported elements.
    #[error(
        "{chapter}: `{html}` is not supported; chapters may contain only <sub>, <sup>, <br> and comments"
    )]
    Html { chapter: &'static str, html: String },
}

impl Site {
    /// Builds the site. This runs the scenarios of the figures in the book, which takes a few seconds.
    ///
    /// # Errors
    /// If a chapter contains a broken link or unsupported HTML, or a figure cannot be drawn.
    pub fn new(extras: &Extras) -> Result<Self, SiteError> {
        let book = Book::new(extras.has_laboratory())?;
        let mut pages = experiments::pages(extras);
        let areas = extras.areas();
        let others = [(LEAGUE, "League", &extras.league), (ATLAS, "Stability atlas", &extras.atlas)];
        for (area, title, page) in others {
            if let Some(content) = page.as_deref().and_then(extras::content) {
                let (address, content) = (area.address.to_owned(), content.to_owned());
                let page = Framed { area, address, title: title.to_owned(), up: None, run: None, content };
                pages.push((page, Entry::new(area.address, title)));
            }
        }
        let mut site = Self::default();
        for (place, chapter) in book.chapters().enumerate() {
            site.add(&chapter.address, frame::chapter(&book, place, &areas));
        }
        for (page, _) in &pages {
            site.add(&page.address, frame::framed(page, &areas));
        }
        let found = book.chapters().flat_map(|chapter| &chapter.entries);
        site.add("assets/index.js", search::script(found.chain(pages.iter().map(|(_, entry)| entry))));
        site.add("assets/site.css", document::style() + include_str!("../assets/site.css"));
        site.add("assets/site.js", document::SCRIPT.to_owned() + include_str!("../assets/site.js"));
        site.files.push(("assets/icon.svg".to_owned(), Cow::Borrowed(ICON)));
        for image in IMAGES {
            site.files.push((image_address(image), Cow::Borrowed(image.content)));
        }
        for (name, content) in &extras.laboratory {
            site.files.push((format!("{}/{name}", laboratory::FOLDER), content.clone()));
        }
        let worker = offline::worker(site.files());
        site.add("worker.js", worker);
        Ok(site)
    }

    fn add(&mut self, name: &str, content: String) {
        self.files.push((name.to_owned(), Cow::Owned(content.into_bytes())));
    }

    /// The files with their paths below the folder of the site.
    pub fn files(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.files.iter().map(|(name, content)| (name.as_str(), &**content))
    }
}
