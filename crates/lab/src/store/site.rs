//! Folders of static web pages.

use std::path::Path;

use super::destination::Destination;
use super::error::StoreError;
use super::index::Kind;
use super::new_file::write_new;

/// Opens a destination for a site, which may be absent, an empty folder, or an older site that nobody has edited.
///
/// # Errors
/// If the folder holds other content, or is not writable.
pub fn open_site(folder: &Path) -> Result<Destination, StoreError> {
    Destination::open_for(Kind::Site, folder)
}

/// Stores the files of a site, replacing an older one in one step.
///
/// # Errors
/// If the folder now holds other content, or a file cannot be written. The previous content is then unchanged.
pub fn write_site<'a>(
    files: impl IntoIterator<Item = (&'a str, &'a [u8])>,
    place: Destination,
) -> Result<(), StoreError> {
    files.into_iter().try_for_each(|(name, content)| write_new(&place.path().join(name), content))?;
    place.put_in_place(|_| true)
}
