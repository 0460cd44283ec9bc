//! The congestion point, checked against the published vectors and its own rules.

use crate::entropy::{Constant, Forbidden, Xorshift};
use crate::sampled::Sampled;
use setpoint_control::parameter::{FrameLength, Percent, Power};
use setpoint_control::qcn::{
    CongestionPoint, CpParams, FirstSample, OldQueue, Quantizer, Sampling, mark_interval,
};
use setpoint_control::{Algorithm, Arrival, Entropy, Notification, Observe, QuantizedFeedback};
use setpoint_units::Bytes;

/// Samples every frame, so that the feedback compares exactly the given queue lengths.
fn every_frame() -> CpParams {
    CpParams { sampling: Sampling::EveryFrame, jitter: Percent::ZERO, ..CpParams::default() }
}

fn arrival(frame: u64, queue: u64) -> Arrival {
    Arrival::of(Bytes::new(frame), Bytes::new(queue))
}

/// The feedback for `queue` after a sample at `old`, or zero if there is no notification.
fn feedback(params: CpParams, queue: u64, old: u64) -> u8 {
    let mut point = CongestionPoint::new(params);
    point.sampled(arrival(1, old), &mut Forbidden);
    assert_eq!(point.old_queue(), Bytes::new(old));
    point.sampled(arrival(1, queue), &mut Forbidden).map_or(0, |notification| notification.feedback.get())
}

#[test]
fn published_vectors() {
    #[rustfmt::skip]
    let vectors = [
        // q     qOld    A   B   C   next interval after A
        (26_000, 26_000,  0,  0,  0, 150_000),
        (27_000, 27_000,  0,  0,  0, 150_000),
        (52_000, 52_000, 12, 12, 12,  75_000),
        (52_000, 26_000, 37, 38, 38,  30_000),
        (40_000, 60_000,  0,  0,  0, 150_000),
        (78_000, 26_000, 63, 63, 63,  18_500),
    ];
    for (queue, old, standard, steps, top_bits, interval) in vectors {
        let by = |quantizer| feedback(CpParams { quantizer, ..every_frame() }, queue, old);
        assert_eq!(by(Quantizer::Standard), standard, "A for {queue} after {old}");
        assert_eq!(by(Quantizer::SixtyFourSteps), steps, "B for {queue} after {old}");
        assert_eq!(by(Quantizer::TopBits), top_bits, "C for {queue} after {old}");
        let quantized = QuantizedFeedback::saturating(standard.into());
        assert_eq!(mark_interval(Bytes::new(150_000), quantized), Bytes::new(interval));
    }
}

/// One step is 130000/63, 130000/64 and 2^11 bytes: the first queue length that causes a notification.
#[test]
fn dead_zone_is_one_step() {
    for (quantizer, step) in
        [(Quantizer::Standard, 2064), (Quantizer::SixtyFourSteps, 2032), (Quantizer::TopBits, 2048)]
    {
        let params = CpParams { quantizer, ..every_frame() };
        assert_eq!(feedback(params, 26_000 + step - 1, 26_000 + step - 1), 0, "{quantizer:?}");
        assert_eq!(feedback(params, 26_000 + step, 26_000 + step), 1, "{quantizer:?}");
    }
}

/// Feedback in frames of 1500 bytes, whatever the set point.
#[test]
fn units_are_counted_in_frames() {
    let units = |quantizer, queue, old| {
        feedback(CpParams { set_point: Bytes::new(37_500), quantizer, ..every_frame() }, queue, old)
    };
    // F = 22500 + 2 * 15000 = 52500 bytes; the maximum is 187500.
    assert_eq!(units(Quantizer::Units, 60_000, 45_000), 35);
    assert_eq!(units(Quantizer::Standard, 60_000, 45_000), 17, "17.64");
    assert_eq!(mark_interval(Bytes::new(150_000), QuantizedFeedback::saturating(35)), Bytes::new(30_000));
    // F = 1500, then one byte less.
    assert_eq!(units(Quantizer::Units, 39_000, 39_000), 1);
    assert_eq!(units(Quantizer::Units, 38_999, 38_999), 0);
    assert_eq!(units(Quantizer::Standard, 39_000, 39_000), 0, "0.504");
    // F = 112500 + 2 * 30000 = 172500 bytes, 115 frames.
    assert_eq!(units(Quantizer::Units, 150_000, 120_000), 63);
}

