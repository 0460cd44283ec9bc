//! TIMELY, worked out by hand: every rule of both versions. The line rate is 10 Gb/s, δ = 10 Mb/s, and the thresholds
//! are 50 us and 500 us.

use setpoint_control::parameter::Percent;
use setpoint_control::timely::{
    Delay, HyperIncrease, NotificationPoint, NpParams, ReactionPoint, RpParams, Rule, Steady, Updates,
};
use setpoint_control::{
    Acknowledgement, Algorithm, Answer, Delivery, Feedback, Limit, Mark, NotificationPointParams, Params,
    Path, Preset, React, ReactionPointParams, Reply, Update, Window,
};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

const LINE: Rate = Rate::from_gbps(10);

fn micros(micros: u64) -> TimeDelta {
    TimeDelta::from_micros(micros)
}

/// A source that has sent nothing, on a path with a base round-trip time of 30 us.
fn source(params: RpParams) -> ReactionPoint {
    ReactionPoint::new(params, &Path { base_rtt: micros(30), ..Path::at(LINE) })
}

fn at(mbps: u64) -> RpParams {
    RpParams { first_rate: Some(Rate::from_mbps(mbps)), ..RpParams::default() }
}

fn acknowledge(point: &mut ReactionPoint, rtt: TimeDelta, settled: u64) -> Update {
    let now = Time::ZERO + TimeDelta::from_secs(1);
    let sent_at = Time::from_picos(now.as_picos() - rtt.as_picos());
    let settled = Bytes::new(settled);
    let content = Acknowledgement { sent_at, bytes: settled, settled, mark: Mark::Clear, hops: &[] };
    point.on_feedback(now, &Feedback::Acknowledgement(content), &mut || 0)
}

/// The rates after acknowledgements with the given round-trip times, in Mb/s.
fn rates(params: RpParams, rtts: &[u64]) -> Vec<f64> {
    let mut point = source(params);
    let after = |rtt: &u64| {
        acknowledge(&mut point, micros(*rtt), 0);
        point.rate().bits_per_second() as f64 / 1e6
    };
    rtts.iter().map(after).collect()
}

/// The first acknowledgement only provides a delay to compare with.
#[test]
fn short_and_long_delays() {
    assert_eq!(rates(at(1_000), &[49, 49, 49]), [1_000.0, 1_010.0, 1_020.0]);
    assert_eq!(rates(RpParams::default(), &[49, 49]), [10_000.0, 10_000.0], "the line rate");
    // 1 - 0.8 (1 - 500/1000) = 0.6, and 1 - 0.8 (1 - 500/800) = 0.7.
    assert_eq!(rates(RpParams::default(), &[1_000, 1_000, 800]), [10_000.0, 6_000.0, 4_200.0]);
    assert_eq!(rates(at(110), &[1_000, 1_000]), [110.0, 100.0], "the minimum rate");
}

/// d = 0.875 x 4 us = 3.5 us and the gradient is 0.175; then d = 0.125 x 3.5 us = 0.4375 us, and d = -3.4453125 us.
#[test]
fn the_rate_follows_the_gradient() {
    assert_eq!(rates(RpParams::default(), &[100, 104, 104, 100]), [10_000.0, 8_600.0, 8_449.5, 8_459.5]);
    // d = 26.25 us: 1 - 0.8 x 1.3125 is negative.
    assert_eq!(rates(RpParams::default(), &[100, 130]), [10_000.0, 100.0]);
    assert_eq!(
        rates(at(5_000), &[500, 500]),
        [5_000.0, 5_010.0],
        "the upper threshold belongs to the middle"
    );
}

#[test]
fn a_gradient_of_zero() {
    assert_eq!(rates(at(1_000), &[50, 50, 50]), [1_000.0, 1_010.0, 1_020.0]);
    let keep = RpParams { steady: Steady::Keep, ..at(1_000) };
    assert_eq!(rates(keep, &[50, 50, 49]), [1_000.0, 1_000.0, 1_010.0]);
}

