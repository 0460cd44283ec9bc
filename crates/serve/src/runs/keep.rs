//! The files of finished runs, until they are taken away.

use std::collections::VecDeque;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use setpoint_lab::results::RunRecord;
use setpoint_lab::store::{self, Derived, StoreError};

/// A folder with the results of the last runs, which is removed in the end.
#[derive(Debug)]
pub(super) struct Keep {
    folder: PathBuf,
    most: usize,
    runs: Mutex<VecDeque<u64>>,
}

impl Keep {
    pub(super) fn new(folder: PathBuf, most: usize) -> io::Result<Self> {
        fs::create_dir_all(&folder)?;
        Ok(Self { folder, most, runs: Mutex::default() })
    }

    /// Stores a result with its report. The oldest results make room for it.
    pub(super) fn put(&self, id: u64, record: &RunRecord) -> Result<(), StoreError> {
        let report = Derived::report(setpoint_report::html(record));
        store::write_with(record, &self.place(id), &[report])?;
        let mut runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        runs.push_back(id);
        while runs.len() > self.most {
            if let Some(oldest) = runs.pop_front() {
                // A file that is being sent stays readable until then.
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

impl Drop for Keep {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}
