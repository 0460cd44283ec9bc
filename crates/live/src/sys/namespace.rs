//! Network namespaces.

use std::io;

use rustix::thread::{UnshareFlags, gettid};

use super::SysError;

/// Moves the calling thread into a new network namespace, which disappears with the last thread or process in it. Threads
/// and processes that the thread starts from now on also belong to it.
///
/// # Errors
/// If the process lacks CAP_SYS_ADMIN, or if the kernel does not support namespaces.
pub fn enter_namespace() -> Result<(), SysError> {
    unshare().map_err(|error| match error.kind() {
        io::ErrorKind::PermissionDenied => SysError::NoNamespace,
        _ => SysError::Refused { action: "creating a network namespace".to_owned(), error },
    })
}

#[expect(unsafe_code, reason = "unshare can break programs that share file descriptors; this flag does not")]
fn unshare() -> io::Result<()> {
    // SAFETY: a new network namespace affects neither memory nor file descriptors.
    Ok(unsafe { rustix::thread::unshare_unsafe(UnshareFlags::NEWNET) }?)
}

/// The calling thread's identifier, by which `ip` finds its namespace.
pub fn thread_identifier() -> i32 {
    gettid().as_raw_nonzero().get()
}
