//! Replacing a folder in one step.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// Moves the folder `new` to `target`, and returns the path of the old folder, if there was one.
///
/// If the system can exchange two names, the target is the complete old or the complete new folder at any moment.
/// Otherwise the old folder is moved to `aside` first: if the process dies at that moment, the next one with the
/// same target moves it back.
pub(super) fn replace(new: &Path, target: &Path, aside: &Path) -> io::Result<Option<PathBuf>> {
    if fs::symlink_metadata(target).is_err() {
        return fs::rename(new, target).map(|()| None);
    }
    match exchange(new, target) {
        Ok(()) => Ok(Some(new.to_owned())),
        Err(error) if is_unsupported(&error) => {
            step_aside(new, target, aside).map(|()| Some(aside.to_owned()))
        }
        Err(error) => Err(error),
    }
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn exchange(new: &Path, target: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, new, CWD, target, RenameFlags::EXCHANGE)?)
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn exchange(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Errors from systems that cannot exchange names; `EINVAL` comes from file systems without support for it.
fn is_unsupported(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::Unsupported | io::ErrorKind::InvalidInput)
}

fn step_aside(new: &Path, target: &Path, aside: &Path) -> io::Result<()> {
    fs::rename(target, aside)?;
    fs::rename(new, target).inspect_err(|_| {
        // The next process with this target tries again.
        let _ = fs::rename(aside, target);
    })
}

/// Syncs a file, so that its content survives a power failure.
pub(super) fn sync(file: &File) -> io::Result<()> {
    match file.sync_all() {
        // Some file systems do not support this, especially for folders.
        Err(error) if is_unsupported(&error) => Ok(()),
        other => other,
    }
}

/// Syncs a folder, so that the names in it survive a power failure.
#[cfg(unix)]
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    sync(&File::open(folder)?)
}

/// On this system, folders cannot be opened; their names are journalled.
#[cfg(not(unix))]
pub(super) fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Syncs everything that has been written to the file system of a folder; returns whether the system can do that.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(super) fn sync_file_system(folder: &Path) -> io::Result<bool> {
    match rustix::fs::syncfs(File::open(folder)?).map_err(io::Error::from) {
        Err(error) if is_unsupported(&error) => Ok(false),
        other => other.map(|()| true),
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(super) fn sync_file_system(_: &Path) -> io::Result<bool> {
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_an_exchange_the_old_folder_steps_aside() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        for (name, text) in [("new", "2"), ("target", "1")] {
            fs::create_dir(path(name)).unwrap();
            fs::write(path(name).join("file"), text).unwrap();
        }
        step_aside(&path("new"), &path("target"), &path("aside")).unwrap();
        let read = |name: &str| fs::read_to_string(path(name).join("file")).unwrap();
        assert_eq!((read("target"), read("aside")), ("2".to_owned(), "1".to_owned()));
        assert!(step_aside(&path("new"), &path("target"), &path("back")).is_err(), "there is nothing new");
        assert_eq!(read("target"), "2");
    }
}
