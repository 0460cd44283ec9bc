//! Flows from CSV files: reading the files that a scenario names.
//!
//! The files are read once, when the scenario is loaded, and shared by all its variants. This crate cannot open files
//! itself; the trait [`Files`] does.

mod column;
mod order;
mod read;
mod table;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::diagnostics::{Diagnostics, Place, Problem};
use super::source::{Files, Source};

pub(crate) use order::Orders;
pub(crate) use table::{FlowTable, Row, Word};

/// The CSV files that a scenario names.
#[derive(Clone, Debug, Default)]
pub(crate) struct FlowFiles {
    /// The folder of the scenario. A path in an option is relative to it.
    folder: Option<PathBuf>,
    /// The files by folder and path, in the order of their names.
    tables: BTreeMap<(PathBuf, String), Arc<FlowTable>>,
}

impl FlowFiles {
    /// No files yet, for the scenario in `source`.
    pub(crate) fn of(source: &Source) -> Self {
        Self { folder: source.folder.clone(), tables: BTreeMap::new() }
    }

    /// Reads the file that a scenario names at a place, unless it has been read already.
    pub(crate) fn read(&mut self, target: &str, place: &Place, files: &dyn Files) -> Result<(), Diagnostics> {
        let Some(key) = self.key(target, place) else {
            let message = format!("cannot read {target:?}: only a scenario in a file can name other files");
            return Err(Problem::at(place, message, "")
                .help("save the scenario as a file, with the table next to it")
                .into());
        };
        if self.tables.contains_key(&key) {
            return Ok(());
        }
        let source = files.open_table(&key.0, target).map_err(|reason| {
            Problem::at(place, format!("cannot read {target:?}: {reason}"), "")
                .help("give the path of a CSV file relative to this file")
        })?;
        let table = read::table(&Arc::new(source))?;
        self.tables.insert(key, Arc::new(table));
        Ok(())
    }

    /// The file that a scenario names at a place, if it was read.
    pub(crate) fn find(&self, target: &str, place: &Place) -> Option<&FlowTable> {
        self.tables.get(&self.key(target, place)?).map(|table| &**table)
    }

    /// A comment about each file, for the scenario text in a result: a result belongs to the content of its files, not to
    /// their names.
    pub(crate) fn comment(&self) -> String {
        self.tables.iter().fold(String::new(), |mut text, ((_, target), table)| {
            let target = target.replace(char::is_control, " ");
            let _ = writeln!(text, "# {target}: {} messages, SHA-256 {}", table.rows.len(), hash(table));
            text
        })
    }

    /// A path in a file is relative to the folder of that file, which may be one that the scenario extends.
    fn key(&self, target: &str, place: &Place) -> Option<(PathBuf, String)> {
        let folder = place.folder().or(self.folder.as_deref())?;
        Some((folder.to_owned(), target.to_owned()))
    }
}

fn hash(table: &FlowTable) -> String {
    let digest = Sha256::digest(table.source.text.as_bytes());
    digest.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}
