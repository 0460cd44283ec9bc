//! Files and folders that are either complete or absent.

use std::ffi::OsString;
use std::fs::{self, File};
use std::path::Path;

use setpoint_record::results::Manifest;

use super::error::StoreError;
use super::index::{INDEX, Index, Kind};
use super::paths::{self, names, parent};
use super::{
    CAPTURE, FLOWS, MANIFEST, MESSAGES, PAUSES, PORTS, QUEUES, SAMPLES, SUMMARY, SWEEP, TOPOLOGY, json, swap,
};

/// The data files of a result, which a folder without an index may contain.
const DATA: [&str; 9] = [MANIFEST, SUMMARY, TOPOLOGY, SAMPLES, FLOWS, QUEUES, PORTS, MESSAGES, PAUSES];

/// Checks that a result may be stored at a path: it must be absent, an empty folder, or an older result without
/// foreign files.
///
/// # Errors
/// If the path holds other content, or cannot be examined.
pub fn check_replaceable(folder: &Path) -> Result<(), StoreError> {
    let target = paths::resolve(folder)?;
    check_replaceable_by(Kind::Run, &target).map_err(|error| error.named(folder, &target))
}

/// Like [`check_replaceable`], for any kind of result, at a resolved path.
pub(super) fn check_replaceable_by(kind: Kind, folder: &Path) -> Result<(), StoreError> {
    let foreign = |problem: String| Err(StoreError::Foreign { path: folder.to_owned(), problem });
    match fs::symlink_metadata(folder) {
        Err(_) => return Ok(()),
        Ok(metadata) if metadata.is_symlink() => return foreign("is a symbolic link".to_owned()),
        Ok(metadata) if !metadata.is_dir() => return foreign("is a file".to_owned()),
        Ok(_) => {}
    }
    let names = names(folder)?;
    let Some(first) = names.first() else { return Ok(()) };
    match Index::read(folder) {
        Ok(Some(index)) => index.check_kind(kind, folder).and_then(|()| index.check_all(folder)),
        Ok(None) | Err(StoreError::Json { .. }) if kind == Kind::Run => check_unlisted(folder, &names),
        Ok(None) => foreign(format!("contains {} but no {INDEX}", first.display())),
        Err(StoreError::Json { .. }) => foreign(format!("has a damaged {INDEX}")),
        Err(error) => Err(error),
    }
}

/// Checks a folder without a readable index: it may be a damaged result or a result of an older version, as long as it
/// contains only data files.
fn check_unlisted(folder: &Path, names: &[OsString]) -> Result<(), StoreError> {
    let foreign = |problem: String| Err(StoreError::Foreign { path: folder.to_owned(), problem });
    if !names.iter().any(|name| name == MANIFEST) {
        return foreign(match folder.join(SWEEP).is_file() {
            true => "contains a sweep, which a single run does not replace".to_owned(),
            false => format!("contains something else (there is no {INDEX})"),
        });
    }
    if json::read::<Manifest>(&folder.join(MANIFEST)).is_err() {
        return foreign("contains a manifest.json of another program".to_owned());
    }
    let is_data = |name: &OsString| DATA.iter().chain([&INDEX]).any(|data| name == data);
    match names.iter().find(|name| !is_data(name)) {
        Some(stranger) => foreign(format!("contains {}, but no {INDEX} that lists it", stranger.display())),
        None => Ok(()),
    }
}

