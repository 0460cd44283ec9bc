//! Pages other than the report of a run: prose, figures, tables and links under headings.
//!
//! A [`Document`] lists the content of a page in order. [`Document::html`] renders it as one self-contained file,
//! with the style sheet, the script (themes, tooltips) and the print layout of the report of a run. All text is
//! treated as untrusted and escaped; an address that would run a script is discarded.
//!
//! ```
//! use setpoint_report::document::{Block, Cell, Column, Document, Mark, Section, Table};
//!
//! let mut table = Table::new([Column::words("Claim"), Column::words("Verdict")]);
//! table.row([Cell::words("the queue is short"), Cell::mark(Mark::Good, "holds")]);
//! let page = Document::new("A finding")
//!     .section(Section::new("claims", "Claims").with(Block::Table(table)))
//!     .html();
//! assert!(page.contains("the queue is short"));
//! ```

mod page;
mod table;

use crate::{Plot, assets};
use setpoint_plot::{FieldMap, Figure, HeatMap, Size, Style, Surface};

pub use table::{Cell, Column, Kind, Mark, Narrow, Table};

/// The script of a document: themes, tooltips, sortable tables. It expects the elements `theme`, `theme-name` and `tip` of
/// the template.
pub const SCRIPT: &str = assets::SCRIPT;

/// The logo with the name, as HTML.
pub const BRAND: &str = include_str!("../../templates/brand.html");

/// The button that changes between light and dark, as HTML.
pub const THEME: &str = include_str!("../../templates/theme.html");

/// The style sheet of a document, with its colours.
pub fn style() -> String {
    [setpoint_plot::THEMES, assets::STYLE, assets::DOCUMENT_STYLE].concat()
}

/// A page.
#[must_use]
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// Title.
    pub title: String,
    /// Line above the title that names the collection the page belongs to; may be empty.
    pub part_of: String,
    /// A summary in a sentence or two; may be empty.
    pub description: String,
    /// Short facts below the summary: versions, counts.
    pub facts: Vec<String>,
    /// A few key figures, displayed as in a report.
    pub cards: Vec<Card>,
    /// Links to other pages.
    pub navigation: Navigation,
    /// The content.
    pub sections: Vec<Section>,
}

/// A key figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// Name of the figure.
    pub label: String,
    /// Its value.
    pub value: String,
    /// A short note; may be empty.
    pub note: String,
}

/// Links to related pages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Navigation {
    /// The parent page.
    pub up: Option<Link>,
    /// The previous page.
    pub previous: Option<Link>,
    /// The next page.
    pub next: Option<Link>,
}

/// A link to another page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Address relative to this page.
    pub address: String,
    /// Text of the link.
    pub text: String,
}

/// A section with a heading.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// Identifier for links: letters, digits and hyphens.
    pub id: String,
    /// Heading.
    pub title: String,
    /// Its content, in order.
    pub blocks: Vec<Block>,
}

/// A part of a section.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// A paragraph.
    Prose(String),
    /// A less prominent paragraph.
    Note(String),
    /// A bulleted list; each item has one or more sentences.
    Points(Vec<String>),
    /// Plots, arranged by their width.
    Figures(Vec<Figure>),
    /// Heat maps, arranged by their width.
    HeatMaps(Vec<HeatMap>),
    /// Maps over two continuous quantities, arranged by their width.
    FieldMaps(Vec<FieldMap>),
    /// A table.
    Table(Table),
    /// A command to copy; at most one per page.
    Command(String),
    /// Further blocks, collapsed on screen but always printed.
    More {
        /// Their summary.
        summary: String,
        /// The blocks.
        blocks: Vec<Block>,
    },
    /// Text shown on demand, such as a file.
    Folded {
        /// Its summary.
        summary: String,
        /// The text, unchanged.
        text: String,
    },
}

impl Document {
    /// An empty page.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), ..Self::default() }
    }

    /// Adds a section.
    pub fn section(mut self, section: Section) -> Self {
        self.sections.push(section);
        self
    }

    /// Renders the page as one HTML file.
    pub fn html(&self) -> String {
        page::html(self)
    }

    /// Renders the content of the page, for a page with its own header. Such a page must load [`style`] and [`SCRIPT`].
    pub fn content(&self) -> String {
        page::content(self)
    }

    /// Every drawing of the page as a separate SVG file, in page order, named after its figure. The names do not
    /// change when the page is regenerated.
    pub fn plots(&self, style: Style) -> Vec<Plot> {
        let blocks = self.sections.iter().flat_map(|section| &section.blocks);
        blocks.flat_map(|block| block.plots(style)).collect()
    }
}

impl Block {
    /// The block with a prefix added to the names of its plots, so that a page can show the same plots twice.
    #[must_use]
    pub fn named(self, prefix: &str) -> Self {
        let named = |name: String| format!("{prefix}-{name}");
        match self {
            Self::Figures(figures) => Self::Figures(
                figures.into_iter().map(|one| Figure { name: named(one.name), ..one }).collect(),
            ),
            Self::HeatMaps(maps) => {
                Self::HeatMaps(maps.into_iter().map(|one| HeatMap { name: named(one.name), ..one }).collect())
            }
            Self::FieldMaps(maps) => Self::FieldMaps(
                maps.into_iter().map(|one| FieldMap { name: named(one.name), ..one }).collect(),
            ),
            Self::More { summary, blocks } => {
                Self::More { summary, blocks: blocks.into_iter().map(|block| block.named(prefix)).collect() }
            }
            other => other,
        }
    }

    fn plots(&self, style: Style) -> Vec<Plot> {
        let plot =
            |name: &str, title: &str, svg: String| Plot { name: name.into(), title: title.into(), svg };
        let (size, surface) = (Size::Wide, Surface::File(style));
        match self {
            Self::Figures(figures) => {
                figures.iter().map(|one| plot(&one.name, &one.title, one.svg(size, surface))).collect()
            }
            Self::HeatMaps(maps) => {
                maps.iter().map(|one| plot(&one.name, &one.title, one.svg(size, surface))).collect()
            }
            Self::FieldMaps(maps) => {
                maps.iter().map(|one| plot(&one.name, &one.title, one.svg(size, surface))).collect()
            }
            Self::More { blocks, .. } => blocks.iter().flat_map(|block| block.plots(style)).collect(),
            _ => Vec::new(),
        }
    }
}

impl Section {
    /// An empty section.
    pub fn new(id: impl Into<String>, title: impl Into<String>) -> Self {
        Self { id: id.into(), title: title.into(), blocks: Vec::new() }
    }

    /// Renders the blocks without the heading, as [`Document::content`] does.
    pub fn content(&self) -> String {
        page::blocks(self)
    }

    /// Adds a block.
    #[must_use]
    pub fn with(mut self, block: Block) -> Self {
        self.blocks.push(block);
        self
    }
}

impl Link {
    /// A link.
    pub fn new(address: impl Into<String>, text: impl Into<String>) -> Self {
        Self { address: address.into(), text: text.into() }
    }
}
