//! Places in a growing folder: one process owns all of it, or several processes each own a part of its runs.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::error::StoreError;
use super::folder::sync_all;
use super::gate;
use super::index::{Index, Kind};
use super::lock;
use super::new_file::write_new;
use super::paths;
use super::scratch::{self, Claim, Room, Scratch, check_not_inside};
use super::swap;
use crate::shard::Shard;

/// The folder with notes from one process to another.
const NOTES: &str = ".setpoint-notes";
/// The file extension of notes.
const ENDING: &str = ".json";

/// A place in a growing folder where results of runs can be stored.
///
/// Either one process owns the whole folder, or several processes each own a part, on one machine or on several
/// machines that share the folder. A part is owned by one process at a time. Every result is moved into place
/// atomically, so that no process ever sees an incomplete result of another.
#[derive(Debug)]
pub struct Workplace {
    given: PathBuf,
    scratch: Scratch,
}

impl Workplace {
    /// Claims a part of a folder, which is created if necessary.
    ///
    /// # Errors
    /// If a process owns the whole folder or the same part, the folder holds other content, or it is not writable.
    pub fn join(folder: &Path, kind: Kind, shard: Shard) -> Result<Self, StoreError> {
        let place = Self::claim(folder, Room::Part(shard))?;
        if let Some(index) = Index::read(folder)? {
            index.check_kind(kind, folder)?;
        }
        Ok(place)
    }

    /// Claims a folder or a part of it.
    pub(super) fn claim(folder: &Path, room: Room) -> Result<Self, StoreError> {
        let target = paths::resolve(folder)?;
        check_not_inside(folder, &target)?;
        let claimed = lock::beside(&target, |made| claim(&target, room, made));
        match claimed.map_err(|error| error.named(folder, &target))? {
            Claim::Mine(scratch) => Ok(Self { given: folder.to_owned(), scratch }),
            Claim::Theirs(process) => Err(StoreError::Busy { folder: folder.to_owned(), process }),
        }
    }

    /// The folder, as given.
    pub fn path(&self) -> &Path {
        &self.given
    }

    /// A temporary folder for incomplete content.
    pub(crate) fn scratch(&self) -> &Path {
        self.scratch.path()
    }

    /// Leaves a note for other processes, replacing an older one with the same name.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn leave_note(&self, name: &str, content: &[u8]) -> Result<(), StoreError> {
        let _pass = gate::enter();
        // Several threads may leave notes at the same time.
        let (staged, note) = (self.scratch().join(format!("note-{name}")), note(&self.given, name));
        let folder = paths::parent(&note);
        let _ = fs::remove_file(&staged);
        write_new(&staged, content)?;
        loop {
            fs::create_dir_all(&folder).map_err(StoreError::io("create", &folder))?;
            match fs::rename(&staged, &note) {
                // Another process has just removed the folder with its last note.
                Err(error) if error.kind() == io::ErrorKind::NotFound && staged.exists() => {}
                moved => return moved.map_err(StoreError::io("write", &note)),
            }
        }
    }

    /// The content of a note.
    pub fn note(&self, name: &str) -> Option<Vec<u8>> {
        read_note(&self.given, name)
    }

    /// The names of all notes, in order.
    pub fn notes(&self) -> Vec<String> {
        let names = paths::names(&self.given.join(NOTES)).unwrap_or_default();
        let note = |name: OsString| Some(name.to_str()?.strip_suffix(ENDING)?.to_owned());
        let mut names: Vec<String> = names.into_iter().filter_map(note).collect();
        names.sort_unstable();
        names
    }

    /// Removes a note and, if it was the last one, the folder of notes.
    pub fn remove_note(&self, name: &str) {
        let _pass = gate::enter();
        let note = note(&self.given, name);
        if fs::remove_file(&note).is_ok() {
            let _ = fs::remove_dir(paths::parent(&note));
        }
    }

    /// Syncs the given results in the folder, so that they survive a power failure. A run whose files are lost before
    /// that is repeated, because they do not match the hashes in its index.
    ///
    /// # Errors
    /// If they cannot be written.
    pub(crate) fn sync<'n>(&self, results: impl IntoIterator<Item = &'n str>) -> Result<(), StoreError> {
        let failed = |error| StoreError::io("write", &self.given)(error);
        if swap::sync_file_system(&self.given).map_err(failed)? {
            return Ok(());
        }
        let stored = results.into_iter().map(|name| self.given.join(name)).filter(|result| result.is_dir());
        stored.into_iter().try_for_each(|result| sync_all(&result))?;
        swap::sync_folder(&self.given).map_err(failed)
    }

    /// Removes the locks and temporary folders that killed processes left next to results inside this folder. Anything
    /// that cannot be removed is left for the next process.
    pub(crate) fn tidy<'n>(&self, results: impl IntoIterator<Item = &'n str>) {
        let mut names = paths::names(&self.given).unwrap_or_default();
        names.retain(|name| name.as_encoded_bytes().starts_with(b"."));
        for target in results.into_iter().map(|name| self.given.join(name)) {
            if names.iter().any(|name| scratch::is_beside(&target, name)) {
                drop(lock::exclusively(&target, || scratch::clean_beside(&target)));
            }
        }
    }
}

