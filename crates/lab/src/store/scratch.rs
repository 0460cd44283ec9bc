//! Temporary folders that are recognised as ours, and as abandoned once their process has ended.
//!
//! A temporary folder contains a locked file, [`OWNER`]. It is created first and removed last, so a non-empty
//! folder without this file is foreign.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::error::StoreError;
use super::gate::{self, OWNER, Temporary, remove, remove_any};
use super::lock::{Attempt, Create, LockFile};
use super::paths::{names, parent, prefix, sibling};
use crate::shard::Shard;

/// The temporary folder inside a growing folder.
const INSIDE: &str = ".setpoint";
/// The folder with one temporary folder for each part of a growing folder.
const PARTS: &str = ".setpoint-parts";
/// The new result inside a temporary folder.
pub(super) const NEW: &str = "new";
/// The old result while the new one is being moved into place.
pub(super) const OLD: &str = "old";

/// A temporary folder. It is removed when the value is dropped.
#[derive(Debug)]
pub(super) struct Scratch {
    temporary: Temporary,
    /// Holds the lock until the folder is gone.
    _owner: LockFile,
}

/// The working area of a process inside a growing folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Room {
    /// The whole folder belongs to the process.
    Whole,
    /// A part of the runs belongs to the process.
    Part(Shard),
}

impl Room {
    /// Its temporary folder.
    pub(super) fn path(self, folder: &Path) -> PathBuf {
        match self {
            Self::Whole => folder.join(INSIDE),
            Self::Part(shard) => folder.join(PARTS).join(shard.file_name()),
        }
    }
}

/// The working areas that may exist in a growing folder, in use or left behind.
fn rooms(folder: &Path) -> Vec<PathBuf> {
    let parts = folder.join(PARTS);
    // Without parts, there is no such folder.
    let names = names(&parts).unwrap_or_default();
    let parts = names.iter().map(|name| parts.join(name));
    [folder.join(INSIDE)].into_iter().chain(parts).collect()
}

/// The outcome of claiming a temporary folder.
#[derive(Debug)]
pub(super) enum Claim {
    Mine(Scratch),
    /// Another process owns it; its ID if known.
    Theirs(Option<u32>),
}

impl Scratch {
    /// Creates a temporary folder next to a target, whose lock the caller holds. `made` lists the parent
    /// folders created for it.
    pub(super) fn beside(target: &Path, made: Vec<PathBuf>) -> Result<Self, StoreError> {
        for attempt in 0_u32.. {
            let mut name = partial_prefix(target);
            name.push(format!("{}-{attempt}", std::process::id()));
            let path = parent(target).join(name);
            match fs::create_dir(&path) {
                Ok(()) => return Self::own(path, made)?.mine(),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(StoreError::io("create", &path)(error)),
            }
        }
        unreachable!("there are more numbers than folders")
    }

    /// Claims a working area inside a growing folder, whose lock the caller holds.
    pub(super) fn inside(folder: &Path, room: Room, mut made: Vec<PathBuf>) -> Result<Claim, StoreError> {
        let path = room.path(folder);
        if room != Room::Whole {
            made.push(folder.join(PARTS));
        }
        loop {
            match fs::create_dir_all(&path) {
                // Another part has just ended and removed the folder of all parts.
                Err(error) if error.kind() == io::ErrorKind::NotFound && folder.exists() => {}
                Err(error) => return Err(StoreError::io("create", &path)(error)),
                Ok(()) => break,
            }
        }
        let foreign = !path.join(OWNER).exists() && !names(&path)?.is_empty();
        if foreign {
            let problem = format!("contains a folder {} that this program did not create", path.display());
            return Err(StoreError::Foreign { path: folder.to_owned(), problem });
        }
        Self::own(path, made)
    }

    fn own(path: PathBuf, made: Vec<PathBuf>) -> Result<Claim, StoreError> {
        match LockFile::attempt(&path.join(OWNER), Create::IfAbsent)? {
            Attempt::Taken(mut owner) => {
                owner.sign();
                let temporary = Temporary { path, made };
                gate::register(temporary.clone());
                Ok(Claim::Mine(Self { temporary, _owner: owner }))
            }
            Attempt::Held(process) => Ok(Claim::Theirs(process)),
            Attempt::Absent => unreachable!("the file is created"),
        }
    }

    /// Its path.
    pub(super) fn path(&self) -> &Path {
        &self.temporary.path
    }
}

