//! Both points in a closed loop around a queue without delay: three sources at 10 Gb/s that start at line rate.

use setpoint_control::aimd::{Averaging, Decrease};
use setpoint_control::{Algorithm, Params};

use crate::bottleneck::{Bottleneck, Seen};
use crate::entropy::Xorshift;

fn run(averaging: Averaging, decrease: Decrease, seed: u64) -> Seen {
    let mut params = Params::default();
    (params.aimd.rp.averaging, params.aimd.rp.decrease) = (averaging, decrease);
    Bottleneck::of_three(Algorithm::Aimd, params).run(200, &mut Xorshift(seed))
}

/// The set point is 30 kB, including the arriving frame.
#[test]
fn the_queue_is_held_and_the_link_is_full() {
    for seed in 1..=5 {
        for averaging in [Averaging::Off, Averaging::On, Averaging::Equivalent] {
            for decrease in [Decrease::Multiplicative, Decrease::Additive] {
                let seen = run(averaging, decrease, seed);
                assert!((24_000..34_000).contains(&seen.queue), "{averaging:?}, {decrease:?}: {seen:?}");
                assert!(seen.utilisation > 9_900, "{averaging:?}, {decrease:?}: {seen:?}");
            }
        }
    }
}

/// A multiplicative decrease takes more from faster sources: every source keeps more than half of its fair
/// share.
#[test]
fn a_multiplicative_decrease_is_fair_enough() {
    for seed in 1..=5 {
        for averaging in [Averaging::Off, Averaging::On, Averaging::Equivalent] {
            let seen = run(averaging, Decrease::Multiplicative, seed);
            let smallest = seen.shares.iter().min().expect("there are sources");
            assert!(6 * smallest > seen.shares.iter().sum(), "{averaging:?}: {seen:?}");
        }
    }
}
