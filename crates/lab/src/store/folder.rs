//! Folders and files that are whole or not there.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::derived;
use super::error::StoreError;
use super::{FLOWS, MANIFEST, MESSAGES, PORTS, QUEUES, SAMPLES, SUMMARY, SWEEP, TOPOLOGY};
use crate::results::Manifest;

/// Files of a result.
const FILES: [&str; 8] = [MANIFEST, SUMMARY, TOPOLOGY, SAMPLES, FLOWS, QUEUES, PORTS, MESSAGES];

/// Checks that a result may be stored in a place: that nothing is there, or an empty folder, or an
/// older result. Worth asking before a long run.
///
/// # Errors
/// If something else is there, or it cannot be looked at.
pub fn check_replaceable(folder: &Path) -> Result<(), StoreError> {
    let foreign = |problem: String| Err(StoreError::Foreign { path: folder.to_owned(), problem });
    if !folder.exists() {
        return Ok(());
    }
    if !folder.is_dir() {
        return foreign("is a file".to_owned());
    }
    let names = names(folder)?;
    if names.is_empty() {
        return Ok(());
    }
    if !names.iter().any(|name| name == MANIFEST) {
        return foreign(match folder.join(SWEEP).is_file() {
            true => "holds a sweep, which a single run does not replace".to_owned(),
            false => "holds something else (there is no manifest.json)".to_owned(),
        });
    }
    if super::json::read::<Manifest>(&folder.join(MANIFEST)).is_err() {
        return foreign("has a manifest.json of something else".to_owned());
    }
    match names.iter().find(|name| !belongs(folder, name)) {
        Some(stranger) => foreign(format!("holds {} too", stranger.display())),
        None => Ok(()),
    }
}

fn belongs(folder: &Path, name: &OsStr) -> bool {
    let path = folder.join(name);
    let known = FILES.iter().any(|file| name == *file) && path.is_file();
    known || derived::is_derived(&path) || derived::is_plots(&path)
}

/// What a folder holds, sorted.
fn names(folder: &Path) -> Result<Vec<OsString>, StoreError> {
    let entries = fs::read_dir(folder).map_err(StoreError::io("list", folder))?;
    let names: io::Result<Vec<OsString>> = entries.map(|entry| Ok(entry?.file_name())).collect();
    let mut names = names.map_err(StoreError::io("list", folder))?;
    names.sort_unstable();
    Ok(names)
}

/// A folder that is being written beside the place where it will stand. Dropped before it is put in
/// place it disappears.
#[derive(Debug)]
pub(crate) struct Partial {
    target: PathBuf,
    path: PathBuf,
}

impl Partial {
    /// A new folder beside `target`. What a process that was killed left there is removed.
    pub(crate) fn beside(target: &Path) -> Result<Self, StoreError> {
        let parent = parent(target);
        fs::create_dir_all(&parent).map_err(StoreError::io("create", &parent))?;
        for left in names(&parent)?.iter().filter(|name| left_over(target, name)) {
            remove(&parent.join(left))?;
        }
        let path = sibling(target, &format!("partial-{}", std::process::id()));
        fs::create_dir(&path).map_err(StoreError::io("create", &path))?;
        Ok(Self { target: target.to_owned(), path })
    }

    /// Where the files go meanwhile.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Renames the folder to its target. An older result steps aside first, and comes back if that
    /// fails; it is removed when the new one stands.
    pub(crate) fn put_in_place(self) -> Result<(), StoreError> {
        let old = sibling(&self.target, &format!("old-{}", std::process::id()));
        let replaces = self.target.exists();
        if replaces {
            fs::rename(&self.target, &old).map_err(StoreError::io("move", &self.target))?;
        }
        if let Err(error) = fs::rename(&self.path, &self.target) {
            if replaces {
                fs::rename(&old, &self.target).map_err(StoreError::io("move back", &old))?;
            }
            return Err(StoreError::io("create", &self.target)(error));
        }
        if replaces { remove(&old) } else { Ok(()) }
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        // After a success there is nothing left to remove, and after a failure nobody to tell.
        let _ = fs::remove_dir_all(&self.path);
    }
}

fn remove(folder: &Path) -> Result<(), StoreError> {
    fs::remove_dir_all(folder).map_err(StoreError::io("remove", folder))
}

/// The folder in which a path stands.
fn parent(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// A hidden name beside a path, on the same file system.
fn sibling(target: &Path, ending: &str) -> PathBuf {
    let mut name = prefix(target);
    name.push(ending);
    parent(target).join(name)
}

/// How the hidden names of a target begin: `.name.`.
fn prefix(target: &Path) -> OsString {
    let mut name = OsString::from(".");
    name.push(target.file_name().unwrap_or(OsStr::new("result")));
    name.push(".");
    name
}

/// Whether a name beside the target is a partial folder of the same target.
fn left_over(target: &Path, name: &OsStr) -> bool {
    let mut begin = prefix(target);
    begin.push("partial-");
    name.as_encoded_bytes().starts_with(begin.as_encoded_bytes())
}

/// Writes a new file through a buffer.
pub(super) fn write_with(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), StoreError> {
    let file = File::create(path).map_err(StoreError::io("create", path))?;
    let mut buffer = BufWriter::new(file);
    write(&mut buffer).and_then(|()| buffer.flush()).map_err(StoreError::io("write", path))
}

/// Writes a file that is whole or not there, over an older one.
///
/// # Errors
/// If it cannot be written or put in its place.
pub fn write_file(path: &Path, content: &[u8]) -> Result<(), StoreError> {
    let partial = sibling(path, &format!("partial-{}", std::process::id()));
    write_with(&partial, |file| file.write_all(content))?;
    fs::rename(&partial, path).map_err(StoreError::io("create", path))
}
