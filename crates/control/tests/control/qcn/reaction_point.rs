//! The reaction point, checked against the published vectors and traces worked out by hand.
//!
//! A trace is a table: each row has an event and then the expected current rate, target rate, two stages and
//! phase, on a port of 10 Gb/s without jitter. Means round up, cuts round down.

use crate::entropy::{Constant, Forbidden};
use setpoint_control::parameter::{Percent, Power, Switch};
use setpoint_control::qcn::RpPhase::{self, ActiveIncrease, FastRecovery, HyperIncrease, Unlimited};
use setpoint_control::qcn::{ReactionPoint, RecoveryFeedback, Release, RpParams, Rules, Target};
use setpoint_control::{Backlog, Notification, PointId, QuantizedFeedback, React, Update};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

const LINE: Rate = Rate::from_gbps(10);

#[derive(Clone, Copy, Debug)]
enum Event {
    /// A notification with this feedback.
    Hears(u64),
    /// The byte counter completes a cycle.
    Bytes,
    /// The timer completes a cycle.
    Timer,
}
use Event::{Bytes as Sent, Hears, Timer};

type Row = (Event, u64, u64, u32, u32, RpPhase);

fn regular() -> RpParams {
    RpParams { jitter: Percent::ZERO, ..RpParams::default() }
}

fn limited(params: RpParams) -> ReactionPoint {
    let mut point = ReactionPoint::new(params, LINE);
    apply(&mut point, Hears(63));
    point
}

fn fed_back(feedback: QuantizedFeedback) -> Notification {
    Notification { feedback, queue_offset: 0, queue_delta: 0 }
}

fn apply(point: &mut ReactionPoint, event: Event) -> Update {
    match event {
        Hears(feedback) => point.on_feedback(
            Time::ZERO,
            &fed_back(QuantizedFeedback::saturating(feedback)).sent_by(PointId(0)),
            &mut Forbidden,
        ),
        // More than a whole cycle: the excess is discarded.
        Sent => point.on_sent(point.params().byte_reset + Bytes::new(1), &mut Forbidden),
        Timer => point.on_timer(point.timer().expect("the timer runs"), &mut Forbidden),
    }
}

/// The current rate, the target rate and the stage of the byte counter.
fn rates(point: &ReactionPoint) -> (u64, u64, u32) {
    (point.rate().bits_per_second(), point.target_rate().bits_per_second(), point.stages().bytes)
}

fn repeat(times: usize, point: &mut ReactionPoint, event: Event) {
    for _ in 0..times {
        apply(point, event);
    }
}

fn follow(params: RpParams, rows: &[Row]) -> ReactionPoint {
    let mut point = ReactionPoint::new(params, LINE);
    for (index, row) in rows.iter().enumerate() {
        let before = point.rate();
        let update = apply(&mut point, row.0);
        assert_eq!(update == Update::Changed, point.rate() != before, "row {index}: {row:?}");
        let (rate, target) = (point.rate().bits_per_second(), point.target_rate().bits_per_second());
        let stages = point.stages();
        let found: Row = (row.0, rate, target, stages.bytes, stages.time, point.phase());
        assert_eq!(format!("{found:?}"), format!("{row:?}"), "row {index}");
    }
    point
}

/// A part of a step removes 1/32768 of the rate.
#[test]
fn fine_feedback_is_obeyed_in_full() {
    let after = |params, parts| {
        let mut point = ReactionPoint::new(params, Rate::from_gbps(1));
        point.on_feedback(
            Time::ZERO,
            &fed_back(QuantizedFeedback::from_parts(parts)).sent_by(PointId(0)),
            &mut Forbidden,
        );
        point.rate().bits_per_second()
    };
    assert_eq!(after(regular(), 409), 987_518_310, "32359/32768 of 1 Gb/s is 987518310.5");
    assert_eq!(after(regular(), 51), 998_443_603);
    assert_eq!(after(regular(), 256), 992_187_500, "a whole step, as with six bits");
    assert_eq!(after(regular(), 16_384), 500_000_000, "64 steps");
    assert_eq!(after(regular(), 0), 1_000_000_000);
    let bounded = RpParams { min_decrease_factor: Percent::new(99), ..regular() };
    assert_eq!((after(bounded, 327), after(bounded, 328)), (990_020_751, 990_000_000));
    let steep = RpParams { gain: Power::of_two(0), min_decrease_factor: Percent::new(1), ..regular() };
    assert_eq!(after(steep, 64), 750_000_000);
}

