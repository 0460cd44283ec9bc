//! Files that are made from a result and stand beside it: reports and plots.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use super::error::StoreError;
use super::folder::write_file;

/// The report of a result.
pub const REPORT: &str = "report.html";
/// The folder with drawings in a result.
pub const PLOTS: &str = "plots";

/// Endings of files that are made from a result.
const ENDINGS: [&str; 4] = ["html", "svg", "png", "pdf"];

/// A file made from a result. It is no part of the digest and can be made again at any time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Derived {
    name: String,
    content: Vec<u8>,
}

impl Derived {
    /// The report.
    #[must_use]
    pub fn report(html: String) -> Self {
        Self { name: REPORT.to_owned(), content: html.into_bytes() }
    }

    /// A drawing, by the name of its file without ending.
    #[must_use]
    pub fn svg(name: &str, svg: String) -> Self {
        Self { name: plot_file(name, "svg"), content: svg.into_bytes() }
    }

    /// A picture of a drawing, by the name of its file without ending.
    #[must_use]
    pub fn png(name: &str, png: Vec<u8>) -> Self {
        Self { name: plot_file(name, "png"), content: png }
    }

    /// A drawing for print, by the name of its file without ending.
    #[must_use]
    pub fn pdf(name: &str, pdf: Vec<u8>) -> Self {
        Self { name: plot_file(name, "pdf"), content: pdf }
    }

    /// Its path within the folder.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Writes the file into a folder, whole or not at all.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), StoreError> {
        let path = folder.join(&self.name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(StoreError::io("create", parent))?;
        }
        write_file(&path, &self.content)
    }
}

/// A path that any file system takes, from the name of a plot.
fn plot_file(name: &str, ending: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '-' };
    let name: String = name.chars().map(plain).collect();
    format!("{PLOTS}/{name}.{ending}")
}

/// Whether a path in a result is something that is made from it.
pub(super) fn is_derived(path: &Path) -> bool {
    let ending = path.extension();
    ending.is_some_and(|ending| ENDINGS.iter().any(|known| ending == *known)) && path.is_file()
}

/// Whether a path in a result is the folder of drawings, with nothing else in it.
pub(crate) fn is_plots(path: &Path) -> bool {
    let named = path.file_name() == Some(OsStr::new(PLOTS));
    let inside = || {
        fs::read_dir(path)
            .is_ok_and(|mut entries| entries.all(|entry| entry.is_ok_and(|entry| is_derived(&entry.path()))))
    };
    named && path.is_dir() && inside()
}
