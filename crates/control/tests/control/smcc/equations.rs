//! Equations (1), (3), (4) and (25) of the paper, and the two-stage rule of its section 4.4, worked out by
//! hand. Equation (2) is BCN's and is tested with BCN.

use crate::sampled::Sampled;
use setpoint_control::parameter::{Percent, Power, Switch};
use setpoint_control::smcc::{ReactionPoint, RpParams, State};
use setpoint_control::{Arrival, Notification, PointId, QuantizedFeedback, React, Update, qcn};
use setpoint_units::{Bytes, Rate, Time};

use super::{HERE, LINE, at_half, heard, paper, tell};
use crate::entropy::Forbidden;

/// Fb = -(Qoff + w dQ): with q0 = 64 kB, w = 2 and q from 70 to 80 kB it is -(16 + 2 x 10) kB, of 320 kB.
#[test]
fn equation_1_by_qcns_congestion_point() {
    let mut point = qcn::CongestionPoint::new(qcn::CpParams {
        set_point: Bytes::new(64_000),
        weight: Power::of_two(1),
        sampling: qcn::Sampling::EveryFrame,
        ..qcn::CpParams::default()
    });
    let mut see = |queue| {
        let arrival = Arrival::of(Bytes::new(1_000), Bytes::new(queue));
        point.sampled(arrival, &mut Forbidden).map(|told| told.feedback.get())
    };
    see(70_000);
    assert_eq!(see(80_000), Some((63 * 36_000 / 320_000) as u8));
    // -(8 - 2 x 8) kB is positive, and QCN does not send positive feedback.
    assert_eq!(see(72_000), None);
}

/// The paper's reduced QCN: decrease, fast recovery and active increase (section 5.1).
fn reduced_qcn() -> qcn::ReactionPoint {
    let params = qcn::RpParams {
        timer: Switch::Off,
        hyper_phase: Switch::Off,
        extra_fast_recovery: Switch::Off,
        target_reduction: Switch::Off,
        gain: Power::of_two(-7),
        active_increase: Rate::from_mbps(1),
        byte_reset: Bytes::new(150_000),
        jitter: Percent::ZERO,
        ..qcn::RpParams::default()
    };
    let mut point = qcn::ReactionPoint::new(params, LINE);
    // Gd |Fb| = 32/128, twice: 1000 to 750 to 562.5 Mb/s, where R is the rate before the last cut.
    for _ in 0..2 {
        let feedback = QuantizedFeedback::saturating(32);
        let heard = Notification { feedback, queue_offset: 0, queue_delta: 0 };
        point.on_feedback(Time::ZERO, &heard.sent_by(PointId(0)), &mut Forbidden);
    }
    assert_eq!((bits(point.rate()), bits(point.target_rate())), (562_500_000, 750_000_000));
    point
}

fn bits(rate: Rate) -> u64 {
    rate.bits_per_second()
}

/// Sends a cycle of the given number of bytes: its last byte changes the rate.
fn cycle(point: &mut qcn::ReactionPoint, bytes: u64) -> (u64, u64) {
    let before = point.rate();
    point.on_sent(Bytes::new(bytes), &mut Forbidden);
    assert_eq!(point.rate(), before);
    point.on_sent(Bytes::new(1), &mut Forbidden);
    (bits(point.rate()), bits(point.target_rate()))
}

/// r <- (r + R) / 2, five times, with R unchanged.
#[test]
fn equation_3_by_qcns_reaction_point() {
    let mut point = reduced_qcn();
    let rates = [656_250_000, 703_125_000, 726_562_500, 738_281_250, 744_140_625];
    for rate in rates {
        assert_eq!(cycle(&mut point, 150_000), (rate, 750_000_000));
    }
}

/// R <- R + R_AI, r <- (r + R) / 2. From the second on, cycles are 75 kB long: revision 2.2 halves them once
/// the counter is past fast recovery, at the end of the sixth cycle.
#[test]
fn equation_4_by_qcns_reaction_point() {
    let mut point = reduced_qcn();
    for _ in 0..5 {
        cycle(&mut point, 150_000);
    }
    // 744.140625 -> (744.140625 + 751) / 2 -> (747.5703125 + 752) / 2; means are rounded up.
    assert_eq!(cycle(&mut point, 150_000), (747_570_313, 751_000_000));
    assert_eq!(cycle(&mut point, 75_000), (749_785_157, 752_000_000));
    assert_eq!(cycle(&mut point, 75_000), (751_392_579, 753_000_000));
}

