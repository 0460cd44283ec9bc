//! Checksums computed by methods other than those of the crate.

/// The offset of the IPv4 header.
pub(super) fn packet(frame: &[u8]) -> usize {
    let tag = |offset: usize, ether_type: [u8; 2]| {
        if frame[offset..offset + 2] == ether_type { offset + 4 } else { offset }
    };
    tag(tag(12, [0x81, 0x00]), [0x22, 0xe9]) + 2
}

/// The end of the IPv4 packet, according to its total length.
fn end(frame: &[u8]) -> usize {
    let start = packet(frame);
    start + usize::from(u16::from_be_bytes([frame[start + 2], frame[start + 3]]))
}

/// Replaces the header checksum with the value for which the ones' complement sum of the header is ffff. The sum of the
/// words is congruent to their ones' complement sum modulo ffff.
pub(super) fn header_checksum(frame: &mut [u8]) {
    let start = packet(frame);
    frame[start + 10..start + 12].fill(0);
    let words = frame[start..start + 20].chunks(2).map(|word| u64::from(word[0]) * 256 + u64::from(word[1]));
    let checksum = 0xffff - words.sum::<u64>() % 0xffff;
    frame[start + 10..start + 12].copy_from_slice(&(checksum as u16).to_be_bytes());
}

/// Replaces the ICRC of a frame.
pub(super) fn icrc(frame: &mut [u8]) {
    let end = end(frame);
    let icrc = icrc_of(frame);
    frame[end - 4..end].copy_from_slice(&icrc);
}

/// The ICRC of a frame by long division of polynomials over its bits, the first of which has the highest power.
pub(super) fn icrc_of(frame: &[u8]) -> [u8; 4] {
    let mut octets = vec![0xff; 8];
    octets.extend(&frame[packet(frame)..end(frame) - 4]);
    for masked in [1, 8, 10, 11, 26, 27, 32] {
        octets[8 + masked] = 0xff;
    }
    // Each octet enters with its least significant bit first. The first 32 bits are inverted, and 32 zeros follow.
    let bits = octets.iter().flat_map(|octet| (0..8).map(move |bit| octet >> bit & 1 == 1));
    let dividend = bits.enumerate().map(|(place, bit)| bit ^ (place < 32)).chain([false; 32]);
    let remainder = dividend.fold(0_u64, |remainder, bit| {
        let next = remainder << 1 | u64::from(bit);
        if next >> 32 == 1 { next ^ 0x1_04c1_1db7 } else { next }
    });
    // The remainder is inverted and sent from the highest power to the lowest; the least significant bit of each octet
    // is sent first.
    (!(remainder as u32)).to_be_bytes().map(u8::reverse_bits)
}
