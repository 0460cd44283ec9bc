//! Reasons why a result could not be stored or read.

use std::io;
use std::path::{Path, PathBuf};

/// The reason why a result could not be stored or read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The system reported an error.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// The attempted action.
        action: &'static str,
        /// Its path.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The destination holds other content.
    #[error(
        "cannot store the result in {}: it {problem}; move it away, or choose another folder with `-o`",
        path.display()
    )]
    Foreign {
        /// The destination.
        path: PathBuf,
        /// The problem, worded to follow "it", such as "is a file".
        problem: String,
    },
    /// The destination of a capture holds other content.
    #[error("cannot write a capture to {}: it {problem}; move it away, or choose another name", path.display())]
    ForeignFile {
        /// The destination.
        path: PathBuf,
        /// The problem, worded to follow "it", such as "is a file".
        problem: String,
    },
    /// The destination of a capture is inside a result.
    #[error(
        "cannot write a capture to {}: it would be inside the result {}, which contains only its own files; choose a path \
         outside of it, or write `[capture]` in the scenario, which stores capture.pcapng in the result",
        path.display(),
        folder.display()
    )]
    CaptureInside {
        /// The destination.
        path: PathBuf,
        /// The folder of the result.
        folder: PathBuf,
    },
    /// The destination is unusable, regardless of its content.
    #[error("cannot store the result in {}: it {problem}; choose another folder with `-o`", path.display())]
    Unusable {
        /// The destination.
        path: PathBuf,
        /// The reason.
        problem: String,
    },
    /// Another process is writing into the folder.
    #[error(
        "{} is in use {}: wait until it has finished, or choose another folder with `-o`",
        folder.display(),
        by(*process)
    )]
    Busy {
        /// The folder.
        folder: PathBuf,
        /// The process ID, if known.
        process: Option<u32>,
    },
    /// Another process is writing into a folder that contains the destination.
    #[error(
        "cannot store the result in {}: {}, which contains it, is in use {}; wait until it has finished, or choose another folder with `-o`",
        path.display(),
        folder.display(),
        by(*process)
    )]
    Inside {
        /// The destination.
        path: PathBuf,
        /// The outer folder.
        folder: PathBuf,
        /// The process ID, if known.
        process: Option<u32>,
    },
    /// The file system does not support locks.
    #[error(
        "cannot lock {}: {source}; the file system may not support locks: choose a folder on a local disk with `-o`",
        path.display()
    )]
    NoLocks {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// A file of a result has changed.
    #[error("the result is damaged: {} {problem}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The problem.
        problem: &'static str,
    },
    /// Foreign content appeared at the destination during a run.
    #[error("{reason}; the run is complete, and its result is in {}", folder.display())]
    Elsewhere {
        /// The reason why the result is not in place.
        reason: Box<StoreError>,
        /// The location of the result.
        folder: PathBuf,
    },
    /// Foreign content appeared at the destination while it was being replaced.
    #[error("{} contains the new result; the previous content is kept in {}: {reason}", folder.display(), kept.display())]
    Kept {
        /// The reason why the old result was not removed.
        reason: Box<StoreError>,
        /// The destination.
        folder: PathBuf,
        /// The location of the old result.
        kept: PathBuf,
    },
    /// A result was replaced between two steps.
    #[error("another process has replaced {} in the meantime; run the command again", folder.display())]
    Replaced {
        /// The folder.
        folder: PathBuf,
    },
    /// The folder contains no result.
    #[error("{} contains no result: manifest.json is missing", folder.display())]
    NoResult {
        /// The folder.
        folder: PathBuf,
    },
    /// A JSON file is invalid.
    #[error("cannot parse {}: {source}", path.display())]
    Json {
        /// The file.
        path: PathBuf,
        /// The problem.
        source: serde_json::Error,
    },
    /// A CSV file is invalid.
    #[error("cannot parse {}, line {line}: {problem}", path.display())]
    Csv {
        /// The file.
        path: PathBuf,
        /// The line number, from 1.
        line: u64,
        /// The problem.
        problem: String,
    },
    /// The files do not match their digest.
    #[error("the files in {} do not match the digest in manifest.json: they were changed", folder.display())]
    Digest {
        /// The folder.
        folder: PathBuf,
    },
    /// The record is inconsistent: a bug in the caller.
    #[error("the result cannot be stored: {what}")]
    Inconsistent {
        /// The inconsistency.
        what: String,
    },
}

impl StoreError {
    /// Adds the action and the path to an I/O error.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |source| Self::Io { action, path, source }
    }

    /// The same error, with the path as given instead of the resolved one.
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
