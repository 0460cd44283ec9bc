//! Folders that grow: sweeps, leagues and paper experiments.

use std::fs;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use super::error::StoreError;
use super::folder::{install, remove_listed};
use super::gate;
use super::index::{INDEX, Index, Kind};
use super::new_file::write_new;
use super::scratch::Room;
use super::workplace::Workplace;

/// A folder owned by this process: no other process can write into it while this value exists.
///
/// Its files are replaced one by one, each atomically. A file that someone else wrote or edited is never replaced.
#[derive(Debug)]
pub struct Collection {
    place: Workplace,
    kind: Kind,
    /// Lets only one thread at a time change files.
    writing: Mutex<()>,
}

impl Collection {
    /// Opens or creates a folder for files with the given names.
    ///
    /// # Errors
    /// If another process owns the folder, one of the files is foreign, or the folder is not writable.
    pub fn open(folder: &Path, kind: Kind, names: &[&str]) -> Result<Self, StoreError> {
        let place = Workplace::claim(folder, Room::Whole)?;
        let collection = Self { place, kind, writing: Mutex::default() };
        collection.check(names)?;
        Ok(collection)
    }

    /// The folder, as given.
    pub fn path(&self) -> &Path {
        self.place.path()
    }

    /// The place where results of runs are stored.
    pub fn place(&self) -> &Workplace {
        &self.place
    }

    /// Checks that no file with one of these names is foreign or has been edited.
    ///
    /// # Errors
    /// If a file is foreign or has been edited.
    pub fn check(&self, names: &[&str]) -> Result<(), StoreError> {
        let index = self.index()?;
        index.check_kind(self.kind, self.path())?;
        names.iter().try_for_each(|name| index.check(self.path(), name))
    }

    fn index(&self) -> Result<Index, StoreError> {
        match Index::read(self.path()) {
            Ok(index) => Ok(index.unwrap_or_else(|| Index::empty(self.kind))),
            Err(StoreError::Json { .. }) => {
                let problem = format!("has a damaged {INDEX}");
                Err(StoreError::Foreign { path: self.path().to_owned(), problem })
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
        let staged = self.place.scratch().join("staged");
        let written = write_new(&staged.join(name), content)
            .and_then(|()| install(self.path(), self.index()?, &staged, &[name.to_owned()]));
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
        remove_listed(self.path(), self.index()?, self.place.scratch(), name)
    }

    /// Removes the files with a prefix that this program wrote and nobody edited.
    ///
    /// # Errors
    /// If one cannot be removed.
    pub fn clear(&self, beginning: &str) -> Result<(), StoreError> {
        let index = self.index()?;
        let ours = |name: &&str| index.check(self.path(), name).is_ok();
        index
            .names()
            .filter(|name| name.starts_with(beginning))
            .filter(ours)
            .try_for_each(|name| self.remove(name))
    }
}
