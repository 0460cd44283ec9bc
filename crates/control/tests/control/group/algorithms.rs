//! The rules with algorithms whose congestion points also send increases.

use setpoint_control::parameter::Switch;
use setpoint_control::smcc::Association;
use setpoint_control::{
    Backlog, GroupParams, GroupRule, Limit, Path, React, ReactionPoint, ReactionPointParams, Signal, Update,
    aimd, bcn, qcn, smcc,
};
use setpoint_units::{Rate, Time};

use super::{A, B, LINE, feedback, queue, selected, states, tell};
use crate::entropy::Constant;

fn around(params: ReactionPointParams, rule: GroupRule) -> ReactionPoint {
    ReactionPoint::for_group(&params, &GroupParams { rule, ..GroupParams::default() }, LINE)
}

fn bcn(rule: GroupRule) -> ReactionPoint {
    around(ReactionPointParams::Bcn(bcn::RpParams::default()), rule)
}

fn smcc(rule: GroupRule) -> ReactionPoint {
    around(ReactionPointParams::Smcc(smcc::RpParams::default()), rule)
}

fn aimd(rule: GroupRule) -> ReactionPoint {
    around(ReactionPointParams::Aimd(aimd::RpParams::default()), rule)
}

fn mbps(point: &ReactionPoint) -> u64 {
    point.rate().bits_per_second() / 1_000_000
}

/// BCN by default: the largest Fb is 120 kB, which halves a rate or adds 1 Gb/s.
#[test]
fn frames_carry_the_name_of_the_slowest() {
    let mut point = bcn(GroupRule::SlowestPath);
    assert_eq!(point.tag(), None);
    tell(&mut point, 0, B, queue(60_000, 0));
    assert_eq!((mbps(&point), point.tag()), (7_500, Some(B)));
    tell(&mut point, 0, A, queue(120_000, 0));
    assert_eq!((mbps(&point), point.tag()), (5_000, Some(A)));
    // Only the congestion point that reduced a state's rate raises it again.
    for (raised, tag) in [(6_000, A), (7_000, A), (7_500, B)] {
        tell(&mut point, 0, A, queue(-24_000, -48_000));
        assert_eq!((mbps(&point), point.tag()), (raised, Some(tag)));
    }
    // A is at 8 Gb/s.
    for (raised, tag) in [(8_000, A), (8_000, A)] {
        tell(&mut point, 0, B, queue(-24_000, -48_000));
        assert_eq!((mbps(&point), point.tag()), (raised, Some(tag)));
    }
    assert_eq!((point.counters().get("increases"), point.counters().get("ignored")), (5, 0));
}

#[test]
fn a_stop_by_one_point_stops_the_group() {
    let mut point = bcn(GroupRule::SlowestPath);
    tell(&mut point, 0, A, queue(60_000, 0));
    tell(&mut point, 0, B, Signal::Stop);
    assert_eq!((point.limit(), point.tag()), (Limit::Silent, Some(B)));
    assert_eq!(point.rate(), bcn::RpParams::default().min_rate, "once the stop has ended");
    // The smallest random number gives a stop of one picosecond.
    let due = point.timer().expect("it ends");
    assert_eq!(due, Time::from_picos(1));
    assert_eq!(point.on_timer(due, &mut Constant(0)), Update::Changed);
    assert_eq!(point.limit(), Limit::Rate(bcn::RpParams::default().min_rate));
    assert_eq!(states(&point)[0], (A, Rate::from_mbps(7_500)));
}

#[test]
fn an_uncongested_point_has_no_state() {
    for mut point in [bcn(GroupRule::SlowestPath), smcc(GroupRule::SlowestPath), aimd(GroupRule::SlowestPath)]
    {
        tell(&mut point, 0, A, queue(-20_000, -1_000));
        assert_eq!((states(&point), point.rate(), point.counters().get("increases")), (vec![], LINE, 0));
        tell(&mut point, 0, A, queue(60_000, 1_000));
        tell(&mut point, 0, B, queue(-20_000, -1_000));
        assert_eq!(states(&point).len(), 1);
        assert!(point.rate() < LINE && !point.may_release(Backlog::Empty));
    }
}