/// Five increases by 10 Mb/s, then increases by 50 Mb/s.
#[test]
fn hyper_increase() {
    let falling: Vec<u64> = (0..8).map(|step| 200 - step).collect();
    let steps = [1_000.0, 1_010.0, 1_020.0, 1_030.0, 1_040.0, 1_050.0, 1_100.0, 1_150.0];
    assert_eq!(rates(at(1_000), &falling), steps);
    let hyper = |hyper| RpParams { hyper, ..at(1_000) };
    assert_eq!(rates(hyper(HyperIncrease::AfterIncreases), &[40; 8]), steps);
    let plain: Vec<f64> = (0..8).map(|step| f64::from(1_000 + 10 * step)).collect();
    assert_eq!(rates(at(1_000), &[40; 8]), plain, "below the lower threshold the delay is not observed");
    assert_eq!(rates(hyper(HyperIncrease::Never), &falling), plain);
    // A short delay and a cut restart the count.
    let broken = [200, 199, 198, 197, 196, 40, 195, 60, 59, 58, 57, 56, 55];
    let rates = rates(at(1_000), &broken);
    assert_eq!((rates[11] - rates[10], rates[12] - rates[11]), (10.0, 50.0));
}

/// At 5 Gb/s and 100 us, the offset is (100 - 50)/50 = 1, and β = 0.008.
#[test]
fn patched_timely() {
    let profile = Algorithm::Timely.profile("patched");
    let params =
        RpParams { first_rate: Some(Rate::from_gbps(5)), ..Params::of(Preset::TenG, profile).timely.rp };
    assert_eq!((params.rule, params.decrease), (Rule::Patched, Percent::from_hundredths(80)));
    // w = 1/2: + 5 Mb/s - 20 Mb/s.
    assert_eq!(rates(params, &[100, 100]), [5_000.0, 4_985.0]);
    // d = 5.25 us, so the gradient is above 1/4 and w = 1: the offset is 1.12.
    assert_eq!(rates(params, &[100, 106]), [5_000.0, 4_955.2]);
    // d = -5.25 us and w = 0.
    assert_eq!(rates(params, &[106, 100]), [5_000.0, 5_010.0]);
    // d = 0.875 us, the gradient 0.04375 and w = 0.5875: + 4.125 Mb/s - 40 x 1.02 x 0.5875 Mb/s.
    assert_eq!(rates(params, &[100, 101]), [5_000.0, 4_980.155]);
    // Outside the thresholds it is the same as TIMELY: 1 - 0.008 (1 - 500/1000).
    assert_eq!(rates(params, &[40, 40, 1_000]), [5_000.0, 5_010.0, 4_989.96]);
}

/// The base round-trip time is 30 us.
#[test]
fn the_queueing_delay_leaves_out_the_path() {
    let params = RpParams { delay: Delay::Queueing, ..at(1_000) };
    assert_eq!(rates(params, &[79, 79, 10]), [1_000.0, 1_010.0, 1_020.0]);
    // 1030 us - 30 us.
    assert_eq!(rates(params, &[1_030, 1_030]), [1_000.0, 600.0]);
}

/// Three frames are sent before the first acknowledgement and three before the second update.
#[test]
fn one_update_per_window() {
    let params = RpParams { updates: Updates::Window, ..at(1_000) };
    let mut point = source(params);
    let send = |point: &mut ReactionPoint| {
        (0..3).for_each(|_| assert_eq!(point.on_sent(Bytes::new(1_000), &mut || 0), Update::Unchanged));
    };
    send(&mut point);
    for settled in [1_000, 2_000, 3_000] {
        assert_eq!(acknowledge(&mut point, micros(40), settled), Update::Unchanged, "{settled}");
    }
    send(&mut point);
    assert_eq!(acknowledge(&mut point, micros(40), 4_000), Update::Changed);
    for settled in [5_000, 6_000] {
        assert_eq!(acknowledge(&mut point, micros(40), settled), Update::Unchanged, "{settled}");
    }
    assert_eq!(
        acknowledge(&mut point, micros(40), 7_000),
        Update::Changed,
        "more than it has counted itself"
    );
    assert_eq!(point.rate(), Rate::from_mbps(1_020));
    assert_eq!(point.counters().get("increases"), 2);
}