impl Claim {
    fn mine(self) -> Result<Scratch, StoreError> {
        match self {
            Self::Mine(scratch) => Ok(scratch),
            Self::Theirs(_) => unreachable!("a folder that was just created has no owner"),
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        self.temporary.remove();
        gate::forget(&self.temporary.path);
    }
}

/// A process that owns a growing folder or a part of it, if any; its ID if known.
pub(super) fn at_work(folder: &Path) -> Result<Option<Option<u32>>, StoreError> {
    for room in rooms(folder) {
        match LockFile::attempt(&room.join(OWNER), Create::Never) {
            Ok(Attempt::Held(process)) => return Ok(Some(process)),
            // Files that cannot be opened are not ours.
            Ok(Attempt::Taken(_) | Attempt::Absent) | Err(StoreError::Io { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}

/// A process whose working area conflicts with the requested one; its ID if known. A process that owns the whole
/// folder and a process that owns a part of it exclude each other. Working areas left by dead processes are removed
/// if they are in the way. The caller holds the lock of the folder.
pub(super) fn in_the_way(folder: &Path, wanted: Room) -> Result<Option<Option<u32>>, StoreError> {
    let (own, whole) = (wanted.path(folder), Room::Whole.path(folder));
    let excludes = |room: &PathBuf| *room != own && (wanted == Room::Whole || *room == whole);
    for room in rooms(folder).into_iter().filter(excludes) {
        match LockFile::attempt(&room.join(OWNER), Create::Never)? {
            Attempt::Held(process) => return Ok(Some(process)),
            Attempt::Taken(_owner) => {
                empty(folder, &room)?;
                remove(&room);
            }
            // Left by a process that was killed immediately after it started; this removes only an empty folder.
            Attempt::Absent => drop(fs::remove_dir(&room)),
        }
    }
    if wanted == Room::Whole {
        // Removes only an empty folder.
        let _ = fs::remove_dir(folder.join(PARTS));
    }
    Ok(None)
}

/// Removes the temporary folders that dead processes left next to a target, whose lock the caller holds.
pub(super) fn clean_beside(target: &Path) -> Result<(), StoreError> {
    let parent = parent(target);
    for name in names(&parent)?.iter().filter(|name| is_partial(target, name)) {
        let path = parent.join(name);
        if !fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_dir()) {
            continue;
        }
        match LockFile::attempt(&path.join(OWNER), Create::Never) {
            Ok(Attempt::Taken(_owner)) => {
                restore(&path, target)?;
                remove(&path);
            }
            // Left by a process that was killed immediately after it started; this removes only an empty folder.
            Ok(Attempt::Absent) => drop(fs::remove_dir(&path)),
            // In use, or owned by another user.
            Ok(Attempt::Held(_)) | Err(_) => {}
        }
    }
    Ok(())
}

/// Empties the temporary folder inside a growing folder, in case a dead process left files there.
pub(super) fn clean_inside(folder: &Path, scratch: &Scratch) -> Result<(), StoreError> {
    empty(folder, scratch.path())
}

/// Empties a working area in a growing folder, and moves back old results that were not replaced.
fn empty(folder: &Path, room: &Path) -> Result<(), StoreError> {
    for name in names(room)?.iter().filter(|name| *name != OWNER) {
        restore(&room.join(name), &folder.join(name))?;
        remove_any(&room.join(name));
    }
    Ok(())
}

/// Moves an old result back if its process died before the new one was in place.
fn restore(room: &Path, target: &Path) -> Result<(), StoreError> {
    let old = room.join(OLD);
    if old.is_dir() && fs::symlink_metadata(target).is_err() {
        fs::rename(&old, target).map_err(StoreError::io("move back", &old))?;
    }
    Ok(())
}

/// Checks that a path is not inside a folder that another process owns.
pub(super) fn check_not_inside(given: &Path, target: &Path) -> Result<(), StoreError> {
    for folder in target.ancestors().skip(1) {
        if let Some(process) = at_work(folder)? {
            return Err(StoreError::Inside { path: given.to_owned(), folder: folder.to_owned(), process });
        }
    }
    Ok(())
}

/// The prefix of temporary folders next to a target.
fn partial_prefix(target: &Path) -> OsString {
    let mut name = prefix(target);
    name.push("partial-");
    name
}

/// Whether a name belongs to the lock of the target or to a temporary folder next to it.
pub(super) fn is_beside(target: &Path, name: &OsStr) -> bool {
    sibling(target, "lock").file_name() == Some(name) || is_partial(target, name)
}

/// Whether a name belongs to a temporary folder next to the target: it contains a process ID and an attempt number.
fn is_partial(target: &Path, name: &OsStr) -> bool {
    let begin = partial_prefix(target);
    let rest = name.as_encoded_bytes().strip_prefix(begin.as_encoded_bytes());
    let number = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    let mut parts = rest.unwrap_or_default().split(|byte| *byte == b'-');
    matches!((parts.next(), parts.next(), parts.next()), (Some(process), Some(attempt), None) if number(process) && number(attempt))
}
