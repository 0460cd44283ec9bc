//! Operators: dimensions and rounding direction.

use proptest::prelude::*;
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

#[test]
fn sending_time_rounds_up() {
    assert_eq!(Bytes::new(1_000) / Rate::from_gbps(10), TimeDelta::from_nanos(800));
    assert_eq!(Bytes::new(1) / Rate::from_gbps(3), TimeDelta::from_picos(2_667));
    assert_eq!(Bytes::new(4_000_000_000) / Rate::from_gbps(8), TimeDelta::from_secs(4));
}

#[test]
fn amount_rounds_down() {
    assert_eq!(Rate::from_gbps(10) * TimeDelta::from_micros(50), Bytes::new(62_500));
    assert_eq!(Rate::from_gbps(10) * TimeDelta::from_picos(799), Bytes::ZERO);
}

#[test]
fn rate_from_an_amount_over_a_span() {
    let second = TimeDelta::from_secs(1);
    assert_eq!(Rate::from_bytes_over(Bytes::new(125_000_000), second), Some(Rate::from_gbps(1)));
    assert_eq!(Rate::from_bytes_over(Bytes::ZERO, second), None);
    assert_eq!(Rate::from_bytes_over(Bytes::new(1), TimeDelta::ZERO), None);
}

#[test]
fn scaling_rounds_up_and_saturates() {
    assert_eq!(TimeDelta::from_picos(10).scaled(1, 3), TimeDelta::from_picos(4));
    assert_eq!(TimeDelta::MAX.scaled(2, 1), TimeDelta::MAX);
}

#[test]
#[should_panic(expected = "subtracted a later time from an earlier one")]
fn a_reversed_subtraction_panics() {
    let _ = Time::ZERO - Time::from_picos(1);
}

#[test]
#[should_panic(expected = "amount of bytes would be negative")]
fn bytes_do_not_go_below_zero() {
    let _ = Bytes::ZERO - Bytes::new(1);
}

proptest! {
    /// In the time that it takes to send an amount, exactly that amount is sent: the two operators round
    /// consistently.
    #[test]
    fn sending_and_earning_agree(bytes in 0u64..1_000_000, mbps in 1u64..400_000) {
        let (bytes, rate) = (Bytes::new(bytes), Rate::from_mbps(mbps));
        let earned = rate * (bytes / rate);
        prop_assert!(earned == bytes);
    }
}
