//! Both points in a closed loop around a queue without delay: three sources at 10 Gb/s that start at line rate.

use setpoint_control::parameter::Switch;
use setpoint_control::{Algorithm, Params};

use crate::bottleneck::{Bottleneck, Seen};
use crate::entropy::Xorshift;

fn run(change: fn(&mut Params), seed: u64) -> Seen {
    let mut params = Params::default();
    change(&mut params);
    Bottleneck::of_three(Algorithm::Bcn, params).run(200, &mut Xorshift(seed))
}

/// The set point is 24 kB, including the arriving frame.
#[test]
fn the_queue_is_held_and_the_link_is_full() {
    for seed in 1..=5 {
        for change in [|_: &mut Params| {}, |params: &mut Params| params.bcn.cp.severe_stop = Switch::Off] {
            let seen = run(change, seed);
            assert!((16_000..28_000).contains(&seen.queue), "{seen:?}");
            assert!(seen.utilisation > 9_900, "{seen:?}");
        }
    }
}

fn smallest_share(seen: &Seen) -> u64 {
    let smallest = seen.shares.iter().min().expect("there are sources");
    100 * smallest / seen.shares.iter().sum::<u64>()
}

/// A source that was stopped sends at 10 Mb/s and is sampled once per 150 kB, which is every 120 ms. It stays
/// at that rate unless it drifts or stops are switched off.
#[test]
fn a_stopped_source_starves_unless_it_drifts() {
    for seed in 1..=5 {
        assert!(smallest_share(&run(|_| {}, seed)) < 1);
        assert!(smallest_share(&run(|params| params.bcn.rp.drift = Switch::On, seed)) > 10);
        assert!(smallest_share(&run(|params| params.bcn.cp.severe_stop = Switch::Off, seed)) > 10);
    }
}
