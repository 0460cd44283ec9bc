//! What this program wrote into a folder: `files.json`.
//!
//! A folder is replaced, and a file in it, only if the program wrote every file that would be lost. The index lists them
//! with length and SHA-256. Files that are made from others, such as reports, must also be as they were written: a person
//! may have edited them. The data of a result is different: if it changed it is damaged, and is made again.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::error::StoreError;
use super::json;
use super::paths::names;

/// The list of the files that the program wrote into a folder.
pub const INDEX: &str = "files.json";

/// What a folder holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The result of a run.
    Run,
    /// What theory found.
    Theory,
    /// A sweep, or a league.
    Sweep,
    /// Experiments of papers.
    Papers,
}

impl Kind {
    /// What to call such a folder.
    fn holds(self) -> &'static str {
        match self {
            Self::Run => "the result of a single run",
            Self::Theory => "a fluid solution, stability map or phase plane",
            Self::Sweep => "a sweep",
            Self::Papers => "reproduced experiments",
        }
    }
}

/// What a folder holds by its index; none if it has no readable one.
#[must_use]
pub fn kind_of(folder: &Path) -> Option<Kind> {
    Index::read(folder).ok().flatten().map(|index| index.kind)
}

/// The contents of `files.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Index {
    kind: Kind,
    files: BTreeMap<String, Entry>,
}

/// One file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    bytes: u64,
    sha256: String,
    /// Whether it is made from other files.
    derived: bool,
    /// The hash of the content that is being replaced: until the new file is in its place it is still there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    replaces: Option<String>,
}

impl Index {
    /// Of a folder without any files.
    pub(super) fn empty(kind: Kind) -> Self {
        Self { kind, files: BTreeMap::new() }
    }

    /// Of a folder that holds nothing but files of this program.
    pub(super) fn of(folder: &Path, kind: Kind, derived: impl Fn(&str) -> bool) -> Result<Self, StoreError> {
        let mut index = Self::empty(kind);
        for name in files(folder)? {
            index.add(&name, &folder.join(&name), derived(&name))?;
        }
        Ok(index)
    }

    /// Lists a file whose content stands at a path. What was listed under this name may still be there.
    pub(super) fn add(&mut self, name: &str, path: &Path, derived: bool) -> Result<(), StoreError> {
        let (bytes, sha256) = hash(path)?;
        let replaces = self.files.get(name).map(|entry| entry.sha256.clone());
        self.files.insert(name.to_owned(), Entry { bytes, sha256, derived, replaces });
        Ok(())
    }

    /// Every file that is listed is in its place.
    pub(super) fn settle(&mut self) {
        self.files.values_mut().for_each(|entry| entry.replaces = None);
    }

    /// The files that are listed.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// A file is gone.
    pub(super) fn remove(&mut self, name: &str) {
        self.files.remove(name);
    }

    /// Reads the index of a folder; none if there is none.
    pub(super) fn read(folder: &Path) -> Result<Option<Self>, StoreError> {
        let path = folder.join(INDEX);
        if path.is_file() { json::read(&path).map(Some) } else { Ok(None) }
    }

    /// Checks that this is the index of a folder of some kind.
    pub(super) fn check_kind(&self, kind: Kind, folder: &Path) -> Result<(), StoreError> {
        match self.kind == kind {
            true => Ok(()),
            false => Err(foreign(folder, format!("holds {}", self.kind.holds()))),
        }
    }

    /// Checks that a folder holds nothing that this program did not write.
    pub(super) fn check_all(&self, folder: &Path) -> Result<(), StoreError> {
        self.check_below(folder, "")
    }

    /// The same for a folder inside, whose path ends in a slash.
    fn check_below(&self, folder: &Path, inside: &str) -> Result<(), StoreError> {
        for name in names(&folder.join(inside))? {
            let name = format!("{inside}{}", name.to_string_lossy());
            let below = format!("{name}/");
            let is_folder = fs::symlink_metadata(folder.join(&name)).is_ok_and(|metadata| metadata.is_dir());
            match is_folder && self.files.keys().any(|file| file.starts_with(&below)) {
                true => self.check_below(folder, &below)?,
                false if name == INDEX => {}
                false => self.check(folder, &name)?,
            }
        }
        Ok(())
    }

    /// Checks that a file is not there, or that this program wrote it and nobody edited it since.
    pub(super) fn check(&self, folder: &Path, name: &str) -> Result<(), StoreError> {
        let path = folder.join(name);
        let Ok(metadata) = fs::symlink_metadata(&path) else { return Ok(()) };
        match self.files.get(name) {
            Some(entry) if metadata.is_file() && (!entry.derived || entry.is_content_of(&path)?) => Ok(()),
            Some(_) => Err(foreign(folder, format!("holds {name}, which was changed since it was written"))),
            None => Err(foreign(folder, format!("holds {name}, which this program did not write there"))),
        }
    }

    /// Checks that the data of a result is what was written.
    pub(super) fn verify(&self, folder: &Path) -> Result<(), StoreError> {
        for (name, entry) in self.files.iter().filter(|(_, entry)| !entry.derived) {
            let path = folder.join(name);
            if !path.is_file() {
                return Err(StoreError::Damaged { path, problem: "is missing" });
            }
            if !entry.is_content_of(&path)? {
                return Err(StoreError::Damaged { path, problem: "does not match its hash in files.json" });
            }
        }
        Ok(())
    }
}

impl Entry {
    fn is_content_of(&self, path: &Path) -> Result<bool, StoreError> {
        let (bytes, sha256) = hash(path)?;
        Ok((bytes == self.bytes && sha256 == self.sha256) || Some(sha256) == self.replaces)
    }
}

fn foreign(folder: &Path, problem: String) -> StoreError {
    StoreError::Foreign { path: folder.to_owned(), problem }
}

/// The paths of all files in a folder, with slashes, sorted.
fn files(folder: &Path) -> Result<Vec<String>, StoreError> {
    let mut found = Vec::new();
    for name in names(folder)? {
        let (path, name) = (folder.join(&name), name.to_string_lossy().into_owned());
        match path.is_dir() {
            true => found.extend(files(&path)?.iter().map(|file| format!("{name}/{file}"))),
            false => found.push(name),
        }
    }
    Ok(found)
}

/// Length and SHA-256 of a file.
fn hash(path: &Path) -> Result<(u64, String), StoreError> {
    let mut file = File::open(path).map_err(StoreError::io("read", path))?;
    let (mut hash, mut length, mut buffer) = (Sha256::new(), 0, vec![0; 1 << 16]);
    loop {
        match file.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => {
                hash.update(&buffer[..count]);
                length += count as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(StoreError::io("read", path)(error)),
        }
    }
    Ok((length, hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()))
}
