//! The congestion point: when it samples, and what it sends.

use setpoint_control::parameter::Percent;
use setpoint_control::smcc::{CongestionPoint, CpParams, Sampling};
use setpoint_control::{Arrival, FlowKey, Notification, Observe};
use setpoint_units::Bytes;

use super::{heard, paper};
use crate::entropy::{Forbidden, Xorshift};
use crate::told::Told;

fn regular() -> CpParams {
    CpParams { jitter: Percent::ZERO, ..paper().cp }
}

/// Enqueues frames of 1 kB up to and including the sampled one, at a constant queue length.
fn sample(point: &mut CongestionPoint, queue: u64) -> Option<(FlowKey, Notification)> {
    let before = point.counters().samples;
    let mut outbox = Told::default();
    for flow in 1..=101 {
        assert_eq!(point.counters().samples, before);
        let arrival = Arrival::of(Bytes::new(1_000), Bytes::new(queue));
        point.on_enqueue(&Arrival { flow: FlowKey(flow), ..arrival }, &mut Forbidden, &mut outbox);
    }
    assert_eq!(point.counters().samples, before + 1);
    assert!(outbox.len() <= 1);
    outbox.pop()
}

/// Qoff = q - 64 kB and dQ = q - qOld, where qOld is the queue length at the last sample, whether or not that
/// caused a notification. They go to the source of the sampled frame, the 101st.
#[test]
fn offset_and_difference_go_to_the_source_of_the_sampled_frame() {
    let mut point = CongestionPoint::new(regular());
    for (queue, offset, difference) in [
        (80_000, 16_000, 80_000),
        (70_000, 6_000, -10_000),
        (64_000, 0, -6_000),
        (30_000, -34_000, -34_000),
        (30_000, -34_000, 0),
        (64_000, 0, 34_000),
    ] {
        assert_eq!(sample(&mut point, queue), Some((FlowKey(101), heard(offset, difference))), "{queue}");
    }
    assert_eq!(sample(&mut point, 64_000), None, "at its target and constant: no notification");
    assert_eq!(sample(&mut point, 65_000), Some((FlowKey(101), heard(1_000, 1_000))));
    assert_eq!((point.counters().samples, point.counters().notifications), (8, 7));
}

/// Every frame consumes a random number and is sampled if the number is below 1 % of 2^32, 42949672.96. The number of
/// bytes does not matter.
#[test]
fn fixed_sampling_tosses_a_coin() {
    let mut point = CongestionPoint::new(CpParams { sampling: Sampling::Fixed, ..regular() });
    let mut outbox = Told::default();
    let tosses = [42_949_673, 42_949_672, u32::MAX, 0, 1 << 31];
    for (toss, frame) in tosses.into_iter().zip([1_000, 64, 9_000, 1, 1_000_000]) {
        assert!(!point.passes(Bytes::new(frame)), "every frame must be shown");
        point.on_enqueue(&Arrival::of(Bytes::new(frame), Bytes::new(80_000)), &mut || toss, &mut outbox);
    }
    assert_eq!(*outbox, [(FlowKey(0), heard(16_000, 80_000)), (FlowKey(0), heard(16_000, 0))]);
    assert_eq!(point.counters().samples, 2);
    // A sample triggered by the clock does not consume a random number.
    let clock = Arrival::of(Bytes::ZERO, Bytes::new(80_000));
    point.on_clock(&clock, &mut Forbidden, &mut outbox);
    assert_eq!((point.counters().samples, outbox.len()), (3, 3));
}

/// 100 000 frames at 2.5 %: 2500 samples, with a standard deviation of 49.
#[test]
fn fixed_probability_is_respected() {
    let fixed_probability = Percent::from_hundredths(250);
    let params = CpParams { sampling: Sampling::Fixed, fixed_probability, ..paper().cp };
    let mut point = CongestionPoint::new(params);
    let (mut random, mut outbox) = (Xorshift::default(), Told::default());
    for _ in 0..100_000 {
        point.on_enqueue(&Arrival::of(Bytes::new(1_000), Bytes::new(80_000)), &mut random, &mut outbox);
    }
    let samples = point.counters().samples;
    assert!((2_300..=2_700).contains(&samples), "{samples}");
    let always = CpParams { fixed_probability: Percent::WHOLE, ..params };
    let mut point = CongestionPoint::new(always);
    point.on_enqueue(&Arrival::of(Bytes::new(1), Bytes::new(1)), &mut || u32::MAX, &mut outbox);
    assert_eq!(point.counters().samples, 1);
}

#[test]
fn samples_are_spread_and_keep_their_mean() {
    let mut point = CongestionPoint::new(paper().cp);
    let (mut random, mut outbox) = (Xorshift(7), Told::default());
    let (mut since, mut intervals) = (0, Vec::new());
    while intervals.len() < 400 {
        let samples = point.counters().samples;
        point.on_enqueue(&Arrival::of(Bytes::new(100), Bytes::new(1_000)), &mut random, &mut outbox);
        since += 100;
        if point.counters().samples > samples {
            intervals.push(since);
            since = 0;
        }
    }
    assert!(intervals[1..].iter().all(|bytes| (85_000..=115_100).contains(bytes)));
    assert!(intervals.iter().any(|bytes| *bytes < 90_000) && intervals.iter().any(|bytes| *bytes > 110_000));
    // Uniform distribution: the standard deviation is 30000/sqrt(12) = 8660, and 433 for the mean of 400
    // values.
    let mean = intervals.iter().sum::<u64>() / 400;
    assert!((98_300..=101_700).contains(&mean), "mean {mean}");
}

#[test]
fn lengths_beyond_32_bits_are_held() {
    let mut point = CongestionPoint::new(CpParams::default());
    let mut outbox = Told::default();
    for queue in [u64::MAX, 0, u64::MAX] {
        point.on_enqueue(
            &Arrival::of(Bytes::new(u64::MAX), Bytes::new(queue)),
            &mut Xorshift(1),
            &mut outbox,
        );
    }
    let most = i64::from(u32::MAX);
    let said: Vec<Notification> = outbox.iter().map(|(_, told)| *told).collect();
    assert_eq!(said, [heard(most - 64_000, most), heard(-64_000, -most), heard(most - 64_000, most)]);
}
