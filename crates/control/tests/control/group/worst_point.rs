//! Only notifications from the most congested point are obeyed.

use setpoint_control::qcn::{Release, RpParams};
use setpoint_control::{
    Backlog, Entry, GroupParams, GroupRule, PointId, React, ReactionPoint, ReactionPointParams, Update,
};
use setpoint_units::{Bytes, TimeDelta};

use super::{A, B, LINE, at, bits, by, feedback, selected, tell, with};
use crate::entropy::Constant;

const C: PointId = PointId(3);

#[test]
fn a_worse_point_is_selected() {
    let mut point = by(GroupRule::WorstPoint);
    assert_eq!(selected(&point), None);
    assert_eq!(tell(&mut point, 0, A, feedback(32)), Update::Changed);
    assert_eq!((bits(&point), selected(&point)), (7_500_000_000, Some(A)));
    // A lower or equal level is not worse.
    assert_eq!(tell(&mut point, 1, B, feedback(16)), Update::Unchanged);
    assert_eq!(tell(&mut point, 2, B, feedback(32)), Update::Unchanged);
    assert_eq!(
        (bits(&point), selected(&point), point.counters().get("ignored")),
        (7_500_000_000, Some(A), 2)
    );
    assert_eq!(tell(&mut point, 3, B, feedback(33)), Update::Changed);
    assert_eq!((bits(&point), selected(&point)), (5_566_406_250, Some(B)));
    assert_eq!(tell(&mut point, 4, A, feedback(32)), Update::Unchanged);
    assert_eq!((point.counters().get("decreases"), point.counters().get("ignored")), (2, 3));
}

/// A point's level is the level of its last notification, not of its worst one.
#[test]
fn the_selected_point_may_get_better() {
    let mut point = by(GroupRule::WorstPoint);
    tell(&mut point, 0, A, feedback(63));
    tell(&mut point, 1, A, feedback(8));
    assert_eq!(tell(&mut point, 2, B, feedback(9)), Update::Changed);
    assert_eq!(selected(&point), Some(B));
}

/// A point is deselected 50 ms after its last notification, not after its selection.
#[test]
fn a_point_without_notifications_is_deselected() {
    let mut point = by(GroupRule::WorstPoint);
    tell(&mut point, 0, A, feedback(63));
    tell(&mut point, 20_000, A, feedback(63));
    assert_eq!(tell(&mut point, 69_999, B, feedback(1)), Update::Unchanged);
    assert_eq!(selected(&point), Some(A));
    assert_eq!(tell(&mut point, 70_000, B, feedback(1)), Update::Changed);
    assert_eq!(selected(&point), Some(B));
    // 10 Gb/s x 65/128 x 65/128 x 127/128, rounded down each time.
    assert_eq!((bits(&point), point.counters().get("ignored")), (2_558_588_981, 1));
    assert_eq!(tell(&mut point, 70_001, A, feedback(1)), Update::Unchanged);
}

#[test]
fn a_point_that_is_ignored_is_not_remembered() {
    let mut point = by(GroupRule::WorstPoint);
    tell(&mut point, 0, A, feedback(40));
    tell(&mut point, 49_000, B, feedback(30));
    // A's selection has expired, and C is obeyed although B was worse a moment ago.
    assert_eq!(tell(&mut point, 50_000, C, feedback(1)), Update::Changed);
    assert_eq!(selected(&point), Some(C));
}

#[test]
fn without_memory_every_notification_is_obeyed() {
    let group = GroupParams { rule: GroupRule::WorstPoint, memory: TimeDelta::ZERO };
    let params = ReactionPointParams::Qcn(RpParams::default());
    let mut point = ReactionPoint::for_group(&params, &group, LINE);
    for (from, value) in [(A, 63), (B, 63), (A, 1)] {
        assert_eq!(tell(&mut point, 0, from, feedback(value)), Update::Changed);
    }
    assert_eq!((bits(&point), point.counters().get("ignored")), (2_558_588_981, 0));
}

/// A limiter that no longer limits has no selected point, even if its owner does not release it.
#[test]
fn the_selection_ends_with_the_limit() {
    let params = RpParams { release: Release::AtMaxRate, ..RpParams::default() };
    let mut point = with(params, GroupRule::WorstPoint);
    tell(&mut point, 0, A, feedback(63));
    while !point.may_release(Backlog::Waiting) {
        point.on_sent(Bytes::new(200_000), &mut Constant(0));
    }
    assert_eq!(tell(&mut point, 1, B, feedback(1)), Update::Changed);
    assert_eq!(selected(&point), Some(B));
}

/// An ignored notification does not affect cycles or the timer either.
#[test]
fn recovery_continues_while_other_points_notify() {
    let mut point = by(GroupRule::WorstPoint);
    tell(&mut point, 0, A, feedback(32));
    tell(&mut point, 14_999, B, feedback(31));
    assert_eq!(point.timer(), Some(at(15_000)));
    assert_eq!(point.on_timer(at(15_000), &mut Constant(0)), Update::Changed);
    assert_eq!((bits(&point), point.target_rate()), (8_750_000_000, LINE));
}

#[test]
fn the_state_says_who_is_selected() {
    let mut point = by(GroupRule::WorstPoint);
    let mut shown: Vec<Entry> = Vec::new();
    point.state(&mut shown);
    tell(&mut point, 7, B, feedback(48));
    point.state(&mut shown);
    let lines: Vec<String> =
        shown.iter().map(|Entry { name, of, reading }| format!("{name} {of:?} {reading:?}")).collect();
    insta::assert_snapshot!(lines.join("\n"));
}
