//! Samples without a frame: keep-alive samples while the upstream port is paused and sends no frames.

use crate::entropy::{Constant, Forbidden, Xorshift};
use crate::sampled::Sampled;
use setpoint_control::parameter::{Percent, Switch};
use setpoint_control::qcn::{CpParams, FirstSample, OldQueue, Sampling};
use setpoint_control::{
    Algorithm, Arrival, CongestionPoint, CongestionPointParams, CpCounters, Entropy, FlowKey, Observe,
    Params, PointId, aimd, bcn, qcn, smcc,
};
use setpoint_units::Bytes;

const SAMPLINGS: [Sampling; 5] =
    [Sampling::Table, Sampling::Regular, Sampling::Fixed, Sampling::Linear, Sampling::EveryFrame];

/// A set point of 60 kB, as in the paper on occupancy sampling: feedback is 63 at 300 kB.
fn params(sampling: Sampling) -> CpParams {
    CpParams { set_point: Bytes::new(60_000), sampling, jitter: Percent::ZERO, ..CpParams::default() }
}

fn clock(queue: u64) -> Arrival {
    Arrival { flow: FlowKey(7), ..Arrival::of(Bytes::ZERO, Bytes::new(queue)) }
}

fn sampled(point: &mut impl Observe, queue: u64, entropy: &mut impl Entropy) -> Option<(u8, i64, i64)> {
    let mut outbox = Vec::new();
    point.on_clock(&clock(queue), entropy, &mut outbox);
    assert!(outbox.len() < 2 && outbox.iter().all(|(flow, _)| *flow == FlowKey(7)));
    let told = outbox.first().map(|(_, told)| told.fields());
    told.map(|told| (told.feedback.get(), told.queue_offset, told.queue_delta))
}

/// A buffer that fills to 110 kB and then drains. From 0 to 110 kB: 50 + 2·110 = 270 kB, 56.7 of 63 steps.
/// From 110 to 90 kB: 30 - 40 is below zero. From 90 to 85 kB: 25 - 10 = 15 kB, 3.15 steps. From 85 to 82 kB:
/// 22 - 6 = 16 kB, 3.36 steps. From 82 to 60 kB the feedback is below zero. From 60 to 62 kB: 2 + 4 = 6 kB,
/// 1.26 steps.
#[test]
fn feedback_by_hand_with_every_sampling() {
    for sampling in SAMPLINGS {
        let mut point = qcn::CongestionPoint::new(params(sampling));
        let mut told = |queue| sampled(&mut point, queue, &mut Forbidden);
        assert_eq!(told(110_000), Some((56, -50_000, 110_000)), "{sampling:?}");
        assert_eq!(told(90_000), None, "{sampling:?}");
        assert_eq!(told(85_000), Some((3, -25_000, -5_000)), "{sampling:?}");
        assert_eq!(told(82_000), Some((3, -22_000, -3_000)), "{sampling:?}");
        assert_eq!(told(60_000), None, "{sampling:?}");
        assert_eq!(told(62_000), Some((1, -2_000, 2_000)), "{sampling:?}");
        assert_eq!(point.counters(), CpCounters { samples: 6, notifications: 4 }, "{sampling:?}");
    }
}

/// With "last-feedback", growth is measured from the last notification: the sample at 90 kB has no effect.
#[test]
fn the_old_queue_is_kept_as_by_samples_of_frames() {
    let params = CpParams { old_queue: OldQueue::LastFeedback, ..params(Sampling::Table) };
    let mut point = qcn::CongestionPoint::new(params);
    assert_eq!(sampled(&mut point, 110_000, &mut Forbidden), Some((56, -50_000, 110_000)));
    assert_eq!(sampled(&mut point, 90_000, &mut Forbidden), None);
    assert_eq!(point.old_queue(), Bytes::new(110_000));
    // 40 - 20 kB: 4.2 steps.
    assert_eq!(sampled(&mut point, 100_000, &mut Forbidden), Some((4, -40_000, -10_000)));
}

#[test]
fn nothing_is_sent_without_congestion() {
    for sampling in SAMPLINGS {
        let mut point = qcn::CongestionPoint::new(params(sampling));
        for queue in [0, 10_000, 20_000, 20_000, 59_999, 30_000, 0] {
            // From 10 to 20 kB: -40 + 20 kB. From 20 kB to 59 999 bytes: -1 byte + 80 kB, which causes a
            // notification.
            let expected = (queue == 59_999).then_some((16, 1, 39_999));
            assert_eq!(sampled(&mut point, queue, &mut Forbidden), expected, "{sampling:?}");
        }
        assert_eq!(point.counters(), CpCounters { samples: 7, notifications: 1 });
    }
}

/// Number of bytes that arrive before the next sample.
fn until_next(point: &mut qcn::CongestionPoint, entropy: &mut impl Entropy) -> u64 {
    let samples = point.counters().samples;
    let mut bytes = 0;
    while point.counters().samples == samples {
        bytes += 1;
        point.sampled(Arrival::of(Bytes::new(1), Bytes::ZERO), entropy);
    }
    bytes
}

