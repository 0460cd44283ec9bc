//! New files in folders that are not yet visible to others.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::error::StoreError;
use super::gate;
use super::paths::parent;

/// Writes a new file through a buffer. The code that moves it into place also syncs it.
pub(super) fn write_with(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), StoreError> {
    let _pass = gate::enter();
    let file = File::create(path).map_err(StoreError::io("create", path))?;
    let mut buffer = BufWriter::new(file);
    write(&mut buffer).and_then(|()| buffer.flush()).map_err(StoreError::io("write", path))
}

/// Writes a new file, creating its parent folders.
pub(crate) fn write_new(path: &Path, content: &[u8]) -> Result<(), StoreError> {
    let folder = parent(path);
    fs::create_dir_all(&folder).map_err(StoreError::io("create", &folder))?;
    write_with(path, |file| file.write_all(content))
}
