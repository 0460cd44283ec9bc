//! Checksums of transport protocols that their sender left to hardware.
//!
//! On a virtual link, the hardware to which the sender leaves the checksum does not exist, and the receiver drops the frame.
//! The kernel has put the sum of the pseudo-header (RFC 9293, section 3.1) into the field; this module adds the rest.

const IPV4: [u8; 2] = [0x08, 0x00];
const IPV6: [u8; 2] = [0x86, 0xdd];
/// Tags in front of the packet: VLAN tags (IEEE 802.1Q) and the CN-TAG. Each of them is four octets long.
const TAGS: [[u8; 2]; 3] = [[0x81, 0x00], [0x88, 0xa8], [0x22, 0xe9]];
const TCP: u8 = 6;
const UDP: u8 = 17;
/// IPv6 extension headers that state their length in units of 8 octets: hop-by-hop options, routing, destination options.
const EXTENSIONS: [u8; 3] = [0, 43, 60];

/// Completes the checksum of TCP or UDP in an IPv4 or IPv6 frame. Returns whether this was possible: the field must contain
/// the sum of the pseudo-header, which shows that the sender left this checksum to hardware.
pub(super) fn finish(frame: &mut [u8]) -> bool {
    let Some(segment) = Segment::of(frame) else { return false };
    let (start, end, field) = (segment.start, segment.end, segment.start + segment.field);
    if u16::from_be_bytes([frame[field], frame[field + 1]]) != segment.pseudo {
        return false;
    }
    // The field is part of the sum, so the pseudo-header is included.
    let checksum = match !folded(sum(&frame[start..end])) {
        // In UDP, 0 means that there is no checksum; in one's complement, 0xffff is the same number.
        0 if segment.protocol == UDP => 0xffff,
        checksum => checksum,
    };
    frame[field..field + 2].copy_from_slice(&checksum.to_be_bytes());
    true
}

/// A whole segment or datagram within a frame.
struct Segment {
    start: usize,
    end: usize,
    /// The position of the checksum within it.
    field: usize,
    protocol: u8,
    /// The folded sum of the pseudo-header.
    pseudo: u16,
}

impl Segment {
    fn of(frame: &[u8]) -> Option<Self> {
        let mut at = 12;
        while TAGS.iter().any(|tag| frame.get(at..at + 2) == Some(tag)) {
            at += 4;
        }
        let (packet, kind) = (at + 2, frame.get(at..at + 2)?);
        if kind == IPV4 {
            Self::in_ipv4(frame, packet)
        } else if kind == IPV6 {
            Self::in_ipv6(frame, packet)
        } else {
            None
        }
    }

    fn in_ipv4(frame: &[u8], packet: usize) -> Option<Self> {
        let header = frame.get(packet..packet + 20)?;
        let is_fragment = u16::from_be_bytes([header[6], header[7]]) & 0x3fff != 0;
        let total = usize::from(u16::from_be_bytes([header[2], header[3]]));
        let start = packet + usize::from(header[0] & 0x0f) * 4;
        if is_fragment || start < packet + 20 {
            return None;
        }
        Self::new(frame, (start, packet + total), header[9], &header[12..20])
    }

    fn in_ipv6(frame: &[u8], packet: usize) -> Option<Self> {
        let header = frame.get(packet..packet + 40)?;
        let end = packet + 40 + usize::from(u16::from_be_bytes([header[4], header[5]]));
        let (mut protocol, mut start) = (header[6], packet + 40);
        while EXTENSIONS.contains(&protocol) {
            let extension = frame.get(start..start + 2)?;
            (protocol, start) = (extension[0], start + 8 + usize::from(extension[1]) * 8);
        }
        Self::new(frame, (start, end), protocol, &header[8..40])
    }

    /// A segment, unless the frame is too short for it. Octets after `end` are padding.
    fn new(frame: &[u8], (start, end): (usize, usize), protocol: u8, addresses: &[u8]) -> Option<Self> {
        let (field, shortest) = match protocol {
            TCP => (16, 20),
            UDP => (6, 8),
            _ => return None,
        };
        let length = end.checked_sub(start).filter(|length| *length >= shortest && end <= frame.len())?;
        let pseudo = folded(sum(addresses) + length as u64 + u64::from(protocol));
        Some(Self { start, end, field, protocol, pseudo })
    }
}

/// The sum of 16-bit words; an odd octet at the end is padded with 0.
fn sum(octets: &[u8]) -> u64 {
    let word = |pair: &[u8]| u64::from(u16::from_be_bytes([pair[0], pair.get(1).copied().unwrap_or(0)]));
    octets.chunks(2).map(word).sum()
}