/// After a feedback of 56 steps, the next frame is sampled 18.5 kB later, whatever the counter was; if there was no
/// feedback, 150 kB later.
#[test]
fn the_counter_restarts_from_the_table() {
    for already in [0, 1, 149_999] {
        for (queue, interval) in [(110_000, 18_500), (0, 150_000)] {
            let mut point = qcn::CongestionPoint::new(params(Sampling::Table));
            point.sampled(Arrival::of(Bytes::new(already), Bytes::ZERO), &mut Forbidden);
            sampled(&mut point, queue, &mut Forbidden);
            // A sample is due when the counter falls below zero.
            assert_eq!(until_next(&mut point, &mut Forbidden), interval + 1);
        }
    }
    let mut point = qcn::CongestionPoint::new(params(Sampling::Regular));
    sampled(&mut point, 110_000, &mut Forbidden);
    assert_eq!(until_next(&mut point, &mut Forbidden), 150_001);
}

/// 15 % on either side of 18.5 kB.
#[test]
fn the_counter_has_its_jitter() {
    for (entropy, interval) in [(0, 15_725), (u32::MAX, 21_275)] {
        let mut point =
            qcn::CongestionPoint::new(CpParams { jitter: Percent::new(15), ..params(Sampling::Table) });
        sampled(&mut point, 110_000, &mut Constant(entropy));
        let bytes = until_next(&mut point, &mut Constant(0));
        assert!(bytes.abs_diff(interval + 1) <= 1, "{bytes}");
    }
}

/// With random sampling, every frame still consumes a random number: a sample triggered by the clock neither
/// consumes one nor exempts the next frame.
#[test]
fn coins_are_for_frames() {
    let params = CpParams { fixed_probability: Percent::new(100), ..params(Sampling::Fixed) };
    let mut point = qcn::CongestionPoint::new(params);
    sampled(&mut point, 110_000, &mut Forbidden);
    assert_eq!(until_next(&mut point, &mut Constant(0)), 1);
    let mut point = qcn::CongestionPoint::new(CpParams {
        first_sample: FirstSample::FirstFrame,
        ..self::params(Sampling::EveryFrame)
    });
    sampled(&mut point, 110_000, &mut Forbidden);
    assert_eq!(until_next(&mut point, &mut Forbidden), 1);
}

/// The set point is 64 kB. A sample at the set point without a difference from the previous one sends
/// nothing.
#[test]
fn smcc_tells_offset_and_difference() {
    let params =
        smcc::CpParams { set_point: Bytes::new(64_000), jitter: Percent::ZERO, ..Default::default() };
    let mut point = smcc::CongestionPoint::new(params);
    assert_eq!(sampled(&mut point, 70_000, &mut Forbidden), Some((0, -6_000, 70_000)));
    assert_eq!(sampled(&mut point, 64_000, &mut Forbidden), Some((0, 0, -6_000)));
    assert_eq!(sampled(&mut point, 64_000, &mut Forbidden), None);
    assert_eq!(sampled(&mut point, 44_000, &mut Forbidden), Some((0, 20_000, -20_000)));
    assert_eq!(point.counters(), CpCounters { samples: 4, notifications: 3 });
}

#[test]
fn aimd_tells_every_sample() {
    let params =
        aimd::CpParams { set_point: Bytes::new(64_000), jitter: Percent::ZERO, ..Default::default() };
    let mut point = aimd::CongestionPoint::new(params);
    assert_eq!(sampled(&mut point, 64_000, &mut Forbidden), Some((0, 0, 64_000)));
    assert_eq!(sampled(&mut point, 64_000, &mut Forbidden), Some((0, 0, 0)));
    assert_eq!(point.counters(), CpCounters { samples: 2, notifications: 2 });
}

/// BCN sends decreases and stops but never increases, whatever tag the caller reports.
#[test]
fn bcn_never_lets_go_faster() {
    let params = bcn::CpParams {
        set_point: Bytes::new(60_000),
        severe_stop: Switch::On,
        severe_threshold: Bytes::new(110_000),
        jitter: Percent::ZERO,
        ..Default::default()
    };
    let mut point = bcn::CongestionPoint::new(params, PointId(3));
    assert_eq!(sampled(&mut point, 100_000, &mut Forbidden), Some((0, -40_000, 100_000)));
    assert_eq!(sampled(&mut point, 120_000, &mut Forbidden), Some((0, 0, 0)));
    let mut outbox = Vec::new();
    let tagged = Arrival { tag: Some(PointId(3)), ..clock(20_000) };
    point.on_clock(&tagged, &mut Forbidden, &mut outbox);
    assert!(outbox.is_empty());
    assert_eq!(point.counters(), CpCounters { samples: 3, notifications: 2 });
}

/// A point that declares sampling by the clock does sample; for any other point the call has no effect.
#[test]
fn points_say_whether_they_sample_by_the_clock() {
    for algorithm in Algorithm::ALL {
        let (params, _) = algorithm.points(&Params::default());
        let mut point = CongestionPoint::new(&params, PointId(0));
        let mut outbox = Vec::new();
        point.on_clock(&clock(1_000_000), &mut Xorshift::default(), &mut outbox);
        let seen = u64::from(params.needs().clock);
        assert_eq!(
            point.counters(),
            CpCounters { samples: seen, notifications: seen },
            "{}",
            algorithm.name()
        );
        assert_eq!(outbox.len() as u64, seen, "{}", algorithm.name());
        let expected = matches!(
            params,
            CongestionPointParams::Qcn(_)
                | CongestionPointParams::Smcc(_)
                | CongestionPointParams::Bcn(_)
                | CongestionPointParams::Aimd(_)
        );
        assert_eq!(params.needs().clock, expected);
    }
}
