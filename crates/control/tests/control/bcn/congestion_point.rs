//! The congestion point: which sources it notifies, depending on the frame's tag and the state of the queue.

use setpoint_control::bcn::{CongestionPoint, CpParams};
use setpoint_control::parameter::{Percent, Power, Switch};
use setpoint_control::{Arrival, CongestionPointParams, FlowKey, Observe, PointId, Signal};
use setpoint_units::Bytes;

use super::{HERE, THERE, heard};
use crate::entropy::Constant;

fn regular() -> CpParams {
    CpParams { jitter: Percent::ZERO, ..CpParams::default() }
}

/// The signal to the source of a frame sampled at one queue length after a sample at another. The frame
/// is longer than the sample base, so every frame is sampled.
fn said(params: CpParams, old: u64, queue: u64, tag: Option<PointId>) -> Option<Signal> {
    let mut point = CongestionPoint::new(params, HERE);
    let frame = params.sample_base + Bytes::new(1);
    point.on_enqueue(&Arrival::of(frame, Bytes::new(old)), &mut Constant(0), &mut Vec::new());
    let arrival = Arrival { flow: FlowKey(7), tag, ..Arrival::of(frame, Bytes::new(queue)) };
    let (mut outbox, before) = (Vec::new(), point.counters().notifications);
    point.on_enqueue(&arrival, &mut Constant(0), &mut outbox);
    assert_eq!(point.counters().samples, 2);
    assert_eq!(point.counters().notifications - before, outbox.len() as u64);
    assert!(outbox.iter().all(|(to, _)| *to == FlowKey(7)));
    outbox.first().map(|(_, told)| *told)
}

/// Qeq = 24 kB, Qsc = 102.4 kB, w = 2.
#[test]
fn tags_decide_on_notifications() {
    const STOP: Option<(i64, i64)> = Some((0, 0));
    #[rustfmt::skip]
    let table = [
        // from      to       own tag                     other tag or none            Fb
        ( 24_000,  36_000, Some((12_000,  12_000)), Some((12_000,  12_000)), "-36000, above"),
        ( 36_000,  36_000, Some((12_000,       0)), Some((12_000,       0)), "-12000, above"),
        ( 50_000,  36_000, None,                    None,                    "+16000, above"),
        ( 42_000,  36_000, None,                    None,                    "0, above"),
        ( 12_000,  24_000, None,                    None,                    "-24000, on the set point"),
        ( 36_000,  24_000, None,                    None,                    "+24000, on the set point"),
        ( 24_000,  24_000, None,                    None,                    "0, on the set point"),
        (  6_000,  18_000, None,                    None,                    "-18000, below"),
        ( 12_000,   6_000, Some((-18_000, -6_000)), None,                    "+30000, below"),
        (  6_000,   6_000, Some((-18_000,      0)), None,                    "+18000, below"),
        ( 90_000, 102_400, Some((78_400,  12_400)), Some((78_400,  12_400)), "at the severe threshold"),
        ( 90_000, 102_401, STOP,                    STOP,                    "beyond it"),
        (400_000, 102_401, STOP,                    STOP,                    "beyond it, and falling fast"),
    ];
    for (old, queue, own, others, case) in table {
        let told = |expected: Option<(i64, i64)>| expected.map(|(offset, delta)| heard(offset, delta));
        assert_eq!(said(regular(), old, queue, Some(HERE)), told(own), "own tag, Fb {case}");
        assert_eq!(said(regular(), old, queue, Some(THERE)), told(others), "other tag, Fb {case}");
        assert_eq!(said(regular(), old, queue, None), told(others), "no tag, Fb {case}");
    }
}

#[test]
fn severe_congestion_is_ordinary_where_nothing_is_stopped() {
    let params = CpParams { severe_stop: Switch::Off, ..regular() };
    assert_eq!(said(params, 0, 150_000, None), Some(heard(126_000, 150_000)));
    assert_eq!(said(params, 150_000, 150_000, None), Some(heard(126_000, 0)));
}

/// Qoff = 12 kB, dQ = -9 kB: Fb is 6 kB for w = 2, which causes no message, and -7.5 kB for w = 1/2.
#[test]
fn the_weight_decides_on_the_sign() {
    let with = |exponent| CpParams { weight: Power::of_two(exponent), ..regular() };
    assert_eq!(said(with(1), 45_000, 36_000, None), None);
    assert_eq!(said(with(-1), 45_000, 36_000, None), Some(heard(12_000, -9_000)));
}

/// 150 frames of 1 kB reduce the counter to zero, and the next one makes it negative.
#[test]
fn one_frame_in_a_sample_base_is_sampled() {
    let params = CongestionPointParams::Bcn(regular());
    let mut point = setpoint_control::CongestionPoint::new(&params, HERE);
    let mut outbox = Vec::new();
    for _ in 0..302 {
        point.on_enqueue(&Arrival::of(Bytes::new(1_000), Bytes::new(50_000)), &mut Constant(0), &mut outbox);
    }
    assert_eq!(point.counters().samples, 2);
    assert_eq!(outbox.len(), 2);
}
