//! Equations (4) to (8) and Remarks 3 and 4, each checked against values worked out by hand.

use super::support::{Bench, CALM, capped, every_frame, tenant};
use setpoint_control::af_qcn::{CpParams, Params, Rounding, Uncongested};
use setpoint_control::parameter::{Percent, Power};
use setpoint_control::{CpCounters, Observe, PointId, QuantizedFeedback, React, qcn};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

fn combined(params: Params, congestion: i32, unfairness: u64) -> u8 {
    params.combine(congestion, QuantizedFeedback::saturating(unfairness)).get()
}

/// 7/8 of QCN's feedback plus 1/8 of the controller's.
#[test]
fn equation_4_weighted_sum() {
    let by = |rounding, congestion, unfairness| {
        combined(Params { rounding, ..Params::default() }, congestion, unfairness)
    };
    #[rustfmt::skip]
    let cases = [
        // QCN AF   sum      down nearest up
        ( 0,  0), ( 1,  0), ( 1, 1), ( 0, 63), ( 0, 4), (63, 63), (12, 32), (37, 51), (63, 0),
    ];
    // 0, 0.875, 1, 7.875, 0.5, 63, 14.5, 38.75, 55.125.
    assert_eq!(cases.map(|(qcn, af)| by(Rounding::Down, qcn, af)), [0, 0, 1, 7, 0, 63, 14, 38, 55]);
    assert_eq!(cases.map(|(qcn, af)| by(Rounding::Nearest, qcn, af)), [0, 1, 1, 8, 1, 63, 15, 39, 55]);
    assert_eq!(cases.map(|(qcn, af)| by(Rounding::Up, qcn, af)), [0, 1, 1, 8, 1, 63, 15, 39, 56]);
    let half = Params { alpha: Percent::new(50), ..Params::default() };
    assert_eq!((combined(half, 10, 20), combined(half, 10, 21)), (15, 15));
    let wild = Params { alpha: Percent::new(655), ..Params::default() };
    assert_eq!(combined(wild, 63, 63), 63, "alpha was not checked");
    // If (1) is negative: -7 + 7.875 = 0.875, and -7.875 + 7.875 = 0.
    assert_eq!([combined(Params::default(), -8, 63), combined(Params::default(), -9, 63)], [0, 0]);
    let nearest = Params { rounding: Rounding::Nearest, ..Params::default() };
    assert_eq!([combined(nearest, -8, 63), combined(nearest, -9, 63)], [1, 0]);
}

/// Without rounding, the sum is sent in units of 1/256 of a step, rounded down, and every part counts.
#[test]
fn equation_4_without_rounding() {
    let exact = Params { rounding: Rounding::None, ..Params::default() };
    let parts =
        |congestion, unfairness| exact.combine(congestion, QuantizedFeedback::saturating(unfairness)).parts();
    // 0.875 steps, -1.75 + 2.5 = 0.75, 14.5, 63.
    assert_eq!([parts(1, 0), parts(-2, 20), parts(12, 32), parts(63, 63)], [224, 192, 3_712, 16_128]);
    // -7.875 + 7.875 = 0, and two sums that are not positive.
    assert_eq!([parts(-9, 63), parts(-63, 0), parts(0, 0)], [0, 0, 0]);
    // A hundredth of a percent of one step is 0.0256 parts, which rounds down to zero; of 40 steps it is one part.
    let faint = Params { alpha: Percent::from_hundredths(1), ..exact };
    let of_unfairness = |steps| faint.combine(0, QuantizedFeedback::saturating(steps)).parts();
    assert_eq!([of_unfairness(1), of_unfairness(39), of_unfairness(40)], [0, 0, 1]);
}

