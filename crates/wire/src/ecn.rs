//! Explicit congestion notification in IP (RFC 3168).

use crate::cursor::Reader;
use crate::{Header, WireError, checksum, ipv4};

/// An ECN codepoint (RFC 3168, section 5).
///
/// ```
/// use setpoint_wire::Ecn;
///
/// assert_eq!(Ecn::Ect0.marked(), Ecn::Ce);
/// assert_eq!(Ecn::NotEct.marked(), Ecn::NotEct, "the transport would not understand a mark");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Ecn {
    /// The transport does not support ECN.
    #[default]
    NotEct = 0,
    /// The transport supports ECN, ECT(1).
    Ect1 = 1,
    /// The transport supports ECN, ECT(0).
    Ect0 = 2,
    /// The packet has passed a congested queue (congestion experienced).
    Ce = 3,
}

impl Ecn {
    /// The codepoint after a congested queue: CE, unless the transport does not support ECN.
    #[must_use]
    pub const fn marked(self) -> Self {
        match self {
            Self::NotEct => Self::NotEct,
            Self::Ect1 | Self::Ect0 | Self::Ce => Self::Ce,
        }
    }

    /// The codepoint in the lower two bits of an octet.
    pub(crate) const fn from_lower_bits(octet: u8) -> Self {
        match octet & 3 {
            0 => Self::NotEct,
            1 => Self::Ect1,
            2 => Self::Ect0,
            _ => Self::Ce,
        }
    }
}

/// Marks the frame of an IPv4 packet in place, as a bridge with a congested queue does: ECT becomes CE, and the header
/// checksum changes with it. Returns the codepoint after marking; [`Ecn::NotEct`] if the packet does not support ECN,
/// so that the bridge may drop the frame instead. An incorrect header checksum stays incorrect.
///
/// # Errors
/// If the frame is truncated, is not IPv4, or has IPv4 options.
pub fn mark(frame: &mut [u8]) -> Result<Ecn, WireError> {
    let (header, packet) = Header::parse(frame)?;
    ipv4::check_type(header.ether_type)?;
    let start = frame.len() - packet.len();
    let octets: [u8; ipv4::LENGTH] = Reader::new(packet).array("IPv4 header")?;
    ipv4::check_start(octets[0])?;
    let ecn = Ecn::from_lower_bits(octets[1]);
    if ecn != ecn.marked() {
        let word = |service| u16::from_be_bytes([octets[0], service]);
        let marked = octets[1] | Ecn::Ce as u8;
        let checksum = u16::from_be_bytes([octets[10], octets[11]]);
        let checksum = checksum::updated(checksum, word(octets[1]), word(marked));
        frame[start + 1] = marked;
        frame[start + 10..start + 12].copy_from_slice(&checksum.to_be_bytes());
    }
    Ok(ecn.marked())
}
