//! The enums over all algorithms: no congestion control, and a change from one algorithm to another.

use crate::told::Told;
use setpoint_control::qcn::{CpParams, RpParams, Sampling};
use setpoint_control::{
    Admission, Arrival, Backlog, CongestionPoint, CongestionPointParams, Counters, CpCounters, Entropy,
    FlowKey, Notification, Observe, Path, PointId, QuantizedFeedback, React, ReactionPoint,
    ReactionPointParams, Update,
};
use setpoint_units::{Bytes, Rate, Time};

struct Zero;

impl Entropy for Zero {
    fn next_u32(&mut self) -> u32 {
        0
    }
}

const HERE: PointId = PointId(1);
const LINE: Rate = Rate::from_gbps(10);
const STRONG: Notification =
    Notification { feedback: QuantizedFeedback::MAX, queue_offset: -104_000, queue_delta: 26_000 };

#[test]
fn no_control_never_notifies_and_never_slows_down() {
    let mut bridge = CongestionPoint::new(&CongestionPointParams::None, HERE);
    let arrival = Arrival::of(Bytes::new(1_500), Bytes::new(1_000_000));
    let mut outbox = Told::default();
    for _ in 0..1_000 {
        bridge.on_enqueue(&arrival, &mut Zero, &mut outbox);
        assert_eq!(bridge.admit(&arrival, &mut Zero), Admission::Accept);
    }
    assert!(outbox.is_empty());
    assert_eq!(bridge.counters(), CpCounters::default());
    let mut source = ReactionPoint::new(&ReactionPointParams::None, &Path::at(LINE));
    assert_eq!(source.on_feedback(Time::ZERO, &STRONG.sent_by(HERE), &mut Zero), Update::Unchanged);
    assert_eq!(source.on_sent(Bytes::new(1 << 40), &mut Zero), Update::Unchanged);
    assert_eq!(source.on_timer(Time::MAX, &mut Zero), Update::Unchanged);
    assert_eq!((source.rate(), source.target_rate(), source.timer()), (LINE, LINE, None));
    assert!(source.may_release(Backlog::Waiting));
    assert_eq!(source.counters(), Counters::default());
}

#[test]
fn qcn_behind_the_dispatch() {
    let params = CpParams { sampling: Sampling::EveryFrame, ..CpParams::default() };
    let mut bridge = CongestionPoint::new(&CongestionPointParams::Qcn(params), HERE);
    let arrival = Arrival::of(Bytes::new(1_500), Bytes::new(78_000));
    let mut outbox = Told::default();
    bridge.on_enqueue(&Arrival { flow: FlowKey(7), ..arrival }, &mut Zero, &mut outbox);
    let [(FlowKey(7), heard)] = outbox[..] else {
        panic!("the queue is far above its set point: {outbox:?}")
    };
    assert_eq!(bridge.counters(), CpCounters { samples: 1, notifications: 1 });
    let mut source = ReactionPoint::new(&ReactionPointParams::Qcn(RpParams::default()), &Path::at(LINE));
    assert_eq!(source.on_feedback(Time::ZERO, &heard.sent_by(HERE), &mut Zero), Update::Changed);
    assert_eq!(source.rate().bits_per_second(), 5_078_125_000);
    let due = source.timer().expect("the timer is running");
    assert_eq!(source.on_timer(due, &mut Zero), Update::Changed);
    assert_eq!((source.rate().bits_per_second(), source.target_rate()), (7_539_062_500, LINE));
    assert!(!source.may_release(Backlog::Empty));
    assert_eq!((source.counters().get("decreases"), source.counters().get("fast_recovery_cycles")), (1, 1));
}

#[test]
fn parameters_change_in_place_and_algorithms_restart() {
    let qcn = ReactionPointParams::Qcn(RpParams::default());
    let mut source = ReactionPoint::new(&qcn, &Path::at(LINE));
    source.on_feedback(Time::ZERO, &STRONG.sent_by(HERE), &mut Zero);
    let other = RpParams { active_increase: Rate::from_mbps(10), ..RpParams::default() };
    assert_eq!(source.set_params(&ReactionPointParams::Qcn(other), &Path::at(LINE)), Update::Unchanged);
    assert_eq!(source.rate().bits_per_second(), 5_078_125_000);
    assert_eq!(source.set_params(&ReactionPointParams::None, &Path::at(LINE)), Update::Changed);
    assert_eq!((source.rate(), source.timer()), (LINE, None));
    let slower = RpParams { max_rate: Some(Rate::from_gbps(1)), ..RpParams::default() };
    assert_eq!(source.set_params(&ReactionPointParams::Qcn(slower), &Path::at(LINE)), Update::Changed);
    assert_eq!((source.rate(), source.line_rate()), (Rate::from_gbps(1), LINE));
}
