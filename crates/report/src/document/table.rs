//! Tables of a document.

use super::Link;

/// Tables with at least this many columns of figures stay tables on narrow screens, so that figures can be
/// compared.
const COMPARED: usize = 3;

/// Rows of cells under headings.
#[must_use]
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows, with one cell per column.
    pub rows: Vec<Vec<Cell>>,
    /// Layout on narrow screens.
    pub narrow: Narrow,
    /// Whether the reader can sort the rows; sorting is pointless if the cells of a column are different quantities.
    pub sortable: bool,
}

/// Layout of a table on narrow screens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Narrow {
    /// Every row becomes a block, with the headings next to the cells; for a few columns with a lot of text.
    Blocks,
    /// A table that scrolls horizontally; for figures that are compared across rows and columns.
    Scrolled,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its heading.
    pub heading: String,
    /// The kind of its content.
    pub kind: Kind,
}

/// The kind of content in a column, which determines its layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Text, which may wrap.
    Words,
    /// Figures, right-aligned and never wrapped.
    Figures,
}

/// A cell of a table.
#[must_use]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// Its text.
    pub text: String,
    /// A link.
    pub link: Option<Link>,
    /// An assessment, shown as a colour.
    pub mark: Option<Mark>,
    /// Less prominent lines below the text.
    pub notes: Vec<String>,
}

/// An assessment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// As expected.
    Good,
    /// Not as expected.
    Bad,
    /// Undecided.
    Open,
    /// The best of several.
    Best,
    /// The worst of several.
    Worst,
}

impl Table {
    /// An empty table whose rows become blocks on narrow screens.
    pub fn new(columns: impl IntoIterator<Item = Column>) -> Self {
        Self {
            columns: columns.into_iter().collect(),
            rows: Vec::new(),
            narrow: Narrow::Blocks,
            sortable: true,
        }
    }

    /// An empty table that stays a table on narrow screens.
    pub fn scrolled(columns: impl IntoIterator<Item = Column>) -> Self {
        Self { narrow: Narrow::Scrolled, ..Self::new(columns) }
    }

    /// The table with a fixed order of rows.
    pub fn in_order(self) -> Self {
        Self { sortable: false, ..self }
    }

    /// Whether the reader can sort the rows. A row without a name continues the row above it.
    pub(super) fn is_sortable(&self) -> bool {
        let is_named =
            |row: &Vec<Cell>| row.first().is_some_and(|cell| !cell.text.is_empty() || cell.link.is_some());
        self.sortable && self.rows.iter().all(is_named)
    }

    /// Its style-sheet class. Columns of figures are meant for comparison, which the block layout would prevent.
    pub(super) fn class(&self) -> &'static str {
        let figures = self.columns.iter().filter(|column| column.kind == Kind::Figures).count();
        match self.narrow {
            Narrow::Blocks if figures < COMPARED => "stacked",
            Narrow::Blocks | Narrow::Scrolled => "matrix",
        }
    }

    /// Whether the first cell of a row is its heading.
    pub(super) fn names_rows(&self) -> bool {
        self.class() == "matrix"
    }

    /// Adds a row with one cell per column; missing cells are empty, and surplus ones are discarded.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        let mut cells: Vec<Cell> = cells.into_iter().collect();
        cells.resize(self.columns.len(), Cell::default());
        self.rows.push(cells);
    }
}

impl Column {
    /// A column of text.
    pub fn words(heading: impl Into<String>) -> Self {
        Self { heading: heading.into(), kind: Kind::Words }
    }

    /// A column of figures.
    pub fn figures(heading: impl Into<String>) -> Self {
        Self { heading: heading.into(), kind: Kind::Figures }
    }

    /// Its style-sheet class.
    pub(super) fn class(&self) -> &'static str {
        match self.kind {
            Kind::Words => "words",
            Kind::Figures => "number",
        }
    }
}

impl Cell {
    /// A cell with text.
    pub fn words(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// A cell that links to another page.
    pub fn link(address: impl Into<String>, text: impl Into<String>) -> Self {
        Self { link: Some(Link::new(address, text)), ..Self::default() }
    }

    /// A cell with an assessment.
    pub fn mark(mark: Mark, text: impl Into<String>) -> Self {
        Self { mark: Some(mark), ..Self::words(text) }
    }

    /// Adds a line below the text, unless it is empty.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self.notes.retain(|note| !note.is_empty());
        self
    }
}

impl Mark {
    /// Its style-sheet class.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_continue_others_keep_their_order() {
        let mut table = Table::new([Column::words("Experiment"), Column::words("Claim")]);
        table.row([Cell::link("fig05.html", "fig05"), Cell::words("the queue is short")]);
        assert!(table.is_sortable() && !table.clone().in_order().is_sortable());
        table.row([Cell::default(), Cell::words("the link is busy")]);
        assert!(!table.is_sortable());
    }
}