/// Another unit, a weight below one, and a set point so small that the limit Qeq(2w+1) is below 63 units.
#[test]
fn units_follow_their_length() {
    let with = |feedback_unit, exponent, set_point| CpParams {
        feedback_unit: FrameLength::new(feedback_unit),
        weight: Power::of_two(exponent),
        set_point: Bytes::new(set_point),
        quantizer: Quantizer::Units,
        ..every_frame()
    };
    assert_eq!(feedback(with(1_000, 1, 37_500), 60_000, 45_000), 52);
    // w = 1/2: F = 22500 + 1/2 of 15000 = 30000; then half a byte less.
    assert_eq!(feedback(with(1_500, -1, 37_500), 60_000, 45_000), 20);
    assert_eq!(feedback(with(1_500, -1, 37_500), 60_000, 45_001), 19);
    // Qeq(2w+1) = 15000 * 5 = 75000, 50 frames.
    assert_eq!(feedback(with(1_500, 1, 15_000), 500_000, 0), 50);
}

/// 64 steps of 256 parts for Qeq(2w+1) = 320000 bytes: 19.5 bytes each.
#[test]
fn fine_feedback_keeps_parts_of_a_step() {
    let fine = CpParams { set_point: Bytes::new(64_000), quantizer: Quantizer::Fine, ..every_frame() };
    let measured = |params, queue, old| {
        let mut point = CongestionPoint::new(params);
        point.sampled(arrival(1, old), &mut Forbidden);
        point.sampled(arrival(1, queue), &mut Forbidden).map(|sent| sent.feedback)
    };
    let parts = |queue, old| measured(fine, queue, old).map(|sent| (sent.get(), sent.parts()));
    // F = 6000 + 2 * 1000 = 8000: 409.6 parts.
    assert_eq!(parts(70_000, 69_000), Some((1, 409)));
    let standard = CpParams { quantizer: Quantizer::Standard, ..fine };
    assert_eq!(measured(standard, 70_000, 69_000), Some(QuantizedFeedback::saturating(1)));
    // F = 1000: 51.2 parts, less than a step, but sent.
    assert_eq!(parts(65_000, 65_000), Some((0, 51)));
    assert_eq!(measured(standard, 65_000, 65_000), None);
    // One part is 19.53 bytes.
    assert_eq!((parts(64_019, 64_019), parts(64_020, 64_020)), (None, Some((0, 1))));
    // The maximum is 64 steps; six bits hold 63.
    assert_eq!(parts(192_000, 64_000), Some((63, 16_384)));
    assert_eq!(parts(1_000_000, 0), Some((63, 16_384)));
}

/// The mark table takes the whole steps: F = 8000 is less than eight steps, F = 40000 is exactly eight.
#[test]
fn fine_feedback_selects_the_interval_by_its_whole_steps() {
    let interval_after = |queue| {
        let mut point = CongestionPoint::new(CpParams {
            set_point: Bytes::new(64_000),
            quantizer: Quantizer::Fine,
            first_sample: FirstSample::FirstFrame,
            jitter: Percent::ZERO,
            ..CpParams::default()
        });
        point.sampled(arrival(1_000, queue), &mut Forbidden);
        (1..1_000).find(|_| {
            point.sampled(arrival(1_000, queue), &mut Forbidden);
            point.counters().samples == 2
        })
    };
    // F = q - 64000 + 2 q.
    assert_eq!(interval_after(24_000), Some(151));
    assert_eq!(interval_after(34_666), Some(151), "39998");
    assert_eq!(interval_after(34_667), Some(76), "40001");
}