/// One step of QCN's feedback and none for unfairness: 224 parts of a step. A source at 10 Gb/s keeps 32544/32768 of
/// its rate.
#[test]
fn unrounded_feedback_reaches_the_source() {
    let told = |rounding| {
        let params = every_frame();
        let mut bench = Bench::new(CpParams { af: Params { rounding, ..params.af }, ..params });
        bench.frame(tenant(1, 1), 1_000, 28_100);
        bench.frame(tenant(1, 1), 1_000, 28_100)
    };
    assert_eq!(told(Rounding::Down), None);
    let after = |rounding| {
        let mut source = qcn::ReactionPoint::new(qcn::RpParams::default(), Rate::from_gbps(10));
        source.on_feedback(Time::ZERO, &told(rounding).expect("it is sent").sent_by(PointId(0)), &mut || 0);
        source.rate().bits_per_second()
    };
    assert_eq!((after(Rounding::None), after(Rounding::Up)), (9_931_640_625, 9_921_875_000));
}

/// QCN's fine feedback enters the sum in full: F = 2100 of 130000 bytes is 264 parts, and 7/8 of it is 231.
#[test]
fn fine_feedback_enters_the_sum() {
    let params = every_frame();
    let fine = qcn::CpParams { quantizer: qcn::Quantizer::Fine, ..params.qcn };
    let told = |rounding| {
        let af = Params { rounding, ..params.af };
        let mut bench = Bench::new(CpParams { qcn: fine, af });
        bench.frame(tenant(1, 1), 1_000, 28_100);
        bench.frame(tenant(1, 1), 1_000, 28_100).map(|told| told.feedback.parts())
    };
    assert_eq!([Rounding::None, Rounding::Up, Rounding::Down].map(told), [Some(231), Some(256), None]);
}

/// An account exceeds its share while the queue is short: (4) uses (1) unchanged, clipped to six bits, or
/// not at all.
#[test]
fn equation_4_without_congestion() {
    let told = |uncongested, queue| {
        let params = every_frame();
        let af = Params { uncongested, ..params.af };
        let mut bench = Bench::new(CpParams { af, ..params });
        bench.settle(&[(tenant(1, 1), 100_000), (tenant(2, 1), 900_000)]);
        // The queue has not grown when the second frame arrives.
        bench.frame(tenant(1, 1), 1_000, queue);
        bench.frame(tenant(2, 1), 1_000, queue).map_or(0, |told| told.feedback.get())
    };
    // 28/8 = 3.5. At 23000 bytes (1) is -3000, which is one step of 2063: 3.5 - 0.875.
    assert_eq!([23_000, 0].map(|queue| told(Uncongested::Zero, queue)), [3, 3]);
    assert_eq!([23_000, 0].map(|queue| told(Uncongested::Signed, queue)), [2, 0]);
    assert_eq!([23_000, 0].map(|queue| told(Uncongested::Silent, queue)), [0, 0]);
    // 52000 bytes are 12 steps above the set point: 10.5 + 3.5 with every option.
    let all = [Uncongested::Zero, Uncongested::Signed, Uncongested::Silent];
    assert_eq!(all.map(|uncongested| told(uncongested, 52_000)), [14, 14, 14]);
}

/// "F_b is computed each time a packet is sampled, and is only sent if positive."
#[test]
fn equation_4_decides_on_notifications() {
    let (slow, fast) = (tenant(1, 1), tenant(2, 1));
    let mut bench = Bench::new(every_frame());
    bench.settle(&[(slow, 100_000), (fast, 900_000)]);
    // The share is 500 kB: 64 (1 - 5/9) is 28.4, and 28/8 is 3.5.
    assert_eq!((bench.unfairness(1), bench.unfairness(2)), (0, 28));
    let before = bench.point.counters();
    assert_eq!(bench.frame(slow, 1_000, CALM), None);
    let told = bench.frame(fast, 1_000, CALM).expect("QCN sends nothing, but the controller does");
    assert_eq!((told.feedback.get(), told.queue_offset, told.queue_delta), (3, 0, 0));
    // The queue goes from 26000 to 52000: QCN's feedback is 37, 7/8 of it is 32.375, and adding 28/8 gives
    // 35.875.
    let told = bench.frame(fast, 1_000, 52_000).expect("there is congestion");
    assert_eq!((told.feedback.get(), told.queue_offset, told.queue_delta), (35, -26_000, 26_000));
    // The queue stays at 52000: QCN's feedback is 12, and 7/8 of it is 10.5.
    let told = bench.frame(slow, 1_000, 52_000).expect("there is congestion");
    assert_eq!((told.feedback.get(), told.queue_offset, told.queue_delta), (10, -26_000, 0));
    let after = bench.point.counters();
    assert_eq!(after, CpCounters { samples: before.samples + 4, notifications: before.notifications + 3 });
}

