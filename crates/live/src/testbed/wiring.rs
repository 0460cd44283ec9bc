//! Links and addresses, set up with the program `ip` in the namespace of the calling thread.

use std::process::Command;

use super::TestbedError;
use super::shape::{address, ipv4};

/// The station's end of a link.
pub(crate) const LINK: &str = "uplink";
/// The station's TAP interface.
pub(super) const TAP: &str = "tap";
/// The MTU of the links: a frame with a VLAN tag and a CN-TAG is longer than the usual MTU allows.
pub(crate) const MTU: u32 = 1_600;

/// The bridge's end of a link.
pub(crate) fn port(position: usize) -> String {
    format!("port{position}")
}

/// Connects the bridge to the namespace of a station's thread.
pub(crate) fn connect(position: usize, thread: i32) -> Result<(), TestbedError> {
    let port = port(position);
    ip(&format!("link add {port} mtu {MTU} type veth peer name {LINK} mtu {MTU} netns {thread}"))?;
    ip(&format!("link set {port} arp off addrgenmode none up"))
}

/// Switches a station's link on. The kernel must not answer ARP on it on behalf of the programs behind the TAP
/// interface.
pub(crate) fn switch_on() -> Result<(), TestbedError> {
    ip(&format!("link set {LINK} arp off addrgenmode none up"))
}

/// Gives the programs of a station their addresses.
pub(super) fn set_addresses(position: usize) -> Result<(), TestbedError> {
    ip(&format!("link set {TAP} address {} addrgenmode none", address(position)))?;
    ip(&format!("address add {}/24 dev {TAP}", ipv4(position)))?;
    ip(&format!("link set {TAP} up"))
}

/// Runs `ip`.
pub(crate) fn ip(arguments: &str) -> Result<(), TestbedError> {
    let failed = |problem: String| TestbedError::Ip { arguments: arguments.to_owned(), problem };
    match Command::new("ip").args(arguments.split(' ')).output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(failed(String::from_utf8_lossy(&output.stderr).trim().to_owned())),
        Err(error) => Err(failed(format!("{error}; install it with `apt-get install iproute2`"))),
    }
}
