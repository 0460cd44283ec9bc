//! The stop message with its back-off, and the drift.

use setpoint_control::bcn::{ReactionPoint, RpParams};
use setpoint_control::parameter::{Power, Switch};
use setpoint_control::{Backlog, Entropy, Limit, React, Update};
use setpoint_units::{Rate, Time, TimeDelta};

use super::{HERE, LINE, THERE, at_half, heard, tell, tell_at};
use crate::entropy::{Constant, Xorshift};

fn stop_at(point: &mut ReactionPoint, now: Time, entropy: &mut impl Entropy) -> TimeDelta {
    point.on_feedback(now, &heard(0, 0).sent_by(THERE), entropy);
    assert_eq!(point.limit(), Limit::Silent);
    point.timer().expect("a stopped source has a timer").saturating_since(now)
}

fn restart(point: &mut ReactionPoint) -> Time {
    let end = point.timer().expect("the source is stopped");
    assert_eq!(point.on_timer(end, &mut Constant(0)), Update::Changed);
    end
}

#[test]
fn a_stop_silences_the_source_and_it_restarts_at_the_minimum_rate() {
    let mut point = at_half(RpParams::default());
    let long = stop_at(&mut point, Time::from_picos(5), &mut Constant(u32::MAX));
    assert_eq!(long, TimeDelta::from_micros(100));
    assert_eq!((point.tag(), point.rate()), (Some(THERE), Rate::from_mbps(10)));
    assert!(!point.may_release(Backlog::Empty));
    let early = Time::from_picos(100_000_004);
    assert_eq!(point.on_timer(early, &mut Constant(0)), Update::Unchanged);
    // Messages that arrive in the meantime were caused by earlier frames.
    for (offset, difference) in [(12_000, 6_000), (-12_000, -6_000), (0, 0)] {
        assert_eq!(tell_at(&mut point, early, THERE, offset, difference), Update::Unchanged);
    }
    assert_eq!(restart(&mut point), Time::from_picos(100_000_005));
    assert_eq!((point.limit(), point.timer()), (Limit::Rate(Rate::from_mbps(10)), None));
    // The source is associated only with the point that stopped it.
    assert_eq!(tell(&mut point, HERE, -12_000, 0), Update::Unchanged);
    assert_eq!(tell(&mut point, THERE, -12_000, 0), Update::Changed);
    let counters = point.counters();
    assert_eq!(
        (
            counters.get("stops"),
            counters.get("decreases"),
            counters.get("increases"),
            counters.get("ignored")
        ),
        (1, 1, 1, 1)
    );
}

/// An unlimited source is stopped as well.
#[test]
fn a_stop_limits_a_source() {
    let mut point = ReactionPoint::new(RpParams::default(), LINE);
    stop_at(&mut point, Time::ZERO, &mut Constant(0));
    restart(&mut point);
    assert_eq!(point.rate(), Rate::from_mbps(10));
}

#[test]
fn stops_in_a_row_double_the_range_until_the_source_recovers() {
    let mut point = ReactionPoint::new(RpParams { back_off: Power::of_two(2), ..RpParams::default() }, LINE);
    let mut next = || {
        let length = stop_at(&mut point, Time::ZERO, &mut Constant(u32::MAX));
        restart(&mut point);
        length.as_picos().div_ceil(1_000_000)
    };
    assert_eq!([next(), next(), next(), next()], [100, 200, 400, 400]);
    // A negative message does not count as recovery, a positive one does, and a message from another congestion
    // point is ignored.
    tell(&mut point, THERE, 12_000, 0);
    tell(&mut point, HERE, -12_000, 0);
    assert_eq!(stop_at(&mut point, Time::ZERO, &mut Constant(1 << 31)), TimeDelta::from_picos(200_000_001));
    restart(&mut point);
    tell(&mut point, THERE, -12_000, 0);
    assert_eq!(stop_at(&mut point, Time::ZERO, &mut Constant(u32::MAX)), TimeDelta::from_micros(100));
}

#[test]
fn lengths_are_uniform_and_without_back_off_alike() {
    let params = RpParams { back_off: Power::of_two(0), ..RpParams::default() };
    let mut point = ReactionPoint::new(params, LINE);
    let mut random = Xorshift(3);
    let lengths: Vec<u64> = (0..1_000)
        .map(|_| {
            let length = stop_at(&mut point, Time::ZERO, &mut random).as_picos();
            restart(&mut point);
            length
        })
        .collect();
    assert!(lengths.iter().all(|length| (1..=100_000_000).contains(length)));
    // Uniform distribution: the standard deviation is 28.9 us, and 0.91 us for the mean of 1000 values.
    let mean = lengths.iter().sum::<u64>() / 1_000;
    assert!((46_300_000..=53_700_000).contains(&mean), "mean {mean} ps");
    assert_eq!(stop_at(&mut point, Time::ZERO, &mut Constant(0)), TimeDelta::from_picos(1));
}

fn drifting() -> RpParams {
    RpParams { drift: Switch::On, ..RpParams::default() }
}

#[test]
fn without_feedback_the_rate_drifts() {
    let mut point = ReactionPoint::new(drifting(), LINE);
    assert_eq!(point.timer(), None, "nothing to recover");
    tell(&mut point, HERE, 120_000, 0);
    let millis = |count| Time::ZERO.saturating_add(TimeDelta::from_millis(count));
    assert_eq!(point.timer(), Some(millis(1)));
    assert_eq!(point.on_timer(millis(1), &mut Constant(0)), Update::Changed);
    assert_eq!((point.rate(), point.timer()), (Rate::from_mbps(5_010), Some(millis(2))));
    // A message that is obeyed postpones the drift; any other message does not.
    let half = Time::from_picos(1_500_000_000);
    tell_at(&mut point, half, THERE, -12_000, 0);
    assert_eq!(point.timer(), Some(millis(2)));
    tell_at(&mut point, half, HERE, -12_000, 0);
    assert_eq!(
        (point.rate(), point.timer()),
        (Rate::from_mbps(5_110), Some(Time::from_picos(2_500_000_000)))
    );
    for _ in 0..489 {
        let due = point.timer().expect("it drifts");
        point.on_timer(due, &mut Constant(0));
    }
    assert_eq!((point.rate(), point.timer()), (LINE, None), "all the way");
}

#[test]
fn a_drift_begins_after_a_stop_and_ends_when_it_is_switched_off() {
    let mut point = ReactionPoint::new(drifting(), LINE);
    stop_at(&mut point, Time::ZERO, &mut Constant(u32::MAX));
    let start = restart(&mut point);
    assert_eq!(point.timer(), Some(start.saturating_add(TimeDelta::from_millis(1))));
    point.set_params(RpParams::default());
    assert_eq!(point.timer(), None);
    let mut silent = ReactionPoint::new(drifting(), LINE);
    stop_at(&mut silent, Time::ZERO, &mut Constant(u32::MAX));
    silent.set_params(RpParams::default());
    assert_eq!(silent.timer(), Some(start), "a stop ends when it should");
}
