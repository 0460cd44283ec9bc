//! The example behaves as documented.

#[expect(dead_code, reason = "`main` only prints")]
#[path = "../../examples/closed_loop.rs"]
mod example;

use setpoint_control::Algorithm;
use setpoint_units::Bytes;

#[test]
fn the_queue_overshoots_and_settles_at_its_set_point() {
    let queues = example::mean_queues(Algorithm::Qcn, 100);
    assert!(queues[0] > Bytes::new(60_000), "{queues:?}");
    let settled = &queues[20..];
    let mean = settled.iter().copied().sum::<Bytes>() / settled.len() as u64;
    assert!((Bytes::new(24_000)..Bytes::new(28_000)).contains(&mean), "{mean}");
    assert!(settled.iter().all(|queue| *queue < Bytes::new(40_000)), "{settled:?}");
}

#[test]
fn without_control_the_queue_grows_for_ever() {
    let queues = example::mean_queues(Algorithm::None, 10);
    assert!(queues.is_sorted() && queues[9] > Bytes::new(30_000_000), "{queues:?}");
}
