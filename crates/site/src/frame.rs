//! The frame of every page: header, navigation, search.

use askama::Template;
use setpoint_record::VERSION;
use setpoint_report::document::{BRAND, Document, Link, THEME};

use crate::address::{relative, root};
use crate::book::{Book, Page};
use crate::laboratory;

/// A part of the site, with a link in the header of every page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Area {
    pub(crate) title: &'static str,
    /// The address of its first page, relative to the folder of the site.
    pub(crate) address: &'static str,
}

/// The documentation.
pub(crate) const BOOK: Area = Area { title: "Book", address: "index.html" };
/// The page that runs scenarios in the browser.
pub(crate) const LABORATORY: Area = Area { title: "Laboratory", address: laboratory::PAGE };
/// The reproduced papers.
pub(crate) const EXPERIMENTS: Area = Area { title: "Experiments", address: "papers/index.html" };
/// The comparison of all algorithms.
pub(crate) const LEAGUE: Area = Area { title: "League", address: "league/index.html" };
/// The maps of stability.
pub(crate) const ATLAS: Area = Area { title: "Atlas", address: "atlas/index.html" };

/// A page other than a chapter.
#[derive(Clone, Debug)]
pub(crate) struct Framed {
    pub(crate) area: Area,
    /// The address of the page, relative to the folder of the site.
    pub(crate) address: String,
    pub(crate) title: String,
    pub(crate) up: Option<Link>,
    /// The address at which the laboratory runs the experiment of the page.
    pub(crate) run: Option<String>,
    /// The content as HTML.
    pub(crate) content: String,
}

impl Framed {
    /// The page of a document.
    pub(crate) fn of(area: Area, address: &str, document: &Document) -> Self {
        Self {
            area,
            address: address.to_owned(),
            title: document.title.clone(),
            up: document.navigation.up.clone(),
            run: None,
            content: document.content(),
        }
    }
}

/// The header of a page.
struct Header<'a> {
    areas: &'a [Area],
    /// The area to which the page belongs.
    area: Area,
    /// The address of the site's folder relative to the page.
    root: String,
}

impl Header<'_> {
    /// Whether the page may show the laboratory in a frame.
    fn has_laboratory(&self) -> bool {
        self.areas.contains(&LABORATORY)
    }
}

#[derive(Template)]
#[template(path = "chapter.html")]
struct ChapterPage<'a> {
    header: Header<'a>,
    title: &'a str,
    book: &'a Book,
    chapter: &'a Page,
    /// The title as HTML.
    heading: &'a str,
    content: &'a str,
    previous: Option<&'a Page>,
    next: Option<&'a Page>,
}

#[derive(Template)]
#[template(path = "framed.html")]
struct FramedPage<'a> {
    header: Header<'a>,
    title: &'a str,
    page: &'a Framed,
}

/// The chapter of the book at a position, as HTML.
pub(crate) fn chapter(book: &Book, place: usize, areas: &[Area]) -> String {
    let chapters: Vec<&Page> = book.chapters().collect();
    let chapter = chapters[place];
    // The table of contents follows the title.
    let (heading, content) = chapter.html.split_once("</h1>\n").unwrap_or(("", &chapter.html));
    let page = ChapterPage {
        header: Header { areas, area: BOOK, root: root(&chapter.address) },
        title: &chapter.title,
        book,
        chapter,
        heading: heading.trim_start_matches("<h1>"),
        content,
        previous: place.checked_sub(1).map(|place| chapters[place]),
        next: chapters.get(place + 1).copied(),
    };
    page.render().expect("a template of strings always renders")
}

/// A page as HTML.
pub(crate) fn framed(page: &Framed, areas: &[Area]) -> String {
    let header = Header { areas, area: page.area, root: root(&page.address) };
    let page = FramedPage { header, title: &page.title, page };
    page.render().expect("a template of strings always renders")
}
