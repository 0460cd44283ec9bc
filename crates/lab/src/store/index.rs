//! The index of the files that this program wrote into a folder: `files.json`.
//!
//! A folder or file is replaced only if the program wrote every file that would be lost. The index
//! lists these files with their lengths and SHA-256 hashes. Derived files, such as reports, must also
//! be unchanged, because someone may have edited them. Data files are different: a changed data file
//! is damaged and may be replaced.

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

/// The content of a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The result of a run.
    Run,
    /// A theoretical result.
    Theory,
    /// A sweep or a league.
    Sweep,
    /// Paper experiments.
    Papers,
    /// An experiment on real frames.
    Live,
    /// A comparison of results.
    Comparison,
    /// The result of tuning parameters.
    Tuning,
    /// Static web pages.
    Site,
}

impl Kind {
    /// A description of the content, for messages.
    fn holds(self) -> &'static str {
        match self {
            Self::Run => "the result of a single run",
            Self::Theory => "a fluid solution, stability map or phase plane",
            Self::Sweep => "a sweep",
            Self::Papers => "reproduced experiments",
            Self::Live => "an experiment on real frames",
            Self::Comparison => "a comparison of results",
            Self::Tuning => "a tuning of parameters",
            Self::Site => "a web site",
        }
    }
}

/// The kind of a folder according to its index; `None` without a readable index.
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
    /// Whether it is derived from other files.
    derived: bool,
    /// The hash of the content that is being replaced, which exists until the new file is in place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    replaces: Option<String>,
}

impl Index {
    /// The index of an empty folder.
    pub(super) fn empty(kind: Kind) -> Self {
        Self { kind, files: BTreeMap::new() }
    }

    /// The index of a folder that contains only files written by this program.
    pub(super) fn of(folder: &Path, kind: Kind, derived: impl Fn(&str) -> bool) -> Result<Self, StoreError> {
        let mut index = Self::empty(kind);
        for name in files(folder)? {
            index.add(&name, &folder.join(&name), derived(&name))?;
        }
        Ok(index)
    }

    /// Adds a file whose new content is at a path. The previously listed content may still be in place.
    pub(super) fn add(&mut self, name: &str, path: &Path, derived: bool) -> Result<(), StoreError> {
        let (bytes, sha256) = hash(path)?;
        let replaces = self.files.get(name).map(|entry| entry.sha256.clone());
        self.files.insert(name.to_owned(), Entry { bytes, sha256, derived, replaces });
        Ok(())
    }

    /// Confirms that every listed file is in place.
    pub(super) fn settle(&mut self) {
        self.files.values_mut().for_each(|entry| entry.replaces = None);
    }

    /// The listed files.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// Removes a file from the index.
    pub(super) fn remove(&mut self, name: &str) {
        self.files.remove(name);
    }

    /// Reads the index of a folder; `None` if there is none.
    pub(super) fn read(folder: &Path) -> Result<Option<Self>, StoreError> {
        let path = folder.join(INDEX);
        if path.is_file() { json::read(&path).map(Some) } else { Ok(None) }
    }

    /// Checks that the index is of the given kind.
    pub(super) fn check_kind(&self, kind: Kind, folder: &Path) -> Result<(), StoreError> {
        match self.kind == kind {
            true => Ok(()),
            false => Err(foreign(folder, format!("contains {}", self.kind.holds()))),
        }
    }

    /// Checks that a folder contains only files that this program wrote.
    pub(super) fn check_all(&self, folder: &Path) -> Result<(), StoreError> {
        self.check_below(folder, "")
    }

    /// Like [`Index::check_all`], for a subfolder, whose path ends in a slash.
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

    /// Checks that a file is absent, or that this program wrote it and nobody has edited it.
    pub(super) fn check(&self, folder: &Path, name: &str) -> Result<(), StoreError> {
        let path = folder.join(name);
        let Ok(metadata) = fs::symlink_metadata(&path) else { return Ok(()) };
        match self.files.get(name) {
            Some(entry) if metadata.is_file() && (!entry.derived || entry.is_content_of(&path)?) => Ok(()),
            Some(_) => Err(foreign(folder, format!("contains {name}, which has been edited"))),
            None => Err(foreign(folder, format!("contains {name}, which this program did not write"))),
        }
    }

    /// Checks that the data files of a result are unchanged.
    pub(super) fn verify(&self, folder: &Path) -> Result<(), StoreError> {
        let data = self.files.iter().filter(|(_, entry)| !entry.derived);
        data.map(|(name, _)| name).try_for_each(|name| self.verify_file(folder, name))
    }

    /// Checks that a file is as this program wrote it.
    pub(super) fn verify_file(&self, folder: &Path, name: &str) -> Result<(), StoreError> {
        let path = folder.join(name);
        let problem = match self.files.get(name) {
            _ if !path.is_file() => "is missing",
            None => "is not listed in files.json",
            Some(entry) if !entry.is_content_of(&path)? => "does not match its hash in files.json",
            Some(_) => return Ok(()),
        };
        Err(StoreError::Damaged { path, problem })
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

/// The length and SHA-256 hash of a file.
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
