//! A link on which the kernel does not answer ARP.

use std::io;
use std::os::fd::OwnedFd;

use super::SysError;
use super::interface::{Interface, check_name, control_socket};
use super::request;

/// Keeps the kernel from answering ARP on an interface, until it is dropped.
///
/// Linux answers ARP for any of its addresses on any of its interfaces. On the link of a station, it would answer for
/// the address of the TAP interface with the address of the link, and frames of the network would bypass the station.
#[derive(Debug)]
pub struct Silence {
    socket: OwnedFd,
    interface: String,
    before: Before,
}

/// Whether the kernel answered before.
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
        let before = set_silent(Interface::new(&socket, interface), true).map_err(refused)?;
        Ok(Self { socket, interface: interface.to_owned(), before })
    }
}

impl Drop for Silence {
    fn drop(&mut self) {
        if self.before == Before::Answered {
            // The interface may have disappeared meanwhile.
            let _ = set_silent(Interface::new(&self.socket, &self.interface), false);
        }
    }
}

fn set_silent(interface: Interface<'_>, silent: bool) -> io::Result<Before> {
    let flags = request::flags(interface)?;
    let no_arp = libc::IFF_NOARP as i16;
    let wanted = if silent { flags | no_arp } else { flags & !no_arp };
    if wanted != flags {
        request::set_flags(interface, wanted)?;
    }
    Ok(if flags & no_arp == 0 { Before::Answered } else { Before::Silent })
}