fn deaf() -> RpParams {
    RpParams { recovery_feedback: RecoveryFeedback::Off, ..regular() }
}

/// A notification after two byte cycles cuts the rate and nothing else, so that fast recovery ends after three more
/// cycles; the next notification restarts it. At 1 Gb/s: 876953125 · 65/128 is 445327758.8, three halvings of the
/// distance to 1 Gb/s give 722663879, 861331940 and 930665970, and 930665970 · 65/128 is 472603812.9.
#[test]
fn a_notification_in_fast_recovery_can_cut_without_a_restart() {
    let params = RpParams { recovery_feedback: RecoveryFeedback::CutOnly, ..regular() };
    let mut point = ReactionPoint::new(params, Rate::from_gbps(1));
    apply(&mut point, Hears(63));
    repeat(2, &mut point, Sent);
    assert_eq!(rates(&point), (876_953_125, 1_000_000_000, 2));
    let timer = point.timer();
    assert_eq!(apply(&mut point, Hears(63)), Update::Changed);
    assert_eq!((rates(&point), point.timer()), ((445_327_758, 1_000_000_000, 2), timer));
    repeat(3, &mut point, Sent);
    assert_eq!(rates(&point), (930_665_970, 1_000_000_000, 5));
    apply(&mut point, Hears(63));
    assert_eq!(rates(&point), (472_603_812, 930_665_970, 0));
    assert_eq!(["decreases", "kept_targets", "ignored"].map(|name| point.counters().get(name)), [3, 1, 0]);
}

/// A notification after two byte cycles makes the rate the target and cuts it, but recovery continues and ends after
/// three more cycles; the next notification restarts it. At 1 Gb/s: 876953125 · 65/128 is 445327758.8, three
/// halvings of the distance to 876953125 give 661140442, 769046784 and 822999955, and 822999955 · 65/128 is
/// 417929664.6.
#[test]
fn a_notification_in_fast_recovery_can_set_both_rates_without_a_restart() {
    let params = RpParams { recovery_feedback: RecoveryFeedback::NoRestart, ..regular() };
    let mut point = ReactionPoint::new(params, Rate::from_gbps(1));
    apply(&mut point, Hears(63));
    repeat(2, &mut point, Sent);
    let timer = point.timer();
    assert_eq!(apply(&mut point, Hears(63)), Update::Changed);
    assert_eq!((rates(&point), point.timer()), ((445_327_758, 876_953_125, 2), timer));
    repeat(3, &mut point, Sent);
    assert_eq!(rates(&point), (822_999_955, 876_953_125, 5));
    apply(&mut point, Hears(63));
    assert_eq!(rates(&point), (417_929_664, 822_999_955, 0));
    assert_eq!(["decreases", "kept_targets", "ignored"].map(|name| point.counters().get(name)), [3, 0, 0]);
    // With the target after the cut, a cycle of recovery changes nothing.
    let mut point = ReactionPoint::new(RpParams { target: Target::AfterCut, ..params }, Rate::from_gbps(1));
    apply(&mut point, Hears(63));
    apply(&mut point, Sent);
    apply(&mut point, Hears(63));
    assert_eq!(rates(&point), (257_873_535, 257_873_535, 1));
}

/// Two byte cycles, a notification that changes nothing, three more cycles, and a notification that is obeyed,
/// at 1 Gb/s: 984619141 · 65/128 is 500001907.5.
#[test]
fn notifications_are_ignored_until_fast_recovery_is_complete() {
    let mut point = ReactionPoint::new(deaf(), Rate::from_gbps(1));
    apply(&mut point, Hears(63));
    assert_eq!(rates(&point), (507_812_500, 1_000_000_000, 0));
    repeat(2, &mut point, Sent);
    assert_eq!(rates(&point), (876_953_125, 1_000_000_000, 2));
    let timer = point.timer();
    assert_eq!(apply(&mut point, Hears(63)), Update::Unchanged);
    assert_eq!((rates(&point), point.timer()), ((876_953_125, 1_000_000_000, 2), timer));
    repeat(2, &mut point, Sent);
    apply(&mut point, Hears(63));
    assert_eq!(point.stages().bytes, 4, "ignored after four cycles");
    apply(&mut point, Sent);
    assert_eq!((rates(&point), point.phase()), ((984_619_141, 1_000_000_000, 5), FastRecovery));
    apply(&mut point, Hears(63));
    assert_eq!(rates(&point), (500_001_907, 984_619_141, 0));
    assert_eq!(["decreases", "ignored", "kept_targets"].map(|name| point.counters().get(name)), [2, 2, 0]);
}

