//! Ethernet II headers with their tags.

use core::fmt;

use crate::cursor::{Reader, Writer};
use crate::{CnTag, MacAddress, VlanTag, WireError};

/// The EtherType of a header, which identifies what follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EtherType(pub u16);

impl EtherType {
    /// IPv4.
    pub const IPV4: Self = Self(0x0800);
    /// IPv6.
    pub const IPV6: Self = Self(0x86dd);
    /// An 802.1Q C-tag.
    pub const VLAN: Self = Self(0x8100);
    /// MAC control: PAUSE and PFC.
    pub const MAC_CONTROL: Self = Self(0x8808);
    /// LLDP.
    pub const LLDP: Self = Self(0x88cc);
    /// A congestion notification message.
    pub const CNM: Self = Self(0x22e7);
    /// A CN-TAG.
    pub const CN_TAG: Self = Self(0x22e9);
}

impl fmt::Display for EtherType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0x{:04x}", self.0)
    }
}

/// An Ethernet II header: addresses, at most one C-tag, at most one CN-TAG after it, and the EtherType of the
/// payload. Further tags belong to the payload.
///
/// ```
/// use setpoint_wire::{EtherType, Header, Priority, VlanTag};
///
/// let header = Header {
///     destination: "02:00:00:00:00:02".parse().unwrap(),
///     source: "02:00:00:00:00:01".parse().unwrap(),
///     vlan: Some(VlanTag::of_priority(Priority::new(3).unwrap())),
///     cn_tag: None,
///     ether_type: EtherType::IPV4,
/// };
/// assert_eq!(header.length(), 18);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The destination address.
    pub destination: MacAddress,
    /// The source address.
    pub source: MacAddress,
    /// The C-tag.
    pub vlan: Option<VlanTag>,
    /// The CN-TAG.
    pub cn_tag: Option<CnTag>,
    /// The EtherType of the payload.
    pub ether_type: EtherType,
}

impl Header {
    /// Length in octets.
    pub const fn length(&self) -> usize {
        14 + if self.vlan.is_some() { 4 } else { 0 } + if self.cn_tag.is_some() { 4 } else { 0 }
    }

    /// Parses the header of a frame; returns it with the payload.
    ///
    /// # Errors
    /// If the frame ends within the header.
    pub fn parse(frame: &[u8]) -> Result<(Self, &[u8]), WireError> {
        let from = &mut Reader::new(frame);
        let destination = MacAddress(from.array("destination address")?);
        let source = MacAddress(from.array("source address")?);
        let mut ether_type = read_type(from)?;
        let (mut vlan, mut cn_tag) = (None, None);
        if ether_type == EtherType::VLAN {
            vlan = Some(VlanTag::read(from)?);
            ether_type = read_type(from)?;
        }
        if ether_type == EtherType::CN_TAG {
            cn_tag = Some(CnTag::read(from)?);
            ether_type = read_type(from)?;
        }
        Ok((Self { destination, source, vlan, cn_tag, ether_type }, from.rest()))
    }

    pub(crate) fn write(&self, to: &mut Writer<'_>) -> Result<(), WireError> {
        to.bytes("destination address", &self.destination.0)?;
        to.bytes("source address", &self.source.0)?;
        if let Some(vlan) = self.vlan {
            write_type(EtherType::VLAN, to)?;
            vlan.write(to)?;
        }
        if let Some(cn_tag) = self.cn_tag {
            write_type(EtherType::CN_TAG, to)?;
            cn_tag.write(to)?;
        }
        write_type(self.ether_type, to)
    }
}

fn read_type(from: &mut Reader<'_>) -> Result<EtherType, WireError> {
    from.word("EtherType").map(EtherType)
}

fn write_type(ether_type: EtherType, to: &mut Writer<'_>) -> Result<(), WireError> {
    to.word("EtherType", ether_type.0)
}