#[test]
fn equation_5_at_the_point() {
    let mut bench = Bench::new(every_frame());
    let estimate = |bench: &Bench| bench.point.arrivals().account(1).map(|account| account.estimate().get());
    bench.interval(&[(tenant(1, 1), 80_000)]);
    assert_eq!(estimate(&bench), Some(0), "the next arrival ends the interval");
    bench.interval(&[(tenant(1, 1), 160_000)]);
    assert_eq!(estimate(&bench), Some(256 * 10_000));
    bench.frame(tenant(1, 1), 1, CALM);
    assert_eq!(estimate(&bench), Some(256 * (8_750 + 20_000)));
}

/// Intervals follow one another, starting with the first arrival; intervals without frames count too.
#[test]
fn equation_5_after_silence() {
    let params =
        CpParams { af: Params { smoothing: Power::of_two(-1), ..Params::default() }, ..every_frame() };
    let mut point = setpoint_control::af_qcn::CongestionPoint::new(params);
    let mut arrive = |picos: u64, bytes: u64| {
        let arrival = setpoint_control::Arrival {
            now: Time::from_picos(picos),
            tenant: tenant(1, 1),
            ..setpoint_control::Arrival::of(Bytes::new(bytes), Bytes::new(CALM))
        };
        point.on_enqueue(&arrival, &mut crate::entropy::Forbidden, &mut Vec::new());
        point.arrivals().account(1).map(|account| account.estimate().get() / 256)
    };
    let ms = TimeDelta::from_millis(1).as_picos();
    let first = 300;
    assert_eq!(arrive(first, 64_000), Some(0));
    assert_eq!(arrive(first + ms - 1, 64_000), Some(0), "just before the end");
    assert_eq!(arrive(first + ms, 1_000), Some(64_000), "at the end: half of 128 kB");
    // The intervals that end 2, 3 and 4 ms after the first arrival: 1 kB, nothing, nothing.
    assert_eq!(arrive(first + 4 * ms + ms / 2, 0), Some((64_000 + 1_000) / 8));
    assert_eq!(arrive(first + 5 * ms - 1, 0), Some((64_000 + 1_000) / 8));
    assert_eq!(arrive(first + 5 * ms, 0), Some((64_000 + 1_000) / 16));
}

/// With a threshold of zero, every account that sends anything counts.
#[test]
fn equation_6_shares_by_weight() {
    let af = Params { active_threshold: Bytes::ZERO, ..Params::default() };
    let mut bench = Bench::new(CpParams { af, ..every_frame() });
    let [a, b, c, d] = [tenant(1, 4), tenant(2, 3), tenant(3, 2), tenant(4, 1)];
    bench.settle(&[(a, 500_000), (b, 300_000), (c, 199_000), (d, 1_000)]);
    bench.frame(a, 1, CALM);
    assert_eq!([1, 2, 3, 4].map(|id| bench.share(id)), [400_000, 300_000, 200_000, 100_000].map(Some));
    assert_eq!(bench.share(5), None);
}

#[test]
fn equation_7_six_bits_of_the_excess() {
    let excess = |mine: u64, other: u64| {
        let mut bench = Bench::new(every_frame());
        bench.settle(&[(tenant(1, 1), mine), (tenant(2, 1), other)]);
        bench.frame(tenant(1, 1), 1, CALM);
        bench.unfairness(1)
    };
    assert_eq!(excess(100_000, 100_000), 0);
    assert_eq!(excess(100_000, 900_000), 0, "below the share there is no excess");
    // 64 (1 - 500/900) = 28.4; 64 (1 - 512/1000) = 31.2; just above and below 1/64: M = 64/63 of the share.
    assert_eq!(excess(900_000, 100_000), 28);
    assert_eq!(excess(1_000_000, 24_000), 31);
    assert_eq!(excess(512_100, 495_900), 1);
    assert_eq!(excess(511_900, 496_100), 0);
    // With two accounts of equal weight the excess never exceeds one half; a small weight makes the share
    // small.
    let mut bench = Bench::new(every_frame());
    bench.settle(&[(tenant(1, 1), 1_000_000), (tenant(2, 1_000_000), 100_000)]);
    bench.frame(tenant(1, 1), 1, CALM);
    assert_eq!((bench.share(1), bench.unfairness(1)), (Some(1), 63));
}

