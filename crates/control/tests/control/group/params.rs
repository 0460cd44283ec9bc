//! Parameters that change while a limiter is in use.

use setpoint_control::group::{Params, ReactionPoint as GroupPoint};
use setpoint_control::parameter::Switch;
use setpoint_control::qcn::RpParams;
use setpoint_control::{
    Backlog, Counters, GroupParams, GroupRule, Path, React, ReactionPoint, ReactionPointParams, Update, smcc,
};
use setpoint_units::{Rate, TimeDelta};

use super::{A, B, LINE, at, bits, by, feedback, queue, selected, states, tell};
use crate::entropy::Constant;

const OTHER: ReactionPointParams = ReactionPointParams::None;

#[test]
fn they_apply_to_all_present_and_future_states() {
    let mut point = by(GroupRule::SlowestPath);
    tell(&mut point, 0, A, feedback(63));
    tell(&mut point, 0, B, feedback(32));
    let slower = RpParams {
        min_rate: Rate::from_mbps(6_000),
        max_rate: Some(Rate::from_mbps(7_000)),
        ..RpParams::default()
    };
    assert_eq!(point.set_params(&ReactionPointParams::Qcn(slower), &Path::at(LINE)), Update::Changed);
    // B is now at its maximum rate and not the slowest, so no frame waits because of it.
    assert_eq!(states(&point), [(A, Rate::from_mbps(6_000))]);
    assert_eq!(tell(&mut point, 1, B, feedback(8)), Update::Unchanged);
    assert_eq!(states(&point)[1], (B, Rate::from_bits_per_second(6_562_500_000)));
    assert_eq!(point.counters().get("decreases"), 3);
}

#[test]
fn points_that_are_switched_off_are_forgotten_and_counted() {
    let mut point = by(GroupRule::SlowestPath);
    tell(&mut point, 0, A, feedback(63));
    tell(&mut point, 0, B, feedback(32));
    let off = RpParams { enable: Switch::Off, ..RpParams::default() };
    assert_eq!(point.set_params(&ReactionPointParams::Qcn(off), &Path::at(LINE)), Update::Changed);
    assert_eq!((point.rate(), states(&point), point.counters().get("decreases")), (LINE, vec![], 2));
    assert!(point.may_release(Backlog::Waiting));
    assert_eq!(tell(&mut point, 1, A, feedback(63)), Update::Unchanged);
    assert_eq!(states(&point), []);
}

#[test]
fn the_selection_survives_them() {
    let mut point = by(GroupRule::WorstPoint);
    tell(&mut point, 0, A, feedback(32));
    let faster = RpParams { min_rate: Rate::from_mbps(8_000), ..RpParams::default() };
    assert_eq!(point.set_params(&ReactionPointParams::Qcn(faster), &Path::at(LINE)), Update::Changed);
    assert_eq!((bits(&point), selected(&point)), (8_000_000_000, Some(A)));
    assert_eq!(tell(&mut point, 1, B, feedback(32)), Update::Unchanged);
    let off = RpParams { enable: Switch::Off, ..RpParams::default() };
    point.set_params(&ReactionPointParams::Qcn(off), &Path::at(LINE));
    point.set_params(&ReactionPointParams::Qcn(RpParams::default()), &Path::at(LINE));
    // It had no limit in the meantime.
    assert_eq!(tell(&mut point, 2, B, feedback(32)), Update::Changed);
    assert_eq!((bits(&point), selected(&point)), (7_500_000_000, Some(B)));
    assert_eq!(point.counters(), Counters::from([("decreases", 2), ("ignored", 1)]));
}

/// The rule stays the same, even through a phase without control.
#[test]
fn another_algorithm_restarts_the_point() {
    for rule in [GroupRule::SlowestPath, GroupRule::WorstPoint] {
        let mut point = by(rule);
        tell(&mut point, 0, A, feedback(63));
        assert_eq!(point.set_params(&OTHER, &Path::at(LINE)), Update::Changed);
        assert_eq!((point.rate(), point.timer()), (LINE, None));
        assert_eq!(point.counters(), Counters::default());
        assert_eq!(tell(&mut point, 1, A, feedback(63)), Update::Unchanged);
        assert!(point.may_release(Backlog::Waiting));
        assert_eq!(point.set_params(&OTHER, &Path::at(LINE)), Update::Unchanged);
        let smcc = ReactionPointParams::Smcc(smcc::RpParams::default());
        assert_eq!(point.set_params(&smcc, &Path::at(LINE)), Update::Unchanged);
        tell(&mut point, 2, A, queue(64_000, 0));
        assert_eq!(point.rate(), Rate::from_mbps(10_000 - 2_560));
        assert!(matches!(point, ReactionPoint::Group(_)));
    }
}

#[test]
fn rule_and_memory_can_change_too() {
    let qcn = |rule, memory| Params {
        point: ReactionPointParams::Qcn(RpParams::default()),
        group: GroupParams { rule, memory },
    };
    let long = TimeDelta::from_millis(50);
    let mut point = GroupPoint::new(qcn(GroupRule::WorstPoint, long), LINE);
    let tell = |point: &mut GroupPoint, micros, from, value| {
        point.on_feedback(at(micros), &feedback(value).sent_by(from), &mut Constant(0))
    };
    tell(&mut point, 0, A, 63);
    assert_eq!(tell(&mut point, 10, B, 1), Update::Unchanged);
    let short = TimeDelta::from_micros(20);
    assert_eq!(point.set_params(qcn(GroupRule::WorstPoint, short)), Update::Unchanged);
    assert_eq!(tell(&mut point, 19, B, 1), Update::Unchanged);
    assert_eq!(tell(&mut point, 20, B, 1), Update::Changed);
    assert_eq!(point.set_params(qcn(GroupRule::EveryNotification, long)), Update::Unchanged);
    assert_eq!(tell(&mut point, 20, A, 1), Update::Changed);
    assert_eq!(point.counters().get("ignored"), 2);
    assert_eq!(point.set_params(qcn(GroupRule::SlowestPath, long)), Update::Changed);
    assert_eq!((point.rate(), point.counters()), (LINE, Counters::default()));
    assert!(matches!(point, GroupPoint::SlowestPath(_)));
}

#[test]
fn rules_have_names() {
    for (rule, name) in [
        (GroupRule::EveryNotification, "every-notification"),
        (GroupRule::SlowestPath, "slowest-path"),
        (GroupRule::WorstPoint, "worst-point"),
    ] {
        assert_eq!((rule.name(), GroupRule::from_name(name)), (name, Some(rule)));
    }
    assert_eq!(GroupRule::from_name("slowest"), None);
    assert_eq!(GroupRule::CHOICES.len(), 3);
}
