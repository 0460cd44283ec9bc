//! The congestion point that a source follows, the release of its limiter, and its parameters.

use setpoint_control::smcc::{Association, ReactionPoint, RpParams};
use setpoint_control::{Backlog, Path, React, ReactionPointParams, Reading, Update};
use setpoint_units::Rate;

use super::{HERE, LINE, PointId, THERE, at_half, paper, tell};

fn with(association: Association) -> RpParams {
    RpParams { association, ..paper().rp }
}

fn obeys(point: &ReactionPoint) -> Option<u32> {
    let mut state = Vec::new();
    point.state(&mut state);
    match state.iter().find(|entry| entry.name == "obeys").expect("it is shown").reading {
        Reading::Number(id) => Some(id as u32),
        _ => None,
    }
}

/// For a source at 500 Mb/s that obeys point 1: the message from point 2, the resulting rate, and the point
/// obeyed from then on.
#[test]
fn association() {
    use Association::{Congested, LastSlowed, Off};
    #[rustfmt::skip]
    let table = [
        // of point 2:     Qoff      dQ    rate  obeyed  ignored
        (Congested,      16_000,  2_000,   436,  2,  0),
        (Congested,      16_000, -2_000,   500,  1,  1),
        (Congested,     -16_000,  2_000,   500,  1,  1),
        (Congested,           0,  2_000,   500,  1,  1),
        (Congested,     -16_000, -2_000,   500,  1,  1),
        (LastSlowed,     16_000,  2_000,   436,  2,  0),
        (LastSlowed,     16_000, -2_000,   500,  1,  1),
        (LastSlowed,    -16_000,  2_000,   498,  2,  0),
        (LastSlowed,    -16_000, -2_000,   500,  1,  1),
        (Off,            16_000,  2_000,   436,  2,  0),
        (Off,            16_000, -2_000,   502,  1,  0),
        (Off,           -16_000,  2_000,   498,  2,  0),
        (Off,           -16_000, -2_000,   564,  1,  0),
    ];
    for (association, offset, difference, rate, obeyed, ignored) in table {
        let mut point = at_half(with(association));
        tell(&mut point, THERE, offset, difference);
        let seen = (point.rate(), obeys(&point), point.counters().get("ignored"));
        let case = format!("{association:?}: Qoff {offset}, dQ {difference}");
        assert_eq!(seen, (Rate::from_mbps(rate), Some(obeyed), ignored), "{case}");
    }
}

#[test]
fn the_point_that_took_over_is_obeyed_and_the_other_is_not() {
    let mut point = at_half(paper().rp);
    tell(&mut point, THERE, 16_000, 2_000);
    assert_eq!(tell(&mut point, HERE, -16_000, 0), Update::Unchanged);
    assert_eq!(tell(&mut point, THERE, -16_000, 0), Update::Changed);
    assert_eq!(point.rate(), Rate::from_mbps(500));
    let counters = point.counters();
    assert_eq!((counters.get("decreases"), counters.get("increases"), counters.get("ignored")), (2, 1, 1));
}

/// A source that was never slowed down cannot be sped up, and a queue below its target does not limit it unless every
/// decrease counts.
#[test]
fn a_source_that_was_never_slowed_down() {
    for association in [Association::Congested, Association::LastSlowed, Association::Off] {
        let mut point = ReactionPoint::new(with(association), LINE);
        assert_eq!(tell(&mut point, HERE, -64_000, -64_000), Update::Unchanged);
        assert_eq!(tell(&mut point, HERE, 16_000, -2_000), Update::Unchanged);
        assert!(point.may_release(Backlog::Waiting));
        let growing = tell(&mut point, HERE, -16_000, 2_000);
        assert_eq!(growing == Update::Changed, association != Association::Congested);
        assert_eq!(point.counters().get("ignored"), 0);
    }
}

#[test]
fn rates_are_held_and_the_limiter_is_released_at_the_largest() {
    let params = RpParams { max_rate: Some(Rate::from_mbps(900)), ..paper().rp };
    let mut point = ReactionPoint::new(params, LINE);
    assert_eq!((point.rate(), point.line_rate()), (Rate::from_mbps(900), LINE));
    tell(&mut point, HERE, 1_000_000, 0);
    assert_eq!(point.rate(), Rate::from_mbps(5));
    assert!(!point.may_release(Backlog::Empty));
    tell(&mut point, HERE, -1_000_000, 0);
    assert_eq!(point.rate(), Rate::from_mbps(900));
    assert!(!point.may_release(Backlog::Waiting) && point.may_release(Backlog::Empty));
}

#[test]
fn other_parameters_keep_the_state() {
    let mut point = at_half(paper().rp);
    let capped = RpParams { max_rate: Some(Rate::from_mbps(300)), ..paper().rp };
    assert_eq!(point.set_params(capped), Update::Changed);
    assert_eq!((point.rate(), obeys(&point)), (Rate::from_mbps(300), Some(1)));
    assert_eq!(point.set_params(paper().rp), Update::Unchanged);
    let mut idle = ReactionPoint::new(capped, LINE);
    assert_eq!(idle.set_params(paper().rp), Update::Changed);
    assert_eq!((idle.rate(), obeys(&idle)), (LINE, None));
}

#[test]
fn behind_the_dispatch() {
    let mut point =
        setpoint_control::ReactionPoint::new(&ReactionPointParams::Smcc(paper().rp), &Path::at(LINE));
    let heard = super::heard(16_000, 2_000);
    point.on_feedback(setpoint_units::Time::ZERO, &heard.sent_by(PointId(9)), &mut crate::entropy::Forbidden);
    assert_eq!((point.rate(), point.tag(), point.timer()), (Rate::from_mbps(936), None, None));
    assert!(!ReactionPointParams::Smcc(paper().rp).needs().tags);
}