#[test]
fn mark_table_is_the_published_one_and_scales() {
    let table = |base| -> Vec<u64> {
        let entry = |index: u64| mark_interval(Bytes::new(base), QuantizedFeedback::saturating(8 * index));
        (0..8).map(|index| entry(index).get()).collect()
    };
    assert_eq!(table(150_000), [150_000, 75_000, 50_000, 37_500, 30_000, 25_000, 21_500, 18_500]);
    // The Linux queueing discipline counts in units of 1024 bytes.
    assert_eq!(table(153_600), [153_600, 76_800, 51_200, 38_400, 30_720, 25_600, 22_016, 18_944]);
    assert_eq!(table(10_000), [10_000, 5_000, 3_333, 2_500, 2_000, 1_666, 1_433, 1_233]);
    for bits in 0..64 {
        let entry = |bits| mark_interval(Bytes::new(150_000), QuantizedFeedback::saturating(bits));
        assert_eq!(entry(bits), entry(bits / 8 * 8));
    }
}

#[test]
fn notification_carries_offset_and_growth() {
    let mut point = CongestionPoint::new(every_frame());
    assert_eq!(point.sampled(arrival(1_000, 8_000), &mut Forbidden), None);
    let notification = Notification {
        feedback: QuantizedFeedback::saturating(63 * (26_000 + 2 * 44_000) / 130_000),
        queue_offset: -26_000,
        queue_delta: 44_000,
    };
    assert_eq!(point.sampled(arrival(1_000, 52_000), &mut Forbidden), Some(notification));
    assert_eq!((point.counters().samples, point.counters().notifications), (2, 1));
}

/// w = 2^value; weights below one are exact, to a fraction of a byte.
#[test]
fn weights_are_exact() {
    let with = |exponent| CpParams { weight: Power::of_two(exponent), ..every_frame() };
    // Qeq(2w+1) = 26000 * 3 = 78000: F = 26000 + 26000.
    assert_eq!(feedback(with(0), 52_000, 26_000), (63 * 52_000 / 78_000) as u8);
    // w = 8: F = 1000 + 8 * 27000 = 217000 of 442000.
    assert_eq!(feedback(with(3), 27_000, 0), (63 * 217_000 / 442_000) as u8);
    // w = 1/2: F = 26000 + 1/2 of 52000.
    assert_eq!(feedback(with(-1), 52_000, 51_999), 63 / 2);
    // Half a byte makes the difference: m = 52000, one step 825.397 bytes. F = 825 and F = 825.5.
    let near = |old| feedback(CpParams { weight: Power::of_two(-1), ..every_frame() }, 26_800, old);
    assert_eq!((near(26_750), near(26_749)), (0, 1));
}

#[test]
fn sample_is_due_below_zero_and_the_excess_is_discarded() {
    let params = CpParams { jitter: Percent::ZERO, ..CpParams::default() };
    let mut point = CongestionPoint::new(params);
    let mut samples_after = |frames: u64| {
        for _ in 0..frames {
            point.sampled(arrival(1_000, 1_000), &mut Forbidden);
        }
        point.counters().samples
    };
    // 150 frames reduce the counter to zero, and the next one makes it negative; it then restarts from 150000,
    // not from 149000.
    assert_eq!(samples_after(150), 0);
    assert_eq!(samples_after(1), 1);
    assert_eq!(samples_after(150), 1);
    assert_eq!(samples_after(1), 2);
}

#[test]
fn interval_follows_the_feedback() {
    let params =
        CpParams { jitter: Percent::ZERO, first_sample: FirstSample::FirstFrame, ..CpParams::default() };
    let mut point = CongestionPoint::new(params);
    let mut frames_to_sample = |queue| {
        let before = point.counters().samples;
        (1..1_000).find(|_| {
            point.sampled(arrival(500, queue), &mut Forbidden);
            point.counters().samples > before
        })
    };
    assert_eq!(frames_to_sample(52_000), Some(1), "the first frame");
    // F = 26000 + 2 * 52000 = 130000, the maximum: 18.5 kB, 37 frames and one more.
    assert_eq!(frames_to_sample(52_000), Some(38));
    // F = 26000: feedback 12, 75 kB.
    assert_eq!(frames_to_sample(10_000), Some(151));
    assert_eq!(frames_to_sample(10_000), Some(301));
}

