//! The destination of a result, from before its run until the result is in place.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::error::StoreError;
use super::folder::{check_replaceable_by, is_torn, sync_all, write_index};
use super::gate;
use super::index::{Index, Kind};
use super::lock;
use super::paths::{self, parent};
use super::scratch::{self, NEW, OLD, Scratch, check_not_inside};
use super::swap;
use super::workplace::Workplace;

/// The action named in the error if the system does not allow the destination to be replaced.
const REPLACE: &str = "replace";

/// A destination for a result, known to be writable. Until the result is complete, it is written into
/// a temporary folder, which is removed when this value is dropped.
#[derive(Debug)]
pub struct Destination {
    /// The path as given.
    given: PathBuf,
    /// The path with links resolved.
    target: PathBuf,
    kind: Kind,
    /// The temporary folder that holds the new result and, briefly, the old one.
    room: PathBuf,
    room_of: RoomOf,
}

/// The owner of the temporary folder.
#[derive(Debug)]
enum RoomOf {
    Itself(#[expect(dead_code, reason = "held until the result is in place")] Scratch),
    Collection(Sync),
}

/// When a result in a growing folder is synced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sync {
    AtOnce,
    /// Together with others ([`Workplace::sync`]): otherwise, short runs would wait for the disk most of the time.
    Later,
}

impl Destination {
    /// Opens a destination for the result of a run. Open it before the run, which may take hours.
    ///
    /// # Errors
    /// If the path holds other content, or is not writable.
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        Self::open_for(Kind::Run, folder)
    }

    /// Opens a destination for any kind of result.
    pub(crate) fn open_for(kind: Kind, folder: &Path) -> Result<Self, StoreError> {
        let target = paths::resolve(folder)?;
        paths::check_renamable(folder, &target)?;
        check_not_inside(folder, &target)?;
        let scratch = lock::beside(&target, |made| {
            scratch::clean_beside(&target)?;
            check_replaceable_by(kind, &target)?;
            Scratch::beside(&target, made)
        });
        let scratch = scratch.map_err(|error| error.named(folder, &target))?;
        paths::check_movable(folder, &target, scratch.path())?;
        let room = scratch.path().to_owned();
        Self { given: folder.to_owned(), target, kind, room, room_of: RoomOf::Itself(scratch) }.begun()
    }

    /// Opens a destination for a run in a growing folder, given the name of the run's own folder.
    ///
    /// # Errors
    /// If the path holds other content, or is not writable.
    pub fn inside(place: &Workplace, name: &str) -> Result<Self, StoreError> {
        Self::inside_and(place, name, Sync::AtOnce)
    }

    /// Like [`Destination::inside`], for one of many runs, which the caller syncs together ([`Workplace::sync`]).
    pub(crate) fn among(place: &Workplace, name: &str) -> Result<Self, StoreError> {
        Self::inside_and(place, name, Sync::Later)
    }

    fn inside_and(place: &Workplace, name: &str, sync: Sync) -> Result<Self, StoreError> {
        let _pass = gate::enter();
        let (given, room) = (place.path().join(name), place.scratch().join(name));
        let target = given.clone();
        let new = Self { given, target, kind: Kind::Run, room, room_of: RoomOf::Collection(sync) };
        new.check_replaceable(&new.given)?;
        fs::create_dir(&new.room).map_err(StoreError::io("create", &new.room))?;
        paths::check_movable(&new.given, &new.target, &new.room)?;
        new.begun()
    }

    /// Checks that whatever is at a path may be replaced by this result.
    fn check_replaceable(&self, path: &Path) -> Result<(), StoreError> {
        match self.room_of {
            RoomOf::Collection(Sync::Later) if is_torn(path) => Ok(()),
            _ => check_replaceable_by(self.kind, path),
        }
    }

    fn begun(self) -> Result<Self, StoreError> {
        let _pass = gate::enter();
        let path = self.path();
        fs::create_dir(&path).map_err(StoreError::io("create", &path))?;
        Ok(self)
    }

    /// The path with links resolved.
    pub(super) fn target(&self) -> &Path {
        &self.target
    }

    /// The folder in which files are written until the result is complete.
    pub(crate) fn path(&self) -> PathBuf {
        self.room.join(NEW)
    }

    /// Moves the complete result into place, replacing an older one. `derived` returns whether a file is derived from
    /// others.
    pub(crate) fn put_in_place(self, derived: impl Fn(&str) -> bool) -> Result<(), StoreError> {
        let index = Index::of(&self.path(), self.kind, derived)?;
        write_index(&self.path(), &index)?;
        match self.room_of {
            RoomOf::Itself(_) | RoomOf::Collection(Sync::AtOnce) => sync_all(&self.path())?,
            RoomOf::Collection(Sync::Later) => {}
        }
        let done = lock::exclusively(&self.target, || self.replace());
        self.kept(done.map_err(|error| error.named(&self.given, &self.target)))
    }

    /// Keeps a complete result that could not be moved into place.
    fn kept(&self, done: Result<(), StoreError>) -> Result<(), StoreError> {
        match (done, &self.room_of) {
            (
                Err(error @ (StoreError::Foreign { .. } | StoreError::Io { action: REPLACE, .. })),
                RoomOf::Itself(_),
            ) => Err(self.put_elsewhere(error)),
            (done, _) => done,
        }
    }

    /// Moves the result to a name next to its destination, because foreign content appeared there during the run, or
    /// because the system does not allow the destination to be replaced.
    fn put_elsewhere(&self, reason: StoreError) -> StoreError {
        let _pass = gate::enter();
        match self.move_beside(&self.path()) {
            Ok(folder) => StoreError::Elsewhere { reason: Box::new(reason), folder },
            Err(_) => reason,
        }
    }

    /// Moves a folder to the first free name next to the destination, and returns its path.
    fn move_beside(&self, folder: &Path) -> io::Result<PathBuf> {
        let is_free = |number: &u32| fs::symlink_metadata(numbered(&self.target, *number)).is_err();
        let number = (2..).find(is_free).unwrap_or_default();
        fs::rename(folder, numbered(&self.target, number))?;
        Ok(numbered(&self.given, number))
    }

    fn replace(&self) -> Result<(), StoreError> {
        if let RoomOf::Itself(_) = self.room_of {
            check_not_inside(&self.given, &self.target)?;
        }
        self.check_replaceable(&self.target)?;
        let replaced = swap::replace(&self.path(), &self.target, &self.room.join(OLD));
        let old = replaced.map_err(StoreError::io(REPLACE, &self.given))?;
        if let RoomOf::Itself(_) = self.room_of {
            gate::note_stored(&self.given);
            let place = parent(&self.target);
            swap::sync_folder(&place).map_err(StoreError::io("write", &place))?;
        }
        old.map_or(Ok(()), |old| self.discard(&old))
    }

    /// Removes an old result that has been replaced, unless a foreign file was added to it at the last moment.
    fn discard(&self, old: &Path) -> Result<(), StoreError> {
        match self.check_replaceable(old) {
            Ok(()) => fs::remove_dir_all(old).map_err(StoreError::io("remove", old)),
            Err(reason) => {
                let kept = self.move_beside(old).map_err(StoreError::io("move", old))?;
                let reason = Box::new(reason.named(&self.given, old));
                Err(StoreError::Kept { reason, folder: self.given.clone(), kept })
            }
        }
    }
}

