//! The reaction point under the rules of the papers and of ns3-rdma. The line rate is 40 Gb/s.

use setpoint_control::dcqcn::{AlphaOrder, PROFILES, Phases, ReactionPoint, Release, RpParams, TargetUpdate};
use setpoint_control::parameter::{Fraction, Switch};
use setpoint_control::{Backlog, Params, React};
use setpoint_units::{Bytes, Rate, TimeDelta};

use super::{LINE, assert_near, at, mbps, new, notify, pass};

fn alpha(point: &ReactionPoint) -> f64 {
    point.alpha().expect("a CNP has arrived").get()
}

fn ns3_rdma() -> RpParams {
    let mut params = Params::default();
    let profile = PROFILES.iter().find(|profile| profile.name == "ns3-rdma").expect("it exists");
    profile.apply(&mut params, LINE);
    params.dcqcn.rp
}

/// Timer cycles of 55 us after CNPs at 0 and 60 us, with α decaying every 55 us.
#[test]
fn cuts_and_recovery_of_the_paper() {
    let mut point = new(RpParams::default());
    notify(&mut point, at(0));
    assert_eq!((mbps(&point), alpha(&point)), ((40_000.0, 20_000.0), 1.0));
    pass(&mut point, at(55));
    assert_near(mbps(&point), (40_000.0, 30_000.0));
    notify(&mut point, at(60));
    assert_near(mbps(&point), (30_000.0, 15_058.593_75));
    assert!((alpha(&point) - 0.996_109_008_789_062_5).abs() < 1e-8, "{}", alpha(&point));
    #[rustfmt::skip]
    let table = [
        (115, 30_000.0, 22_529.296_875),
        (170, 30_000.0, 26_264.648_437_5),
        (225, 30_000.0, 28_132.324_218_75),
        (280, 30_000.0, 29_066.162_109_375),
        (335, 30_040.0, 29_553.081_054_687_5),
        (390, 30_080.0, 29_816.540_527_343_75),
    ];
    for (micros, target, rate) in table {
        pass(&mut point, at(micros));
        assert_near(mbps(&point), (target, rate));
    }
    let counters = point.counters();
    let cycles = ["decreases", "fast_recovery_cycles", "active_increase_cycles", "hyper_increase_cycles"];
    assert_eq!(cycles.map(|name| counters.get(name)), [2, 5, 2, 0]);
    // α has decayed in the meantime, although it was not computed until now.
    notify(&mut point, at(390));
    assert_near(mbps(&point), (29_816.540_527, 29_816.540_527 * (1.0 - 0.972_989_511_173_260_2 / 2.0)));
}

/// ns3-rdma updates α before the cut.
#[test]
fn cuts_and_recovery_of_ns3_rdma() {
    let target = TargetUpdate::EveryCut;
    let active_increase = Rate::from_mbps(40);
    let mut point = new(RpParams { target, active_increase, byte_counter: Switch::Off, ..ns3_rdma() });
    notify(&mut point, at(0));
    assert_eq!((mbps(&point), alpha(&point)), ((40_000.0, 29_375.0), 0.531_25));
    notify(&mut point, at(100));
    assert_near(mbps(&point), (29_375.0, 21_599.159_240));
    assert_eq!(alpha(&point), 0.529_418_945_312_5);
    #[rustfmt::skip]
    let table = [
        (1_600, 29_375.0, 25_487.079_620),
        (3_100, 29_375.0, 27_431.039_810),
        (4_600, 29_375.0, 28_403.019_905),
        (6_100, 29_375.0, 28_889.009_952),
        (7_600, 29_415.0, 29_152.004_976),
        (9_100, 29_455.0, 29_303.502_488),
    ];
    for (micros, target, rate) in table {
        pass(&mut point, at(micros));
        assert_near(mbps(&point), (target, rate));
    }
}

/// While no clock has completed a cycle, the target stays where it was before the first of several cuts.
#[test]
fn targets_of_repeated_cuts() {
    #[rustfmt::skip]
    let table = [
        (TargetUpdate::EveryCut,       [40_000.0, 29_375.0, 21_141.967_773]),
        (TargetUpdate::AfterByteCycle, [40_000.0; 3]),
        (TargetUpdate::AfterCycle,     [40_000.0; 3]),
    ];
    for (target, targets) in table {
        let mut point = new(RpParams { target, ..ns3_rdma() });
        let rates = [29_375.0, 21_141.967_773, 14_926.095_045];
        for (cut, (target, rate)) in targets.into_iter().zip(rates).enumerate() {
            notify(&mut point, at(50 * cut as u64));
            assert_near(mbps(&point), (target, rate));
        }
    }
}

/// A cycle of the timer or of the byte counter (150 kB) lets the next cut set the target, depending on the rule.
#[test]
fn targets_after_a_cycle() {
    #[rustfmt::skip]
    let table = [
        (TargetUpdate::EveryCut,       true,  true),
        (TargetUpdate::AfterByteCycle, false, true),
        (TargetUpdate::AfterCycle,     true,  true),
    ];
    for (target, by_time, by_bytes) in table {
        let mut timed = new(RpParams { target, ..ns3_rdma() });
        notify(&mut timed, at(0));
        let mut counted = timed.clone();
        pass(&mut timed, at(1_500));
        for _ in 0..146 {
            counted.on_sent(Bytes::new(1_030), &mut || 0);
        }
        for (mut point, follows) in [(timed, by_time), (counted, by_bytes)] {
            let before = mbps(&point).1;
            assert!(before > 29_375.0, "{target:?}: the cycle is over");
            notify(&mut point, at(1_600));
            assert_eq!(mbps(&point).0, if follows { before } else { 40_000.0 }, "{target:?}");
        }
    }
}

