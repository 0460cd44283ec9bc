//! The reaction point: its rate changes and its averaging, worked out by hand; its parameters.

use setpoint_control::aimd::{Averaging, Decrease, ReactionPoint, RpParams};
use setpoint_control::{Backlog, Entry, Path, React, ReactionPointParams, Reading, Update};
use setpoint_units::Rate;

use super::{LINE, send, tell};

fn with(averaging: Averaging, decrease: Decrease) -> RpParams {
    RpParams { averaging, decrease, ..RpParams::default() }
}

/// A source at 5 Gb/s: Fb = -150 kB, the largest feedback by default, has halved its rate.
fn at_half(averaging: Averaging, decrease: Decrease) -> ReactionPoint {
    let mut point = ReactionPoint::new(with(Averaging::Off, Decrease::Multiplicative), LINE);
    tell(&mut point, 150_000, 0);
    point.set_params(with(averaging, decrease));
    assert_eq!(point.rate(), Rate::from_gbps(5));
    point
}

/// Fb = -(Qoff + 2 dQ), limited to 5 x 30 kB; from 5 Gb/s without averaging.
#[test]
fn changes_by_hand() {
    #[rustfmt::skip]
    let table = [
        //  Qoff       dQ  multiplicative  additive, in Mb/s
        ( 15_000,       0,  4_750,  4_900), // Fb = -15000
        ( 15_000,   7_500,  4_500,  4_800), // -30000
        ( 90_000,  90_000,  2_500,  4_000), // limited to -150000
        (-15_000,       0,  5_100,  5_100), // +15000
        (-15_000,  -7_500,  5_200,  5_200), // +30000
        (-30_000, -90_000,  6_000,  6_000), // limited to +150000
        ( 15_000,  -7_500,  5_000,  5_000), // 0
    ];
    for (offset, difference, multiplicative, additive) in table {
        for (decrease, rate) in [(Decrease::Multiplicative, multiplicative), (Decrease::Additive, additive)] {
            let mut point = at_half(Averaging::Off, decrease);
            tell(&mut point, offset, difference);
            assert_eq!(point.rate(), Rate::from_mbps(rate), "Qoff {offset}, dQ {difference}, {decrease:?}");
            assert_eq!((send(&mut point, 1 << 40), point.timer()), (Update::Unchanged, None));
        }
    }
}

/// R1 = R2 + F at once; R2 = (R1 + R2)/2 as soon as more than 75 kB have been sent, and only once.
#[test]
fn averaging_goes_half_of_the_way_back() {
    let mut point = at_half(Averaging::On, Decrease::Multiplicative);
    tell(&mut point, 15_000, 0);
    assert_eq!((point.rate(), point.target_rate()), (Rate::from_mbps(4_750), Rate::from_gbps(5)));
    assert_eq!(send(&mut point, 75_000), Update::Unchanged);
    assert_eq!(send(&mut point, 1), Update::Changed);
    assert_eq!((point.rate(), point.target_rate()), (Rate::from_mbps(4_875), Rate::from_mbps(4_875)));
    assert_eq!(send(&mut point, 1 << 40), Update::Unchanged);
    tell(&mut point, -15_000, 0);
    send(&mut point, 75_001);
    assert_eq!(point.rate(), Rate::from_mbps(4_925));
    assert_eq!(point.counters().get("fast_recovery_cycles"), 2);
}

/// Another message cancels the averaging: its change starts from the current rate.
#[test]
fn averaging_is_forgotten_when_another_message_comes() {
    let mut point = at_half(Averaging::On, Decrease::Additive);
    tell(&mut point, 15_000, 0);
    send(&mut point, 70_000);
    tell(&mut point, 15_000, 0);
    assert_eq!((point.rate(), point.target_rate()), (Rate::from_mbps(4_800), Rate::from_mbps(4_900)));
    assert_eq!(send(&mut point, 75_000), Update::Unchanged, "the count starts again");
    send(&mut point, 1);
    assert_eq!(point.rate(), Rate::from_mbps(4_850));
}

