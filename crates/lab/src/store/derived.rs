//! Files derived from a result and stored with it: reports, plots and tables.

use std::path::Path;

use setpoint_record::table::Table;

use super::error::StoreError;
use super::new_file::write_new;

/// The report of a result.
pub const REPORT: &str = "report.html";
/// The folder for drawings within a result.
pub const PLOTS: &str = "plots";
/// The folder for tables within a result.
pub const TABLES: &str = "tables";

/// A file derived from a result. It is not part of the digest and can be regenerated at any time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Derived {
    name: String,
    content: Vec<u8>,
}

impl Derived {
    /// The report.
    pub fn report(html: String) -> Self {
        Self { name: REPORT.to_owned(), content: html.into_bytes() }
    }

    /// A drawing, by its file name without extension.
    pub fn svg(name: &str, svg: String) -> Self {
        Self { name: plot_file(name, "svg"), content: svg.into_bytes() }
    }

    /// A bitmap of a drawing, by its file name without extension.
    pub fn png(name: &str, png: Vec<u8>) -> Self {
        Self { name: plot_file(name, "png"), content: png }
    }

    /// A drawing for print, by its file name without extension.
    pub fn pdf(name: &str, pdf: Vec<u8>) -> Self {
        Self { name: plot_file(name, "pdf"), content: pdf }
    }

    /// A table as Parquet.
    pub fn parquet(table: &Table) -> Self {
        Self { name: format!("{TABLES}/{}.parquet", table.name), content: table.parquet() }
    }

    /// Its path within the folder.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its content.
    pub fn content(&self) -> &[u8] {
        &self.content
    }

    /// Writes the file into a folder.
    pub(crate) fn write(&self, folder: &Path) -> Result<(), StoreError> {
        write_new(&folder.join(&self.name), &self.content)
    }
}

/// A path that is valid on every file system, derived from a plot name.
fn plot_file(name: &str, ending: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '-' };
    let name: String = name.chars().map(plain).collect();
    format!("{PLOTS}/{name}.{ending}")
}
