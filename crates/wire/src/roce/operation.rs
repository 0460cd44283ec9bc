//! Operations: the opcode of a packet, its extended headers and its payload.
//!
//! | opcode | operation | after the base transport header |
//! |---|---|---|
//! | 00, 01, 02, 04 | SEND first, middle, last, only | payload |
//! | 06, 0a | RDMA WRITE first, only | RETH, payload |
//! | 07, 08 | RDMA WRITE middle, last | payload |
//! | 11 | acknowledgement | AETH |
//! | 81 | CNP | 16 reserved octets |
//!
//! All of them except the CNP belong to the reliable connection service.

use super::bth::Kind;
use super::{Aeth, Reth};
use crate::WireError;
use crate::cursor::{Reader, Writer};

const SEND_FIRST: u8 = 0x00;
const SEND_MIDDLE: u8 = 0x01;
const SEND_LAST: u8 = 0x02;
const SEND_ONLY: u8 = 0x04;
const WRITE_FIRST: u8 = 0x06;
const WRITE_MIDDLE: u8 = 0x07;
const WRITE_LAST: u8 = 0x08;
const WRITE_ONLY: u8 = 0x0a;
const ACKNOWLEDGE: u8 = 0x11;
const CNP: u8 = 0x81;

const CNP_RESERVED: [u8; 16] = [0; 16];

/// The operation of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation<'a> {
    /// SEND, with the payload, in which Wireshark searches for protocols such as SMB Direct and RPC over RDMA.
    Send(SendPart, &'a [u8]),
    /// RDMA WRITE, with the payload, which Wireshark shows as data.
    Write(WritePart, &'a [u8]),
    /// An acknowledgement, positive or negative.
    Acknowledge(Aeth),
    /// A congestion notification packet, which the receiver of a marked packet sends to its source.
    Cnp,
    /// Any other opcode, with the octets after the base transport header, excluding the pad octets.
    Other(u8, &'a [u8]),
}

/// The position of a packet in the message of a SEND.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SendPart {
    /// The first packet of several.
    First,
    /// A packet between the first and the last.
    Middle,
    /// The last packet of several.
    Last,
    /// The only packet.
    Only,
}

/// The position of a packet in the message of an RDMA WRITE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WritePart {
    /// The first packet of several, with the destination of the message.
    First(Reth),
    /// A packet between the first and the last.
    Middle,
    /// The last packet of several.
    Last,
    /// The only packet, with the destination of the message.
    Only(Reth),
}

impl<'a> Operation<'a> {
    /// The opcode in the base transport header.
    pub const fn opcode(&self) -> u8 {
        match self {
            Self::Send(SendPart::First, _) => SEND_FIRST,
            Self::Send(SendPart::Middle, _) => SEND_MIDDLE,
            Self::Send(SendPart::Last, _) => SEND_LAST,
            Self::Send(SendPart::Only, _) => SEND_ONLY,
            Self::Write(WritePart::First(_), _) => WRITE_FIRST,
            Self::Write(WritePart::Middle, _) => WRITE_MIDDLE,
            Self::Write(WritePart::Last, _) => WRITE_LAST,
            Self::Write(WritePart::Only(_), _) => WRITE_ONLY,
            Self::Acknowledge(_) => ACKNOWLEDGE,
            Self::Cnp => CNP,
            Self::Other(opcode, _) => *opcode,
        }
    }

    /// The payload; empty in acknowledgements and CNPs.
    pub const fn payload(&self) -> &'a [u8] {
        match self {
            Self::Send(_, payload) | Self::Write(_, payload) | Self::Other(_, payload) => payload,
            Self::Acknowledge(_) | Self::Cnp => &[],
        }
    }

    /// Whether the packet is the last or the only one of a SEND or an RDMA WRITE.
    pub(super) const fn completes_message(&self) -> bool {
        matches!(self.opcode(), SEND_LAST | SEND_ONLY | WRITE_LAST | WRITE_ONLY)
    }

    pub(super) const fn kind(&self) -> Kind {
        Kind { opcode: self.opcode(), pad: self.pad() as u8 }
    }

    /// The number of octets that extend the payload to a multiple of four.
    pub(super) const fn pad(&self) -> usize {
        self.payload().len().wrapping_neg() % 4
    }

    /// The length of the extended header.
    pub(super) const fn extension(&self) -> usize {
        match self {
            Self::Write(WritePart::First(_) | WritePart::Only(_), _) => Reth::LENGTH,
            Self::Acknowledge(_) => Aeth::LENGTH,
            Self::Cnp => CNP_RESERVED.len(),
            Self::Send(..) | Self::Write(..) | Self::Other(..) => 0,
        }
    }

    /// Reads an operation from all octets between the base transport header and the ICRC.
    pub(super) fn read(kind: Kind, octets: &'a [u8]) -> Result<Self, WireError> {
        let from = &mut Reader::new(unpadded(kind.pad, octets)?);
        Ok(match kind.opcode {
            SEND_FIRST => Self::Send(SendPart::First, from.rest()),
            SEND_MIDDLE => Self::Send(SendPart::Middle, from.rest()),
            SEND_LAST => Self::Send(SendPart::Last, from.rest()),
            SEND_ONLY => Self::Send(SendPart::Only, from.rest()),
            WRITE_FIRST => Self::Write(WritePart::First(Reth::read(from)?), from.rest()),
            WRITE_MIDDLE => Self::Write(WritePart::Middle, from.rest()),
            WRITE_LAST => Self::Write(WritePart::Last, from.rest()),
            WRITE_ONLY => Self::Write(WritePart::Only(Reth::read(from)?), from.rest()),
            ACKNOWLEDGE => {
                let aeth = Aeth::read(from)?;
                check_end("length after the AETH", *from)?;
                Self::Acknowledge(aeth)
            }
            CNP => {
                from.bytes("reserved octets of the CNP", CNP_RESERVED.len())?;
                check_end("length after the reserved octets of the CNP", *from)?;
                Self::Cnp
            }
            opcode => Self::Other(opcode, from.rest()),
        })
    }

    pub(super) fn write_extension(&self, to: &mut Writer<'_>) -> Result<(), WireError> {
        match self {
            Self::Write(WritePart::First(reth) | WritePart::Only(reth), _) => reth.write(to),
            Self::Acknowledge(aeth) => aeth.write(to),
            Self::Cnp => to.bytes("reserved octets of the CNP", &CNP_RESERVED),
            Self::Send(..) | Self::Write(..) | Self::Other(..) => Ok(()),
        }
    }
}

/// The octets without the pad octets at their end.
fn unpadded(pad: u8, octets: &[u8]) -> Result<&[u8], WireError> {
    let length = octets.len().checked_sub(pad.into());
    let unpadded = length.filter(|_| octets.len().is_multiple_of(4)).and_then(|length| octets.get(..length));
    unpadded.ok_or(WireError::Invalid {
        field: "BTH pad count",
        value: pad.into(),
        expected: "within a payload whose padded length is a multiple of 4",
    })
}

fn check_end(field: &'static str, from: Reader<'_>) -> Result<(), WireError> {
    match from.rest().len() {
        0 => Ok(()),
        length => Err(WireError::Invalid { field, value: length as u64, expected: "0" }),
    }
}