/// The content of a note in a folder.
pub(crate) fn read_note(folder: &Path, name: &str) -> Option<Vec<u8>> {
    fs::read(note(folder, name)).ok()
}

/// The path of a note.
fn note(folder: &Path, name: &str) -> PathBuf {
    folder.join(NOTES).join(format!("{name}{ENDING}"))
}

/// Claims a working area in a folder for this process, creating the folder if necessary; the caller holds its lock.
fn claim(target: &Path, room: Room, mut made: Vec<PathBuf>) -> Result<Claim, StoreError> {
    if target.exists() && !target.is_dir() {
        return Err(StoreError::Foreign { path: target.to_owned(), problem: "is a file".to_owned() });
    }
    scratch::clean_beside(target)?;
    made.extend(paths::create_all(target)?);
    if let Some(process) = scratch::in_the_way(target, room)? {
        return Ok(Claim::Theirs(process));
    }
    let claim = Scratch::inside(target, room, made)?;
    if let Claim::Mine(scratch) = &claim {
        scratch::clean_inside(target, scratch)?;
    }
    Ok(claim)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shard(text: &str) -> Shard {
        text.parse().unwrap()
    }

    #[test]
    fn parts_work_beside_each_other_but_not_beside_the_whole() {
        let around = tempfile::tempdir().unwrap();
        let folder = around.path().join("sweep");
        let join = |text: &str| Workplace::join(&folder, Kind::Sweep, shard(text));
        let (one, two) = (join("1/2").unwrap(), join("2/2").unwrap());
        assert!(matches!(join("1/2"), Err(StoreError::Busy { .. })), "the same part");
        assert!(matches!(Workplace::claim(&folder, Room::Whole), Err(StoreError::Busy { .. })));
        drop(one);
        let again = join("1/2").unwrap();
        drop((two, again));
        let whole = Workplace::claim(&folder, Room::Whole).unwrap();
        assert!(matches!(join("1/2"), Err(StoreError::Busy { .. })));
        drop(whole);
        assert_eq!(paths::names(&folder).unwrap().len(), 0, "nothing is left behind");
    }

    #[test]
    fn several_threads_leave_notes_at_the_same_time() {
        let around = tempfile::tempdir().unwrap();
        let place = Workplace::join(&around.path().join("map"), Kind::Theory, shard("1/1")).unwrap();
        std::thread::scope(|scope| {
            for thread in 0..8 {
                let place = &place;
                scope.spawn(move || {
                    for number in 0..20 {
                        let name = format!("{thread}-{number}");
                        place.leave_note(&name, name.as_bytes()).unwrap();
                    }
                });
            }
        });
        assert_eq!(place.notes().len(), 160);
        assert!(place.notes().iter().all(|name| place.note(name).unwrap() == name.as_bytes()));
        place.notes().iter().for_each(|name| place.remove_note(name));
        assert!(place.notes().is_empty());
    }

    /// The state after a process was killed: its working area exists, but nobody holds the lock.
    #[test]
    fn the_whole_takes_over_from_killed_parts() {
        let around = tempfile::tempdir().unwrap();
        let folder = around.path().join("sweep");
        let room = Room::Part(shard("2/3")).path(&folder);
        std::fs::create_dir_all(room.join("run/old")).unwrap();
        std::fs::write(room.join("run/old/data"), "kept").unwrap();
        std::fs::write(room.join(super::super::gate::OWNER), "setpoint 1\n").unwrap();
        let whole = Workplace::claim(&folder, Room::Whole).unwrap();
        assert!(!room.exists());
        assert_eq!(std::fs::read_to_string(folder.join("run/data")).unwrap(), "kept");
        drop(whole);
    }
}
