//! UDP headers (RFC 768).
//!
//! | offset | octets | field |
//! |---|---|---|
//! | 0 | 2 | source port |
//! | 2 | 2 | destination port |
//! | 4 | 2 | length of the header and the payload |
//! | 6 | 2 | checksum of the pseudo-header, the header and the payload; 0 for none |

use crate::cursor::{Reader, Writer};
use crate::{Ipv4Header, WireError, checksum};

/// The length of a header.
pub const LENGTH: usize = 8;
/// The destination port of RoCEv2.
pub const ROCE_PORT: u16 = 4791;

/// A UDP header. It is encoded without a checksum, as RoCEv2 adapters usually do: the ICRC protects the packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UdpHeader {
    /// The source port. RoCEv2 derives it from the connection, so that routers and bridges can use it to choose among
    /// paths of equal cost.
    pub source_port: u16,
    /// The destination port.
    pub destination_port: u16,
}

impl UdpHeader {
    /// Parses the header of a datagram, which is the whole payload of an IPv4 packet; returns it with its own payload.
    ///
    /// # Errors
    /// If the datagram is truncated, does not fill the packet, or has a checksum that is neither 0 nor correct.
    pub fn parse<'a>(ip: &Ipv4Header, datagram: &'a [u8]) -> Result<(Self, &'a [u8]), WireError> {
        let from = &mut Reader::new(datagram);
        let source_port = from.word("UDP source port")?;
        let destination_port = from.word("UDP destination port")?;
        let length = from.word("UDP length")?;
        let checksum = from.word("UDP checksum")?;
        if usize::from(length) != datagram.len() {
            let expected = "the length of the IPv4 payload";
            return Err(WireError::Invalid { field: "UDP length", value: length.into(), expected });
        }
        check_sum(checksum, ip, datagram)?;
        Ok((Self { source_port, destination_port }, from.rest()))
    }

    /// Encodes the header of a datagram with the given length of its payload.
    ///
    /// # Errors
    /// If the datagram would be longer than 65535 octets.
    pub fn encode(self, payload: usize) -> Result<[u8; LENGTH], WireError> {
        let mut octets = [0; LENGTH];
        octets[..2].copy_from_slice(&self.source_port.to_be_bytes());
        octets[2..4].copy_from_slice(&self.destination_port.to_be_bytes());
        octets[4..6].copy_from_slice(&total_length(payload)?.to_be_bytes());
        Ok(octets)
    }

    pub(crate) fn write(self, payload: usize, to: &mut Writer<'_>) -> Result<(), WireError> {
        to.bytes("UDP header", &self.encode(payload)?)
    }
}

fn total_length(payload: usize) -> Result<u16, WireError> {
    let total = LENGTH.saturating_add(payload);
    u16::try_from(total).map_err(|_| WireError::Invalid {
        field: "UDP length",
        value: total as u64,
        expected: "at most 65535",
    })
}

/// Checks the checksum of a datagram. A computed checksum of 0 is sent as ffff, since 0 means that there is no
/// checksum.
fn check_sum(found: u16, ip: &Ipv4Header, datagram: &[u8]) -> Result<(), WireError> {
    if found == 0 {
        return Ok(());
    }
    let [upper, lower] = (datagram.len() as u16).to_be_bytes();
    let (source, destination) = (ip.source.octets(), ip.destination.octets());
    let rest = [0, ip.protocol.0, upper, lower];
    let computed = match checksum::of(&[&source, &destination, &rest, &datagram[..6], &datagram[LENGTH..]]) {
        0 => 0xffff,
        computed => computed,
    };
    if found == computed {
        return Ok(());
    }
    Err(WireError::Corrupt { field: "UDP checksum", found: found.into(), computed: computed.into() })
}
