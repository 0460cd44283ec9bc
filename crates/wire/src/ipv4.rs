//! IPv4 headers without options (RFC 791), with the DSCP (RFC 2474) and the ECN field (RFC 3168).
//!
//! | offset | octets | field |
//! |---|---|---|
//! | 0 | 1 | version 4 (4 bits), header length: 5 words of 32 bits (4 bits) |
//! | 1 | 1 | DSCP (6 bits), ECN (2 bits) |
//! | 2 | 2 | total length |
//! | 4 | 2 | identification |
//! | 6 | 2 | reserved (1 bit), do not fragment (1 bit), more fragments (1 bit), fragment offset (13 bits) |
//! | 8 | 1 | time to live |
//! | 9 | 1 | protocol of the payload |
//! | 10 | 2 | checksum of the header |
//! | 12 | 4 | source address |
//! | 16 | 4 | destination address |

use core::net::Ipv4Addr;

use crate::cursor::{Reader, Writer};
use crate::{Ecn, EtherType, Priority, WireError, checksum};

/// The length of a header without options.
pub const LENGTH: usize = 20;
/// The usual time to live, in hops.
pub const TIME_TO_LIVE: u8 = 64;

/// Version 4, and a header of five words.
pub(crate) const START: u8 = 0x45;
const DO_NOT_FRAGMENT: u16 = 0x4000;
/// The flag for more fragments, and the fragment offset.
const FRAGMENT: u16 = 0x3fff;

/// An IPv4 header. The total length and the checksum are computed when it is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ipv4Header {
    /// The traffic class.
    pub dscp: Dscp,
    /// The ECN codepoint.
    pub ecn: Ecn,
    /// The identification, which has no meaning in packets that are never fragmented (RFC 6864).
    pub identification: u16,
    /// Whether routers must not fragment the packet.
    pub do_not_fragment: bool,
    /// The remaining number of hops.
    pub time_to_live: u8,
    /// The protocol of the payload.
    pub protocol: Protocol,
    /// The source address.
    pub source: Ipv4Addr,
    /// The destination address.
    pub destination: Ipv4Addr,
}

/// The protocol of an IPv4 payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Protocol(pub u8);

impl Protocol {
    /// UDP.
    pub const UDP: Self = Self(17);
}

/// A differentiated services codepoint, from 0 to 63.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Dscp(u8);

impl Dscp {
    /// The codepoint with the given number.
    ///
    /// # Errors
    /// If the number is larger than 63.
    pub const fn new(number: u8) -> Result<Self, WireError> {
        match number {
            0..=63 => Ok(Self(number)),
            _ => Err(WireError::Invalid { field: "DSCP", value: number as u64, expected: "0 to 63" }),
        }
    }

    /// The class selector of a priority, eight times its number (RFC 2474, section 4.2.2.2).
    ///
    /// ```
    /// use setpoint_wire::{Dscp, Priority};
    ///
    /// assert_eq!(Dscp::class_selector(Priority::ALL[6]).number(), 48);
    /// ```
    pub const fn class_selector(priority: Priority) -> Self {
        Self(priority.number() << 3)
    }

    /// Its number.
    pub const fn number(self) -> u8 {
        self.0
    }
}

impl Ipv4Header {
    /// The header of a UDP datagram of the default class, without support for ECN. It must not be fragmented.
    pub const fn of_udp(source: Ipv4Addr, destination: Ipv4Addr) -> Self {
        Self {
            dscp: Dscp(0),
            ecn: Ecn::NotEct,
            identification: 0,
            do_not_fragment: true,
            time_to_live: TIME_TO_LIVE,
            protocol: Protocol::UDP,
            source,
            destination,
        }
    }

