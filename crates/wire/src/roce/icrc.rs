//! The invariant CRC (ICRC) at the end of a RoCEv2 packet.
//!
//! It is the CRC-32 of Ethernet over eight octets of ones, which replace the local route header of InfiniBand, and the
//! packet from its IPv4 header onwards. The fields that a router or a bridge may change count as ones: DSCP and ECN, the
//! time to live, both checksums, and the octet of the base transport header that contains FECN and BECN. A mark
//! therefore does not invalidate the ICRC. The octets of the CRC are sent in the order of the frame check sequence, the
//! least significant one first.

use crate::WireError;
use crate::cursor::Reader;
use crate::{ipv4, udp};

use super::bth;

/// The length of the ICRC.
pub(super) const LENGTH: usize = 4;

/// The headers that contain variable fields.
const HEADERS: usize = ipv4::LENGTH + udp::LENGTH + bth::LENGTH;
/// The offsets of the octets that count as ones.
const VARIABLE: [usize; 7] = [
    1,  // DSCP and ECN
    8,  // time to live
    10, // header checksum
    11,
    ipv4::LENGTH + 6, // UDP checksum
    ipv4::LENGTH + 7,
    ipv4::LENGTH + udp::LENGTH + 4, // FECN and BECN
];

/// The ICRC of a packet, which begins with the IPv4 header and ends before the ICRC.
pub(super) fn of(packet: &[u8]) -> Result<[u8; LENGTH], WireError> {
    let from = &mut Reader::new(packet);
    let mut headers: [u8; HEADERS] = from.array("headers of the RoCEv2 packet")?;
    for offset in VARIABLE {
        headers[offset] = 0xff;
    }
    let crc = [&[0xff; 8], &headers[..], from.rest()].into_iter().fold(u32::MAX, updated);
    Ok((!crc).to_le_bytes())
}

fn updated(crc: u32, octets: &[u8]) -> u32 {
    octets.iter().fold(crc, |crc, octet| crc >> 8 ^ TABLE[usize::from(crc as u8 ^ octet)])
}

/// The CRC of each octet, with the least significant bit first.
const TABLE: [u32; 256] = {
    let mut table = [0; 256];
    let mut octet = 0;
    while octet < table.len() {
        table[octet] = remainder(octet as u32);
        octet += 1;
    }
    table
};

const fn remainder(octet: u32) -> u32 {
    /// The generator polynomial of Ethernet with its bits reversed.
    const POLYNOMIAL: u32 = 0xedb8_8320;
    let mut crc = octet;
    let mut bit = 0;
    while bit < 8 {
        crc = if crc & 1 == 1 { crc >> 1 ^ POLYNOMIAL } else { crc >> 1 };
        bit += 1;
    }
    crc
}