#[test]
fn old_queue_is_that_of_the_last_sample_or_of_the_last_feedback() {
    let queues = [60_000, 10_000, 40_000];
    let growth = |old_queue| {
        let mut point = CongestionPoint::new(CpParams { old_queue, ..every_frame() });
        let last = queues.map(|queue| point.sampled(arrival(1, queue), &mut Forbidden))[2];
        last.map(|notification| notification.queue_delta)
    };
    assert_eq!(growth(OldQueue::LastSample), Some(30_000));
    // From 60000 at the previous notification: F = 14000 - 40000 is negative, so there is no notification.
    assert_eq!(growth(OldQueue::LastFeedback), None);
}

/// Bytes enqueued, one by one, from one sample to the next.
fn interval(entropy: &mut impl Entropy) -> u64 {
    let mut point =
        CongestionPoint::new(CpParams { first_sample: FirstSample::FirstFrame, ..CpParams::default() });
    point.sampled(arrival(1, 0), entropy);
    (0..200_000)
        .find(|_| {
            point.sampled(arrival(1, 0), entropy);
            point.counters().samples == 2
        })
        .expect("a sample is due at some time")
}

#[test]
fn jitter_is_within_its_bounds() {
    assert_eq!(interval(&mut Constant(0)), 127_500);
    assert_eq!(interval(&mut Constant(u32::MAX)), 172_500);
    assert_eq!(interval(&mut Constant(1 << 31)), 150_000);
    let mut random = Xorshift::default();
    let drawn: Vec<u64> = (0..300).map(|_| interval(&mut random)).collect();
    assert!(drawn.iter().all(|bytes| (127_500..=172_500).contains(bytes)));
    // Uniform distribution: the standard deviation is 45000/sqrt(12) = 12990, and 750 for the mean of 300
    // values.
    let mean = drawn.iter().sum::<u64>() / 300;
    assert!((147_000..=153_000).contains(&mean), "mean {mean}");
}

/// Number of frames sampled out of a hundred thousand at a constant queue length.
fn sampled(params: CpParams, queue: u64) -> u64 {
    const FRAMES: u64 = 100_000;
    let mut point = CongestionPoint::new(CpParams { first_sample: FirstSample::FirstFrame, ..params });
    let mut random = Xorshift::default();
    for _ in 0..FRAMES {
        point.sampled(arrival(1_500, queue), &mut random);
    }
    point.counters().samples
}

/// Within four standard deviations of a binomial count.
fn assert_near(count: u64, probability: f64) {
    let mean = 100_000.0 * probability;
    let deviation = (mean * (1.0 - probability)).sqrt();
    assert!((count as f64 - mean).abs() < 4.0 * deviation, "{count} samples, {mean} expected");
}

#[test]
fn fixed_probability_is_respected() {
    for hundredths in [50, 100, 2_500] {
        let fixed_probability = Percent::from_hundredths(hundredths);
        let params = CpParams { sampling: Sampling::Fixed, fixed_probability, ..CpParams::default() };
        assert_near(sampled(params, 60_000), f64::from(hundredths) / 1e4);
    }
    let all =
        CpParams { sampling: Sampling::Fixed, fixed_probability: Percent::WHOLE, ..CpParams::default() };
    assert_eq!(sampled(all, 0), 100_000);
}

/// Phi(|Fb|): 1 % at 0, 10 % at Qeq(2w+1) = 130000 and beyond, linear between.
#[test]
fn linear_probability_grows_with_the_feedback() {
    let params = CpParams { sampling: Sampling::Linear, ..CpParams::default() };
    assert_near(sampled(params, 0), 0.01);
    assert_near(sampled(params, 26_000), 0.01);
    assert_near(sampled(params, 26_000 + 65_000), 0.055);
    assert_near(sampled(params, 26_000 + 130_000), 0.10);
    assert_near(sampled(params, 1_000_000), 0.10);
}

