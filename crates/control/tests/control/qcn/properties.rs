//! Properties that hold for all parameters and all histories.

use crate::sampled::Sampled;
use proptest::prelude::*;
use setpoint_control::parameter::{Percent, Power, Switch};
use setpoint_control::qcn::{
    CongestionPoint, CpParams, OldQueue, Phases, Quantizer, ReactionPoint, RecoveryFeedback, Release,
    RpParams, RpPhase, Rules, Sampling, Target,
};
use setpoint_control::{Arrival, Notification, Observe, PointId, QuantizedFeedback, React, Update};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

use crate::entropy::{Forbidden, Xorshift};

const QUANTIZERS: [Quantizer; 5] =
    [Quantizer::Standard, Quantizer::SixtyFourSteps, Quantizer::TopBits, Quantizer::Units, Quantizer::Fine];

/// The feedback for `queue` after a sample at `old` when every frame is sampled.
fn feedback(params: CpParams, queue: u64, old: u64) -> QuantizedFeedback {
    let mut point = CongestionPoint::new(CpParams { sampling: Sampling::EveryFrame, ..params });
    let mut see = |queue| point.sampled(Arrival::of(Bytes::new(64), Bytes::new(queue)), &mut Forbidden);
    see(old);
    see(queue).map_or(QuantizedFeedback::default(), |notification| notification.feedback)
}

/// The quantisers in rational arithmetic, scaled by 2^10, in parts of a step.
fn expected_feedback(quantizer: Quantizer, set_point: u64, exponent: i8, queue: u64, old: u64) -> i128 {
    let [set_point, queue, old] = [set_point, queue, old].map(i128::from);
    let weight = if exponent < 0 { 1024 >> -exponent } else { 1024i128 << exponent };
    let largest = set_point * (2 * weight + 1024);
    let magnitude = ((queue - set_point) * 1024 + weight * (queue - old)).clamp(0, largest);
    let steps = match quantizer {
        Quantizer::Fine => return magnitude * 64 * 256 / largest,
        Quantizer::Standard => magnitude * 63 / largest,
        Quantizer::SixtyFourSteps => (magnitude * 64 / largest).min(63),
        // The bit width of the maximum in whole bytes, and the six bits of the magnitude from there down.
        Quantizer::TopBits => {
            (magnitude / 1024) >> (128 - (largest / 1024).leading_zeros()).saturating_sub(6)
        }
        Quantizer::Units => (magnitude / 1024 / 1_500).min(63),
    };
    steps * 256
}

