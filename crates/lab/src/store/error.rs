//! Why a result could not be stored or read.

use std::io;
use std::path::{Path, PathBuf};

/// Why a result could not be stored or read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The system refused.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// With what.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// Something else is where the result should go.
    #[error(
        "{} cannot take the result: it {problem}; move it away, or name another folder with `-o`",
        path.display()
    )]
    Foreign {
        /// The place.
        path: PathBuf,
        /// What is there.
        problem: String,
    },
    /// No result can be put in this place, whatever is there.
    #[error("{} cannot take the result: it {problem}; name another folder with `-o`", path.display())]
    Unusable {
        /// The place.
        path: PathBuf,
        /// Why not.
        problem: String,
    },
    /// Another process writes into the folder.
    #[error(
        "{} is being written into {}: wait until that is done, or name another folder with `-o`",
        folder.display(),
        by(*process)
    )]
    Busy {
        /// The folder.
        folder: PathBuf,
        /// The number of the process, if it says so.
        process: Option<u32>,
    },
    /// Another process writes into a folder around this place.
    #[error(
        "{} cannot take the result: {} around it is being written into {}; wait until that is done, or name another folder with `-o`",
        path.display(),
        folder.display(),
        by(*process)
    )]
    Inside {
        /// The place.
        path: PathBuf,
        /// The folder around it.
        folder: PathBuf,
        /// The number of the process, if it says so.
        process: Option<u32>,
    },
    /// The file system has no locks.
    #[error(
        "cannot lock {}: {source}; the file system may have no locks: name a folder on a local disk with `-o`",
        path.display()
    )]
    NoLocks {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file of a result is not what was written.
    #[error("the result is damaged: {} {problem}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// Something came into the place of a result during its run.
    #[error("{reason}; the run is done, and its result is in {}", folder.display())]
    Elsewhere {
        /// Why the result is not in its place.
        reason: Box<StoreError>,
        /// Where it is.
        folder: PathBuf,
    },
    /// Something came into the place of a result at the moment in which it was replaced.
    #[error("{} holds the new result; what was there before is kept in {}: {reason}", folder.display(), kept.display())]
    Kept {
        /// Why it was not removed.
        reason: Box<StoreError>,
        /// The place.
        folder: PathBuf,
        /// Where the old result is.
        kept: PathBuf,
    },
    /// A result was replaced between two steps.
    #[error("{} was replaced by another process meanwhile; give the same command again", folder.display())]
    Replaced {
        /// The folder.
        folder: PathBuf,
    },
    /// The folder holds no result.
    #[error("{} holds no result: there is no manifest.json", folder.display())]
    NoResult {
        /// The folder.
        folder: PathBuf,
    },
    /// A JSON file does not hold what it should.
    #[error("cannot understand {}: {source}", path.display())]
    Json {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: serde_json::Error,
    },
    /// A CSV file does not hold what it should.
    #[error("cannot understand {}, line {line}: {problem}", path.display())]
    Csv {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong.
        problem: String,
    },
    /// The files are not those that were stored.
    #[error("the files in {} do not match the digest in manifest.json: they were changed", folder.display())]
    Digest {
        /// The folder.
        folder: PathBuf,
    },
    /// The record contradicts itself: a bug in the caller.
    #[error("the result cannot be stored: {what}")]
    Inconsistent {
        /// What does not fit.
        what: String,
    },
}

impl StoreError {
    /// Says what was tried with which path.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { action, path, source }
    }

    /// The same error with the place as it was named instead of where it is.
    pub(super) fn named(mut self, given: &Path, target: &Path) -> Self {
        match &mut self {
            Self::Foreign { path, .. } if path == target => given.clone_into(path),
            Self::Busy { folder, .. } if folder == target => given.clone_into(folder),
            _ => {}
        }
        self
    }
}

fn by(process: Option<u32>) -> String {
    process.map_or_else(|| "by another process".to_owned(), |number| format!("by process {number}"))
}