/// Either clock ends the phase in which notifications are ignored, after as many cycles as the threshold. The byte
/// counter keeps its position in the cycle when a notification is ignored.
#[test]
fn deafness_ends_with_either_clock() {
    let mut point = limited(deaf());
    repeat(5, &mut point, Timer);
    assert_eq!(apply(&mut point, Hears(1)), Update::Changed, "the timer has completed five cycles");
    let mut point = limited(RpParams { threshold: 1, rules: Rules::Clause32, ..deaf() });
    point.on_sent(Bytes::new(150_000), &mut Forbidden);
    assert_eq!(apply(&mut point, Hears(1)), Update::Unchanged);
    point.on_sent(Bytes::new(1), &mut Forbidden);
    assert_eq!(point.stages().bytes, 1, "the byte counter was not reset");
    assert_eq!(apply(&mut point, Hears(1)), Update::Changed);
    // By default a notification is always obeyed, and none is counted as ignored.
    let mut point = limited(regular());
    assert_eq!(apply(&mut point, Hears(1)), Update::Changed);
    assert_eq!(point.counters().get("ignored"), 0);
}

/// The count survives a change of parameters, and a source that is switched on again obeys the next notification.
#[test]
fn deafness_and_new_parameters() {
    let mut point = limited(deaf());
    apply(&mut point, Hears(1));
    point.set_params(RpParams { enable: Switch::Off, ..deaf() });
    point.set_params(deaf());
    assert_eq!((point.counters().get("ignored"), point.phase()), (1, Unlimited));
    assert_eq!(apply(&mut point, Hears(63)), Update::Changed);
    point.set_params(regular());
    assert_eq!(apply(&mut point, Hears(63)), Update::Changed);
}

/// Equations (2) and (3) of Mliki and others in this order: the target is the rate after the cut, so that fast recovery
/// recovers nothing and the sixth cycle is the first to raise the rate. A second notification before a cycle keeps the
/// target.
#[test]
fn target_after_the_cut() {
    let params = RpParams { target: Target::AfterCut, ..regular() };
    #[rustfmt::skip]
    follow(params, &[
        (Hears(63), 5_078_125_000, 5_078_125_000, 0, 0, FastRecovery),
        (Sent,      5_078_125_000, 5_078_125_000, 1, 0, FastRecovery),
        (Sent,      5_078_125_000, 5_078_125_000, 2, 0, FastRecovery),
        (Sent,      5_078_125_000, 5_078_125_000, 3, 0, FastRecovery),
        (Sent,      5_078_125_000, 5_078_125_000, 4, 0, FastRecovery),
        (Sent,      5_078_125_000, 5_078_125_000, 5, 0, FastRecovery),
        (Sent,      5_080_625_000, 5_083_125_000, 6, 0, ActiveIncrease),
        (Hears(32), 3_810_468_750, 3_810_468_750, 0, 0, FastRecovery),
        (Hears(63), 1_935_003_662, 3_810_468_750, 0, 0, FastRecovery),
        (Sent,      2_872_736_206, 3_810_468_750, 1, 0, FastRecovery),
    ]);
}

/// 1 - 63/128 of 10 Gb/s, then five times halfway back: 9.6923828125 and 9.84619140625 Gb/s; fractions of a bit
/// per second are rounded up.
#[test]
fn published_vector() {
    #[rustfmt::skip]
    follow(regular(), &[
        (Hears(63), 5_078_125_000, 10_000_000_000, 0, 0, FastRecovery),
        (Sent,      7_539_062_500, 10_000_000_000, 1, 0, FastRecovery),
        (Sent,      8_769_531_250, 10_000_000_000, 2, 0, FastRecovery),
        (Sent,      9_384_765_625, 10_000_000_000, 3, 0, FastRecovery),
        (Sent,      9_692_382_813, 10_000_000_000, 4, 0, FastRecovery),
        (Sent,      9_846_191_407, 10_000_000_000, 5, 0, FastRecovery),
    ]);
}

