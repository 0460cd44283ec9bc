//! Complete tables, for spreadsheets and other programs.

use std::fs;
use std::path::Path;

use setpoint_record::results::Series;
use setpoint_record::table::Table;

use super::curves::write_wide;
use super::error::StoreError;
use super::folder::sync_all;
use super::lock;
use super::new_file::write_new;
use super::paths::{self, names, parent};
use super::scratch::{self, Scratch};
use super::swap;

/// A file format for tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated values.
    Csv,
    /// Apache Parquet.
    Parquet,
}

/// Writes one table per quantity into a folder: `flows.rate_bps.csv`, `queues.length_bytes.csv` and so on, with a line
/// per sample and a column per flow, queue or port. Either all tables are written, or none.
///
/// # Errors
/// If the folder exists and is not empty, or a file cannot be written.
pub fn export(series: &Series, folder: &Path) -> Result<(), StoreError> {
    into_empty(folder, |new| {
        write_wide(new, "flows", &series.time_s, &series.flows)?;
        if !series.sources.is_empty() {
            write_wide(new, "sources", &series.time_s, &series.sources)?;
        }
        write_wide(new, "queues", &series.time_s, &series.queues)?;
        write_wide(new, "ports", &series.time_s, &series.ports)
    })
}

/// Writes tables into a folder, each into a file with its name. Either all tables are written, or none.
///
/// # Errors
/// As [`export`].
pub fn export_tables(tables: &[Table], format: Format, folder: &Path) -> Result<(), StoreError> {
    let write = |new: &Path, table: &Table| match format {
        Format::Csv => write_new(&new.join(format!("{}.csv", table.name)), table.csv().as_bytes()),
        Format::Parquet => write_new(&new.join(format!("{}.parquet", table.name)), &table.parquet()),
    };
    into_empty(folder, |new| tables.iter().try_for_each(|table| write(new, table)))
}

/// Writes files into a temporary folder and moves it into place. A folder at that place must be empty.
fn into_empty(folder: &Path, write: impl FnOnce(&Path) -> Result<(), StoreError>) -> Result<(), StoreError> {
    let target = paths::resolve(folder)?;
    paths::check_renamable(folder, &target)?;
    let scratch = lock::beside(&target, |made| {
        scratch::clean_beside(&target)?;
        check_empty(&target)?;
        Scratch::beside(&target, made)
    });
    let scratch = scratch.map_err(|error| error.named(folder, &target))?;
    let new = scratch.path().join(scratch::NEW);
    fs::create_dir(&new).map_err(StoreError::io("create", &new))?;
    write(&new)?;
    sync_all(&new)?;
    let moved = lock::exclusively(&target, || {
        check_empty(&target)?;
        // Not every system can rename a folder onto an empty one.
        let _ = fs::remove_dir(&target);
        fs::rename(&new, &target).map_err(StoreError::io("create", &target))
    });
    moved.map_err(|error| error.named(folder, &target))?;
    let around = parent(&target);
    swap::sync_folder(&around).map_err(StoreError::io("write", &around))
}

fn check_empty(target: &Path) -> Result<(), StoreError> {
    let problem = match fs::symlink_metadata(target) {
        Err(_) => return Ok(()),
        Ok(metadata) if !metadata.is_dir() => "is a file",
        Ok(_) if names(target)?.is_empty() => return Ok(()),
        Ok(_) => "is not empty",
    };
    Err(StoreError::Foreign { path: target.to_owned(), problem: problem.to_owned() })
}
