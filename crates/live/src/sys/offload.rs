//! Offloads that change frames.

use std::io;

use rustix::io::Errno;

use super::SysError;
use super::interface::{check_name, control_socket};
use super::request::{EthtoolCommand, Interface, ethtool};

/// The ethtool flag for large receive offload, `ETH_FLAG_LRO`.
const LARGE_RECEIVE: u32 = 1 << 15;

/// The offloads, in the order in which they are turned off: segmentation comes before the checksums on which it
/// depends.
const FEATURES: [EthtoolCommand; 5] = [
    EthtoolCommand::SetTcpSegmentation,
    EthtoolCommand::SetSegmentation,
    EthtoolCommand::SetReceiveMerging,
    EthtoolCommand::SetSendChecksum,
    EthtoolCommand::SetReceiveChecksum,
];

/// Turns off checksum and segmentation offload on an interface.
///
/// A virtual link carries the frames of its sender unchanged. With these offloads, a sender leaves the checksum to hardware
/// that the frame never reaches, and sends frames of up to 64 kB. This call is needed at both ends of a virtual link; for a
/// container, the end inside the container matters.
///
/// Offloads that the interface does not have are skipped.
///
/// # Errors
/// Returns an error if there is no such interface or if the process lacks CAP_NET_ADMIN.
pub fn quiet(interface: &str) -> Result<(), SysError> {
    check_name(interface)?;
    turn_off(interface).map_err(|error| {
        SysError::refused(format!("turning off the offloads of {interface}"), interface, &error)
    })
}

fn turn_off(name: &str) -> io::Result<()> {
    let socket = control_socket()?;
    let interface = Interface::new(&socket, name);
    for feature in FEATURES {
        unless_absent(ethtool(interface, feature, 0))?;
    }
    let flags = unless_absent(ethtool(interface, EthtoolCommand::Flags, 0))?;
    if flags & LARGE_RECEIVE != 0 {
        unless_absent(ethtool(interface, EthtoolCommand::SetFlags, flags & !LARGE_RECEIVE))?;
    }
    Ok(())
}

/// Treats an offload that the interface lacks, or that it cannot turn on or off, as turned off.
fn unless_absent(result: io::Result<u32>) -> io::Result<u32> {
    result.or_else(|error| match Errno::from_io_error(&error) {
        Some(Errno::OPNOTSUPP) => Ok(0),
        _ => Err(error),
    })
}