/// Five cycles of fast recovery, then the sixth adds 5 Mb/s. Once both clocks have completed six, each cycle
/// adds 50 Mb/s times the number of cycles that both have completed beyond the fifth.
#[test]
fn pseudo_code_through_all_phases() {
    #[rustfmt::skip]
    let point = follow(regular(), &[
        (Hears(63), 5_078_125_000, 10_000_000_000, 0, 0, FastRecovery),
        (Sent,      7_539_062_500, 10_000_000_000, 1, 0, FastRecovery),
        (Hears(32), 5_654_296_875,  7_539_062_500, 0, 0, FastRecovery),
        (Sent,      6_596_679_688,  7_539_062_500, 1, 0, FastRecovery),
        (Sent,      7_067_871_094,  7_539_062_500, 2, 0, FastRecovery),
        (Sent,      7_303_466_797,  7_539_062_500, 3, 0, FastRecovery),
        (Sent,      7_421_264_649,  7_539_062_500, 4, 0, FastRecovery),
        (Sent,      7_480_163_575,  7_539_062_500, 5, 0, FastRecovery),
        (Sent,      7_512_113_038,  7_544_062_500, 6, 0, ActiveIncrease),
        (Sent,      7_530_587_769,  7_549_062_500, 7, 0, ActiveIncrease),
        (Timer,     7_542_325_135,  7_554_062_500, 7, 1, ActiveIncrease),
        (Timer,     7_550_693_818,  7_559_062_500, 7, 2, ActiveIncrease),
        (Timer,     7_557_378_159,  7_564_062_500, 7, 3, ActiveIncrease),
        (Timer,     7_563_220_330,  7_569_062_500, 7, 4, ActiveIncrease),
        (Timer,     7_568_641_415,  7_574_062_500, 7, 5, ActiveIncrease),
        (Timer,     7_596_351_958,  7_624_062_500, 7, 6, HyperIncrease),
        (Timer,     7_660_207_229,  7_724_062_500, 7, 7, HyperIncrease),
        (Timer,     7_742_134_865,  7_824_062_500, 7, 8, HyperIncrease),
        (Sent,      7_858_098_683,  7_974_062_500, 8, 8, HyperIncrease),
        (Timer,     7_991_080_592,  8_124_062_500, 8, 9, HyperIncrease),
    ]);
    let names = ["decreases", "fast_recovery_cycles", "active_increase_cycles", "hyper_increase_cycles"];
    assert_eq!(names.map(|name| point.counters().get(name)), [2, 6, 7, 5]);
    assert_eq!(["kept_targets", "target_reductions"].map(|name| point.counters().get(name)), [0, 0]);
}

/// Like the pseudo-code, but one cycle earlier: the fifth cycle already adds, and hyper-active increase begins once
/// both clocks have completed five.
#[test]
fn clause_32_through_all_phases() {
    #[rustfmt::skip]
    follow(RpParams { rules: Rules::Clause32, ..regular() }, &[
        (Hears(63), 5_078_125_000, 10_000_000_000, 0, 0, FastRecovery),
        (Sent,      7_539_062_500, 10_000_000_000, 1, 0, FastRecovery),
        (Hears(32), 5_654_296_875,  7_539_062_500, 0, 0, FastRecovery),
        (Sent,      6_596_679_688,  7_539_062_500, 1, 0, FastRecovery),
        (Sent,      7_067_871_094,  7_539_062_500, 2, 0, FastRecovery),
        (Sent,      7_303_466_797,  7_539_062_500, 3, 0, FastRecovery),
        (Sent,      7_421_264_649,  7_539_062_500, 4, 0, FastRecovery),
        (Sent,      7_482_663_575,  7_544_062_500, 5, 0, ActiveIncrease),
        (Sent,      7_515_863_038,  7_549_062_500, 6, 0, ActiveIncrease),
        (Timer,     7_534_962_769,  7_554_062_500, 6, 1, ActiveIncrease),
        (Timer,     7_547_012_635,  7_559_062_500, 6, 2, ActiveIncrease),
        (Timer,     7_555_537_568,  7_564_062_500, 6, 3, ActiveIncrease),
        (Timer,     7_562_300_034,  7_569_062_500, 6, 4, ActiveIncrease),
        (Timer,     7_590_681_267,  7_619_062_500, 6, 5, HyperIncrease),
        (Timer,     7_654_871_884,  7_719_062_500, 6, 6, HyperIncrease),
        (Timer,     7_736_967_192,  7_819_062_500, 6, 7, HyperIncrease),
        (Sent,      7_853_014_846,  7_969_062_500, 7, 7, HyperIncrease),
        (Timer,     7_986_038_673,  8_119_062_500, 7, 8, HyperIncrease),
    ]);
}