/// Only active accounts have shares, and only active accounts count in their computation.
#[test]
fn equation_8_and_remark_3_active_set() {
    let mut bench = Bench::new(every_frame());
    let [elephant, other, mouse] = [tenant(1, 1), tenant(2, 1), tenant(3, 1)];
    bench.settle(&[(elephant, 300_000), (other, 100_000), (mouse, 19_000)]);
    bench.frame(mouse, 1, CALM);
    assert_eq!([1, 2, 3].map(|id| bench.share(id)), [Some(200_000), Some(200_000), None]);
    assert_eq!([1, 2, 3].map(|id| bench.unfairness(id)), [21, 0, 0]);
    // An account is active above the threshold, not at it.
    bench.settle(&[(elephant, 300_000), (other, 100_000), (mouse, 20_000)]);
    bench.frame(mouse, 1, CALM);
    assert_eq!(bench.share(3), None);
    bench.settle(&[(elephant, 300_000), (other, 100_000), (mouse, 20_001)]);
    bench.frame(mouse, 1, CALM);
    assert_eq!(bench.share(3), Some(140_000));
}

/// The experiment in the paper's figure 9: weights 4:3:2:1, then the first is limited to 1 Gb/s.
#[test]
fn remark_4_bounds() {
    let mut bench = Bench::new(every_frame());
    let [b, c, d] = [tenant(2, 3), tenant(3, 2), tenant(4, 1)];
    bench.settle(&[(tenant(1, 4), 500_000), (b, 375_000), (c, 250_000), (d, 125_000)]);
    bench.frame(d, 1, CALM);
    assert_eq!([1, 2, 3, 4].map(|id| bench.share(id)), [500_000, 375_000, 250_000, 125_000].map(Some));
    assert_eq!([1, 2, 3, 4].map(|id| bench.unfairness(id)), [0; 4]);
    // 1 Gb/s is 125 kB per interval; the other 1125 kB are divided 3:2:1.
    let a = capped(1, 4, Rate::from_gbps(1));
    bench.settle(&[(a, 500_000), (b, 375_000), (c, 250_000), (d, 125_000)]);
    bench.frame(d, 1, CALM);
    assert_eq!([1, 2, 3, 4].map(|id| bench.share(id)), [125_000, 562_500, 375_000, 187_500].map(Some));
    assert_eq!([1, 2, 3, 4].map(|id| bench.unfairness(id)), [48, 0, 0, 0]);
}

#[test]
fn remark_4_when_every_bound_is_reached() {
    let mut bench = Bench::new(every_frame());
    let tenants = [capped(1, 1, Rate::from_gbps(1)), capped(2, 9, Rate::from_gbps(2))];
    bench.settle(&tenants.map(|tenant| (tenant, 500_000)));
    bench.frame(tenants[0], 1, CALM);
    assert_eq!([1, 2].map(|id| bench.share(id)), [Some(125_000), Some(250_000)]);
    assert_eq!([1, 2].map(|id| bench.unfairness(id)), [48, 32]);
}

/// Bounds that round to zero, and one below the activity threshold.
#[test]
fn remark_4_bounds_that_are_tiny() {
    let mut bench = Bench::new(every_frame());
    let tenants = [capped(1, 1, Rate::MIN), capped(2, 0, Rate::from_mbps(100))];
    bench.settle(&[(tenants[0], 500_000), (tenants[1], 12_500)]);
    bench.frame(tenants[0], 1, CALM);
    assert_eq!((bench.share(1), bench.unfairness(1)), (Some(0), 63));
    assert_eq!((bench.share(2), bench.unfairness(2)), (None, 0));
}
