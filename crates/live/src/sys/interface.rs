//! Names, state and addresses of network interfaces.

use std::fs;
use std::io;
use std::os::fd::OwnedFd;

use rustix::net::{AddressFamily, SocketFlags, SocketType, netdevice, socket_with};

use super::SysError;
use super::request::{self, Hardware, Interface};

/// The maximum length of a name, in octets.
const LONGEST_NAME: usize = libc::IFNAMSIZ - 1;

/// The state of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkState {
    /// Frames can be exchanged.
    Up,
    /// The interface is up, but its cable or its peer is not.
    NoCarrier,
    /// The interface is switched off.
    Down,
    /// There is no interface with this name.
    Absent,
}

/// The names of all interfaces in the network namespace of this thread.
pub fn interfaces() -> Vec<String> {
    // /sys/class/net shows the namespace in which it was mounted, and /proc/net that of the main thread.
    names(&fs::read_to_string("/proc/thread-self/net/dev").unwrap_or_default())
}

/// The names in /proc/net/dev: each precedes a colon; the two header lines have no colon.
fn names(table: &str) -> Vec<String> {
    let name = |line: &str| Some(line.split_once(':')?.0.trim().to_owned());
    table.lines().filter_map(name).collect()
}

/// Refuses a name that the kernel does not allow or would change, such as `tap%d`.
pub(super) fn check_name(name: &str) -> Result<(), SysError> {
    let is_valid = (1..=LONGEST_NAME).contains(&name.len())
        && !matches!(name, "." | "..")
        && !name.contains(|c: char| c.is_whitespace() || matches!(c, '/' | ':' | '%' | '\0'));
    if is_valid { Ok(()) } else { Err(SysError::InvalidName { name: name.to_owned() }) }
}

/// A socket for requests about interfaces. It needs no privileges.
pub(super) fn control_socket() -> io::Result<OwnedFd> {
    Ok(socket_with(AddressFamily::UNIX, SocketType::DGRAM, SocketFlags::CLOEXEC, None)?)
}

impl Interface<'_> {
    /// The kernel's index of the interface, unless the interface is absent.
    pub(super) fn index(self) -> Option<u32> {
        netdevice::name_to_index(self.socket, self.name).ok()
    }

    pub(super) fn link(self) -> LinkState {
        let Ok(flags) = request::flags(self) else { return LinkState::Absent };
        let is_set = |flag: i32| i32::from(flags) & flag != 0;
        match (is_set(libc::IFF_UP), is_set(libc::IFF_RUNNING)) {
            (false, _) => LinkState::Down,
            (true, false) => LinkState::NoCarrier,
            (true, true) => LinkState::Up,
        }
    }

    /// The address, if the interface carries Ethernet frames.
    pub(super) fn ethernet(self) -> Result<Hardware, SysError> {
        let refused =
            |error| SysError::refused(format!("reading the address of {}", self.name), self.name, &error);
        let hardware = request::hardware(self).map_err(refused)?;
        match hardware.kind {
            libc::ARPHRD_ETHER | libc::ARPHRD_LOOPBACK => Ok(hardware),
            kind => Err(SysError::NotEthernet { name: self.name.to_owned(), kind }),
        }
    }

    pub(super) fn set_up(self) -> io::Result<()> {
        let flags = request::flags(self)?;
        request::set_flags(self, flags | libc::IFF_UP as i16)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_precede_a_colon() {
        let table = "Inter-|   Receive\n face |bytes    packets\n    lo:  15965  145\nenp3s0f0:0 0\n";
        assert_eq!(names(table), ["lo", "enp3s0f0"]);
    }

    #[test]
    fn the_kernel_limits_names() {
        for name in ["eth0", "enp3s0f0np0", "br-1234567890ab"] {
            check_name(name).unwrap();
        }
        for name in ["", ".", "a name", "tap%d", "eth0:1", "sixteen-octets-x"] {
            assert!(check_name(name).is_err(), "{name}");
        }
    }
}