    /// Parses the header of a packet; returns it with the payload. Octets after the packet, such as the padding of a
    /// short frame, and the reserved flag are ignored.
    ///
    /// # Errors
    /// If the packet is truncated, has another version, has options, is a fragment, or has an incorrect header checksum.
    pub fn parse(packet: &[u8]) -> Result<(Self, &[u8]), WireError> {
        let from = &mut Reader::new(packet);
        check_start(from.octet("IPv4 version")?)?;
        let service = from.octet("DSCP and ECN")?;
        let total = from.word("IPv4 total length")?;
        let identification = from.word("IPv4 identification")?;
        let flags = from.word("IPv4 fragment offset")?;
        let (time_to_live, protocol) = (from.octet("IPv4 time to live")?, from.octet("IPv4 protocol")?);
        let found = from.word("IPv4 header checksum")?;
        let source = from.array("IPv4 source address")?.into();
        let destination = from.array("IPv4 destination address")?.into();
        check_sum(found, &packet[..LENGTH])?;
        check_unfragmented(flags)?;
        let header = Self {
            dscp: Dscp(service >> 2),
            ecn: Ecn::from_lower_bits(service),
            identification,
            do_not_fragment: flags & DO_NOT_FRAGMENT != 0,
            time_to_live,
            protocol: Protocol(protocol),
            source,
            destination,
        };
        Ok((header, from.bytes("IPv4 payload", payload_length(total)?)?))
    }

    /// Encodes the header of a packet with the given length of its payload.
    ///
    /// # Errors
    /// If the packet would be longer than 65535 octets.
    pub fn encode(&self, payload: usize) -> Result<[u8; LENGTH], WireError> {
        total_length(payload).map(|total| self.octets(total))
    }

    pub(crate) fn write(&self, payload: usize, to: &mut Writer<'_>) -> Result<(), WireError> {
        to.bytes("IPv4 header", &self.encode(payload)?)
    }

    fn octets(&self, total: u16) -> [u8; LENGTH] {
        let mut octets = [0; LENGTH];
        octets[0] = START;
        octets[1] = self.dscp.0 << 2 | self.ecn as u8;
        octets[2..4].copy_from_slice(&total.to_be_bytes());
        octets[4..6].copy_from_slice(&self.identification.to_be_bytes());
        let flags = if self.do_not_fragment { DO_NOT_FRAGMENT } else { 0 };
        octets[6..8].copy_from_slice(&flags.to_be_bytes());
        octets[8..10].copy_from_slice(&[self.time_to_live, self.protocol.0]);
        octets[12..16].copy_from_slice(&self.source.octets());
        octets[16..20].copy_from_slice(&self.destination.octets());
        let checksum = checksum::of(&[&octets]);
        octets[10..12].copy_from_slice(&checksum.to_be_bytes());
        octets
    }
}

pub(crate) fn check_type(found: EtherType) -> Result<(), WireError> {
    if found == EtherType::IPV4 {
        return Ok(());
    }
    Err(WireError::Invalid { field: "EtherType", value: found.0.into(), expected: "2048 (IPv4)" })
}

pub(crate) fn check_start(octet: u8) -> Result<(), WireError> {
    let (version, words) = (u64::from(octet >> 4), u64::from(octet & 0x0f));
    match (version, words) {
        (4, 5) => Ok(()),
        (4, value) => {
            let expected = "5 words (options are not supported)";
            Err(WireError::Invalid { field: "IPv4 header length", value, expected })
        }
        (value, _) => Err(WireError::Invalid { field: "IP version", value, expected: "4" }),
    }
}

fn check_sum(found: u16, header: &[u8]) -> Result<(), WireError> {
    let computed = checksum::of(&[&header[..10], &header[12..]]);
    if found == computed {
        return Ok(());
    }
    let (found, computed) = (found.into(), computed.into());
    Err(WireError::Corrupt { field: "IPv4 header checksum", found, computed })
}

/// Whether the octets with the flags and the fragment offset belong to a fragment.
pub(crate) const fn is_fragment(flags: [u8; 2]) -> bool {
    u16::from_be_bytes(flags) & FRAGMENT != 0
}

fn check_unfragmented(flags: u16) -> Result<(), WireError> {
    match flags & FRAGMENT {
        0 => Ok(()),
        value => Err(WireError::Invalid {
            field: "IPv4 fragment offset with the flag for more fragments",
            value: value.into(),
            expected: "0 (fragments are not supported)",
        }),
    }
}

fn payload_length(total: u16) -> Result<usize, WireError> {
    let short =
        WireError::Invalid { field: "IPv4 total length", value: total.into(), expected: "at least 20" };
    usize::from(total).checked_sub(LENGTH).ok_or(short)
}

fn total_length(payload: usize) -> Result<u16, WireError> {
    let total = LENGTH.saturating_add(payload);
    u16::try_from(total).map_err(|_| WireError::Invalid {
        field: "IPv4 total length",
        value: total as u64,
        expected: "at most 65535",
    })
}
