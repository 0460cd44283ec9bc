//! A single file outside of results.

use std::fs;
use std::path::Path;

use super::error::StoreError;
use super::folder::sync_file;
use super::gate;
use super::lock;
use super::new_file::write_new;
use super::paths::{self, parent};
use super::scratch::{self, NEW, Scratch};
use super::swap;

/// Writes a file completely or not at all, replacing an older one. A pipe or a device is written directly.
///
/// # Errors
/// If the file cannot be written. An older file is then unchanged.
pub fn write_file(given: &Path, content: &[u8]) -> Result<(), StoreError> {
    if fs::metadata(given).is_ok_and(|metadata| !metadata.is_file()) {
        return fs::write(given, content).map_err(StoreError::io("write", given));
    }
    let target = paths::resolve(given)?;
    let scratch = lock::beside(&target, |made| {
        scratch::clean_beside(&target)?;
        Scratch::beside(&target, made)
    })?;
    let new = scratch.path().join(NEW);
    write_new(&new, content)?;
    sync_file(&new)?;
    let _pass = gate::enter();
    fs::rename(&new, &target).map_err(StoreError::io("write", given))?;
    let folder = parent(&target);
    swap::sync_folder(&folder).map_err(StoreError::io("write", &folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_replaces_an_older_one_and_leaves_nothing_else() {
        let around = tempfile::tempdir().unwrap();
        let path = around.path().join("vectors.jsonl");
        write_file(&path, b"old").unwrap();
        write_file(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(paths::names(around.path()).unwrap(), ["vectors.jsonl"]);
        assert!(write_file(around.path(), b"").is_err(), "a folder is not replaced");
    }
}
