//! Swift, worked out by hand: the target and every rule. Frames of 1000 B, and a path with two bridges and a base round-trip
//! time of 10 us.

use setpoint_control::parameter::Percent;
use setpoint_control::swift::{Delay, ReactionPoint, RpParams};
use setpoint_control::{Acknowledgement, Feedback, Limit, Mark, Path, React, Update};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

const LINE: Rate = Rate::from_gbps(10);

fn micros(micros: u64) -> TimeDelta {
    TimeDelta::from_micros(micros)
}

fn new(params: RpParams) -> ReactionPoint {
    ReactionPoint::new(params, &Path { base_rtt: micros(10), bridges: 2, ..Path::at(LINE) })
}

fn acknowledge(point: &mut ReactionPoint, now: u64, rtt: u64, bytes: u64) -> Update {
    let (now, bytes) = (Time::ZERO + micros(now), Bytes::new(bytes));
    let sent_at = Time::from_picos(now.as_picos() - micros(rtt).as_picos());
    let content = Acknowledgement { sent_at, bytes, settled: bytes, mark: Mark::Clear, hops: &[] };
    point.on_feedback(now, &Feedback::Acknowledgement(content), &mut || 0)
}

/// A base of 20 us, two bridges of 3.053 us, and (1/√w - 0.1)/(√10 - 0.1) of 100 us: nothing from 100 frames on, 29.39 us for
/// one frame, and all for a tenth of a frame or less.
#[test]
fn the_target_grows_for_small_windows() {
    let nanos = |first_window: u32, min_window: Percent| {
        let params = RpParams { first_window, min_window, ..RpParams::default() };
        let mut point = new(params);
        if first_window == 1 {
            // Long delays halve the window until it is as small as it may be.
            for round in 1..20 {
                acknowledge(&mut point, round * 1_000, 999, 1_000);
            }
        }
        point.target().as_picos() / 1_000
    };
    let tiny = Percent::new(5);
    assert_eq!((nanos(100, tiny), nanos(400, tiny), nanos(1, tiny)), (26_106, 26_106, 126_106));
    assert_eq!(nanos(1, Percent::WHOLE), 55_495);
    assert_eq!(nanos(4, tiny), 26_106 + 13_062);
}

/// At four frames, the target is 39.168 us: each acknowledged frame adds a quarter, and ten frames per round add 2.5.
#[test]
fn short_delays_open_the_window() {
    let mut point = new(RpParams { first_window: 4, ..RpParams::default() });
    assert_eq!(acknowledge(&mut point, 100, 39, 1_000), Update::Changed);
    assert_eq!(point.window(), Bytes::new(4_250));
    let mut other = new(RpParams { first_window: 4, increase: Percent::new(50), ..RpParams::default() });
    acknowledge(&mut other, 100, 39, 10_000);
    assert_eq!(other.window(), Bytes::new(5_250));
    assert_eq!(other.limit(), Limit::Window { bytes: Bytes::new(5_250), rate: LINE });
}

/// At 100 frames the target is 26.106 us. 1 - 0.8 (32.6325 - 26.106)/32.6325 = 0.84.
#[test]
fn long_delays_close_the_window_once_per_round_trip() {
    let mut point = new(RpParams { first_window: 100, ..RpParams::default() });
    let rtt = TimeDelta::from_picos(32_632_500);
    let mut cut = |now: u64| {
        let now = Time::ZERO + micros(now);
        let sent_at = Time::from_picos(now.as_picos() - rtt.as_picos());
        let bytes = Bytes::new(1_000);
        let content = Acknowledgement { sent_at, bytes, settled: bytes, mark: Mark::Clear, hops: &[] };
        point.on_feedback(now, &Feedback::Acknowledgement(content), &mut || 0);
        point.window().get()
    };
    assert_eq!((cut(100), cut(132)), (84_000, 84_000));
    assert!((70_000..72_000).contains(&cut(133)), "a little less than before, since the target has grown");
}

/// A decrease removes at most half. Below one frame, an acknowledged frame adds a whole one, and the rate is w frames per
/// round-trip time.
#[test]
fn windows_below_one_frame() {
    let mut point = new(RpParams { first_window: 1, ..RpParams::default() });
    acknowledge(&mut point, 2_000, 1_000, 1_000);
    assert_eq!(point.window(), Bytes::new(500));
    assert_eq!(point.limit(), Limit::Window { bytes: Bytes::new(500), rate: Rate::from_mbps(4) });
    acknowledge(&mut point, 4_000, 20, 1_000);
    assert_eq!((point.window(), point.rate()), (Bytes::new(1_500), LINE));
    for round in 1..20 {
        acknowledge(&mut point, 4_000 + 1_000 * round, 1_000, 1_000);
    }
    assert_eq!(point.window().get(), 9, "one percent of a frame, rounded down");
    assert_eq!((point.counters().get("increases"), point.counters().get("decreases")), (1, 20));
}

#[test]
fn the_queueing_delay_leaves_out_the_path() {
    let window = |delay| {
        let mut point = new(RpParams { delay, first_window: 100, ..RpParams::default() });
        acknowledge(&mut point, 100, 36, 100_000);
        point.window().get()
    };
    // 26 us is below the target of 26.106 us, and 36 us is above it.
    assert_eq!(window(Delay::Queueing), 101_000);
    assert!(window(Delay::RoundTrip) < 100_000);
}

#[test]
fn windows_stay_within_their_bounds() {
    let mut point = new(RpParams { first_window: 12, max_window: 12, ..RpParams::default() });
    assert_eq!(acknowledge(&mut point, 100, 12, 1_000), Update::Unchanged);
    point.set_params(RpParams { max_window: 3, first_window: 1, ..RpParams::default() });
    assert_eq!(point.window(), Bytes::new(3_000));
}
