//! The reaction point: equation (2), the congestion point that it follows, its tag, its parameters.

use setpoint_control::bcn::{ReactionPoint, RpParams};
use setpoint_control::parameter::{Power, Value, find};
use setpoint_control::{Algorithm, Backlog, Path, React, ReactionPointParams, Update, bcn};
use setpoint_units::Rate;

use super::{HERE, LINE, THERE, at_half, tell};

/// From 5 Gb/s, with Fb = -(Qoff + 2 dQ) limited to 5 x 24 kB: r (1 + Fb / 240 kB) for negative Fb, r + 1 Gb/s
/// x Fb / 120 kB for positive Fb.
#[test]
fn equation_2_by_hand() {
    #[rustfmt::skip]
    let table = [
        //  Qoff       dQ  Mb/s     Fb
        ( 12_000,   6_000, 4_500), // -24000
        ( 12_000,  -3_000, 4_875), // -6000
        ( 24_000,  48_000, 2_500), // -120000, the largest
        ( 90_000,  90_000, 2_500), // clamped
        (-12_000,  -6_000, 5_200), // +24000
        ( -6_000,       0, 5_050), // +6000
        (-24_000, -48_000, 6_000), // +120000, the largest
        (-24_000, -90_000, 6_000), // clamped
        (-12_000,   6_000, 5_000), // 0
    ];
    for (offset, difference, rate) in table {
        let mut point = at_half(RpParams::default());
        tell(&mut point, HERE, offset, difference);
        assert_eq!(point.rate(), Rate::from_mbps(rate), "Qoff {offset}, dQ {difference}");
    }
}

/// Equation (1) with w = 1/2: Fb = -(3 kB + 1/2 x 3 bytes), limited to 48 kB.
#[test]
fn weights_below_one_are_exact() {
    let params = RpParams { weight: Power::of_two(-1), ..RpParams::default() };
    let mut point = ReactionPoint::new(params, LINE);
    tell(&mut point, HERE, 3_000, 3);
    // 10 Gb/s x 1/2 x 3001.5 / 48000, exactly.
    assert_eq!(point.rate().bits_per_second(), 10_000_000_000 - 312_656_250);
}

/// The baseline's gains, per page of 64 bytes: Gd = 2.6667e-4, Gi = 0.5333 with Ru = 1 Mb/s.
#[test]
fn defaults_are_the_gains_of_the_baseline() {
    let mut point = at_half(RpParams::default());
    tell(&mut point, HERE, 64, 0);
    let (from, to) = (5e9, point.rate().bits_per_second() as f64);
    assert!(((from - to) / from - 2.666_67e-4).abs() < 1e-8);
    tell(&mut point, HERE, -64, 0);
    let gained = point.rate().bits_per_second() as f64 - to;
    assert!((gained - 0.533_333e6).abs() < 1.0);
}

#[test]
fn changes_round_towards_zero() {
    let params = RpParams { min_rate: Rate::from_bits_per_second(1_000), ..RpParams::default() };
    let mut point = ReactionPoint::new(params, Rate::from_bits_per_second(1_000_001));
    // Half of 1000001 x 1/120000 is 4.17.
    tell(&mut point, HERE, 1, 0);
    assert_eq!(point.rate().bits_per_second(), 1_000_001 - 4);
    let slow = RpParams { largest_increase: Rate::from_bits_per_second(1_000_001), ..params };
    point.set_params(slow);
    // 1000001 x 1/120000 is 8.33, more than the missing amount.
    tell(&mut point, HERE, -1, 0);
    assert_eq!(point.rate().bits_per_second(), 1_000_001);
}

#[test]
fn only_the_point_that_slowed_it_down_raises_the_rate() {
    let mut point = ReactionPoint::new(RpParams::default(), LINE);
    assert_eq!(point.tag(), None);
    assert_eq!(tell(&mut point, HERE, -24_000, -24_000), Update::Unchanged, "nothing to raise");
    assert!(point.may_release(Backlog::Waiting));
    tell(&mut point, HERE, 120_000, 0);
    assert_eq!(point.tag(), Some(HERE));
    assert_eq!(tell(&mut point, THERE, -12_000, 0), Update::Unchanged);
    assert_eq!(tell(&mut point, HERE, -12_000, 0), Update::Changed);
    assert_eq!(point.rate(), Rate::from_mbps(5_100));
    tell(&mut point, THERE, 24_000, 0);
    assert_eq!((point.rate(), point.tag()), (Rate::from_mbps(4_590), Some(THERE)));
    assert_eq!(tell(&mut point, HERE, -12_000, 0), Update::Unchanged);
    assert_eq!(tell(&mut point, THERE, -12_000, 0), Update::Changed);
    let counters = point.counters();
    assert_eq!((counters.get("decreases"), counters.get("increases"), counters.get("ignored")), (2, 2, 2));
}

#[test]
fn limiter_and_tag_go_at_the_largest_rate() {
    let mut point = at_half(RpParams::default());
    for _ in 0..5 {
        assert!(!point.may_release(Backlog::Empty));
        tell(&mut point, HERE, -120_000, 0);
    }
    assert_eq!(point.rate(), LINE);
    assert!(point.may_release(Backlog::Empty) && !point.may_release(Backlog::Waiting));
}

#[test]
fn only_bcn_tags_its_frames() {
    for algorithm in Algorithm::ALL {
        let (_, params) = algorithm.points(&setpoint_control::Params::default());
        assert_eq!(
            params.needs().tags,
            matches!(params, ReactionPointParams::Bcn(_)),
            "{}",
            algorithm.name()
        );
    }
    let mut point =
        setpoint_control::ReactionPoint::new(&ReactionPointParams::Bcn(RpParams::default()), &Path::at(LINE));
    let heard = super::heard(12_000, 0);
    point.on_feedback(setpoint_units::Time::ZERO, &heard.sent_by(THERE), &mut crate::entropy::Constant(0));
    assert_eq!(point.tag(), Some(THERE));
}

#[test]
fn other_parameters_keep_the_state() {
    let mut point = at_half(RpParams::default());
    let capped = RpParams { max_rate: Some(Rate::from_gbps(3)), ..RpParams::default() };
    assert_eq!(point.set_params(capped), Update::Changed);
    assert_eq!((point.rate(), point.tag()), (Rate::from_gbps(3), Some(HERE)));
    let mut idle = ReactionPoint::new(capped, LINE);
    assert_eq!(idle.set_params(RpParams::default()), Update::Changed);
    assert_eq!(idle.rate(), LINE);
}

#[test]
fn one_weight_is_given_to_both_points() {
    let mut params = setpoint_control::Params::default();
    let weight = find(bcn::PARAMETERS, "bcn.cp.weight").expect("it exists");
    weight.write(&mut params, Value::Power(Power::of_two(3))).expect("the value is allowed");
    assert_eq!((params.bcn.cp.weight, params.bcn.rp.weight), (Power::of_two(3), Power::of_two(3)));
}
