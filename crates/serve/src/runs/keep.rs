//! The files of finished runs, until they are removed.

use std::collections::VecDeque;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use setpoint_lab::store::{self, Derived, StoreError};
use setpoint_record::results::RunRecord;

use crate::guard::new_token;

/// A folder with the results of the last runs, which is removed at the end.
#[derive(Debug)]
pub(super) struct Keep {
    folder: PathBuf,
    most: usize,
    runs: Mutex<VecDeque<u64>>,
}

impl Keep {
    /// Creates a private folder inside `parent`, which may be writable by everyone.
    pub(super) fn new(parent: &Path, most: usize) -> io::Result<Self> {
        let token = new_token().map_err(io::Error::other)?;
        let folder = parent.join(format!("setpoint-serve-{token}"));
        create_private(&folder)?;
        Ok(Self { folder, most, runs: Mutex::default() })
    }

    /// Stores a result with its report. The oldest results are removed to make room for it.
    pub(super) fn put(&self, id: u64, record: &RunRecord) -> Result<(), StoreError> {
        let report = Derived::report(setpoint_report::html(record));
        store::write_with(record, &self.place(id), &[report])?;
        let mut runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        runs.push_back(id);
        while runs.len() > self.most {
            if let Some(oldest) = runs.pop_front() {
                // A file that is being sent stays readable until it has been sent.
                let _ = fs::remove_dir_all(self.place(oldest));
            }
        }
        Ok(())
    }

    /// A file of a run, if there is one of that name.
    pub(super) fn file(&self, id: u64, name: &str) -> Option<PathBuf> {
        let is_plain = Path::new(name).file_name().is_some_and(|only| only == name) && !name.starts_with('.');
        let path = self.place(id).join(name);
        (is_plain && path.is_file()).then_some(path)
    }

    fn place(&self, id: u64) -> PathBuf {
        self.folder.join(format!("run-{id}"))
    }
}

/// Creates a folder that only this user can open. A folder that exists is refused, because its owner may be another user.
fn create_private(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    let named = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", folder.display()));
    builder.create(folder).map_err(named)
}

impl Drop for Keep {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn the_folder_is_private_and_its_name_cannot_be_guessed() {
        use std::os::unix::fs::PermissionsExt;
        let parent = tempfile::tempdir().unwrap();
        let [one, other] = [0; 2].map(|_| Keep::new(parent.path(), 1).unwrap());
        assert_ne!(one.folder, other.folder);
        assert_eq!(one.folder.metadata().unwrap().permissions().mode() & 0o777, 0o700);
        let folder = one.folder.clone();
        drop(one);
        assert!(!folder.exists());
    }

    #[test]
    fn a_folder_that_exists_is_refused() {
        let parent = tempfile::tempdir().unwrap();
        let error = create_private(parent.path()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
    }
}
