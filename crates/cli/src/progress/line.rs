//! The line that shows progress.

use std::io;

use console::Term;
use indicatif::TermLike;

/// Columns left free: the `^C` that a terminal echoes would wrap a full line, and only the second of the two lines
/// could be cleared.
const FREE: u16 = 4;

/// The terminal on standard error, treated as slightly narrower than it is.
#[derive(Debug)]
pub(super) struct Line(Term);

impl Line {
    pub(super) fn new() -> Self {
        Self(Term::stderr())
    }

    /// Number of usable columns.
    pub(super) fn columns() -> usize {
        usize::from(Self::new().width())
    }
}

impl TermLike for Line {
    fn width(&self) -> u16 {
        self.0.size().1.saturating_sub(FREE)
    }

    fn height(&self) -> u16 {
        self.0.size().0
    }

    fn move_cursor_up(&self, lines: usize) -> io::Result<()> {
        self.0.move_cursor_up(lines)
    }

    fn move_cursor_down(&self, lines: usize) -> io::Result<()> {
        self.0.move_cursor_down(lines)
    }

    fn move_cursor_right(&self, columns: usize) -> io::Result<()> {
        self.0.move_cursor_right(columns)
    }

    fn move_cursor_left(&self, columns: usize) -> io::Result<()> {
        self.0.move_cursor_left(columns)
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.0.write_line(text)
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        self.0.write_str(text)
    }

    fn clear_line(&self) -> io::Result<()> {
        self.0.clear_line()
    }

    fn flush(&self) -> io::Result<()> {
        self.0.flush()
    }
}
