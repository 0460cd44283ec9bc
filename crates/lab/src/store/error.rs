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
        "{} cannot take the result: it {problem}; name another folder, or remove this one yourself",
        path.display()
    )]
    Foreign {
        /// The place.
        path: PathBuf,
        /// What is there.
        problem: String,
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
}
