//! Options and addresses of packet sockets.
#![expect(unsafe_code, reason = "no safe wrapper offers the options and addresses of packet sockets")]

use std::io;
use std::mem;
use std::os::fd::{AsRawFd, BorrowedFd};

use libc::{c_int, sockaddr_ll, socklen_t};

/// The kernel's counts since the last call: frames given to the socket, and frames dropped because its buffer was full.
pub(super) struct Counts {
    pub(super) received: u32,
    pub(super) dropped: u32,
}

/// Makes the kernel report the VLAN tags that it removes from received frames.
pub(super) fn keep_tags(socket: BorrowedFd<'_>) -> io::Result<()> {
    set(socket, libc::PACKET_AUXDATA, &c_int::from(true))
}

/// Makes the socket ignore frames that this machine sends.
pub(super) fn ignore_outgoing(socket: BorrowedFd<'_>) -> io::Result<()> {
    set(socket, libc::PACKET_IGNORE_OUTGOING, &c_int::from(true))
}

/// Makes the socket send frames directly to the driver, bypassing the kernel's queue.
pub(super) fn bypass_queue(socket: BorrowedFd<'_>) -> io::Result<()> {
    set(socket, libc::PACKET_QDISC_BYPASS, &c_int::from(true))
}

/// Makes the interface receive frames to all addresses while the socket is open.
pub(super) fn promiscuous(socket: BorrowedFd<'_>, index: u32) -> io::Result<()> {
    let membership = libc::packet_mreq {
        mr_ifindex: index as c_int,
        mr_type: libc::PACKET_MR_PROMISC as u16,
        mr_alen: 0,
        mr_address: [0; 8],
    };
    set(socket, libc::PACKET_ADD_MEMBERSHIP, &membership)
}

/// Reads the kernel's counts, which resets them to zero.
pub(super) fn counts(socket: BorrowedFd<'_>) -> io::Result<Counts> {
    let mut counts = libc::tpacket_stats { tp_packets: 0, tp_drops: 0 };
    let mut length = length_of(&counts);
    let (fd, to) = (socket.as_raw_fd(), (&raw mut counts).cast());
    // SAFETY: the kernel writes at most `length` octets, the length of `counts`.
    let result =
        unsafe { libc::getsockopt(fd, libc::SOL_PACKET, libc::PACKET_STATISTICS, to, &raw mut length) };
    checked(result)?;
    // The first count includes the second.
    Ok(Counts { received: counts.tp_packets.wrapping_sub(counts.tp_drops), dropped: counts.tp_drops })
}

/// Binds the socket to an interface, to receive frames of all types.
pub(super) fn bind(socket: BorrowedFd<'_>, index: u32) -> io::Result<()> {
    let mut address = no_address();
    address.sll_family = libc::AF_PACKET as u16;
    address.sll_protocol = (libc::ETH_P_ALL as u16).to_be();
    address.sll_ifindex = index as c_int;
    let length = length_of(&address);
    // SAFETY: the kernel reads `length` octets, the length of `address`.
    checked(unsafe { libc::bind(socket.as_raw_fd(), (&raw const address).cast(), length) })
}

/// The interface to which the socket is bound, unless that interface was deleted.
pub(super) fn bound_index(socket: BorrowedFd<'_>) -> io::Result<Option<u32>> {
    let mut address = no_address();
    let mut length = length_of(&address);
    // SAFETY: the kernel writes at most `length` octets, the length of `address`.
    checked(unsafe { libc::getsockname(socket.as_raw_fd(), (&raw mut address).cast(), &raw mut length) })?;
    Ok(u32::try_from(address.sll_ifindex).ok())
}

fn no_address() -> sockaddr_ll {
    // SAFETY: the struct consists of integers, for which zero is valid.
    unsafe { mem::zeroed() }
}

/// Sets an option whose value contains no pointers.
fn set<T: Copy>(socket: BorrowedFd<'_>, option: c_int, value: &T) -> io::Result<()> {
    let (fd, from) = (socket.as_raw_fd(), (&raw const *value).cast());
    // SAFETY: the kernel reads as many octets as `value` has.
    checked(unsafe { libc::setsockopt(fd, libc::SOL_PACKET, option, from, length_of(value)) })
}

fn length_of<T>(value: &T) -> socklen_t {
    mem::size_of_val(value) as socklen_t
}

fn checked(result: c_int) -> io::Result<()> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}
