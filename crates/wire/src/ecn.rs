//! Explicit congestion notification in IP (RFC 3168).

use crate::cursor::Reader;
use crate::{Ecn, EtherType, Header, WireError, checksum, ipv4};

/// The codepoint of a frame with an IPv4 or IPv6 packet; none for other frames and for truncated packets.
pub fn of(frame: &[u8]) -> Option<Ecn> {
    let place = Place::of(frame).ok()?;
    Some(Ecn::from_lower_bits(place.class))
}

/// Marks the frame of an IP packet in place, as a bridge with a congested queue does: ECT becomes CE and, in IPv4, the header
/// checksum changes with it. Returns the codepoint after marking; [`Ecn::NotEct`] if the packet does not support ECN,
/// so that the bridge may drop the frame instead. An incorrect header checksum stays incorrect.
///
/// # Errors
/// If the frame is truncated, or if it is neither IPv4 nor IPv6.
pub fn mark(frame: &mut [u8]) -> Result<Ecn, WireError> {
    change(frame, Ecn::marked)
}

/// Declares, in place, that the sender of an IP packet reacts to marks: Not-ECT becomes ECT(0). Returns the codepoint
/// after the change.
///
/// ```
/// use setpoint_wire::{Ecn, ecn};
///
/// let mut frame = [&[0; 12][..], &[0x86, 0xdd, 0x60], &[0; 39]].concat();
/// assert_eq!(ecn::of(&frame), Some(Ecn::NotEct));
/// ecn::declare(&mut frame).unwrap();
/// assert_eq!(ecn::of(&frame), Some(Ecn::Ect0));
/// ```
///
/// # Errors
/// If the frame is truncated, or if it is neither IPv4 nor IPv6.
pub fn declare(frame: &mut [u8]) -> Result<Ecn, WireError> {
    change(frame, |ecn| if ecn == Ecn::NotEct { Ecn::Ect0 } else { ecn })
}

fn change(frame: &mut [u8], change: impl Fn(Ecn) -> Ecn) -> Result<Ecn, WireError> {
    let place = Place::of(frame)?;
    let (before, after) = (Ecn::from_lower_bits(place.class), change(Ecn::from_lower_bits(place.class)));
    if before != after {
        place.write(frame, place.class & !3 | after as u8);
    }
    Ok(after)
}

/// The position of a packet in its frame, and the field that contains the ECN codepoint.
struct Place {
    /// The offset of the packet.
    packet: usize,
    version: Version,
    /// The type of service of IPv4, or the traffic class of IPv6.
    class: u8,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Version {
    Four,
    Six,
}

impl Place {
    fn of(frame: &[u8]) -> Result<Self, WireError> {
        let (header, octets) = Header::parse(frame)?;
        let packet = frame.len() - octets.len();
        match header.ether_type {
            EtherType::IPV6 => {
                let [first, second, ..] = Reader::new(octets).array::<IPV6_HEADER>("IPv6 header")?;
                check_version(first, 6)?;
                Ok(Self { packet, version: Version::Six, class: first << 4 | second >> 4 })
            }
            other => {
                ipv4::check_type(other)?;
                let [first, class, ..] = Reader::new(octets).array::<{ ipv4::LENGTH }>("IPv4 header")?;
                check_version(first, 4)?;
                check_words(first & 0x0f)?;
                Ok(Self { packet, version: Version::Four, class })
            }
        }
    }

    /// Changes the field. IPv6 has no header checksum.
    fn write(&self, frame: &mut [u8], class: u8) {
        let packet = &mut frame[self.packet..];
        if self.version == Version::Six {
            packet[0] = packet[0] & 0xf0 | class >> 4;
            packet[1] = packet[1] & 0x0f | class << 4;
            return;
        }
        let word = |class| u16::from_be_bytes([packet[0], class]);
        let checksum = u16::from_be_bytes([packet[10], packet[11]]);
        let checksum = checksum::updated(checksum, word(self.class), word(class));
        packet[1] = class;
        packet[10..12].copy_from_slice(&checksum.to_be_bytes());
    }
}

/// The length of an IPv6 header without extensions.
const IPV6_HEADER: usize = 40;

fn check_version(first: u8, version: u8) -> Result<(), WireError> {
    if first >> 4 == version {
        return Ok(());
    }
    let expected = if version == 4 { "4" } else { "6" };
    Err(WireError::Invalid { field: "IP version", value: u64::from(first >> 4), expected })
}

fn check_words(words: u8) -> Result<(), WireError> {
    match words {
        5.. => Ok(()),
        value => {
            let expected = "at least 5 words";
            Err(WireError::Invalid { field: "IPv4 header length", value: value.into(), expected })
        }
    }
}
