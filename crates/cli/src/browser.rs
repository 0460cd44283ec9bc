//! Opens pages in the user's browser: `--open`.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::failure::print_line;

pub(crate) fn open_file(path: &Path) {
    let whole = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    open(&whole.display().to_string());
}

/// Opens an address or a path. A missing browser is not an error, since the address has been printed.
pub(crate) fn open(place: &str) {
    let (program, arguments) = opener();
    let mut command = Command::new(program);
    command.args(arguments).arg(place).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if let Err(error) = command.spawn() {
        print_line(&format!("note: cannot open a browser with `{program}`: {error}"));
    }
}

/// The program that opens files and addresses in the user's default application.
fn opener() -> (&'static str, &'static [&'static str]) {
    match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("cmd", &["/C", "start", ""]),
        _ => ("xdg-open", &[]),
    }
}
