//! The reaction point under the vendor's rules, with the parameters of HPCC's `dcqcn` at 40 Gb/s: R_AI 8 Mb/s, R_HAI 80
//! Mb/s.

use setpoint_control::dcqcn::{RpParams, TargetUpdate};
use setpoint_control::parameter::Percent;
use setpoint_control::{Acknowledgement, Algorithm, Feedback, Mark, Params, Preset, React, Update};
use setpoint_units::{Bytes, Rate, Time};

use super::{assert_near, at, at_nanos, mbps, new, notify, pass};

fn params() -> RpParams {
    Params::of(Preset::FortyG, Algorithm::Dcqcn.profile("hpcc")).dcqcn.rp
}

/// CNPs at 0, 5.5 and 999.5 us. HPCC's checks come one nanosecond later, so that α is updated first; ours are at the
/// same time.
#[test]
fn checks_and_recovery() {
    let mut point = new(params());
    assert_eq!(point.on_feedback(at(0), &Feedback::Congestion, &mut || 0), Update::Unchanged);
    assert_eq!(point.timer(), Some(at(4)));
    #[rustfmt::skip]
    let table = [
        (4_000,     40_000.0,       20_310.673_709),
        (8_000,     40_000.0,       10_429.026_061),
        (308_000,   40_000.0,       25_214.513_030),
        (608_000,   40_000.0,       32_607.256_515),
        (908_000,   40_000.0,       36_303.628_257),
        (1_000_000, 36_303.628_257, 35_868.917_897),
        (1_300_000, 36_303.628_257, 36_086.273_076),
        (1_600_000, 36_311.628_257, 36_198.950_666),
        (1_900_000, 36_391.628_257, 36_295.289_461),
        // Hyper increase is constant: 80 Mb/s in every further cycle.
        (2_200_000, 36_471.628_257, 36_383.458_859),
        (2_500_000, 36_551.628_257, 36_467.543_558),
    ];
    for (nanos, target, rate) in table {
        let cnp = match nanos {
            8_000 => Some(5_500),
            1_000_000 => Some(999_500),
            _ => None,
        };
        if let Some(cnp) = cnp {
            pass(&mut point, at_nanos(cnp));
            notify(&mut point, at_nanos(cnp));
        }
        pass(&mut point, at_nanos(nanos));
        assert_near(mbps(&point), (target, rate));
    }
}

/// CNPs at 0 and 5.5 us, with a target that follows every cut. With a = 255/256 and one update of α per microsecond:
///
/// * 4 us: α = a⁴ = 0.984466, the target is 40000, and the rate 40000 (1 - 0.984466/2) = 20310.674;
/// * 8 us: the update at 6 us adds 1/256, so α = (a⁶ + 1/256) a² = 0.973050; the target is 20310.674, and the rate
///   20310.674 (1 - 0.973050/2) = 10429.026;
/// * each cycle of 300 us moves the rate halfway to the target: one cycle of fast recovery, one that adds 8 Mb/s to the
///   target, and then cycles that add 80 Mb/s each.
#[test]
fn targets_that_follow_every_cut() {
    let mut point = new(RpParams { target: TargetUpdate::EveryCut, ..params() });
    notify(&mut point, at(0));
    pass(&mut point, at(4));
    assert_near(mbps(&point), (40_000.0, 20_310.673_709));
    pass(&mut point, at_nanos(5_500));
    notify(&mut point, at_nanos(5_500));
    #[rustfmt::skip]
    let table = [
        (8,     20_310.673_709, 10_429.026_062),
        (308,   20_310.673_709, 15_369.849_885),
        (608,   20_318.673_709, 17_844.261_797),
        (908,   20_398.673_709, 19_121.467_753),
        (1_208, 20_478.673_709, 19_800.070_731),
    ];
    for (micros, target, rate) in table {
        pass(&mut point, at(micros));
        assert_near(mbps(&point), (target, rate));
    }
    let counters = point.counters();
    let names = ["decreases", "kept_targets", "active_increase_cycles", "hyper_increase_cycles"];
    assert_eq!(names.map(|name| counters.get(name)), [2, 0, 1, 2]);
}

/// However many CNPs arrive between two checks, the rate is cut once, and α is raised once per update.
#[test]
fn several_notifications_count_once() {
    let (mut once, mut often) = (new(params()), new(params()));
    for point in [&mut once, &mut often] {
        notify(point, at(0));
        pass(point, at(4));
    }
    notify(&mut once, at_nanos(4_500));
    for nanos in [4_100, 4_500, 4_900] {
        notify(&mut often, at_nanos(nanos));
    }
    pass(&mut once, at(8));
    pass(&mut often, at(8));
    assert_eq!((once.rate(), once.alpha()), (often.rate(), often.alpha()));
    assert_eq!(often.counters().get("decreases"), 2);
}

#[test]
fn the_first_notification_may_lower_the_rate() {
    let mut point = new(RpParams { first_rate: Percent::new(50), ..params() });
    notify(&mut point, at(0));
    assert_eq!(mbps(&point), (20_000.0, 20_000.0));
}

#[test]
fn the_rate_stays_above_its_minimum() {
    let mut point = new(params());
    for micros in 0..200 {
        pass(&mut point, at(micros));
        notify(&mut point, at(micros));
    }
    assert_eq!(point.rate(), Rate::from_gbps(1));
}

/// An acknowledgement counts as a CNP if it reports a mark.
#[test]
fn acknowledgements_report_marks() {
    let acknowledgement = |mark| {
        let bytes = Bytes::new(1_000);
        let content = Acknowledgement { sent_at: Time::ZERO, bytes, settled: bytes, mark, hops: &[] };
        Feedback::Acknowledgement(content)
    };
    let mut point = new(params());
    point.on_feedback(at(0), &acknowledgement(Mark::Clear), &mut || 0);
    assert_eq!((point.alpha(), point.timer()), (None, None));
    point.on_feedback(at(1), &acknowledgement(Mark::Congested), &mut || 0);
    assert_eq!(point.timer(), Some(at(5)));
}