/// 3/4 of the feedback minus 1/4 of the previous feedback: -75; +75 + 25; 0 - 25; 0.
#[test]
fn equivalent_uses_the_feedback_before() {
    let mut point = at_half(Averaging::Equivalent, Decrease::Additive);
    // The message that reduced the rate to 5 Gb/s had F = -5 Gb/s, so a zero message comes first.
    tell(&mut point, 0, 0);
    assert_eq!(point.rate(), Rate::from_mbps(6_250));
    for (offset, rate) in [(15_000, 6_175), (-15_000, 6_275), (0, 6_250), (0, 6_250)] {
        tell(&mut point, offset, 0);
        assert_eq!(point.rate(), Rate::from_mbps(rate));
    }
}

#[test]
fn a_source_that_was_never_slowed_down_ignores_the_rest() {
    for averaging in [Averaging::Off, Averaging::On, Averaging::Equivalent] {
        let mut point = ReactionPoint::new(with(averaging, Decrease::Additive), LINE);
        for offset in [-30_000, 0] {
            assert_eq!(tell(&mut point, offset, 0), Update::Unchanged);
        }
        assert!(point.may_release(Backlog::Waiting));
        tell(&mut point, 15_000, 0);
        assert!(point.rate() < LINE && !point.may_release(Backlog::Empty));
        assert_eq!((point.counters().get("increases"), point.counters().get("decreases")), (0, 1));
    }
}

#[test]
fn rates_are_held_and_the_limiter_is_released_at_the_largest() {
    let mut point = at_half(Averaging::Off, Decrease::Additive);
    for _ in 0..10 {
        tell(&mut point, 150_000, 0);
    }
    assert_eq!(point.rate(), Rate::from_mbps(10));
    for _ in 0..10 {
        assert!(!point.may_release(Backlog::Empty));
        tell(&mut point, -150_000, 0);
    }
    assert_eq!(point.rate(), LINE);
    assert!(point.may_release(Backlog::Empty) && !point.may_release(Backlog::Waiting));
}

#[test]
fn other_parameters_keep_the_state() {
    let mut point = at_half(Averaging::On, Decrease::Additive);
    tell(&mut point, 15_000, 0);
    let capped = RpParams { max_rate: Some(Rate::from_gbps(3)), ..with(Averaging::On, Decrease::Additive) };
    assert_eq!(point.set_params(capped), Update::Changed);
    assert_eq!((point.rate(), point.target_rate()), (Rate::from_gbps(3), Rate::from_gbps(3)));
    point.set_params(with(Averaging::Off, Decrease::Additive));
    assert_eq!(send(&mut point, 1 << 40), Update::Unchanged, "averaging has ended");
    let mut idle = ReactionPoint::new(capped, LINE);
    assert_eq!(idle.set_params(RpParams::default()), Update::Changed);
    assert_eq!(idle.rate(), LINE);
}

/// Quarters of a bit per second are kept and shown.
#[test]
fn state_shows_the_quarters() {
    let slow = RpParams {
        largest_increase: Rate::from_bits_per_second(1_001),
        ..with(Averaging::Equivalent, Decrease::Additive)
    };
    let mut point =
        setpoint_control::ReactionPoint::new(&ReactionPointParams::Aimd(slow), &Path::at(Rate::from_gbps(1)));
    let told = super::heard(150_000, 0);
    point.on_feedback(
        setpoint_units::Time::ZERO,
        &told.sent_by(super::PointId(1)),
        &mut crate::entropy::Forbidden,
    );
    let mut state: Vec<Entry> = Vec::new();
    point.state(&mut state);
    let shown = |name| state.iter().find(|entry| entry.name == name).expect("it is shown").reading;
    // 10^9 - 3/4 x 1001 = 999999249.25.
    assert_eq!(shown("rate"), Reading::Rate(Rate::from_bits_per_second(999_999_249)));
    assert_eq!(shown("rate_quarters"), Reading::Number(1));
    assert_eq!(shown("last_change"), Reading::Number(-1_001));
    assert_eq!((shown("phase"), shown("averaging_left")), (Reading::Word("limited"), Reading::Absent));
}
