//! A link on which the kernel does not answer ARP.

use std::io;
use std::os::fd::OwnedFd;

use super::SysError;
use super::interface::{check_name, control_socket};
use super::request::{self, Interface};

/// Keeps the kernel from answering ARP on an interface until this value is dropped.
///
/// Linux answers ARP for any of its addresses on any of its interfaces. On the link of a station, it would answer for
/// the address of the TAP interface with the address of the link, and frames of the network would bypass the station.
///
/// A program that is killed leaves the interface silent. To distinguish this case from an interface that its owner has
/// silenced, a second flag is set together with the first: `NOTRAILERS`, which Linux stores for every interface but
/// does not use. The next [`Silence`] on the interface then restores both.
#[derive(Debug)]
pub struct Silence {
    socket: OwnedFd,
    interface: String,
    before: Before,
}

/// Whether the kernel answered ARP before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Before {
    Answered,
    Silent,
}

impl Silence {
    /// Silences an interface.
    ///
    /// # Errors
    /// Returns an error if there is no such interface or if the process lacks CAP_NET_ADMIN.
    pub fn on(interface: &str) -> Result<Self, SysError> {
        check_name(interface)?;
        let refused = |error: io::Error| {
            SysError::refused(format!("turning off ARP on {interface}"), interface, &error)
        };
        let socket = control_socket().map_err(refused)?;
        let before = silence(Interface::new(&socket, interface)).map_err(refused)?;
        Ok(Self { socket, interface: interface.to_owned(), before })
    }
}

impl Drop for Silence {
    fn drop(&mut self) {
        if self.before == Before::Answered {
            // The interface may have disappeared meanwhile.
            let _ = restore(Interface::new(&self.socket, &self.interface));
        }
    }
}

const NO_ARP: i16 = libc::IFF_NOARP as i16;
/// The flag by which this program marks an interface.
const MARK: i16 = libc::IFF_NOTRAILERS as i16;

fn silence(interface: Interface<'_>) -> io::Result<Before> {
    let flags = request::flags(interface)?;
    let before = if flags & (NO_ARP | MARK) == NO_ARP { Before::Silent } else { Before::Answered };
    if before == Before::Answered {
        // One request sets both, so a program that is killed leaves either both or neither.
        request::set_flags(interface, flags | NO_ARP | MARK)?;
    }
    Ok(before)
}

fn restore(interface: Interface<'_>) -> io::Result<()> {
    let flags = request::flags(interface)?;
    request::set_flags(interface, flags & !(NO_ARP | MARK))
}