/// 1500 bytes divided by Phi(|Fb|). With w = 1, F = 2q - 26000 at the first sample, of 78000.
#[test]
fn linear_intervals_are_counted() {
    let params = CpParams {
        sampling: Sampling::LinearInterval,
        weight: Power::of_two(0),
        first_sample: FirstSample::FirstFrame,
        ..CpParams::default()
    };
    let until_next = |params: CpParams, queue, entropy: &mut dyn FnMut() -> u32| {
        let mut point = CongestionPoint::new(params);
        point.sampled(arrival(1, queue), &mut || entropy());
        let samples = point.counters().samples;
        (1..200_000).find(|_| {
            point.sampled(arrival(1, queue), &mut || entropy());
            point.counters().samples > samples
        })
    };
    let regular = CpParams { jitter: Percent::ZERO, ..params };
    let exact = |queue| until_next(regular, queue, &mut || unreachable!("there is no jitter"));
    // 1 %, 5.5 % (27272.7 bytes) and 10 %; one more byte takes the counter below zero.
    assert_eq!([0, 13_000].map(exact), [Some(150_001), Some(150_001)]);
    assert_eq!(exact(32_500), Some(27_273));
    assert_eq!([52_000, 500_000].map(exact), [Some(15_001), Some(15_001)]);
    // 15 % less than 15 kB.
    assert_eq!(until_next(params, 52_000, &mut || 0), Some(12_751));
    let waiting = CpParams { first_sample: FirstSample::AfterSampleBase, ..regular };
    assert_eq!(until_next(waiting, 0, &mut || 0), Some(150_000), "the first frame has counted one byte");
}

/// Probabilities that decrease with the feedback are refused, as for `linear`.
#[test]
fn linear_intervals_need_ordered_probabilities() {
    let mut params = setpoint_control::Params::default();
    params.qcn.cp.sampling = Sampling::LinearInterval;
    assert!(Algorithm::Qcn.check(&params, None).is_ok());
    params.qcn.cp.lowest_probability = Percent::new(11);
    let error = Algorithm::Qcn.check(&params, None).expect_err("above the highest");
    assert_eq!(error.key, "qcn.cp.lowest_probability");
}

#[test]
fn every_frame_is_sampled_and_congestion_decides_on_notifications() {
    let mut point = CongestionPoint::new(every_frame());
    for queue in [0, 5_000, 60_000, 60_000, 20_000] {
        point.sampled(arrival(64, queue), &mut Forbidden);
    }
    assert_eq!((point.counters().samples, point.counters().notifications), (5, 2));
}

/// The simulator keeps a congestion point for every port and priority and accesses it for every frame.
#[test]
fn fits_a_cache_line() {
    assert_eq!(size_of::<CongestionPoint>(), 64);
    assert_eq!(size_of::<setpoint_control::CongestionPoint>(), 64);
}

/// Unlike the mark table, regular sampling does not become more frequent under congestion.
#[test]
fn regular_samples_keep_their_distance() {
    let distances = |sampling| {
        let params = CpParams { sampling, jitter: Percent::ZERO, ..CpParams::default() };
        let mut point = CongestionPoint::new(params);
        let mut sampled = Vec::new();
        for frame in 0..1_000u64 {
            if point.sampled(arrival(1_000, 140_000), &mut Forbidden).is_some() {
                sampled.push(frame);
            }
        }
        sampled.windows(2).map(|pair| pair[1] - pair[0]).collect::<Vec<u64>>()
    };
    assert!(
        distances(Sampling::Regular).iter().all(|&frames| frames == 151),
        "150 kB, and one more to make the counter negative"
    );
    assert!(distances(Sampling::Table).iter().all(|&frames| frames < 40));
}
