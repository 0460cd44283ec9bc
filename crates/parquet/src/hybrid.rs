//! The hybrid of run-length encoding and bit packing that Parquet uses for small numbers.

use crate::thrift::varint;

/// Values are packed in groups of this size.
const PACK: usize = 8;

/// The number of bits needed for numbers below a limit.
pub(crate) fn bits_below(limit: usize) -> u8 {
    (usize::BITS - limit.saturating_sub(1).leading_zeros()) as u8
}

/// Appends numbers of the given width: repeated numbers as a run, others packed.
pub(crate) fn encode(values: &[u32], bits: u8, bytes: &mut Vec<u8>) {
    let mut packed = 0;
    let mut place = 0;
    while place < values.len() {
        let run = values[place..].iter().take_while(|value| **value == values[place]).count();
        // A run may begin only between two groups, so that no group is padded before the end.
        if run >= PACK && (place - packed).is_multiple_of(PACK) {
            pack(&values[packed..place], bits, bytes);
            varint(bytes, (run as u64) << 1);
            bytes.extend_from_slice(&values[place].to_le_bytes()[..usize::from(bits).div_ceil(8)]);
            place += run;
            packed = place;
        } else {
            place += 1;
        }
    }
    pack(&values[packed..], bits, bytes);
}

/// Appends the bits of the numbers one after another, the lowest bit first. The last group is padded with zeros.
fn pack(values: &[u32], bits: u8, bytes: &mut Vec<u8>) {
    if values.is_empty() {
        return;
    }
    let groups = values.len().div_ceil(PACK);
    varint(bytes, (groups as u64) << 1 | 1);
    let end = bytes.len() + groups * usize::from(bits);
    let (mut waiting, mut filled) = (0_u64, 0_u8);
    for value in values {
        waiting |= u64::from(*value) << filled;
        filled += bits;
        while filled >= 8 {
            bytes.push(waiting as u8);
            waiting >>= 8;
            filled -= 8;
        }
    }
    if filled > 0 {
        bytes.push(waiting as u8);
    }
    bytes.resize(end, 0);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn widths() {
        assert_eq!([0, 1, 2, 3, 4, 5, 256, 257].map(bits_below), [0, 0, 1, 2, 2, 3, 8, 9]);
    }

    /// The examples in the format's specification: the numbers 0 to 7 with three bits each, and a run.
    #[test]
    fn the_examples_of_the_specification() {
        let mut bytes = Vec::new();
        encode(&[0, 1, 2, 3, 4, 5, 6, 7], 3, &mut bytes);
        assert_eq!(bytes, [0b11, 0b1000_1000, 0b1100_0110, 0b1111_1010]);
        bytes.clear();
        encode(&[5; 100], 3, &mut bytes);
        assert_eq!(bytes, [200, 1, 5]);
    }

    /// Decodes numbers according to the format's specification.
    fn decode(mut bytes: &[u8], bits: u8, count: usize) -> Vec<u32> {
        let mut values = Vec::new();
        while values.len() < count {
            let (mut header, mut shift) = (0_u64, 0);
            loop {
                let byte = bytes[0];
                bytes = &bytes[1..];
                header |= u64::from(byte & 0x7f) << shift;
                shift += 7;
                if byte < 0x80 {
                    break;
                }
            }
            if header & 1 == 0 {
                let width = usize::from(bits).div_ceil(8);
                let mut value = [0; 4];
                value[..width].copy_from_slice(&bytes[..width]);
                bytes = &bytes[width..];
                values.extend(std::iter::repeat_n(u32::from_le_bytes(value), (header >> 1) as usize));
            } else {
                let numbers = (header >> 1) as usize * PACK;
                let bit = |at: usize| u32::from(bytes[at / 8] >> (at % 8) & 1);
                let bits = usize::from(bits);
                let value =
                    |number: usize| (0..bits).map(|place| bit(number * bits + place) << place).sum::<u32>();
                values.extend((0..numbers).map(value));
                bytes = &bytes[numbers * bits / 8..];
            }
        }
        values.truncate(count);
        values
    }

    proptest! {
        #[test]
        fn numbers_are_read_back(runs in proptest::collection::vec((0_u32..300, 1_usize..30), 0..40)) {
            let values: Vec<u32> =
                runs.iter().flat_map(|(value, count)| std::iter::repeat_n(*value, *count)).collect();
            let mut bytes = Vec::new();
            encode(&values, 9, &mut bytes);
            prop_assert_eq!(decode(&bytes, 9, values.len()), values);
        }
    }
}