fn folded(mut sum: u64) -> u16 {
    while sum > 0xffff {
        sum = (sum >> 16) + (sum & 0xffff);
    }
    sum as u16
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const IPV4_ADDRESSES: [u8; 8] = [192, 0, 2, 1, 192, 0, 2, 2];

    fn framed(tags: &[u8], kind: [u8; 2], packet: &[u8]) -> Vec<u8> {
        [&[2; 12][..], tags, &kind, packet].concat()
    }

    /// A segment with the sum of its pseudo-header in place of the checksum.
    fn segment(protocol: u8, addresses: &[u8], length: usize) -> Vec<u8> {
        let mut octets: Vec<u8> = (0..length).map(|at| (at * 7) as u8).collect();
        let field = if protocol == TCP { 16 } else { 6 };
        let pseudo = folded(sum(addresses) + length as u64 + u64::from(protocol));
        octets[field..field + 2].copy_from_slice(&pseudo.to_be_bytes());
        octets
    }

    fn ipv4(protocol: u8, length: usize, fragment: u8) -> Vec<u8> {
        let mut packet = vec![0x45, 0, 0, (20 + length) as u8, 0, 0, fragment, 0, 64, protocol, 0, 0];
        packet.extend(IPV4_ADDRESSES);
        packet.extend(segment(protocol, &IPV4_ADDRESSES, length));
        packet
    }

    /// A packet with a hop-by-hop extension of 16 octets.
    fn ipv6(protocol: u8, length: usize) -> Vec<u8> {
        let addresses: Vec<u8> = (1..=32).collect();
        let mut packet = vec![0x60, 0, 0, 0, 0, (16 + length) as u8, 0, 64];
        packet.extend(&addresses);
        packet.extend([protocol, 1]);
        packet.extend([0; 14]);
        packet.extend(segment(protocol, &addresses, length));
        packet
    }

    /// A correct checksum makes the sum of segment and pseudo-header 0xffff.
    fn is_intact(frame: &[u8]) -> bool {
        let found = Segment::of(frame).unwrap();
        folded(sum(&frame[found.start..found.end]) + u64::from(found.pseudo)) == 0xffff
    }

    #[test]
    fn tcp_and_udp_are_finished_behind_tags_and_with_padding() {
        let tags: [&[u8]; 3] = [&[], &[0x81, 0, 0x60, 5], &[0x81, 0, 0x60, 5, 0x22, 0xe9, 0, 7]];
        for (tags, length) in tags.into_iter().flat_map(|tags| [(tags, 40), (tags, 41)]) {
            for protocol in [TCP, UDP] {
                for (kind, packet) in [(IPV4, ipv4(protocol, length, 0x40)), (IPV6, ipv6(protocol, length))] {
                    let mut frame = framed(tags, kind, &packet);
                    frame.extend([0xaa; 3]);
                    assert!(!is_intact(&frame) && finish(&mut frame) && is_intact(&frame), "{kind:x?}");
                    assert!(!finish(&mut frame), "a finished checksum stays");
                }
            }
        }
    }

    #[test]
    fn a_checksum_of_zero_is_written_as_all_ones() {
        let mut packet = ipv4(UDP, 10, 0);
        // The last word makes the sum 0xffff.
        packet[28..30].copy_from_slice(&[0, 0]);
        let rest = folded(sum(&packet[20..30]));
        packet[28..30].copy_from_slice(&(0xffff - rest).to_be_bytes());
        let mut frame = framed(&[], IPV4, &packet);
        assert!(finish(&mut frame));
        assert_eq!(frame[14 + 26..14 + 28], [0xff, 0xff]);
    }

    #[test]
    fn what_cannot_be_finished_stays_as_it_is() {
        let fragment = framed(&[], IPV4, &ipv4(UDP, 40, 0x20));
        let icmp = framed(&[], IPV4, &ipv4(1, 40, 0));
        let arp = framed(&[], [0x08, 0x06], &[0; 46]);
        let mut cut = framed(&[], IPV4, &ipv4(TCP, 40, 0));
        cut.truncate(60);
        for before in [fragment, icmp, arp, cut] {
            let mut after = before.clone();
            assert!(!finish(&mut after));
            assert_eq!(before, after);
        }
    }

    proptest! {
        #[test]
        fn any_frame_may_come(ipv6 in any::<bool>(), packet in prop::collection::vec(any::<u8>(), 0..120)) {
            finish(&mut framed(&[], if ipv6 { IPV6 } else { IPV4 }, &packet));
        }
    }
}
