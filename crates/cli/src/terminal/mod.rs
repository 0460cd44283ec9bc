//! Capabilities of the terminal, and text that fits it.

mod facts;
mod paint;
mod quantity;
mod table;
mod text;

use std::env;
use std::io::{self, IsTerminal, Write};

use setpoint_scenario::Colour;

pub(crate) use facts::Facts;
pub(crate) use paint::Paint;
pub(crate) use quantity::{
    bounded, change, count, difference, mean, mean_and_spread, quantity, settling, size, things, value,
};
pub(crate) use setpoint_units::quantity::Unit;
pub(crate) use table::{Column, Table};
pub(crate) use text::{indented, plain, port, wrapped};

/// The width to assume if it cannot be determined.
const USUAL_WIDTH: usize = 80;
/// Minimum width for layouts.
const LEAST_WIDTH: usize = 20;

/// The properties of standard output.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Screen {
    /// Number of columns.
    pub(crate) width: usize,
    /// Colours, or none.
    pub(crate) paint: Paint,
}

impl Screen {
    /// The current standard output. If it is not a terminal, COLUMNS can set the width.
    pub(crate) fn of_stdout() -> Self {
        let terminal = console::Term::stdout();
        let measured = terminal.size_checked().map(|(_, columns)| usize::from(columns));
        let given = || env::var("COLUMNS").ok()?.parse().ok();
        let width = measured.or_else(given).unwrap_or(USUAL_WIDTH).max(LEAST_WIDTH);
        Self { width, paint: Paint::new(colour(&io::stdout())) }
    }
}

/// Whether diagnostics on standard error are coloured.
pub(crate) fn stderr_colour() -> Colour {
    colour(&io::stderr())
}

/// The width of standard error if it is a terminal.
pub(crate) fn stderr_width() -> Option<usize> {
    let (_, columns) = console::Term::stderr().size_checked()?;
    Some(usize::from(columns).max(LEAST_WIDTH))
}

/// Whether standard error can show progress.
pub(crate) fn stderr_is_terminal() -> bool {
    io::stderr().is_terminal()
}

fn colour(stream: &impl IsTerminal) -> Colour {
    let forbidden = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
    if stream.is_terminal() && !forbidden && !dumb { Colour::On } else { Colour::Off }
}

/// Writes to standard output. A closed pipe is an error rather than a panic.
pub(crate) fn print(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()
}
