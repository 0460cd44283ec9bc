//! Failures, their messages, and the exit codes of the program.

use std::io::{self, Write};
use std::process::ExitCode;

use setpoint_lab::session::JobError;
use setpoint_lab::store::StoreError;
use setpoint_scenario::{Colour, Diagnostics};

use crate::interrupt;
use crate::terminal;

/// The reason why a command failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The command line is wrong.
    Usage(String),
    /// The scenario is wrong.
    Scenario(Diagnostics),
    /// All problems have been printed already.
    Reported(Kind),
    /// A run failed, or a file could not be read or written.
    Run(String),
    /// Interrupted by Ctrl-C or another signal.
    Interrupted(String),
    /// The reader of our output has closed the pipe, as in `setpoint list | head -1`.
    Unread,
}

/// The cause of a failure; each kind has its own exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The run or the system.
    Run,
    /// The user.
    Usage,
}

impl Failure {
    /// Prints the message to standard error, and returns the exit code.
    pub(crate) fn report(self) -> ExitCode {
        let colour = terminal::stderr_colour();
        match &self {
            Self::Usage(message) | Self::Run(message) => print_error(message),
            Self::Scenario(diagnostics) => print_line(&diagnostics.render(colour)),
            Self::Interrupted(message) => print_text(message),
            Self::Reported(_) | Self::Unread => {}
        }
        self.code()
    }

    fn code(&self) -> ExitCode {
        ExitCode::from(match self {
            Self::Unread => 0,
            Self::Run(_) | Self::Reported(Kind::Run) => 1,
            Self::Usage(_) | Self::Scenario(_) | Self::Reported(Kind::Usage) => 2,
            Self::Interrupted(_) => interrupt::exit_code(),
        })
    }
}

/// Prints an error to standard error.
pub(crate) fn print_error(message: &str) {
    let prefix = match terminal::stderr_colour() {
        Colour::On => "\u{1b}[1;31merror\u{1b}[0m",
        Colour::Off => "error",
    };
    print_text(&format!("{prefix}: {message}"));
}

/// Prints a warning to standard error.
pub(crate) fn print_warning(message: &str) {
    let prefix = match terminal::stderr_colour() {
        Colour::On => "\u{1b}[1;33mwarning\u{1b}[0m",
        Colour::Off => "warning",
    };
    print_text(&format!("{prefix}: {message}"));
}

/// Prints prose to standard error, wrapped if that is a terminal. Indented lines, such as commands, are not wrapped.
pub(crate) fn print_text(text: &str) {
    let Some(width) = terminal::stderr_width() else { return print_line(text) };
    let wrap = |line: &str| match line.starts_with(' ') {
        true => line.to_owned(),
        false => terminal::wrapped(line, width).join("\n"),
    };
    print_line(&text.lines().map(wrap).collect::<Vec<_>>().join("\n"));
}

/// Prints a line to standard error. A failure to do so is ignored, because there is no other place to report it.
pub(crate) fn print_line(text: &str) {
    interrupt::hold_if_ending();
    let _ = writeln!(io::stderr(), "{text}");
}

impl From<Diagnostics> for Failure {
    fn from(diagnostics: Diagnostics) -> Self {
        Self::Scenario(diagnostics)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Run(error.to_string())
    }
}

impl From<JobError> for Failure {
    fn from(error: JobError) -> Self {
        Self::Run(error.to_string())
    }
}

/// Errors while writing to standard output.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::Unread,
            _ => Self::Run(format!("cannot write the output: {error}")),
        }
    }
}
