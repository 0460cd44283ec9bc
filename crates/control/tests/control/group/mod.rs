//! Reaction points of groups: the three rules worked out by hand and with every algorithm, and properties.

mod algorithms;
mod closed_loop;
mod params;
mod properties;
mod slowest_path;
mod worst_point;

use setpoint_control::{
    GroupParams, GroupRule, Limit, Notification, PointId, QuantizedFeedback, React, ReactionPoint,
    ReactionPointParams, Signal, Update, group, qcn,
};
use setpoint_units::{Rate, Time, TimeDelta};

use crate::entropy::Constant;

const LINE: Rate = Rate::from_gbps(10);
const A: PointId = PointId(1);
const B: PointId = PointId(2);

/// QCN with its defaults under a group rule.
fn by(rule: GroupRule) -> ReactionPoint {
    with(qcn::RpParams::default(), rule)
}

fn with(params: qcn::RpParams, rule: GroupRule) -> ReactionPoint {
    let group = GroupParams { rule, ..GroupParams::default() };
    ReactionPoint::for_group(&ReactionPointParams::Qcn(params), &group, LINE)
}

fn feedback(value: u64) -> Notification {
    Notification { feedback: QuantizedFeedback::saturating(value), queue_offset: 0, queue_delta: 0 }
}

/// Qoff and dQ with the papers' signs: positive above the set point and while the queue grows.
fn queue(offset: i64, difference: i64) -> Notification {
    Notification { feedback: QuantizedFeedback::default(), queue_offset: -offset, queue_delta: difference }
}

fn at(micros: u64) -> Time {
    Time::ZERO + TimeDelta::from_micros(micros)
}

fn tell(point: &mut ReactionPoint, micros: u64, from: PointId, heard: impl Into<Signal>) -> Update {
    point.on_feedback(at(micros), &heard.into().sent_by(from), &mut Constant(0))
}

/// The congestion points that have a state, with the state's rate.
fn states(point: &ReactionPoint) -> Vec<(PointId, Rate)> {
    let ReactionPoint::Group(group) = point else { panic!("not of a group: {point:?}") };
    let group::ReactionPoint::SlowestPath(paths) = &**group else { panic!("another rule: {group:?}") };
    paths.states().map(|(of, state)| (of, state.rate())).collect()
}

/// The limits of all states.
fn limits(point: &ReactionPoint) -> Vec<Limit> {
    let ReactionPoint::Group(group) = point else { panic!("not of a group: {point:?}") };
    let group::ReactionPoint::SlowestPath(paths) = &**group else { panic!("another rule: {group:?}") };
    paths.states().map(|(_, state)| state.limit()).collect()
}

fn selected(point: &ReactionPoint) -> Option<PointId> {
    let ReactionPoint::Group(group) = point else { panic!("not of a group: {point:?}") };
    let group::ReactionPoint::WorstPoint(worst) = &**group else { panic!("another rule: {group:?}") };
    worst.selected()
}

fn bits(point: &ReactionPoint) -> u64 {
    point.rate().bits_per_second()
}

/// The example of docs/algorithms/multicast.md. A feedback f leaves (128 - f) / 128 of a rate.
#[test]
fn the_example_of_the_chapter() {
    let said = [(A, 32), (B, 48), (B, 16), (A, 8), (A, 32)];
    let rates = |rule| {
        let mut point = by(rule);
        let rates = said.iter().zip(1..).map(|(&(from, value), micros)| {
            tell(&mut point, micros, from, feedback(value));
            bits(&point)
        });
        (rates.collect::<Vec<u64>>(), point.counters().get("decreases"), point.counters().get("ignored"))
    };
    let every = vec![7_500_000_000, 4_687_500_000, 4_101_562_500, 3_845_214_843, 2_883_911_132];
    assert_eq!(rates(GroupRule::EveryNotification), (every, 5, 0));
    // A: 7.5, 7.03125, 5.2734375 Gb/s; B: 6.25, 5.46875 Gb/s.
    let slowest = vec![7_500_000_000, 6_250_000_000, 5_468_750_000, 5_468_750_000, 5_273_437_500];
    assert_eq!(rates(GroupRule::SlowestPath), (slowest, 5, 0));
    // Selected: A (32), B (48), B (16), B still, A (32).
    let worst = vec![7_500_000_000, 4_687_500_000, 4_101_562_500, 4_101_562_500, 3_076_171_875];
    assert_eq!(rates(GroupRule::WorstPoint), (worst, 4, 1));
}

/// The chapter's other table: each of k points sends the largest feedback once.
#[test]
fn congestion_at_many_points_at_once() {
    let after = |rule, points| {
        let mut point = by(rule);
        for from in 0..points {
            tell(&mut point, 1, PointId(from), feedback(63));
        }
        bits(&point)
    };
    for (points, every) in [(1, 5_078_125_000), (2, 2_578_735_351), (4, 664_987_600), (8, 44_220_850)] {
        assert_eq!(after(GroupRule::EveryNotification, points), every);
        assert_eq!(after(GroupRule::SlowestPath, points), 5_078_125_000);
        assert_eq!(after(GroupRule::WorstPoint, points), 5_078_125_000);
    }
}

#[test]
fn every_notification_is_the_plain_point() {
    assert!(matches!(by(GroupRule::EveryNotification), ReactionPoint::Qcn(_)));
    let nothing = ReactionPoint::for_group(&ReactionPointParams::None, &GroupParams::default(), LINE);
    assert!(matches!(nothing, ReactionPoint::None(LINE)));
}

/// The limiter of a flow to a single receiver still fits into three cache lines, as it did before groups
/// existed.
#[test]
fn plain_points_are_no_larger() {
    assert_eq!(size_of::<ReactionPoint>(), 192);
    assert_eq!(size_of::<qcn::ReactionPoint>(), 192);
}
