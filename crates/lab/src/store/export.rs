//! Complete tables, for spreadsheets and other programs.

use std::fs;
use std::path::Path;

use super::curves::write_wide;
use super::error::StoreError;
use super::folder::write_new;
use crate::results::Series;
use crate::table::Table;

/// A file format for tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated values.
    Csv,
    /// Apache Parquet.
    Parquet,
}

/// Writes one table per quantity into a folder: `flows.rate_bps.csv`, `queues.length_bytes.csv` and so on, with a
/// line per sample and a column per flow, queue or port.
///
/// # Errors
/// If the folder exists and is not empty, or a file cannot be written.
pub fn export(series: &Series, folder: &Path) -> Result<(), StoreError> {
    make_empty(folder)?;
    write_wide(folder, "flows", &series.time_s, &series.flows)?;
    write_wide(folder, "queues", &series.time_s, &series.queues)?;
    write_wide(folder, "ports", &series.time_s, &series.ports)
}

/// Writes tables into a folder, each into a file of its name.
///
/// # Errors
/// As [`export`].
pub fn export_tables(tables: &[Table], format: Format, folder: &Path) -> Result<(), StoreError> {
    make_empty(folder)?;
    let write = |table: &Table| match format {
        Format::Csv => write_new(&folder.join(format!("{}.csv", table.name)), table.csv().as_bytes()),
        Format::Parquet => write_new(&folder.join(format!("{}.parquet", table.name)), &table.parquet()),
    };
    tables.iter().try_for_each(write)
}

/// Creates a folder, if necessary, and checks that it is empty.
fn make_empty(folder: &Path) -> Result<(), StoreError> {
    fs::create_dir_all(folder).map_err(StoreError::io("create", folder))?;
    if fs::read_dir(folder).map_err(StoreError::io("list", folder))?.next().is_some() {
        let problem = "is not empty".to_owned();
        return Err(StoreError::Foreign { path: folder.to_owned(), problem });
    }
    Ok(())
}