#[test]
fn levels_are_requested_decreases() {
    let plain = |params| ReactionPoint::new(&params, &Path::at(LINE));
    let qcn = plain(ReactionPointParams::Qcn(qcn::RpParams::default()));
    assert_eq!(qcn.level(&feedback(17).sent_by(A)), 17);
    assert_eq!(plain(ReactionPointParams::None).level(&feedback(17).sent_by(A)), 0);
    // -Fb = Qoff + 2 dQ up to 5 x 24 kB.
    let bcn = plain(ReactionPointParams::Bcn(bcn::RpParams::default()));
    assert_eq!(bcn.level(&queue(12_000, 6_000).sent_by(A)), 24_000);
    assert_eq!(bcn.level(&queue(90_000, 90_000).sent_by(A)), 120_000);
    assert_eq!(bcn.level(&queue(-12_000, -6_000).sent_by(A)), 0);
    assert_eq!(bcn.level(&Signal::Stop.sent_by(A)), u64::MAX);
    let aimd = plain(ReactionPointParams::Aimd(aimd::RpParams::default()));
    assert!(aimd.level(&queue(12_000, 6_000).sent_by(A)) > aimd.level(&queue(12_000, 0).sent_by(A)));
    assert_eq!(aimd.level(&queue(-12_000, 0).sent_by(A)), 0);
    // 2560 Mb/s at 64 kB in state A; a queue that falls towards its target requests an increase.
    let smcc = plain(ReactionPointParams::Smcc(smcc::RpParams::default()));
    assert_eq!(smcc.level(&queue(16_000, 1_000).sent_by(A)), 640_000_000);
    assert_eq!(smcc.level(&queue(16_000, -1_000).sent_by(A)), 0);
    // A growing queue below its target requests a decrease, 640 Mb/s at 64 kB, but not from sources
    // associated with other points.
    assert_eq!(smcc.level(&queue(-16_000, 16_000).sent_by(A)), 0);
    let last = smcc::RpParams { association: Association::LastSlowed, ..smcc::RpParams::default() };
    assert_eq!(plain(ReactionPointParams::Smcc(last)).level(&queue(-16_000, 16_000).sent_by(A)), 160_000_000);
}

#[test]
fn only_the_selected_point_speeds_up() {
    for mut point in [bcn(GroupRule::WorstPoint), smcc(GroupRule::WorstPoint), aimd(GroupRule::WorstPoint)] {
        tell(&mut point, 0, A, queue(60_000, 0));
        let slowed = point.rate();
        assert_eq!(tell(&mut point, 1, B, queue(-20_000, -1_000)), Update::Unchanged);
        assert_eq!(tell(&mut point, 2, B, queue(50_000, 0)), Update::Unchanged);
        assert_eq!((point.counters().get("ignored"), selected(&point)), (2, Some(A)));
        assert_eq!(tell(&mut point, 3, A, queue(-20_000, -1_000)), Update::Changed);
        assert!(point.rate() > slowed);
        // A is no longer congested: any point that requests a decrease is worse.
        assert_eq!(tell(&mut point, 4, B, queue(1_000, 0)), Update::Changed);
        assert_eq!((selected(&point), point.counters().get("increases")), (Some(B), 1));
        assert_eq!(tell(&mut point, 5, A, queue(-20_000, -1_000)), Update::Unchanged);
    }
}

/// An increase does not select a point. Otherwise B, which BCN and SMCC do not obey, would be selected here,
/// and A, which they obey, would be ignored.
#[test]
fn a_forgotten_point_can_still_speed_up() {
    for mut point in [bcn(GroupRule::WorstPoint), smcc(GroupRule::WorstPoint)] {
        tell(&mut point, 0, A, queue(60_000, 0));
        assert_eq!(tell(&mut point, 60_000, B, queue(-20_000, -1_000)), Update::Unchanged);
        assert_eq!(selected(&point), None);
        assert_eq!(tell(&mut point, 60_001, A, queue(-20_000, -1_000)), Update::Changed);
    }
}

#[test]
fn no_point_is_selected_without_notifications() {
    let params = bcn::RpParams { drift: Switch::Off, ..bcn::RpParams::default() };
    let mut point = around(ReactionPointParams::Bcn(params), GroupRule::WorstPoint);
    tell(&mut point, 0, A, Signal::Stop);
    assert_eq!((point.level(&Signal::Stop.sent_by(A)), point.level(&queue(120_000, 0).sent_by(A))), (0, 0));
    tell(&mut point, 0, A, queue(60_000, 0));
    tell(&mut point, 0, B, queue(120_000, 0));
    assert_eq!((selected(&point), point.tag()), (Some(A), Some(A)));
    point.on_timer(Time::from_picos(1), &mut Constant(0));
    tell(&mut point, 1, B, queue(6_000, 0));
    assert_eq!((selected(&point), point.tag()), (Some(B), Some(B)));
}
