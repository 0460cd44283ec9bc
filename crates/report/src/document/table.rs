//! Tables of a document.

use super::Link;

/// So many columns of figures are compared, and stay columns on a narrow screen.
const COMPARED: usize = 3;

/// Rows of cells under headings.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows, each with a cell for every column.
    pub rows: Vec<Vec<Cell>>,
    /// What becomes of it on a narrow screen.
    pub narrow: Narrow,
}

/// What becomes of a table on a narrow screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Narrow {
    /// Every row becomes a block, with the headings beside the cells: for few columns with much text.
    Blocks,
    /// It stays a table, which can be moved sideways: for figures that are read down and across.
    Scrolled,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its heading.
    pub heading: String,
    /// What it holds.
    pub kind: Kind,
}

/// What a column holds, which decides how it is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Words, which may wrap.
    Words,
    /// Figures, set to the right and never broken.
    Figures,
}

/// A cell of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// Its text.
    pub text: String,
    /// Where it links to.
    pub link: Option<Link>,
    /// What it says about the matter, as a colour.
    pub mark: Option<Mark>,
    /// What stands below the text, with less weight.
    pub notes: Vec<String>,
}

/// What a cell says about a matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// As expected.
    Good,
    /// Not as expected.
    Bad,
    /// Not known.
    Open,
    /// The best of several.
    Best,
    /// The worst of several.
    Worst,
}

impl Table {
    /// A table without rows, which become blocks on a narrow screen.
    #[must_use]
    pub fn new(columns: impl IntoIterator<Item = Column>) -> Self {
        Self { columns: columns.into_iter().collect(), rows: Vec::new(), narrow: Narrow::Blocks }
    }

    /// A table without rows, which stays a table on a narrow screen.
    #[must_use]
    pub fn scrolled(columns: impl IntoIterator<Item = Column>) -> Self {
        Self { narrow: Narrow::Scrolled, ..Self::new(columns) }
    }

    /// The class that the style sheet knows it by. Columns of figures are there to be compared, which blocks would make
    /// impossible.
    pub(super) fn class(&self) -> &'static str {
        let figures = self.columns.iter().filter(|column| column.kind == Kind::Figures).count();
        match self.narrow {
            Narrow::Blocks if figures < COMPARED => "stacked",
            Narrow::Blocks | Narrow::Scrolled => "matrix",
        }
    }

    /// Whether the first cell of a row names it.
    pub(super) fn names_rows(&self) -> bool {
        self.class() == "matrix"
    }

    /// Adds a row, with a cell for every column; what is missing is empty, and what is too much is left out.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        let mut cells: Vec<Cell> = cells.into_iter().collect();
        cells.resize(self.columns.len(), Cell::default());
        self.rows.push(cells);
    }
}

impl Column {
    /// A column of words.
    #[must_use]
    pub fn words(heading: impl Into<String>) -> Self {
        Self { heading: heading.into(), kind: Kind::Words }
    }

    /// A column of figures.
    #[must_use]
    pub fn figures(heading: impl Into<String>) -> Self {
        Self { heading: heading.into(), kind: Kind::Figures }
    }

    /// The class that the style sheet knows it by.
    pub(super) fn class(&self) -> &'static str {
        match self.kind {
            Kind::Words => "words",
            Kind::Figures => "number",
        }
    }
}

impl Cell {
    /// A cell with a text.
    #[must_use]
    pub fn words(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// A cell that links to another page.
    #[must_use]
    pub fn link(address: impl Into<String>, text: impl Into<String>) -> Self {
        Self { link: Some(Link::new(address, text)), ..Self::default() }
    }

    /// A cell that says how something stands.
    #[must_use]
    pub fn mark(mark: Mark, text: impl Into<String>) -> Self {
        Self { mark: Some(mark), ..Self::words(text) }
    }

    /// The same with something below the text; nothing for an empty one.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self.notes.retain(|note| !note.is_empty());
        self
    }
}

impl Mark {
    /// The class that the style sheet knows it by.
    pub(super) fn class(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Bad => "bad",
            Self::Open => "open",
            Self::Best => "best",
            Self::Worst => "worst",
        }
    }
}