#[test]
fn profiles_follow_their_sources() {
    let of = |preset, name| Params::of(preset, Algorithm::Timely.profile(name)).timely;
    let ns3 = of(Preset::TenG, "ns3-rdma").rp;
    let mut point = source(ns3);
    assert_eq!((point.rate(), ns3.min_rate), (Rate::from_gbps(1), Rate::from_mbps(100)));
    point.set_params(RpParams { first_rate: None, min_rate: LINE, ..ns3 });
    assert_eq!(point.rate(), LINE, "the minimum rate has priority over 96 %");
    assert_eq!(rates(RpParams { first_rate: None, ..ns3 }, &[40]), [9_600.0]);
    let hpcc = of(Preset::HundredG, "hpcc");
    assert_eq!(
        (hpcc.rp.increase, hpcc.rp.hyper_increase, hpcc.rp.min_rate),
        (Rate::from_mbps(100), Rate::from_mbps(500), Rate::from_gbps(1))
    );
    assert_eq!(hpcc.np.frames, 1);
}

/// The frames of a flow that cause acknowledgements, and the bytes that these cover.
fn acknowledged(params: NpParams, lengths: &[u64]) -> Vec<(usize, u64)> {
    let mut point = NotificationPoint::new(params);
    let mut replies = Vec::new();
    for (index, length) in lengths.iter().enumerate() {
        let frame = Bytes::new(*length);
        let (now, sent_at) = (Time::ZERO + micros(9), Time::from_picos(index as u64));
        let delivery = Delivery { now, frame, sent_at, mark: Mark::Clear, settled: frame, hops: &[] };
        if let Some(Reply::Acknowledgement(content)) = point.on_delivery(&delivery) {
            assert_eq!((content.sent_at, content.mark), (sent_at, Mark::Clear));
            replies.push((index, content.bytes.get()));
        }
    }
    assert_eq!(point.counters().get("reports"), replies.len() as u64);
    replies
}

/// Whichever comes first: three frames or 2000 bytes.
#[test]
fn receivers_acknowledge_by_frames_or_bytes() {
    let params = NpParams { frames: 3, bytes: Bytes::new(2_000) };
    assert_eq!(
        acknowledged(params, &[100, 100, 100, 1_500, 500, 64, 9_000]),
        [(2, 300), (4, 2_000), (6, 9_064)]
    );
    assert_eq!(acknowledged(NpParams::default(), &[1_500; 12]), [(10, 16_500)]);
}

/// The path has a round-trip time of 30 us, in which 10 Gb/s sends 37.5 kB; the second acknowledgement reduces the rate to 6
/// Gb/s, which sends 22.5 kB.
#[test]
fn the_window_follows_the_rate() {
    for (window, bytes) in [(Window::None, None), (Window::Fixed, Some(37_500)), (Window::Rate, Some(22_500))]
    {
        let mut point = source(RpParams { window, ..RpParams::default() });
        let mut limit = |rtt| {
            acknowledge(&mut point, micros(rtt), 0);
            point.limit()
        };
        assert_eq!(
            limit(1_000),
            window.limit(LINE, LINE, micros(30)),
            "the first acknowledgement changes nothing"
        );
        let rate = Rate::from_gbps(6);
        let expected = bytes.map(|bytes| Limit::Window { bytes: Bytes::new(bytes), rate });
        assert_eq!(limit(1_000), expected.unwrap_or(Limit::Rate(rate)), "{window:?}");
    }
}

/// A batch that is larger than the window would never be complete.
#[test]
fn windows_need_an_acknowledgement_of_every_frame() {
    let reaction = ReactionPointParams::Timely(RpParams { window: Window::Rate, ..RpParams::default() });
    for (frames, fits) in [(1, true), (2, false)] {
        let receivers = NotificationPointParams::Timely(NpParams { frames, ..NpParams::default() });
        assert_eq!(reaction.check_replies(&receivers).is_ok(), fits);
    }
    let params = Params::of(Preset::TenG, Algorithm::Timely.profile("hpcc-window"));
    assert_eq!((params.timely.np.frames, params.timely.rp.window), (1, Window::Rate));
    assert_eq!(Algorithm::Timely.check(&params, Some(LINE)), Ok(()));
}
