//! The congestion point sends every sample to the source, unchanged.

use setpoint_control::aimd::{CongestionPoint, CpParams};
use setpoint_control::parameter::Percent;
use setpoint_control::{Arrival, FlowKey, Observe};
use setpoint_units::Bytes;

use super::heard;
use crate::entropy::Forbidden;
use crate::told::Told;

/// Qeq = 30 kB; the frame is longer than the sample base, so every frame is sampled.
#[test]
fn every_sample_is_sent_even_if_zero() {
    let mut point = CongestionPoint::new(CpParams { jitter: Percent::ZERO, ..CpParams::default() });
    let mut outbox = Told::default();
    for queue in [40_000, 35_000, 30_000, 30_000, 10_000] {
        let arrival = Arrival { flow: FlowKey(3), ..Arrival::of(Bytes::new(150_001), Bytes::new(queue)) };
        point.on_enqueue(&arrival, &mut Forbidden, &mut outbox);
    }
    let expected = [(10_000, 40_000), (5_000, -5_000), (0, -5_000), (0, 0), (-20_000, -20_000)];
    assert_eq!(*outbox, expected.map(|(offset, difference)| (FlowKey(3), heard(offset, difference))));
    assert_eq!((point.counters().samples, point.counters().notifications), (5, 5));
}

#[test]
fn one_frame_in_a_sample_base_is_sampled() {
    let mut point = CongestionPoint::new(CpParams { jitter: Percent::ZERO, ..CpParams::default() });
    let mut outbox = Told::default();
    for _ in 0..302 {
        point.on_enqueue(&Arrival::of(Bytes::new(1_000), Bytes::new(1_000)), &mut Forbidden, &mut outbox);
    }
    assert_eq!(outbox.len(), 2);
}