proptest! {
    #[test]
    fn quantised_feedback_is_exact(
        set_point in 100u64..1 << 32, exponent in -10i8..=10, queue in 0u64..1 << 34, old in 0u64..1 << 34,
    ) {
        for quantizer in QUANTIZERS {
            let params =
                CpParams { set_point: Bytes::new(set_point), weight: Power::of_two(exponent), quantizer, ..CpParams::default() };
            let expected = expected_feedback(quantizer, set_point, exponent, queue, old);
            prop_assert_eq!(i128::from(feedback(params, queue, old).parts()), expected, "{:?}", quantizer);
        }
    }

    #[test]
    fn quantised_feedback_grows_with_the_queue(
        exponent in -10i8..=10, old in 0u64..300_000, queue in 0u64..300_000, more in 0u64..300_000,
    ) {
        for quantizer in QUANTIZERS {
            let params = CpParams { weight: Power::of_two(exponent), quantizer, ..CpParams::default() };
            prop_assert!(feedback(params, queue, old) <= feedback(params, queue + more, old));
            prop_assert!(feedback(params, queue, old) >= feedback(params, queue, old + more));
        }
    }

    /// Samples are never closer together than the shortest interval, and never further apart than the longest
    /// one plus a frame.
    #[test]
    fn samples_keep_their_distance(
        arrivals in prop::collection::vec((64u64..1_523, 0u64..200_000), 1..4_000), seed in 1u64..,
    ) {
        let mut point = CongestionPoint::new(CpParams::default());
        let mut random = Xorshift(seed);
        let (mut since, mut samples, mut notifications) = (0, 0, 0);
        for (frame, queue) in arrivals {
            let arrival = Arrival::of(Bytes::new(frame), Bytes::new(queue));
            let notified = point.sampled(arrival, &mut random);
            notifications += u64::from(notified.is_some());
            since += frame;
            if point.counters().samples > samples {
                prop_assert!((15_725..=172_500 + frame).contains(&since));
                (since, samples) = (0, samples + 1);
            } else {
                prop_assert_eq!(notified, None);
            }
            prop_assert_eq!(point.counters().samples, samples);
            prop_assert_eq!(point.counters().notifications, notifications);
            if let Some(notification) = notified {
                prop_assert!(notification.feedback.get() > 0);
                prop_assert_eq!(notification.queue_offset, 26_000 - queue as i64);
            }
        }
    }

    /// With every kind of sampling, the counters agree with the notifications sent.
    #[test]
    fn notifications_are_samples(queues in prop::collection::vec(0u64..200_000, 1..500), seed in 1u64..) {
        for sampling in [Sampling::Table, Sampling::Fixed, Sampling::Linear, Sampling::EveryFrame] {
            for old_queue in [OldQueue::LastSample, OldQueue::LastFeedback] {
                let mut point = CongestionPoint::new(CpParams { sampling, old_queue, ..CpParams::default() });
                let mut random = Xorshift(seed);
                let mut see = |queue: &u64| {
                    point.sampled(Arrival::of(Bytes::new(1_500), Bytes::new(*queue)), &mut random)
                };
                let notified = queues.iter().filter_map(&mut see).count() as u64;
                prop_assert_eq!(point.counters().notifications, notified);
                prop_assert!(notified <= point.counters().samples);
                prop_assert!(point.counters().samples <= queues.len() as u64);
            }
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Hear(u64),
    Send(u64),
    Expire,
    Reconfigure(RpParams),
}

fn switch() -> impl Strategy<Value = Switch> {
    prop_oneof![4 => Just(Switch::On), 1 => Just(Switch::Off)]
}

prop_compose! {
    fn switches()(all in prop::array::uniform8(switch()), release in prop::bool::ANY, rules in prop::bool::ANY, after in prop::bool::ANY, in_sequence in prop::bool::ANY, recovery in 0..4usize) -> RpParams {
        let [enable, byte_counter, timer, extra_fast_recovery, target_reduction, target_cap, period_halving, hyper_phase] = all;
        let recovery_feedback = [RecoveryFeedback::On, RecoveryFeedback::NoRestart, RecoveryFeedback::CutOnly, RecoveryFeedback::Off][recovery];
        let phases = if in_sequence { Phases::InSequence } else { Phases::ByClocks };
        let release = if release { Release::AtMaxRate } else { Release::AtMaxRateAndEmpty };
        let rules = if rules { Rules::Clause32 } else { Rules::PseudoCode };
        RpParams {
            enable, byte_counter, timer, extra_fast_recovery, recovery_feedback, target_reduction, target_cap, period_halving, hyper_phase,
            release, rules, phases, target: if after { Target::AfterCut } else { Target::BeforeCut }, ..RpParams::default()
        }
    }
}

prop_compose! {
    fn any_params()(
        switches in switches(), threshold in 1u32..8, byte_reset in 1_000u64..300_000, micros in 1u64..30_000,
        ai in 1_000u64..100_000_000, hai in 1_000u64..10_000_000_000, gain in -20i8..=0, least in 1u16..=100,
        min in 1_000u64..10_000_000_000, max in prop::option::of(1_000_000u64..100_000_000_000), jitter in 0u16..=90,
    ) -> RpParams {
        RpParams {
            threshold,
            byte_reset: Bytes::new(byte_reset),
            time_reset: TimeDelta::from_micros(micros),
            active_increase: Rate::from_bits_per_second(ai),
            hyper_increase: Rate::from_bits_per_second(hai),
            gain: Power::of_two(gain),
            min_decrease_factor: Percent::new(least),
            min_rate: Rate::from_bits_per_second(min),
            max_rate: max.map(Rate::from_bits_per_second),
            jitter: Percent::new(jitter),
            ..switches
        }
    }
}

fn history() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => (0u64..64).prop_map(Step::Hear),
        20 => (64u64..100_000).prop_map(Step::Send),
        8 => Just(Step::Expire),
        1 => any_params().prop_map(Step::Reconfigure),
    ];
    prop::collection::vec(step, 1..300)
}

/// The visible state of a point, for comparison before and after a step.
struct Seen {
    rate: Rate,
    bytes: u32,
    time: u32,
    phase: RpPhase,
    cycles: u64,
}