/// A notification before the byte counter has completed a cycle keeps the target; the timer does not count.
#[test]
fn extra_fast_recovery_keeps_the_target() {
    #[rustfmt::skip]
    let point = follow(regular(), &[
        (Hears(63), 5_078_125_000, 10_000_000_000, 0, 0, FastRecovery),
        (Timer,     7_539_062_500, 10_000_000_000, 0, 1, FastRecovery),
        (Hears(32), 5_654_296_875, 10_000_000_000, 0, 0, FastRecovery),
        (Sent,      7_827_148_438, 10_000_000_000, 1, 0, FastRecovery),
        (Hears(32), 5_870_361_328,  7_827_148_438, 0, 0, FastRecovery),
        (Hears(32), 4_402_770_996,  7_827_148_438, 0, 0, FastRecovery),
    ]);
    assert_eq!(point.counters().get("kept_targets"), 2);
}

#[test]
fn without_extra_fast_recovery_the_target_is_always_the_last_rate() {
    #[rustfmt::skip]
    let point = follow(RpParams { extra_fast_recovery: Switch::Off, ..regular() }, &[
        (Hears(63), 5_078_125_000, 10_000_000_000, 0, 0, FastRecovery),
        (Timer,     7_539_062_500, 10_000_000_000, 0, 1, FastRecovery),
        (Hears(32), 5_654_296_875,  7_539_062_500, 0, 0, FastRecovery),
        (Sent,      6_596_679_688,  7_539_062_500, 1, 0, FastRecovery),
        (Hears(32), 4_947_509_766,  6_596_679_688, 0, 0, FastRecovery),
        (Hears(32), 3_710_632_324,  4_947_509_766, 0, 0, FastRecovery),
    ]);
    assert_eq!(point.counters().get("kept_targets"), 0);
}

/// If the target is kept, the byte counter continues; a new target restarts it.
#[test]
fn byte_counter_runs_on_when_the_target_is_kept() {
    let mut point = limited(regular());
    point.on_sent(Bytes::new(100_000), &mut Forbidden);
    apply(&mut point, Hears(1));
    assert_eq!(point.on_sent(Bytes::new(50_000), &mut Forbidden), Update::Unchanged);
    assert_eq!(point.on_sent(Bytes::new(1), &mut Forbidden), Update::Changed);
    point.on_sent(Bytes::new(100_000), &mut Forbidden);
    apply(&mut point, Hears(1));
    assert_eq!(point.on_sent(Bytes::new(150_000), &mut Forbidden), Update::Unchanged);
    assert_eq!(point.stages().bytes, 0);
}

/// With the byte counter off, its stage never changes: the timer's stage decides instead.
#[test]
fn extra_fast_recovery_by_the_timer_alone() {
    #[rustfmt::skip]
    follow(RpParams { byte_counter: Switch::Off, ..regular() }, &[
        (Hears(63), 5_078_125_000, 10_000_000_000, 0, 0, FastRecovery),
        (Timer,     7_539_062_500, 10_000_000_000, 0, 1, FastRecovery),
        (Hears(32), 5_654_296_875,  7_539_062_500, 0, 0, FastRecovery),
        (Hears(32), 4_240_722_656,  7_539_062_500, 0, 0, FastRecovery),
    ]);
}

