//! Curves as complete tables, for spreadsheets.

use std::fs;
use std::path::Path;

use super::curves::write_wide;
use super::error::StoreError;
use crate::results::Series;

/// Writes one table per quantity into a folder: `flows.rate_bps.csv`, `queues.length_bytes.csv` and so on, with a
/// line per sample and a column per flow, queue or port.
///
/// # Errors
/// If the folder exists and is not empty, or a file cannot be written.
pub fn export(series: &Series, folder: &Path) -> Result<(), StoreError> {
    fs::create_dir_all(folder).map_err(StoreError::io("create", folder))?;
    if fs::read_dir(folder).map_err(StoreError::io("list", folder))?.next().is_some() {
        let problem = "is not empty".to_owned();
        return Err(StoreError::Foreign { path: folder.to_owned(), problem });
    }
    write_wide(folder, "flows", &series.time_s, &series.flows)?;
    write_wide(folder, "queues", &series.time_s, &series.queues)?;
    write_wide(folder, "ports", &series.time_s, &series.ports)
}
