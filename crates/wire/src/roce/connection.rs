//! Connections between queue pairs.

use core::net::Ipv4Addr;

use super::U24;
use crate::{Dscp, Ecn, MacAddress, VlanTag};

/// One direction of a connection between two queue pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Connection {
    /// The source.
    pub source: End,
    /// The destination.
    pub destination: End,
    /// The VLAN tag of the frames, with their priority.
    pub vlan: Option<VlanTag>,
    /// The traffic class of the packets.
    pub dscp: Dscp,
    /// The ECN codepoint of the packets sent.
    pub ecn: Ecn,
    /// The UDP source port.
    pub source_port: u16,
}

/// An end of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// The MAC address of its interface.
    pub address: MacAddress,
    /// The IPv4 address of its interface.
    pub ipv4: Ipv4Addr,
    /// Its queue pair. Queue pairs 0 and 1 are reserved for management.
    pub queue_pair: U24,
}

impl Connection {
    /// The opposite direction, with the same tag, traffic class, ECN codepoint and UDP source port.
    #[must_use]
    pub const fn reversed(&self) -> Self {
        Self { source: self.destination, destination: self.source, ..*self }
    }
}