/// A target above ten times the current rate is divided by eight in the first cycle of a clock.
#[test]
fn target_far_away_is_reduced() {
    #[rustfmt::skip]
    let point = follow(regular(), &[
        (Hears(63), 5_078_125_000, 10_000_000_000, 0, 0, FastRecovery),
        (Hears(63), 2_578_735_351, 10_000_000_000, 0, 0, FastRecovery),
        (Hears(63), 1_309_514_045, 10_000_000_000, 0, 0, FastRecovery),
        (Hears(63),   664_987_600, 10_000_000_000, 0, 0, FastRecovery),
        (Hears(63),   337_689_015, 10_000_000_000, 0, 0, FastRecovery),
        (Timer,       793_844_508,  1_250_000_000, 0, 1, FastRecovery),
        (Sent,      1_021_922_254,  1_250_000_000, 1, 1, FastRecovery),
        (Sent,      1_135_961_127,  1_250_000_000, 2, 1, FastRecovery),
        (Timer,     1_192_980_564,  1_250_000_000, 2, 2, FastRecovery),
    ]);
    assert_eq!(point.counters().get("target_reductions"), 1);
    let mut point = limited(RpParams { target_reduction: Switch::Off, ..regular() });
    repeat(4, &mut point, Hears(63));
    apply(&mut point, Timer);
    assert_eq!((point.rate().bits_per_second(), point.target_rate()), (5_168_844_508, LINE));
}

#[test]
fn ten_times_the_rate_is_not_far_yet() {
    let target_after_cut_to = |hundredths| {
        let min_decrease_factor = Percent::from_hundredths(hundredths);
        let mut point = limited(RpParams { gain: Power::of_two(0), min_decrease_factor, ..regular() });
        apply(&mut point, Timer);
        point.target_rate()
    };
    assert_eq!(target_after_cut_to(1_000), LINE);
    assert_eq!(target_after_cut_to(999), Rate::from_mbps(1_250));
}

#[test]
fn cut_stops_at_the_minimum_rate() {
    let mut point = limited(regular());
    repeat(10, &mut point, Hears(63));
    assert_eq!(point.rate().bits_per_second(), 5_790_781);
    assert_eq!(apply(&mut point, Hears(63)), Update::Changed);
    assert_eq!(point.rate(), Rate::from_mbps(5));
    assert_eq!(apply(&mut point, Hears(63)), Update::Unchanged);
    assert_eq!((point.rate(), point.counters().get("decreases")), (Rate::from_mbps(5), 13));
}

#[test]
fn largest_decrease_is_bounded() {
    let cut = |gain, percent, feedback| {
        let gain = Power::of_two(gain);
        let params = RpParams { gain, min_decrease_factor: Percent::new(percent), ..regular() };
        let mut point = ReactionPoint::new(params, LINE);
        apply(&mut point, Hears(feedback));
        point.rate().bits_per_second()
    };
    assert_eq!(cut(-7, 50, 63), 5_078_125_000, "65/128 is more than half");
    assert_eq!(cut(-6, 50, 31), 5_156_250_000, "33/64");
    assert_eq!(cut(-6, 50, 32), 5_000_000_000);
    assert_eq!(cut(-6, 50, 63), 5_000_000_000);
    assert_eq!(cut(-5, 10, 63), 1_000_000_000, "1 - 63/32 is negative");
    assert_eq!(cut(-7, 100, 63), 10_000_000_000, "nothing is cut");
}

/// The lengths of the timer's cycles, starting with the one after the notification.
fn timer_cycles(params: RpParams, bytes_before: usize, count: usize) -> Vec<TimeDelta> {
    let mut point = limited(params);
    repeat(bytes_before, &mut point, Sent);
    let mut begin = Time::ZERO;
    let mut cycle = || {
        let end = point.timer().expect("the timer runs");
        point.on_timer(end, &mut Forbidden);
        let length = end - begin;
        begin = end;
        length
    };
    (0..count).map(|_| cycle()).collect()
}

/// The number of bytes in each cycle of the byte counter.
fn byte_cycles(params: RpParams, timers_before: usize, count: usize) -> Vec<u64> {
    let mut point = limited(params);
    repeat(timers_before, &mut point, Timer);
    let mut cycle = || {
        let stage = point.stages().bytes;
        let ends = |point: &mut ReactionPoint| {
            point.on_sent(Bytes::new(500), &mut Forbidden);
            point.stages().bytes > stage
        };
        (0..1_000).find(|_| ends(&mut point)).expect("a cycle ends") * 500
    };
    (0..count).map(|_| cycle()).collect()
}