/// Whether a folder is a result whose files lost content in a power failure, as can happen to files of a sweep that
/// have not been synced yet. The index and the manifest then exist but cannot be read because they end too early, and
/// the folder contains nothing but files of a result.
pub(super) fn is_torn(folder: &Path) -> bool {
    let lost = |name: &str| {
        // The system may keep the length of a file and fill it with zeros.
        fs::read(folder.join(name)).is_ok_and(|content| content.iter().all(|&octet| octet == 0))
            || match json::read::<serde_json::Value>(&folder.join(name)) {
                Err(StoreError::Json { source, .. }) => source.is_eof(),
                _ => false,
            }
    };
    let is_ours = |name: &OsString| {
        let is_file = fs::symlink_metadata(folder.join(name)).is_ok_and(|metadata| metadata.is_file());
        is_file && DATA.iter().chain([&INDEX, &CAPTURE]).any(|data| name == data)
    };
    let is_folder = fs::symlink_metadata(folder).is_ok_and(|metadata| metadata.is_dir());
    is_folder && lost(INDEX) && lost(MANIFEST) && names(folder).is_ok_and(|names| names.iter().all(is_ours))
}

/// Writes the index of a folder that is not yet visible to others.
pub(super) fn write_index(folder: &Path, index: &Index) -> Result<(), StoreError> {
    json::write(&folder.join(INDEX), index)
}

/// Moves files from the folder `staged` into another, replacing older ones, and lists them in its index.
///
/// While files are moved one by one, the index lists the old and the new content of each, so that all are
/// recognised as ours at any moment. The caller ensures that nobody else changes the folder.
pub(super) fn install(
    folder: &Path,
    mut index: Index,
    staged: &Path,
    names: &[String],
) -> Result<(), StoreError> {
    for name in names {
        index.check(folder, name)?;
        index.add(name, &staged.join(name), true)?;
    }
    replace_index(folder, &index, staged)?;
    for name in names {
        let path = folder.join(name);
        fs::create_dir_all(parent(&path)).map_err(StoreError::io("create", &path))?;
        sync_file(&staged.join(name))?;
        fs::rename(staged.join(name), &path).map_err(StoreError::io("create", &path))?;
        swap::sync_folder(&parent(&path)).map_err(StoreError::io("write", &path))?;
    }
    index.settle();
    replace_index(folder, &index, staged)
}

/// Removes a file that this program wrote, and its index entry.
pub(super) fn remove_listed(
    folder: &Path,
    mut index: Index,
    staged: &Path,
    name: &str,
) -> Result<(), StoreError> {
    let path = folder.join(name);
    if fs::symlink_metadata(&path).is_err() {
        return Ok(());
    }
    index.check(folder, name)?;
    fs::remove_file(&path).map_err(StoreError::io("remove", &path))?;
    if name.contains('/') {
        // Removes the folder of the last file if it is empty.
        let _ = fs::remove_dir(parent(&path));
    }
    index.remove(name);
    replace_index(folder, &index, staged)
}

fn replace_index(folder: &Path, index: &Index, staged: &Path) -> Result<(), StoreError> {
    let (new, path) = (staged.join(INDEX), folder.join(INDEX));
    json::write(&new, index)?;
    sync_file(&new)?;
    fs::rename(&new, &path).map_err(StoreError::io("create", &path))?;
    swap::sync_folder(folder).map_err(StoreError::io("write", folder))
}

/// Syncs a file that has been written, so that its content survives a power failure.
pub(super) fn sync_file(path: &Path) -> Result<(), StoreError> {
    let synced = File::open(path).and_then(|file| swap::sync(&file));
    synced.map_err(StoreError::io("write", path))
}

/// Syncs a folder with all its files and subfolders, so that they survive a power failure.
pub(super) fn sync_all(folder: &Path) -> Result<(), StoreError> {
    for name in names(folder)? {
        let path = folder.join(name);
        if path.is_dir() { sync_all(&path)? } else { sync_file(&path)? }
    }
    swap::sync_folder(folder).map_err(StoreError::io("write", folder))
}

/// The index of a result without one, written by an older version: its data files.
pub(super) fn index_of_data(folder: &Path) -> Result<Index, StoreError> {
    let mut index = Index::empty(Kind::Run);
    for name in DATA.into_iter().filter(|name| folder.join(name).is_file()) {
        index.add(name, &folder.join(name), false)?;
    }
    Ok(index)
}
