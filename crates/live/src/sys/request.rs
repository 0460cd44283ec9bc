//! Requests about an interface, `ioctl` with `struct ifreq`.
#![expect(unsafe_code, reason = "no safe wrapper offers these requests")]

use std::io;
use std::mem;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};

use libc::{c_char, ifreq};
use setpoint_wire::MacAddress;

/// An interface in the network namespace of a socket.
#[derive(Clone, Copy)]
pub(super) struct Interface<'a> {
    pub(super) socket: BorrowedFd<'a>,
    pub(super) name: &'a str,
}

impl<'a> Interface<'a> {
    pub(super) fn new(socket: &'a impl AsFd, name: &'a str) -> Self {
        Self { socket: socket.as_fd(), name }
    }
}

/// The hardware type and the address of an interface.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hardware {
    /// `ARPHRD_…` of `linux/if_arp.h`.
    pub(super) kind: u16,
    pub(super) address: MacAddress,
}

/// The flags of an interface, `IFF_…`.
pub(super) fn flags(interface: Interface<'_>) -> io::Result<i16> {
    let answer = perform(interface.socket, Operation::Flags, named(interface.name))?;
    // SAFETY: `named` initialised every octet of the union, and every value is a valid integer.
    Ok(unsafe { answer.ifr_ifru.ifru_flags })
}

pub(super) fn set_flags(interface: Interface<'_>, flags: i16) -> io::Result<()> {
    let mut request = named(interface.name);
    request.ifr_ifru.ifru_flags = flags;
    perform(interface.socket, Operation::SetFlags, request).map(drop)
}

/// The maximum transmission unit in octets, without the Ethernet header.
pub(super) fn mtu(interface: Interface<'_>) -> io::Result<usize> {
    let answer = perform(interface.socket, Operation::Mtu, named(interface.name))?;
    // SAFETY: `named` initialised every octet of the union, and every value is a valid integer.
    let mtu = unsafe { answer.ifr_ifru.ifru_mtu };
    Ok(usize::try_from(mtu).unwrap_or(0))
}

pub(super) fn set_mtu(interface: Interface<'_>, mtu: usize) -> io::Result<()> {
    let mut request = named(interface.name);
    // The kernel refuses values that are too large, so values out of range can be clamped to the largest one.
    request.ifr_ifru.ifru_mtu = i32::try_from(mtu).unwrap_or(i32::MAX);
    perform(interface.socket, Operation::SetMtu, request).map(drop)
}

pub(super) fn hardware(interface: Interface<'_>) -> io::Result<Hardware> {
    let answer = perform(interface.socket, Operation::Hardware, named(interface.name))?;
    // SAFETY: `named` initialised every octet of the union, and every value is a valid address.
    let address = unsafe { answer.ifr_ifru.ifru_hwaddr };
    let mut octets = [0; 6];
    for (octet, character) in octets.iter_mut().zip(address.sa_data) {
        *octet = character as u8;
    }
    Ok(Hardware { kind: address.sa_family, address: MacAddress(octets) })
}

/// Turns an open /dev/net/tun into a TAP interface whose frames have no header of their own.
pub(super) fn attach_tap(device: BorrowedFd<'_>, name: &str) -> io::Result<()> {
    let mut request = named(name);
    request.ifr_ifru.ifru_flags = (libc::IFF_TAP | libc::IFF_NO_PI) as i16;
    perform(device, Operation::AttachTap, request).map(drop)
}

/// The ethtool commands whose argument is one number, `struct ethtool_value`, as numbered in `linux/ethtool.h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(super) enum EthtoolCommand {
    SetReceiveChecksum = 0x15,
    SetSendChecksum = 0x17,
    SetTcpSegmentation = 0x1f,
    SetSegmentation = 0x24,
    Flags = 0x25,
    SetFlags = 0x26,
    SetReceiveMerging = 0x2c,
}

/// Performs an ethtool command, and returns the number in the answer.
pub(super) fn ethtool(interface: Interface<'_>, command: EthtoolCommand, number: u32) -> io::Result<u32> {
    let mut value = [command as u32, number];
    let mut request = named(interface.name);
    request.ifr_ifru.ifru_data = value.as_mut_ptr().cast();
    perform(interface.socket, Operation::Ethtool, request)?;
    Ok(value[1])
}

/// The requests in this file. The kernel reads and writes only the `ifreq`, and for `Ethtool` also the two words to which
/// it points.
#[derive(Clone, Copy)]
enum Operation {
    Flags,
    SetFlags,
    Mtu,
    SetMtu,
    Hardware,
    AttachTap,
    Ethtool,
}

impl Operation {
    const fn number(self) -> libc::Ioctl {
        match self {
            Self::Flags => libc::SIOCGIFFLAGS as _,
            Self::SetFlags => libc::SIOCSIFFLAGS as _,
            Self::Mtu => libc::SIOCGIFMTU as _,
            Self::SetMtu => libc::SIOCSIFMTU as _,
            Self::Hardware => libc::SIOCGIFHWADDR as _,
            Self::AttachTap => libc::TUNSETIFF,
            Self::Ethtool => SIOCETHTOOL,
        }
    }
}

/// `linux/sockios.h`.
const SIOCETHTOOL: libc::Ioctl = 0x8946;

fn perform(socket: BorrowedFd<'_>, operation: Operation, mut request: ifreq) -> io::Result<ifreq> {
    // SAFETY: the kernel writes only to `request`, which lives on this frame, and for `Operation::Ethtool` to the two words
    // of `value` in `ethtool`, which outlive this call.
    let result = unsafe { libc::ioctl(socket.as_raw_fd(), operation.number(), &raw mut request) };
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(request) }
}

/// A request about the named interface; all other fields are zero. The last octet of the name remains zero.
fn named(name: &str) -> ifreq {
    // SAFETY: the struct consists of integers and pointers, for which zero is valid.
    let mut request: ifreq = unsafe { mem::zeroed() };
    for (to, from) in request.ifr_name.iter_mut().zip(name.bytes().take(libc::IFNAMSIZ - 1)) {
        *to = from as c_char;
    }
    request
}