/// Each clock halves its cycles once its own count exceeds the threshold, whatever the other clock does.
#[test]
fn pseudo_code_halves_the_cycles_past_fast_recovery() {
    let (full, half) = (TimeDelta::from_millis(15), TimeDelta::from_micros(7_500));
    assert_eq!(timer_cycles(regular(), 0, 8), [full, full, full, full, full, full, half, half]);
    assert_eq!(timer_cycles(regular(), 9, 8), [full, full, full, full, full, full, half, half]);
    let (full, half) = (150_000, 75_000);
    assert_eq!(byte_cycles(regular(), 0, 8), [full, full, full, full, full, full, half, half]);
    let whole = RpParams { period_halving: Switch::Off, ..regular() };
    assert_eq!(byte_cycles(whole, 9, 8), [full; 8]);
}

/// Only cycles that begin in hyper-active increase are halved: not those in active increase, and not the one
/// that begins on entry.
#[test]
fn clause_32_halves_the_cycles_of_hyper_increase() {
    let clause_32 = RpParams { rules: Rules::Clause32, ..regular() };
    let (full, half) = (TimeDelta::from_millis(15), TimeDelta::from_micros(7_500));
    assert_eq!(timer_cycles(clause_32, 0, 8), [full; 8]);
    assert_eq!(timer_cycles(clause_32, 5, 8), [full, full, full, full, full, full, half, half]);
    assert_eq!(byte_cycles(clause_32, 5, 7), [150_000, 150_000, 150_000, 150_000, 150_000, 150_000, 75_000]);
}

#[test]
fn cycles_are_spread_but_for_the_first() {
    let mut point = limited(RpParams::default());
    assert_eq!(point.timer(), Some(Time::ZERO + TimeDelta::from_millis(15)));
    let begin = Time::ZERO + TimeDelta::from_millis(15);
    point.on_timer(begin, &mut Constant(0));
    assert_eq!(point.timer(), Some(begin + TimeDelta::from_micros(12_750)));
    let begin = begin + TimeDelta::from_micros(12_750);
    point.on_timer(begin, &mut Constant(u32::MAX));
    // The upper end, to the precision of the 32 bits drawn.
    let upper = (begin + TimeDelta::from_micros(17_250)).as_picos();
    let end = point.timer().expect("the timer runs").as_picos();
    assert!((upper - 1..=upper).contains(&end), "{end} is not {upper}");
}

#[test]
fn a_clock_that_is_off_does_nothing() {
    let mut point = limited(RpParams { timer: Switch::Off, ..regular() });
    assert_eq!(point.timer(), None);
    repeat(20, &mut point, Sent);
    assert_eq!(
        (point.stages().bytes, point.phase()),
        (20, ActiveIncrease),
        "hyper-active increase needs both clocks"
    );
    let mut point = limited(RpParams { byte_counter: Switch::Off, ..regular() });
    assert_eq!(apply(&mut point, Sent), Update::Unchanged);
    repeat(20, &mut point, Timer);
    assert_eq!((point.stages().bytes, point.stages().time), (0, 20));
    assert_eq!(point.phase(), ActiveIncrease);
}

#[test]
fn active_increase_goes_on_where_there_is_no_hyper_phase() {
    let params = RpParams { hyper_phase: Switch::Off, extra_fast_recovery: Switch::Off, ..regular() };
    let mut point = limited(params);
    apply(&mut point, Hears(63));
    repeat(8, &mut point, Sent);
    repeat(8, &mut point, Timer);
    assert_eq!(point.phase(), ActiveIncrease);
    // From 5078.125 Mb/s: three cycles of the byte counter, and all eight of the timer because the byte counter
    // is past its fifth.
    let target = 5_078_125_000 + (3 + 8) * 5_000_000;
    assert_eq!(point.target_rate().bits_per_second(), target);
    assert_eq!(point.counters().get("hyper_increase_cycles"), 0);
}

#[test]
fn a_new_point_is_unlimited_and_its_clocks_are_stopped() {
    let mut point = ReactionPoint::new(regular(), LINE);
    assert_eq!((point.rate(), point.phase(), point.timer()), (LINE, Unlimited, None));
    assert!(point.may_release(Backlog::Waiting));
    for _ in 0..100 {
        assert_eq!(apply(&mut point, Sent), Update::Unchanged);
    }
    assert_eq!(point.on_timer(Time::from_picos(1 << 60), &mut Forbidden), Update::Unchanged);
    assert_eq!(apply(&mut point, Hears(0)), Update::Unchanged, "no feedback");
    assert_eq!((point.phase(), point.counters().get("decreases")), (Unlimited, 0));
    let slow = ReactionPoint::new(RpParams { max_rate: Some(Rate::from_gbps(4)), ..regular() }, LINE);
    assert_eq!(slow.rate(), Rate::from_gbps(4));
    let fast = ReactionPoint::new(RpParams { max_rate: Some(Rate::from_gbps(40)), ..regular() }, LINE);
    assert_eq!(fast.rate(), LINE);
}

