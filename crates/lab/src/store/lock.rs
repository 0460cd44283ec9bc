//! Locks that are released when their process ends.
//!
//! A lock is a file locked by the operating system, which releases it when the process ends for any reason. A lock that
//! is held for a long time contains `setpoint` and the process ID, for messages; one that is held only briefly stays
//! empty, because an empty file is removed much faster. It is removed while still locked, so a process that acquires
//! the lock checks that the path still refers to the locked file.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use super::error::StoreError;
use super::gate;
use super::paths::{create_all, parent, sibling};

/// The prefix of a lock file's content.
const SIGNATURE: &str = "setpoint ";
/// Maximum time to wait for another process that is moving a result into place.
const PATIENCE: Duration = Duration::from_secs(20);
/// Interval between attempts.
const PAUSE: Duration = Duration::from_millis(2);

/// A held lock. Dropping the value releases it; [`LockFile::remove`] also removes the file.
#[derive(Debug)]
pub(super) struct LockFile {
    path: PathBuf,
    file: File,
}

/// The result of an attempt to acquire a lock.
#[derive(Debug)]
pub(super) enum Attempt {
    Taken(LockFile),
    /// Another process holds it; its ID if known.
    Held(Option<u32>),
    /// The file does not exist.
    Absent,
}

/// Whether an attempt may create the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Create {
    IfAbsent,
    Never,
}

impl LockFile {
    /// Acquires a lock if it is free.
    pub(super) fn attempt(path: &Path, create: Create) -> Result<Attempt, StoreError> {
        if fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink()) {
            return Err(not_a_lock(path));
        }
        loop {
            let create = create == Create::IfAbsent;
            let opened = OpenOptions::new().read(true).write(true).create(create).truncate(false).open(path);
            let mut file = match opened {
                Ok(file) => file,
                Err(error) if error.kind() == io::ErrorKind::NotFound && !create => {
                    return Ok(Attempt::Absent);
                }
                Err(error) => return Err(StoreError::io("write into", &parent(path))(error)),
            };
            match file.try_lock() {
                Ok(()) if !is_at(&file, path) => continue,
                Ok(()) => check_ours(&mut file, path)?,
                Err(TryLockError::WouldBlock) => return Ok(Attempt::Held(holder(&mut file))),
                Err(TryLockError::Error(source)) => {
                    return Err(StoreError::NoLocks { path: path.to_owned(), source });
                }
            }
            return Ok(Attempt::Taken(Self { path: path.to_owned(), file }));
        }
    }

    /// Writes the process ID into the file.
    pub(super) fn sign(&mut self) {
        // The content is only for messages: a full disk is not a reason to refuse the lock.
        let _ = self.file.set_len(0).and_then(|()| self.file.rewind());
        let _ = writeln!(self.file, "{SIGNATURE}{}", std::process::id());
    }

    /// Removes the file and releases the lock.
    pub(super) fn remove(self) {
        // If it cannot be removed, it stays unlocked for the next process.
        let _ = fs::remove_file(&self.path);
        drop(self.file);
    }
}

/// Calls a function while holding the lock of a path, waiting for other processes for a limited time.
pub(super) fn exclusively<T>(
    target: &Path,
    act: impl FnOnce() -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let path = sibling(target, "lock");
    let began = Instant::now();
    loop {
        let pass = gate::enter();
        match LockFile::attempt(&path, Create::IfAbsent)? {
            Attempt::Taken(lock) => {
                let done = act();
                lock.remove();
                return done;
            }
            Attempt::Held(process) if began.elapsed() > PATIENCE => {
                return Err(StoreError::Busy { folder: target.to_owned(), process });
            }
            Attempt::Held(_) | Attempt::Absent => drop(pass),
        }
        thread::sleep(PAUSE);
    }
}

/// Like [`exclusively`], for a target whose parent folders may have to be created first. The created folders are passed
/// to the function, the outermost first, and are removed if it fails.
pub(super) fn beside<T>(
    target: &Path,
    act: impl Fn(Vec<PathBuf>) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let folder = parent(target);
    let mut made = Vec::new();
    loop {
        made.extend(create_all(&folder)?);
        match exclusively(target, || act(made.clone())) {
            // Another process failed and removed the folders it had created.
            Err(_) if !folder.exists() => {}
            Err(error) => {
                made.iter().rev().for_each(|made| drop(fs::remove_dir(made)));
                return Err(error);
            }
            Ok(done) => return Ok(done),
        }
    }
}

/// Checks that a file is a lock of this program, empty or signed.
fn check_ours(file: &mut File, path: &Path) -> Result<(), StoreError> {
    let mut text = Vec::new();
    file.take(1_024).read_to_end(&mut text).map_err(StoreError::io("read", path))?;
    match text.is_empty() || text.starts_with(SIGNATURE.as_bytes()) {
        true => Ok(()),
        false => Err(not_a_lock(path)),
    }
}

fn not_a_lock(path: &Path) -> StoreError {
    StoreError::Foreign { path: path.to_owned(), problem: "is not a lock of this program".to_owned() }
}

fn holder(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.take(1_024).read_to_string(&mut text).ok()?;
    text.strip_prefix(SIGNATURE)?.trim().parse().ok()
}

/// Whether a path still refers to an open file: the last holder may have removed it.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), fs::symlink_metadata(path)) {
        (Ok(open), Ok(named)) => (open.dev(), open.ino()) == (named.dev(), named.ino()),
        _ => false,
    }
}

/// On this system, an open file cannot be removed.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}
