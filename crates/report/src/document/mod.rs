//! Pages that are not the report of one run: prose, figures, tables and links under headings.
//!
//! A [`Document`] says what stands on the page, in order; [`Document::html`] makes one self-contained file of it,
//! with the style sheet, the script (themes, values under the pointer) and the print layout of the report of a
//! run. All text is taken for untrusted and escaped; an address that would run a script is dropped.
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

use crate::Plot;
use setpoint_plot::{FieldMap, Figure, HeatMap, Size, Surface};

pub use table::{Cell, Column, Kind, Mark, Narrow, Table};

/// A page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// Title.
    pub title: String,
    /// What stands above the title: what the page is a part of. May be empty.
    pub part_of: String,
    /// What the page is about, in a sentence or two; may be empty.
    pub description: String,
    /// Short facts below it: versions, counts.
    pub facts: Vec<String>,
    /// A few figures that sum it up, as large as those of a report.
    pub cards: Vec<Card>,
    /// Other pages.
    pub navigation: Navigation,
    /// The content.
    pub sections: Vec<Section>,
}

/// A figure that sums something up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// What it is.
    pub label: String,
    /// The figure.
    pub value: String,
    /// A few words on it; may be empty.
    pub note: String,
}

/// Links to the pages around this one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Navigation {
    /// The page that lists this one.
    pub up: Option<Link>,
    /// The page before this one.
    pub previous: Option<Link>,
    /// The page after this one.
    pub next: Option<Link>,
}

/// A link to another page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Where, relative to this page.
    pub address: String,
    /// What is there.
    pub text: String,
}

/// What stands under one heading.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// Name for links to it, of letters, digits and hyphens.
    pub id: String,
    /// Heading.
    pub title: String,
    /// Its content, in order.
    pub blocks: Vec<Block>,
}

/// A piece of a section.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// A paragraph.
    Prose(String),
    /// A paragraph of less weight.
    Note(String),
    /// Points, each a sentence or more.
    Points(Vec<String>),
    /// Plots, side by side as their room says.
    Figures(Vec<Figure>),
    /// Heat maps, side by side as their room says.
    HeatMaps(Vec<HeatMap>),
    /// Maps over two continuous quantities, side by side as their room says.
    FieldMaps(Vec<FieldMap>),
    /// A table.
    Table(Table),
    /// A command to copy; one on a page.
    Command(String),
    /// Further blocks that are shown on demand, and always in print.
    More {
        /// What they are.
        summary: String,
        /// The blocks.
        blocks: Vec<Block>,
    },
    /// A text that is shown on demand, such as a file.
    Folded {
        /// What it is.
        summary: String,
        /// The text, as it is.
        text: String,
    },
}

impl Document {
    /// An empty page.
    #[must_use]
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), ..Self::default() }
    }

    /// The same with one section more.
    #[must_use]
    pub fn section(mut self, section: Section) -> Self {
        self.sections.push(section);
        self
    }

    /// The page as one HTML file.
    #[must_use]
    pub fn html(&self) -> String {
        page::html(self)
    }

    /// Every drawing of the page as an SVG file of its own, in the order of the page. Their names are those of the figures,
    /// which are the same whenever the page is made again.
    #[must_use]
    pub fn plots(&self) -> Vec<Plot> {
        self.sections.iter().flat_map(|section| &section.blocks).flat_map(Block::plots).collect()
    }
}

impl Block {
    fn plots(&self) -> Vec<Plot> {
        let plot =
            |name: &str, title: &str, svg: String| Plot { name: name.into(), title: title.into(), svg };
        let (size, surface) = (Size::Wide, Surface::File);
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
            Self::More { blocks, .. } => blocks.iter().flat_map(Self::plots).collect(),
            _ => Vec::new(),
        }
    }
}

impl Section {
    /// A section without content.
    #[must_use]
    pub fn new(id: impl Into<String>, title: impl Into<String>) -> Self {
        Self { id: id.into(), title: title.into(), blocks: Vec::new() }
    }

    /// The same with one block more.
    #[must_use]
    pub fn with(mut self, block: Block) -> Self {
        self.blocks.push(block);
        self
    }
}

impl Link {
    /// A link.
    #[must_use]
    pub fn new(address: impl Into<String>, text: impl Into<String>) -> Self {
        Self { address: address.into(), text: text.into() }
    }
}
