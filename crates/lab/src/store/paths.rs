//! Resolving paths, and naming files next to them.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::error::StoreError;

/// The resolved path of a folder that may not exist yet; links in its parents are followed too.
pub(super) fn resolve(folder: &Path) -> Result<PathBuf, StoreError> {
    let absolute = std::path::absolute(folder).map_err(StoreError::io("find", folder))?;
    let existing = absolute.ancestors().find(|path| fs::symlink_metadata(path).is_ok());
    let existing = existing.unwrap_or(Path::new("/"));
    let real = fs::canonicalize(existing).map_err(|error| unreachable_link(folder, existing, error))?;
    let rest = absolute.strip_prefix(existing).unwrap_or(Path::new(""));
    if rest.components().any(|part| part == Component::ParentDir) {
        return Err(unusable(
            folder,
            format!("leads through {}, which does not exist", parent(rest).display()),
        ));
    }
    if rest != Path::new("") && !real.is_dir() {
        return Err(unusable(folder, format!("is below {}, which is a file", existing.display())));
    }
    // Joining an empty path would add a slash.
    Ok(if rest == Path::new("") { real } else { real.join(rest) })
}

fn unreachable_link(folder: &Path, link: &Path, error: io::Error) -> StoreError {
    match fs::read_link(link) {
        Ok(to) if error.kind() == io::ErrorKind::NotFound => {
            let link = if link.ends_with(folder) {
                "is".to_owned()
            } else {
                format!("is below {},", link.display())
            };
            unusable(folder, format!("{link} a symbolic link to {}, which does not exist", to.display()))
        }
        _ => StoreError::io("find", link)(error),
    }
}

/// Checks that a result can be moved to this path by renaming, regardless of its content.
pub(super) fn check_renamable(given: &Path, target: &Path) -> Result<(), StoreError> {
    if target.file_name().is_none() {
        return Err(unusable(given, "is the root of the file system".to_owned()));
    }
    let here = std::env::current_dir().and_then(fs::canonicalize);
    if here.is_ok_and(|here| here.starts_with(target)) {
        return Err(unusable(given, "is the current folder, which would be replaced".to_owned()));
    }
    if is_mount_point(target) {
        return Err(unusable(given, "is a mount point, which cannot be replaced".to_owned()));
    }
    Ok(())
}

#[cfg(unix)]
fn is_mount_point(target: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let device = |path: &Path| fs::metadata(path).map(|metadata| metadata.dev());
    matches!((device(target), device(&parent(target))), (Ok(target), Ok(parent)) if target != parent)
}

#[cfg(not(unix))]
fn is_mount_point(_: &Path) -> bool {
    false
}

/// Checks that this process may move away whatever is at a path. `ours` is a folder that it has created.
#[cfg(unix)]
pub(super) fn check_movable(given: &Path, target: &Path, ours: &Path) -> Result<(), StoreError> {
    use std::os::unix::fs::MetadataExt;
    let metadata = (fs::symlink_metadata(target), fs::metadata(parent(target)), fs::metadata(ours));
    let (Ok(old), Ok(around), Ok(ours)) = metadata else { return Ok(()) };
    let owners = Owners { old: old.uid(), around: around.uid(), process: ours.uid() };
    if around.mode() & STICKY != 0 && !owners.may_move_if_sticky() {
        return Err(unusable(given, "belongs to another user and cannot be replaced".to_owned()));
    }
    // A folder that moves to another parent must be writable, because its entry `..` changes.
    if rustix::fs::access(target, rustix::fs::Access::WRITE_OK).is_err() {
        return Err(unusable(given, "is read-only and cannot be replaced".to_owned()));
    }
    Ok(())
}

#[cfg(not(unix))]
pub(super) fn check_movable(_: &Path, _: &Path, _: &Path) -> Result<(), StoreError> {
    Ok(())
}

/// The permission bit of folders such as `/tmp`, in which users cannot move each other's files.
#[cfg(unix)]
const STICKY: u32 = 0o1000;

/// User IDs.
#[cfg(unix)]
struct Owners {
    old: u32,
    around: u32,
    process: u32,
}

#[cfg(unix)]
impl Owners {
    fn may_move_if_sticky(&self) -> bool {
        [0, self.old, self.around].contains(&self.process)
    }
}

fn unusable(path: &Path, problem: String) -> StoreError {
    StoreError::Unusable { path: path.to_owned(), problem }
}

/// Creates a folder and its parents. Returns the created folders, the outermost first.
pub(super) fn create_all(folder: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let missing = folder.ancestors().take_while(|path| fs::symlink_metadata(path).is_err());
    let mut missing: Vec<PathBuf> = missing.map(Path::to_owned).collect();
    missing.reverse();
    fs::create_dir_all(folder).map_err(StoreError::io("create", folder))?;
    Ok(missing)
}

/// The names in a folder, sorted.
pub(super) fn names(folder: &Path) -> Result<Vec<OsString>, StoreError> {
    let entries = fs::read_dir(folder).map_err(StoreError::io("list", folder))?;
    let names: io::Result<Vec<OsString>> = entries.map(|entry| Ok(entry?.file_name())).collect();
    let mut names = names.map_err(StoreError::io("list", folder))?;
    names.sort_unstable();
    Ok(names)
}

/// The parent folder of a path.
pub(super) fn parent(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// A hidden name next to a path, on the same file system.
pub(super) fn sibling(target: &Path, ending: &str) -> PathBuf {
    let mut name = prefix(target);
    name.push(ending);
    parent(target).join(name)
}

/// The prefix of the hidden names of a target: `.name.`.
pub(super) fn prefix(target: &Path) -> OsString {
    let mut name = OsString::from(".");
    name.push(target.file_name().unwrap_or(OsStr::new("result")));
    name.push(".");
    name
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn in_a_sticky_folder_only_owners_move_files() {
        let may = |old, around, process| Owners { old, around, process }.may_move_if_sticky();
        assert!(may(7, 0, 7) && may(8, 7, 7) && may(8, 9, 0));
        assert!(!may(8, 0, 7) && !may(0, 0, 7));
    }
}
