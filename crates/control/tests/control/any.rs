//! Strategies for values, including extreme ones.

use proptest::prelude::*;
use setpoint_units::Rate;

pub(crate) fn any_rate() -> impl Strategy<Value = Rate> {
    prop_oneof![1u64..1_000, 1u64..100_000_000_000, 1u64..=u64::MAX].prop_map(Rate::from_bits_per_second)
}

pub(crate) fn any_length() -> impl Strategy<Value = i64> {
    prop_oneof![
        4 => -200_000i64..200_000,
        1 => any::<i64>(),
        1 => prop::sample::select(vec![i64::MIN, i64::MIN + 1, -1, 0, 0, 0, 1, i64::MAX]),
    ]
}