/// Every combination of signs, from 500 Mb/s: 16 kB x 4000 b/s = 64 Mb/s in state A, 2 kB x 1000 b/s = 2 Mb/s
/// in state B.
#[test]
fn equation_25_in_every_state() {
    use State::{A, B};
    #[rustfmt::skip]
    let table = [
        //  Qoff      dQ   state  r in Mb/s
        ( 16_000,  2_000, A, 436),
        ( 16_000,      0, A, 436),
        ( 16_000, -2_000, B, 502),
        (      0,  2_000, B, 498),
        (      0,      0, B, 500),
        (      0, -2_000, B, 502),
        (-16_000,  2_000, B, 498),
        (-16_000,      0, A, 564),
        (-16_000, -2_000, A, 564),
    ];
    for (offset, difference, state, rate) in table {
        let mut point = at_half(paper().rp);
        tell(&mut point, HERE, offset, difference);
        assert_eq!(State::of(&heard(offset, difference)), state, "Qoff {offset}, dQ {difference}");
        assert_eq!(point.rate(), Rate::from_mbps(rate), "Qoff {offset}, dQ {difference}");
    }
}

/// The change is linear beyond the reference and is rounded towards zero.
#[test]
fn equation_25_is_linear_and_rounds_towards_zero() {
    let mut point = at_half(paper().rp);
    tell(&mut point, HERE, -96_000, -1);
    assert_eq!(point.rate(), Rate::from_mbps(500 + 384));
    let odd = RpParams { state_a: Rate::from_bits_per_second(1_000_001), ..paper().rp };
    let mut point = ReactionPoint::new(odd, LINE);
    // 1000001 / 64000 is 15.6 b/s for one byte; for 64 bytes it is 1000.001 b/s.
    tell(&mut point, HERE, 1, 1);
    assert_eq!(bits(point.rate()), 1_000_000_000 - 15);
    tell(&mut point, HERE, 64, 1);
    assert_eq!(bits(point.rate()), 1_000_000_000 - 15 - 1_000);
    tell(&mut point, HERE, -1, -1);
    assert_eq!(bits(point.rate()), 1_000_000_000 - 1_000);
}

/// |dQ| > T1 = 8 kB: 4000 b/s per byte, otherwise 2000; state B is unaffected.
#[test]
fn two_stage_rule() {
    let params = RpParams { two_stage: Switch::On, ..paper().rp };
    #[rustfmt::skip]
    let table = [
        ( 16_000,  8_001, 436), ( 16_000,  8_000, 468), ( 16_000, 0, 468),
        (-16_000, -8_001, 564), (-16_000, -8_000, 532), (-16_000, 0, 532),
        ( 16_000, -9_000, 509), (-16_000,  9_000, 491), ( 16_000, -1_000, 501),
    ];
    for (offset, difference, rate) in table {
        let mut point = at_half(params);
        tell(&mut point, HERE, offset, difference);
        assert_eq!(point.rate(), Rate::from_mbps(rate), "Qoff {offset}, dQ {difference}");
    }
}

/// With a step of 16 Mb/s and R_a of 64 Mb/s for 64 kB, an increase of 14 Mb/s is lost and one of 16 Mb/s is not; a
/// decrease is never lost.
#[test]
fn rates_are_multiples_of_the_step() {
    let params = RpParams { rate_step: Rate::from_mbps(16), state_a: Rate::from_mbps(64), ..paper().rp };
    let mut point = ReactionPoint::new(params, LINE);
    // 1 Gb/s minus 640 Mb/s is 360, rounded down to 352; 32 kB above the set point reduce it by another 32, to 320.
    tell(&mut point, HERE, 640_000, 1_000);
    assert_eq!(point.rate(), Rate::from_mbps(352));
    tell(&mut point, HERE, 32_000, 1_000);
    assert_eq!(point.rate(), Rate::from_mbps(320));
    assert_eq!(tell(&mut point, HERE, -14_000, -1_000), Update::Unchanged, "50 kB: 334, rounded down to 320");
    assert_eq!(tell(&mut point, HERE, -16_000, -1_000), Update::Changed, "48 kB");
    assert_eq!(point.rate(), Rate::from_mbps(336));
    assert_eq!(tell(&mut point, HERE, 1, 0), Update::Changed, "335.999 Mb/s");
    assert_eq!((point.rate(), point.counters().get("increases")), (Rate::from_mbps(320), 2));
}

/// The limits of the rate need not be multiples of the step: 5 Mb/s and 1 Gb/s with steps of 16 Mb/s.
#[test]
fn the_limits_are_reached_whatever_the_step() {
    let params = RpParams { rate_step: Rate::from_mbps(16), state_a: Rate::from_mbps(64), ..paper().rp };
    let mut point = ReactionPoint::new(params, LINE);
    tell(&mut point, HERE, 990_000, 1_000);
    assert_eq!(point.rate(), Rate::from_mbps(5), "10 Mb/s is rounded down to zero");
    tell(&mut point, HERE, -990_000, -1_000);
    assert_eq!(point.rate(), Rate::from_mbps(992), "995 Mb/s");
    tell(&mut point, HERE, -7_999, -1_000);
    assert_eq!(point.rate(), Rate::from_mbps(992));
    tell(&mut point, HERE, -8_000, -1_000);
    assert_eq!(point.rate(), LINE);
}
