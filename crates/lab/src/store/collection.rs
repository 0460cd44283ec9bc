//! Folders that grow: sweeps, leagues and paper experiments.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::destination::check_not_inside;
use super::error::StoreError;
use super::folder::{install, remove_listed, write_new};
use super::gate;
use super::index::{INDEX, Index, Kind};
use super::lock;
use super::paths;
use super::scratch::{self, Claim, Scratch};

/// A folder owned by this process: no other process can write into it while this value exists.
///
/// Its files are replaced one by one, each atomically. A file that someone else wrote or edited is never replaced.
#[derive(Debug)]
pub struct Collection {
    given: PathBuf,
    kind: Kind,
    scratch: Scratch,
    /// Lets only one thread at a time change files.
    writing: Mutex<()>,
}

impl Collection {
    /// Opens or creates a folder for files with the given names.
    ///
    /// # Errors
    /// If another process owns the folder, one of the files is foreign, or the folder is not writable.
    pub fn open(folder: &Path, kind: Kind, names: &[&str]) -> Result<Self, StoreError> {
        let target = paths::resolve(folder)?;
        check_not_inside(folder, &target)?;
        let claimed = lock::beside(&target, |made| claim(&target, made));
        let scratch = match claimed.map_err(|error| error.named(folder, &target))? {
            Claim::Mine(scratch) => scratch,
            Claim::Theirs(process) => return Err(StoreError::Busy { folder: folder.to_owned(), process }),
        };
        let collection = Self { given: folder.to_owned(), kind, scratch, writing: Mutex::default() };
        collection.check(names)?;
        Ok(collection)
    }

    /// The folder, as given.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.given
    }

    /// A temporary folder for incomplete content.
    pub(super) fn scratch(&self) -> &Path {
        self.scratch.path()
    }

    /// Removes the locks and temporary folders that killed processes left beside results inside this folder. Whatever
    /// cannot be removed stays for the next process.
    pub(crate) fn tidy<'n>(&self, results: impl IntoIterator<Item = &'n str>) {
        let mut names = paths::names(&self.given).unwrap_or_default();
        names.retain(|name| name.as_encoded_bytes().starts_with(b"."));
        for target in results.into_iter().map(|name| self.given.join(name)) {
            if names.iter().any(|name| scratch::is_beside(&target, name)) {
                drop(lock::exclusively(&target, || scratch::clean_beside(&target)));
            }
        }
    }

    /// Checks that no file with one of these names is foreign or has been edited.
    ///
    /// # Errors
    /// If one is.
    pub fn check(&self, names: &[&str]) -> Result<(), StoreError> {
        let index = self.index()?;
        index.check_kind(self.kind, &self.given)?;
        names.iter().try_for_each(|name| index.check(&self.given, name))
    }

    fn index(&self) -> Result<Index, StoreError> {
        match Index::read(&self.given) {
            Ok(index) => Ok(index.unwrap_or_else(|| Index::empty(self.kind))),
            Err(StoreError::Json { .. }) => {
                let problem = format!("has a damaged {INDEX}");
                Err(StoreError::Foreign { path: self.given.clone(), problem })
            }
            Err(error) => Err(error),
        }
    }

    /// Writes a file into the folder, replacing an older one.
    ///
    /// # Errors
    /// If the older file is foreign or was edited, or the new one cannot be written.
    pub fn put(&self, name: &str, content: &[u8]) -> Result<(), StoreError> {
        let _pass = gate::enter();
        let _one = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let staged = self.scratch.path().join("staged");
        let written = write_new(&staged.join(name), content)
            .and_then(|()| install(&self.given, self.index()?, &staged, &[name.to_owned()]));
        let _ = fs::remove_dir_all(&staged);
        written
    }

    /// Removes a file that this program wrote, if it exists.
    ///
    /// # Errors
    /// If someone else wrote or edited it, or it cannot be removed.
    pub fn remove(&self, name: &str) -> Result<(), StoreError> {
        let _pass = gate::enter();
        let _one = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        remove_listed(&self.given, self.index()?, self.scratch.path(), name)
    }

    /// Removes the files with a prefix that this program wrote and nobody edited.
    ///
    /// # Errors
    /// If one cannot be removed.
    pub fn clear(&self, beginning: &str) -> Result<(), StoreError> {
        let index = self.index()?;
        let ours = |name: &&str| index.check(&self.given, name).is_ok();
        index
            .names()
            .filter(|name| name.starts_with(beginning))
            .filter(ours)
            .try_for_each(|name| self.remove(name))
    }
}

/// Claims a folder for this process, creating it if necessary; the caller holds its lock.
fn claim(target: &Path, mut made: Vec<PathBuf>) -> Result<Claim, StoreError> {
    if target.exists() && !target.is_dir() {
        return Err(StoreError::Foreign { path: target.to_owned(), problem: "is a file".to_owned() });
    }
    scratch::clean_beside(target)?;
    made.extend(paths::create_all(target)?);
    let claim = Scratch::inside(target, made)?;
    if let Claim::Mine(scratch) = &claim {
        scratch::clean_inside(target, scratch)?;
    }
    Ok(claim)
}
