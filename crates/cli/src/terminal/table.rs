//! Tables that fit the terminal: the least important columns are dropped first, or the table is folded.

use console::{measure_text_width, truncate_str};

use super::Screen;
use super::text::plain;

/// Space between columns.
const GAP: usize = 2;
/// The minimum length to which text is shortened.
const SHORTEST: usize = 8;

/// Alignment of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
}

/// A column of a table.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    header: String,
    side: Side,
    /// Columns with the highest rank are dropped first; columns with rank 0 are never dropped.
    rank: u8,
}

impl Column {
    /// A column of text.
    pub(crate) fn words(header: impl Into<String>, rank: u8) -> Self {
        Self { header: header.into(), side: Side::Left, rank }
    }

    /// A column of figures.
    pub(crate) fn figures(header: impl Into<String>, rank: u8) -> Self {
        Self { header: header.into(), side: Side::Right, rank }
    }
}

/// Rows of cells under headers.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new(columns: Vec<Column>) -> Self {
        Self { columns, rows: Vec::new() }
    }

    /// Adds a row, with one cell per column.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        let mut cells: Vec<String> = cells.into_iter().map(|cell| plain(&cell)).collect();
        cells.resize(self.columns.len(), String::new());
        self.rows.push(cells);
    }

    /// The table as text, and the number of dropped columns.
    pub(crate) fn render(&self, screen: Screen) -> (String, usize) {
        let mut widths = self.widths();
        let kept = kept(&self.columns, &widths, screen.width);
        shorten(&self.columns, &mut widths, &kept, screen.width);
        (self.block(&widths, &kept, screen), self.columns.len() - kept.len())
    }

    /// The table as text with all columns: those that do not fit follow below, with the text columns
    /// repeated.
    pub(crate) fn render_folded(&self, screen: Screen) -> String {
        let widths = self.widths();
        let (words, figures): (Vec<usize>, Vec<usize>) =
            (0..self.columns.len()).partition(|&index| self.columns[index].side == Side::Left);
        let mut blocks = vec![words.clone()];
        for figure in figures {
            let with = |block: &[usize]| [block, &[figure]].concat();
            match blocks.last_mut() {
                Some(block) if block.len() == words.len() || total(&widths, &with(block)) <= screen.width => {
                    block.push(figure);
                }
                _ => blocks.push(with(&words)),
            }
        }
        let block = |kept: &Vec<usize>| {
            let mut widths = widths.clone();
            shorten(&self.columns, &mut widths, kept, screen.width);
            self.block(&widths, kept, screen)
        };
        blocks.iter().map(block).collect::<Vec<_>>().join("\n")
    }

    fn block(&self, widths: &[usize], kept: &[usize], screen: Screen) -> String {
        let headers: Vec<String> = self.columns.iter().map(|column| column.header.clone()).collect();
        let mut text = screen.paint.faint(&self.line(&headers, widths, kept));
        text.push('\n');
        for row in &self.rows {
            text += &self.line(row, widths, kept);
            text.push('\n');
        }
        text
    }

    fn widths(&self) -> Vec<usize> {
        let of_column = |(index, column): (usize, &Column)| {
            let cells = self.rows.iter().map(|row| measure_text_width(&row[index]));
            cells.max().unwrap_or(0).max(measure_text_width(&column.header))
        };
        self.columns.iter().enumerate().map(of_column).collect()
    }

    fn line(&self, cells: &[String], widths: &[usize], kept: &[usize]) -> String {
        let cell = |&index: &usize| aligned(&cells[index], widths[index], self.columns[index].side);
        let cells: Vec<String> = kept.iter().map(cell).collect();
        cells.join(&" ".repeat(GAP)).trim_end().to_owned()
    }
}

/// The columns that fit.
fn kept(columns: &[Column], widths: &[usize], room: usize) -> Vec<usize> {
    let mut kept: Vec<usize> = (0..columns.len()).collect();
    while total(widths, &kept) > room {
        let Some(&last) =
            kept.iter().filter(|&&index| columns[index].rank > 0).max_by_key(|&&index| columns[index].rank)
        else {
            break;
        };
        kept.retain(|&index| index != last);
    }
    kept
}

/// Takes the missing width away from the widest text column.
fn shorten(columns: &[Column], widths: &mut [usize], kept: &[usize], room: usize) {
    let excess = total(widths, kept).saturating_sub(room);
    let words = kept.iter().copied().filter(|&index| columns[index].side == Side::Left);
    if let Some(widest) = words.max_by_key(|&index| widths[index]) {
        widths[widest] = widths[widest].saturating_sub(excess).max(SHORTEST.min(widths[widest]));
    }
}

fn total(widths: &[usize], kept: &[usize]) -> usize {
    kept.iter().map(|&index| widths[index]).sum::<usize>() + GAP * kept.len().saturating_sub(1)
}

fn aligned(text: &str, width: usize, side: Side) -> String {
    let text = truncate_str(text, width, "…");
    let space = " ".repeat(width.saturating_sub(measure_text_width(&text)));
    match side {
        Side::Left => format!("{text}{space}"),
        Side::Right => format!("{space}{text}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::Paint;
    use setpoint_scenario::Colour;

    fn screen(width: usize) -> Screen {
        Screen { width, paint: Paint::new(Colour::Off) }
    }

    fn table() -> Table {
        let mut table = Table::new(vec![
            Column::words("port", 0),
            Column::figures("mean", 1),
            Column::figures("peak", 2),
        ]);
        table.row(["left->right".into(), "26 kB".into(), "150 kB".into()]);
        table.row(["a".into(), "1 B".into()]);
        table
    }

    #[test]
    fn a_folded_table_has_all_columns() {
        let folded = "port          mean\nleft->right  26 kB\na              1 B\n\nport           peak\nleft->right  150 kB\na\n";
        assert_eq!(table().render_folded(screen(20)), folded);
        assert_eq!(table().render_folded(screen(80)), table().render(screen(80)).0);
    }

    #[test]
    fn the_least_important_column_goes_first() {
        let at = |width| table().render(screen(width));
        let whole = "port          mean    peak\nleft->right  26 kB  150 kB\na              1 B\n";
        assert_eq!(at(80), (whole.to_owned(), 0));
        assert_eq!(at(20), ("port          mean\nleft->right  26 kB\na              1 B\n".to_owned(), 1));
        assert_eq!(at(9), ("port\nleft->ri…\na\n".to_owned(), 2));
    }
}
