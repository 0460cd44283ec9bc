//! Theorem 1 of the Allerton paper, checked on the simulator's own code: for every sequence of feedback, the
//! mean of the two rates of system 1, which averages, equals the rate of system 2, which does not.
//!
//! The theorem assumes no bounds, so the sequences stay away from the minimum and the maximum rate: they
//! start between them, and the sum of their changes cannot reach either. The decrease is additive, so both systems
//! receive the same changes.
//!
//! Rounding: each change F is rounded to a whole bit per second, in both systems alike, and the rest is exact
//! in quarters of a bit per second. The rates in whole bits per second, which are rounded down, differ by less
//! than 1 b/s.

use proptest::prelude::*;
use setpoint_control::React;
use setpoint_control::aimd::{Averaging, Decrease, ReactionPoint, RpParams};
use setpoint_control::parameter::Power;
use setpoint_units::{Bytes, Rate};

use super::{LINE, send, tell};

/// F = 5 Gb/s at the largest feedback, (1 + 2w) x 1 MB.
fn params(averaging: Averaging, exponent: i8) -> RpParams {
    RpParams {
        averaging,
        decrease: Decrease::Additive,
        largest_increase: Rate::from_gbps(5),
        reference: Bytes::new(1_000_000),
        weight: Power::of_two(exponent),
        ..RpParams::default()
    }
}

/// F[n] in bits per second according to the formula, rounded towards zero.
fn change(exponent: i8, offset: i64, difference: i64) -> i128 {
    // Everything is scaled by 2^10 to make the weights whole numbers.
    let weight = if exponent < 0 { 1024i128 >> -exponent } else { 1024i128 << exponent };
    let largest = (1024 + 2 * weight) * 1_000_000;
    let feedback = -(1024 * i128::from(offset) + weight * i128::from(difference));
    5_000_000_000 * feedback.clamp(-largest, largest) / largest
}

/// The maximum of |Qoff| and |dQ|. In such a message |Fb| is at most (1 + w) x 2 kB out of (1 + 2w) MB, and |F|
/// is at most 2/1000 x 5 Gb/s = 10 Mb/s, half of which remains: 400 messages move the rate by 2 Gb/s, from 7.5
/// Gb/s.
const FAR: i64 = 2_000;

fn sequence() -> impl Strategy<Value = Vec<(i64, i64)>> {
    prop::collection::vec((-FAR..=FAR, -FAR..=FAR), 1..400)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn systems_1_and_2_are_equivalent(feedback in sequence(), exponent in -3i8..=3) {
        let mut averaging = ReactionPoint::new(params(Averaging::On, exponent), LINE);
        let mut equivalent = ReactionPoint::new(params(Averaging::Equivalent, exponent), LINE);
        // The largest feedback slows both down first, to 7.5 Gb/s after the averaging.
        let first = [(i64::MAX, 0)];
        let mut settled = LINE.bits_per_second() as i128 * 4;
        for (offset, difference) in first.into_iter().chain(feedback) {
            tell(&mut averaging, offset, difference);
            let (one, told_one) = (averaging.quarter_bits(), averaging.rate().bits_per_second());
            send(&mut averaging, 75_001);
            let (two, told_two) = (averaging.quarter_bits(), averaging.rate().bits_per_second());
            tell(&mut equivalent, offset, difference);
            // Re[n] = R[n], exactly.
            prop_assert_eq!(u128::from(one) + u128::from(two), 2 * u128::from(equivalent.quarter_bits()));
            // The rates given to the limiter differ by less than 1 b/s.
            let told = equivalent.rate().bits_per_second();
            prop_assert!((2 * told).abs_diff(told_one + told_two) < 2);
            // Both follow the definition: R1[n] = R2[n-1] + F[n], R2[n] = R2[n-1] + F[n]/2.
            let change = change(exponent, offset, difference);
            prop_assert_eq!(i128::from(one), settled + 4 * change);
            settled += 2 * change;
            prop_assert_eq!(i128::from(two), settled);
        }
        prop_assert!(Rate::from_gbps(5) < averaging.rate() && averaging.rate() < LINE, "no bound was near");
        prop_assert_eq!(averaging.counters().get("decreases"), equivalent.counters().get("decreases"));
    }

    /// Without averaging, the same sequence leads to different rates, so the test above can fail.
    #[test]
    fn without_averaging_rates_differ(feedback in sequence()) {
        let mut plain = ReactionPoint::new(params(Averaging::Off, 1), LINE);
        let mut equivalent = ReactionPoint::new(params(Averaging::Equivalent, 1), LINE);
        let mut differ = false;
        for (offset, difference) in [(500_000, 0)].into_iter().chain(feedback) {
            tell(&mut plain, offset, difference);
            tell(&mut equivalent, offset, difference);
            differ |= plain.quarter_bits() != equivalent.quarter_bits();
        }
        prop_assert!(differ);
    }
}
