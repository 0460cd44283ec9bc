//! Both points in a closed loop around a queue without delay.

use setpoint_control::{Algorithm, Params, Preset};
use setpoint_units::{Bytes, Rate};

use crate::bottleneck::Bottleneck;
use crate::entropy::Xorshift;

/// The paper's scenario I: three sources that start at 1 Gb/s, a buffer of 128 kB. For each of the paper's four
/// pairs of gains, the queue settles at its target of 64 kB, including the arriving frame, and the link stays
/// busy.
#[test]
fn the_queue_is_held_and_the_link_is_full() {
    for seed in 1..=5 {
        for (state_a, state_b) in [(64, 16), (64, 64), (256, 16), (256, 64)] {
            let mut params = Params::preset(Preset::OneG);
            params.smcc.rp.state_a = Rate::from_mbps(state_a);
            params.smcc.rp.state_b = Rate::from_mbps(state_b);
            let bottleneck = Bottleneck {
                algorithm: Algorithm::Smcc,
                params,
                link: Rate::from_gbps(1),
                sources: 3,
                frame: Bytes::new(1_000),
                buffer: Bytes::new(128_000),
            };
            let seen = bottleneck.run(1_000, &mut Xorshift(seed));
            assert!((58_000..68_000).contains(&seen.queue), "Ra {state_a}, Rb {state_b}: {seen:?}");
            assert!(seen.utilisation > 9_900, "Ra {state_a}, Rb {state_b}: {seen:?}");
            // Half a second at 1 Gb/s, give or take the contents of the queue.
            assert!(seen.shares.iter().sum::<u64>().abs_diff(62_500_000) < 128_000, "{seen:?}");
        }
    }
}