/// A path with a number appended.
fn numbered(path: &Path, number: u32) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!("-{number}"));
    path.with_file_name(name)
}

impl Drop for Destination {
    fn drop(&mut self) {
        if let RoomOf::Collection(_) = self.room_of {
            // A failure is ignored; the collection empties the folder when it ends.
            let _ = fs::remove_dir_all(&self.room);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_that_cannot_be_moved_into_place_is_kept_beside() {
        let around = tempfile::tempdir().unwrap();
        let place = Destination::open(&around.path().join("run")).unwrap();
        fs::write(place.path().join("summary.json"), "{}").unwrap();
        let denied = StoreError::io(REPLACE, &place.given)(io::ErrorKind::PermissionDenied.into());
        let error = place.kept(Err(denied)).unwrap_err().to_string();
        assert!(error.ends_with("/run-2") && error.starts_with("cannot replace "), "{error}");
        assert_eq!(fs::read_to_string(around.path().join("run-2/summary.json")).unwrap(), "{}");
    }

    #[test]
    fn what_came_at_the_last_moment_is_kept() {
        let around = tempfile::tempdir().unwrap();
        let place = Destination::open(&around.path().join("run")).unwrap();
        let old = place.room.join(OLD);
        fs::create_dir(&old).unwrap();
        fs::write(old.join("notes.html"), "mine").unwrap();
        let error = place.discard(&old).unwrap_err().to_string();
        assert!(error.contains("/run-2") && !error.contains("partial"), "{error}");
        assert_eq!(fs::read_to_string(around.path().join("run-2/notes.html")).unwrap(), "mine");
        fs::create_dir(&old).unwrap();
        place.discard(&old).unwrap();
        assert!(!old.exists());
    }
}
