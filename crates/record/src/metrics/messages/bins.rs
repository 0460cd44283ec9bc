//! Slowdown by message size, in bins that are fine enough for a curve.
//!
//! The bins begin at powers of ten and, from 1 kB on, also at 2 and 5 times a power of ten; smaller messages fit in one
//! frame and differ little. The bins depend neither on the traffic nor on the seed, so that all runs can be compared
//! bin by bin.

use std::collections::BTreeMap;

use setpoint_units::Bytes;

use super::class::{Known, class};
use crate::results::{Bounded, MessageClass, SlowdownBin};

/// The size from which there are three bins per factor of ten.
const FINE: u64 = 1_000;

/// The bins that have messages, in ascending order.
pub(super) fn bins(messages: &[Known]) -> Vec<SlowdownBin> {
    let mut by_bin: BTreeMap<(u64, u64), Vec<Known>> = BTreeMap::new();
    for message in messages {
        by_bin.entry(bin(message.size.get())).or_default().push(*message);
    }
    let slowdown = |(&(from, to), messages): (&(u64, u64), &Vec<Known>)| {
        of_class(&class((Some(Bytes::new(from)), Some(Bytes::new(to))), messages), (from, to))
    };
    by_bin.iter().filter_map(slowdown).collect()
}

fn of_class(class: &MessageClass, (from_bytes, to_bytes): (u64, u64)) -> Option<SlowdownBin> {
    let (median, tail) = (class.slowdown_at(0.5)?, class.slowdown_tail());
    Some(SlowdownBin {
        from_bytes,
        to_bytes,
        messages: class.count(),
        p50: median.value,
        p50_is_lower_bound: median.is_lower_bound,
        p99: tail.map(|tail| tail.value),
        p99_is_lower_bound: tail.is_some_and(|tail: Bounded| tail.is_lower_bound),
    })
}

/// Smallest size, inclusive, and largest size, exclusive, of the bin that contains the given size.
fn bin(size: u64) -> (u64, u64) {
    let Some(digits) = size.checked_ilog10() else { return (0, 1) };
    let power = 10u64.pow(digits);
    let (from, to): (u64, u64) = match size / power {
        _ if size < FINE => (1, 10),
        1 => (1, 2),
        2..5 => (2, 5),
        _ => (5, 10),
    };
    (from * power, to.saturating_mul(power))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_begin_at_one_two_and_five_times_a_power_of_ten() {
        let kb = |from: u64, to: u64| (1_000 * from, 1_000 * to);
        assert_eq!([1_999, 2_000, 4_999].map(bin), [kb(1, 2), kb(2, 5), kb(2, 5)]);
        assert_eq!([5_000, 9_999, 10_000].map(bin), [kb(5, 10), kb(5, 10), kb(10, 20)]);
        assert_eq!([0, 1, 30, 999].map(bin), [(0, 1), (1, 10), (10, 100), (100, 1_000)]);
        assert!(bin(u64::MAX).0 < bin(u64::MAX).1);
    }
}