/// The 146th frame of 1030 bytes exceeds 150 000 bytes; the excess is discarded.
#[test]
fn the_byte_counter_ends_cycles() {
    let mut point = new(RpParams { byte_reset: Bytes::new(150_000), ..RpParams::default() });
    let frames_until_change = |point: &mut ReactionPoint| {
        let before = point.rate();
        (1..).find(|_| {
            point.on_sent(Bytes::new(1_030), &mut || 0);
            point.rate() != before
        })
    };
    notify(&mut point, at(0));
    assert_eq!(frames_until_change(&mut point), Some(146));
    assert_eq!(mbps(&point).1, 30_000.0);
    assert_eq!(frames_until_change(&mut point), Some(146));
    assert_eq!(mbps(&point).1, 35_000.0);
}

/// Cycles of the timer and of the byte counter in turn, after a cut of 30 Gb/s by half; F = 2, R_AI = 40 and R_HAI =
/// 200 Mb/s. Additive increase lasts while the smaller stage is at most F in the paper, and until a timer cycle ends
/// with both stages at F in ns3-rdma; htsim has one more cycle of fast recovery.
#[test]
fn phases_of_two_clocks() {
    #[rustfmt::skip]
    let table = [
        (Phases::Ns3Rdma, [
            (30_000.0, 22_500.0), (30_000.0, 26_250.0), (30_040.0, 28_145.0), (30_080.0, 29_112.5),
            (30_280.0, 29_696.25), (30_680.0, 30_188.125), (31_080.0, 30_634.062_5), (31_680.0, 31_157.031_25),
        ]),
        (Phases::Paper, [
            (30_000.0, 22_500.0), (30_000.0, 26_250.0), (30_040.0, 28_145.0), (30_080.0, 29_112.5),
            (30_120.0, 29_616.25), (30_320.0, 29_968.125), (30_520.0, 30_244.062_5), (30_920.0, 30_582.031_25),
        ]),
        (Phases::Htsim, [
            (30_000.0, 22_500.0), (30_000.0, 26_250.0), (30_000.0, 28_125.0), (30_000.0, 29_062.5),
            (30_040.0, 29_551.25), (30_240.0, 29_895.625), (30_440.0, 30_167.812_5), (30_840.0, 30_503.906_25),
        ]),
    ];
    for (phases, expected) in table {
        let mut point = new(RpParams {
            phases,
            threshold: 2,
            byte_reset: Bytes::new(150_000),
            time_reset: TimeDelta::from_micros(100),
            // Another CNP at 30 Gb/s halves the rate.
            gain: Fraction::ONE,
            alpha_order: AlphaOrder::BeforeCut,
            initial_alpha: Fraction::of_1024(512),
            ..RpParams::default()
        });
        notify(&mut point, at(0));
        pass(&mut point, at(100));
        assert_near(mbps(&point), (40_000.0, 30_000.0));
        notify(&mut point, at(150));
        for pair in expected.chunks(2) {
            let due = point.timer().expect("it runs");
            point.on_timer(due, &mut || 0);
            assert_near(mbps(&point), pair[0]);
            let before = point.rate();
            while point.rate() == before {
                point.on_sent(Bytes::new(1_000), &mut || 0);
            }
            assert_near(mbps(&point), pair[1]);
        }
    }
}

/// In hyper increase, ns3-rdma halves the cycles.
#[test]
fn cycles_are_halved_in_hyper_increase_of_ns3_rdma() {
    let mut point = new(RpParams { threshold: 1, target_cap: Switch::On, ..ns3_rdma() });
    notify(&mut point, at(0));
    for _ in 0..146 {
        point.on_sent(Bytes::new(1_030), &mut || 0);
    }
    pass(&mut point, at(1_500));
    assert_eq!(point.counters().get("hyper_increase_cycles"), 1);
    assert_eq!(point.timer(), Some(at(2_250)));
}

/// 40 Gb/s is more than ten times 100 Mb/s, so the first cycle divides the target by eight.
#[test]
fn a_target_far_above_the_rate_is_reduced() {
    let mut point = new(RpParams { gain: Fraction::ONE, byte_counter: Switch::Off, ..ns3_rdma() });
    for cut in 0..12 {
        notify(&mut point, at(cut));
    }
    assert_eq!(mbps(&point), (40_000.0, 100.0));
    pass(&mut point, at(1_511));
    assert_eq!(mbps(&point), (5_000.0, 2_550.0));
    pass(&mut point, at(3_011));
    assert_eq!(mbps(&point), (5_000.0, 3_775.0));
}

/// Without a CNP the target rises forever unless it is capped; with a cap, the timer stops at line rate.
#[test]
fn the_cap_of_the_target() {
    let mut capped = new(RpParams::default());
    let mut free = new(RpParams { target_cap: Switch::Off, ..RpParams::default() });
    for point in [&mut capped, &mut free] {
        notify(point, at(0));
        pass(point, at(10_000));
        assert_eq!(mbps(point).1, 40_000.0);
    }
    assert_eq!((mbps(&capped).0, capped.timer()), (40_000.0, None));
    assert!(mbps(&free).0 > 40_000.0 && free.timer().is_some());
}

#[test]
fn release() {
    for (release, released) in [(Release::Never, false), (Release::AtLineRate, true)] {
        let mut point = new(RpParams { release, ..RpParams::default() });
        notify(&mut point, at(0));
        assert!(!point.may_release(Backlog::Empty));
        pass(&mut point, at(10_000));
        assert_eq!((mbps(&point).1, point.may_release(Backlog::Waiting)), (40_000.0, released));
    }
}