impl Seen {
    fn of(point: &ReactionPoint) -> Self {
        let counters = point.counters();
        let cycles = counters.get("fast_recovery_cycles")
            + counters.get("active_increase_cycles")
            + counters.get("hyper_increase_cycles");
        let stages = point.stages();
        Self { rate: point.rate(), bytes: stages.bytes, time: stages.time, phase: point.phase(), cycles }
    }
}

fn check_bounds(point: &ReactionPoint) -> Result<(), TestCaseError> {
    let (rate, target, max) = (point.rate(), point.target_rate(), point.max_rate());
    prop_assert!(rate <= max && max <= point.line_rate());
    prop_assert!(rate >= point.params().min_rate.min(max));
    prop_assert!(target >= rate);
    prop_assert!(!point.params().target_cap.is_on() || target <= max);
    prop_assert!(point.timer().is_none() || point.counters().get("decreases") > 0);
    Ok(())
}

/// Only a notification lowers rates or moves stages and phases back.
fn check_progress(before: &Seen, after: &Seen) -> Result<(), TestCaseError> {
    prop_assert!(after.rate >= before.rate);
    prop_assert!(after.bytes >= before.bytes && after.time >= before.time);
    prop_assert!(after.phase >= before.phase);
    let stages = u64::from(after.bytes - before.bytes + after.time - before.time);
    prop_assert_eq!(after.cycles - before.cycles, stages);
    prop_assert!(stages <= 1);
    Ok(())
}

proptest! {
    #[test]
    fn reaction_point_keeps_its_bounds(params in any_params(), steps in history(), seed in 1u64..) {
        let mut point = ReactionPoint::new(params, Rate::from_gbps(10));
        let (mut random, mut now, mut heard) = (Xorshift(seed), Time::ZERO, 0);
        for step in steps {
            let before = Seen::of(&point);
            let update = match step {
                Step::Hear(feedback) => {
                    heard += u64::from(feedback > 0 && point.params().enable.is_on());
                    let feedback = QuantizedFeedback::saturating(feedback);
                    point.on_feedback(now, &Notification { feedback, queue_offset: 0, queue_delta: 0 }.sent_by(PointId(0)), &mut random)
                }
                Step::Send(bytes) => point.on_sent(Bytes::new(bytes), &mut random),
                Step::Expire => {
                    now = point.timer().unwrap_or(now);
                    point.on_timer(now, &mut random)
                }
                Step::Reconfigure(params) => point.set_params(params),
            };
            let after = Seen::of(&point);
            prop_assert_eq!(update == Update::Changed, before.rate != after.rate);
            check_bounds(&point)?;
            match step {
                Step::Hear(_) => prop_assert!(after.rate <= before.rate),
                Step::Send(_) | Step::Expire => check_progress(&before, &after)?,
                Step::Reconfigure(_) => {}
            }
            prop_assert!(point.timer().is_none_or(|end| end > now));
            let counters = point.counters();
            prop_assert_eq!(counters.get("decreases") + counters.get("ignored"), heard);
            prop_assert!(counters.get("kept_targets") <= counters.get("decreases"));
            prop_assert!(counters.get("target_reductions") <= after.cycles);
        }
    }

    /// Without further notifications, every limiter is eventually released, however low its rate and whatever
    /// the rounding.
    #[test]
    fn every_rate_comes_back(params in any_params(), cuts in 1usize..30, seed in 1u64..) {
        let params = RpParams { enable: Switch::On, byte_counter: Switch::On, hyper_phase: Switch::On, timer: Switch::On, ..params };
        let params = RpParams { hyper_increase: params.hyper_increase.max(Rate::from_mbps(1)), ..params };
        let mut point = ReactionPoint::new(params, Rate::from_gbps(10));
        let mut random = Xorshift(seed);
        for _ in 0..cuts {
            let heard = Notification { feedback: QuantizedFeedback::MAX, queue_offset: 0, queue_delta: 0 };
            point.on_feedback(Time::ZERO, &heard.sent_by(PointId(0)), &mut random);
        }
        for _ in 0..1_000 {
            point.on_sent(params.byte_reset * 2, &mut random);
            point.on_timer(point.timer().expect("the timer is running"), &mut random);
        }
        prop_assert_eq!(point.rate(), point.max_rate());
        prop_assert!(point.may_release(setpoint_control::Backlog::Empty));
    }
}
