//! Whole frames.

use crate::cursor::{Reader, Writer};
use crate::{
    Announcement, CnTag, Cnm, Conventions, EtherType, Header, MacAddress, Pause, Pfc, Priority, VlanTag,
    WireError, pause, pfc,
};

/// The shortest frame, without the frame check sequence. Shorter frames are padded with zeros.
pub const MIN_FRAME: usize = 60;

/// A frame.
///
/// ```
/// use setpoint_wire::{Content, Conventions, Frame};
///
/// let bytes = [0xff; 60];
/// let frame = Frame::parse(&bytes, &Conventions::default()).unwrap();
/// assert!(frame.header.destination.is_group());
/// assert!(matches!(frame.content, Content::Data(payload) if payload.len() == 46));
/// ```
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<'a> {
    /// The header.
    pub header: Header,
    /// The payload.
    pub content: Content<'a>,
}

/// The payload of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content<'a> {
    /// A congestion notification message.
    Cnm(Cnm<'a>),
    /// A PAUSE frame.
    Pause(Pause),
    /// A PFC frame.
    Pfc(Pfc),
    /// An LLDP announcement.
    Lldp(Announcement<'a>),
    /// MAC control with another opcode.
    MacControl(u16),
    /// Anything else, with its padding.
    Data(&'a [u8]),
}

impl<'a> Frame<'a> {
    /// Parses a frame.
    ///
    /// # Errors
    /// If the frame is truncated, or if a field of a known format has a value that the format does not allow.
    pub fn parse(frame: &'a [u8], conventions: &Conventions) -> Result<Self, WireError> {
        let (header, payload) = Header::parse(frame)?;
        let from = &mut Reader::new(payload);
        let content = match header.ether_type {
            EtherType::CNM => Content::Cnm(Cnm::read(from, conventions)?),
            EtherType::LLDP => Content::Lldp(Announcement::read(from)?),
            EtherType::MAC_CONTROL => match from.word("opcode")? {
                pause::OPCODE => Content::Pause(Pause::read(from)?),
                pfc::OPCODE => Content::Pfc(Pfc::read(from)?),
                opcode => Content::MacControl(opcode),
            },
            _ => Content::Data(payload),
        };
        Ok(Self { header, content })
    }

    /// Encodes the frame at the start of a buffer, padded to the minimum length. Returns the octets of the frame.
    ///
    /// # Errors
    /// If the buffer is too short, or if a field has a value that its format does not allow.
    pub fn encode<'b>(&self, conventions: &Conventions, buffer: &'b mut [u8]) -> Result<&'b [u8], WireError> {
        let mut to = Writer::new(buffer);
        self.header.write(&mut to)?;
        match &self.content {
            Content::Cnm(cnm) => cnm.write(conventions, &mut to)?,
            Content::Pause(pause) => pause.write(&mut to)?,
            Content::Pfc(pfc) => pfc.write(&mut to)?,
            Content::Lldp(announcement) => announcement.write(&mut to)?,
            Content::MacControl(opcode) => to.word("opcode", *opcode)?,
            Content::Data(payload) => to.bytes("payload", payload)?,
        }
        to.pad_to(MIN_FRAME)?;
        Ok(to.finish())
    }

    /// A PAUSE frame.
    pub const fn pause(source: MacAddress, pause: Pause) -> Self {
        Self { header: mac_control(source), content: Content::Pause(pause) }
    }

    /// A PFC frame.
    pub const fn pfc(source: MacAddress, pfc: Pfc) -> Self {
        Self { header: mac_control(source), content: Content::Pfc(pfc) }
    }

    /// A notification about a sampled frame, addressed to the frame's source. The message uses the VLAN of the
    /// sampled frame but a priority of its own. It returns the sampled frame's CN-TAG, or one with identifier 0 if
    /// there is none.
    pub fn cnm(point: MacAddress, sampled: &Header, priority: Priority, cnm: Cnm<'a>) -> Self {
        let vlan = sampled.vlan.map_or(0, |tag| tag.vlan);
        let header = Header {
            destination: sampled.source,
            source: point,
            vlan: Some(VlanTag { vlan, ..VlanTag::of_priority(priority) }),
            cn_tag: Some(sampled.cn_tag.unwrap_or(CnTag { flow: 0 })),
            ether_type: EtherType::CNM,
        };
        Self { header, content: Content::Cnm(cnm) }
    }

    /// An LLDP frame to the nearest bridge.
    pub const fn lldp(source: MacAddress, announcement: Announcement<'a>) -> Self {
        let header = untagged(MacAddress::NEAREST_BRIDGE, source, EtherType::LLDP);
        Self { header, content: Content::Lldp(announcement) }
    }
}

const fn mac_control(source: MacAddress) -> Header {
    untagged(MacAddress::PAUSE, source, EtherType::MAC_CONTROL)
}

const fn untagged(destination: MacAddress, source: MacAddress, ether_type: EtherType) -> Header {
    Header { destination, source, vlan: None, cn_tag: None, ether_type }
}
