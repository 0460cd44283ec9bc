//! A capture, as a file in a result or on its own.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use setpoint_record::capture::{PROGRAM, pcapng};

use super::destination::Destination;
use super::error::StoreError;
use super::gate;
use super::index::{Kind, kind_of};
use super::lock;
use super::paths::{self, parent};
use super::scratch::{self, Scratch};
use super::{CAPTURE, swap};

/// A capture that is being written into a temporary folder. It is moved into place by [`CaptureFile::finish`], and
/// removed if the value is dropped before that.
#[derive(Debug)]
pub struct CaptureFile {
    /// The file that is being written.
    path: PathBuf,
    file: BufWriter<File>,
    own: Option<Own>,
}

/// The destination of a capture that does not belong to a result.
#[derive(Debug)]
struct Own {
    given: PathBuf,
    target: PathBuf,
    _scratch: Scratch,
}

impl CaptureFile {
    /// Begins the capture of a result; it is stored together with the result.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn inside(result: &Destination) -> Result<Self, StoreError> {
        Self::create(result.path().join(CAPTURE), None)
    }

    /// Begins a capture on its own, separate from the result of its run. It replaces an older capture written by this
    /// program, but no other file.
    ///
    /// # Errors
    /// If the path holds other content, is inside this or another result, or is not writable.
    pub fn at(given: &Path, result: &Destination) -> Result<Self, StoreError> {
        let target = paths::resolve(given)?;
        check_outside(given, &target, result)?;
        check_ours(given, &target)?;
        let scratch = lock::beside(&target, |made| {
            scratch::clean_beside(&target)?;
            Scratch::beside(&target, made)
        })?;
        let path = scratch.path().join(CAPTURE);
        Self::create(path, Some(Own { given: given.to_owned(), target, _scratch: scratch }))
    }

    fn create(path: PathBuf, own: Option<Own>) -> Result<Self, StoreError> {
        let _pass = gate::enter();
        let file = File::create(&path).map_err(StoreError::io("create", &path))?;
        Ok(Self { path, file: BufWriter::with_capacity(1 << 16, file), own })
    }

    /// The path as shown to the user.
    fn shown(&self) -> &Path {
        self.own.as_ref().map_or(&self.path, |own| &own.given)
    }

    /// Names the file in an error.
    pub(crate) fn error(&self) -> impl FnOnce(io::Error) -> StoreError + use<> {
        StoreError::io("write", self.shown())
    }

    /// Writes everything to the disk, and moves a separate capture into place.
    ///
    /// # Errors
    /// If a file cannot be written, or other content appeared at the destination.
    pub fn finish(mut self) -> Result<(), StoreError> {
        let _pass = gate::enter();
        let written = self.file.flush().and_then(|()| swap::sync(self.file.get_ref()));
        written.map_err(self.error())?;
        let Some(Own { given, target, .. }) = &self.own else { return Ok(()) };
        check_ours(given, target)?;
        fs::rename(&self.path, target).map_err(StoreError::io("create", given))?;
        let folder = parent(target);
        swap::sync_folder(&folder).map_err(StoreError::io("write", &folder))
    }
}

impl Write for CaptureFile {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.file.write(octets)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Checks that a path is not inside a result, which contains only its own files and is replaced as a whole.
fn check_outside(given: &Path, target: &Path, result: &Destination) -> Result<(), StoreError> {
    let is_result = |folder: &&Path| {
        *folder == result.target() || matches!(kind_of(folder), Some(Kind::Run | Kind::Theory | Kind::Live))
    };
    match target.ancestors().skip(1).find(is_result) {
        Some(folder) => Err(StoreError::CaptureInside { path: given.to_owned(), folder: folder.to_owned() }),
        None => Ok(()),
    }
}

/// Checks that a path is free, or holds a capture written by this program.
fn check_ours(given: &Path, target: &Path) -> Result<(), StoreError> {
    let Ok(metadata) = fs::symlink_metadata(target) else { return Ok(()) };
    let foreign =
        |problem: &str| Err(StoreError::ForeignFile { path: given.to_owned(), problem: problem.to_owned() });
    if !metadata.is_file() {
        return foreign("is not a file");
    }
    let mut start = [0; pcapng::SECTION_START + 4 + PROGRAM.len()];
    let read = File::open(target).and_then(|mut file| file.read_exact(&mut start));
    let is_ours = read.is_ok() && start.ends_with(PROGRAM.as_bytes());
    if is_ours { Ok(()) } else { foreign("was not written by this program") }
}
