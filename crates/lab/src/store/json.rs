//! JSON files.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use setpoint_record::json;

use super::error::StoreError;
use super::new_file;

/// Writes a value to a new file.
pub(super) fn write(path: &Path, value: &impl Serialize) -> Result<(), StoreError> {
    new_file::write_with(path, |file| json::write(value, file))
}

/// Reads a value from a file.
pub(crate) fn read<T: DeserializeOwned>(path: &Path) -> Result<T, StoreError> {
    let file = File::open(path).map_err(StoreError::io("read", path))?;
    let json = |source| StoreError::Json { path: path.to_owned(), source };
    serde_json::from_reader(BufReader::new(file)).map_err(json)
}