/// Because the rate is rounded up, it reaches its target exactly: the distance is halved and rounded down until
/// it is zero.
#[test]
fn limiter_is_released_at_the_largest_rate() {
    let cycles_to_release = |params, backlog| {
        let mut point = limited(params);
        assert!(!point.may_release(backlog));
        (1..100).find(|_| {
            apply(&mut point, Sent);
            point.may_release(backlog)
        })
    };
    let eager = RpParams { release: Release::AtMaxRate, ..regular() };
    // 4 921 875 000 is below 2^33.
    assert_eq!(cycles_to_release(regular(), Backlog::Empty), Some(33));
    assert_eq!(cycles_to_release(regular(), Backlog::Waiting), None);
    assert_eq!(cycles_to_release(eager, Backlog::Waiting), Some(33));
    // With a target that grows beyond the port's rate, the limiter is released sooner.
    let uncapped = RpParams { target_cap: Switch::Off, ..regular() };
    assert!(cycles_to_release(uncapped, Backlog::Empty).is_some_and(|cycles| cycles < 15));
}

#[test]
fn target_is_capped_by_default() {
    let target_after = |params| {
        let mut point = limited(params);
        repeat(10, &mut point, Sent);
        point.target_rate().bits_per_second()
    };
    assert_eq!(target_after(regular()), 10_000_000_000);
    assert_eq!(target_after(RpParams { target_cap: Switch::Off, ..regular() }), 10_025_000_000);
}

#[test]
fn other_parameters_keep_the_state() {
    let mut point = limited(regular());
    apply(&mut point, Sent);
    apply(&mut point, Timer);
    let before = point.clone();
    assert_eq!(
        point.set_params(RpParams { active_increase: Rate::from_mbps(10), ..regular() }),
        Update::Unchanged
    );
    assert_eq!((point.rate(), point.target_rate()), (before.rate(), before.target_rate()));
    assert_eq!((point.stages(), point.timer()), (before.stages(), before.timer()));
    assert_eq!(point.counters(), before.counters());
    assert_eq!(point.params().active_increase, Rate::from_mbps(10));
    let max = Rate::from_gbps(6);
    assert_eq!(point.set_params(RpParams { max_rate: Some(max), ..regular() }), Update::Changed);
    assert_eq!((point.rate(), point.target_rate(), point.max_rate()), (max, max, max));
}

#[test]
fn clocks_are_switched_while_a_point_is_limited() {
    let mut point = limited(regular());
    point.set_params(RpParams { timer: Switch::Off, byte_counter: Switch::Off, ..regular() });
    assert_eq!(point.timer(), None);
    assert_eq!(apply(&mut point, Sent), Update::Unchanged);
    point.set_params(regular());
    assert_eq!(point.timer(), None, "until the next notification");
    assert_eq!(apply(&mut point, Sent), Update::Changed);
    apply(&mut point, Hears(1));
    assert_eq!(point.timer(), Some(Time::ZERO + TimeDelta::from_millis(15)));
}

#[test]
fn a_disabled_point_drops_its_limit_and_ignores_notifications() {
    let mut point = limited(regular());
    let disabled = RpParams { enable: Switch::Off, ..regular() };
    assert_eq!(point.set_params(disabled), Update::Changed);
    assert_eq!((point.rate(), point.phase(), point.timer()), (LINE, Unlimited, None));
    assert_eq!(apply(&mut point, Hears(63)), Update::Unchanged);
    assert_eq!((point.rate(), point.counters().get("decreases")), (LINE, 1));
}

/// The simulator keeps a reaction point for every limited flow and accesses it for every frame.
#[test]
fn fits_three_cache_lines() {
    assert_eq!(size_of::<ReactionPoint>(), 192);
    assert_eq!(size_of::<setpoint_control::ReactionPoint>(), 192);
}
