//! The Internet checksum (RFC 1071).

/// The checksum of several parts in sequence. All parts except the last have an even length, and together they are no
/// longer than an IPv4 packet with a pseudo-header.
pub(crate) fn of(parts: &[&[u8]]) -> u16 {
    let words = parts.iter().flat_map(|part| part.chunks(2));
    let sum: u32 =
        words.map(|pair| u32::from(pair[0]) << 8 | pair.get(1).map_or(0, |lower| u32::from(*lower))).sum();
    !folded(sum)
}

/// The checksum after one word has changed (RFC 1624, equation 3). An incorrect checksum stays incorrect.
pub(crate) fn updated(checksum: u16, old: u16, new: u16) -> u16 {
    !folded(u32::from(!checksum) + u32::from(!old) + u32::from(new))
}

/// The ones' complement sum of two halves, with the carry added.
fn folded(sum: u32) -> u16 {
    let once = (sum & 0xffff) + (sum >> 16);
    ((once & 0xffff) + (once >> 16)) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of RFC 1071, section 3: the words 0001, f203, f4f5 and f6f7 add up to ddf2.
    #[test]
    fn the_example_of_the_rfc() {
        assert_eq!(of(&[&[0x00, 0x01, 0xf2, 0x03], &[0xf4, 0xf5, 0xf6, 0xf7]]), !0xddf2);
    }

    #[test]
    fn an_odd_octet_is_the_upper_half_of_a_word() {
        assert_eq!(of(&[&[0x12, 0x34, 0x56]]), of(&[&[0x12, 0x34, 0x56, 0x00]]));
    }

    /// The example of RFC 1624, section 4, for which the older equation gives ffff.
    #[test]
    fn the_example_of_an_update() {
        assert_eq!(updated(0xdd2f, 0x5555, 0x3285), 0x0000);
    }
}
