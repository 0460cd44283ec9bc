//! Properties that hold for every history of notifications, frames and timers.

use std::collections::BTreeMap;

use proptest::prelude::*;
use setpoint_control::qcn::{Release, RpParams, Rules};
use setpoint_control::{
    Backlog, Entropy, GroupParams, GroupRule, Notification, Path, PointId, QuantizedFeedback, React,
    ReactionPoint, ReactionPointParams, Signal, Update, aimd, bcn, smcc,
};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

use super::{LINE, limits, states};
use crate::entropy::{Constant, Xorshift};

#[derive(Clone, Copy, Debug)]
enum Step {
    Hear(PointId, Signal),
    Send(Bytes),
    /// Time passes, and timers expire.
    Wait(TimeDelta),
    Reconfigure(ReactionPointParams),
}

fn heard() -> impl Strategy<Value = Signal> {
    let notification = (0u64..64, -100_000i64..100_000, -100_000i64..100_000).prop_map(
        |(feedback, queue_offset, queue_delta)| {
            let feedback = QuantizedFeedback::saturating(feedback);
            Signal::Notification(Notification { feedback, queue_offset, queue_delta })
        },
    );
    prop_oneof![19 => notification, 1 => Just(Signal::Stop)]
}

fn step(points: u32) -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => (0..points, heard()).prop_map(|(from, heard)| Step::Hear(PointId(from), heard)),
        12 => (64u64..100_000).prop_map(|bytes| Step::Send(Bytes::new(bytes))),
        6 => (1u64..20_000).prop_map(|micros| Step::Wait(TimeDelta::from_micros(micros))),
    ]
}

fn history(points: u32) -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec(step(points), 1..300)
}

fn qcn_params() -> impl Strategy<Value = RpParams> {
    (prop::bool::ANY, prop::bool::ANY, 10_000u64..200_000, 100u64..20_000, 1u64..8_000).prop_map(
        |(clause, at_max, byte_reset, micros, max)| RpParams {
            rules: if clause { Rules::Clause32 } else { Rules::PseudoCode },
            release: if at_max { Release::AtMaxRate } else { Release::AtMaxRateAndEmpty },
            byte_reset: Bytes::new(byte_reset),
            time_reset: TimeDelta::from_micros(micros),
            // Large enough for recovery to complete within a history.
            hyper_increase: Rate::from_mbps(500),
            max_rate: (max < 4_000).then(|| Rate::from_mbps(5_000 + max)),
            ..RpParams::default()
        },
    )
}

fn any_params() -> impl Strategy<Value = ReactionPointParams> {
    prop_oneof![
        4 => qcn_params().prop_map(ReactionPointParams::Qcn),
        1 => Just(ReactionPointParams::None),
        1 => (1u64..2_000).prop_map(|mbps| ReactionPointParams::Smcc(smcc::RpParams {
            min_rate: Rate::from_mbps(mbps),
            ..smcc::RpParams::default()
        })),
        1 => (1u64..2_000).prop_map(|mbps| ReactionPointParams::Bcn(bcn::RpParams {
            min_rate: Rate::from_mbps(mbps),
            ..bcn::RpParams::default()
        })),
        1 => (1u64..2_000).prop_map(|mbps| ReactionPointParams::Aimd(aimd::RpParams {
            min_rate: Rate::from_mbps(mbps),
            ..aimd::RpParams::default()
        })),
    ]
}

/// A history in which parameters change from time to time, within an algorithm and between algorithms.
fn changing_history(points: u32) -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![40 => step(points), 1 => any_params().prop_map(Step::Reconfigure)];
    prop::collection::vec(step, 1..300)
}

/// A point with its own clock and random numbers.
#[derive(Clone)]
struct Run<E> {
    point: ReactionPoint,
    now: Time,
    entropy: E,
}

impl<E: Entropy> Run<E> {
    fn new(point: ReactionPoint, entropy: E) -> Self {
        Self { point, now: Time::ZERO, entropy }
    }

    fn take(&mut self, step: &Step) -> Update {
        let Self { point, now, entropy } = self;
        let before = point.limit();
        let update = match step {
            Step::Hear(from, heard) => point.on_feedback(*now, &heard.sent_by(*from), entropy),
            Step::Send(frame) => point.on_sent(*frame, entropy),
            Step::Wait(span) => {
                let end = *now + *span;
                // A limiter that no longer limits is released, and its timer with it.
                while let Some(due) = point.timer().filter(|&due| due <= end && !is_free(point)) {
                    *now = due.max(*now);
                    point.on_timer(*now, entropy);
                }
                *now = end;
                Update::between(before, point.limit())
            }
            Step::Reconfigure(params) => point.set_params(params, &Path::at(LINE)),
        };
        assert_eq!(update, Update::between(before, point.limit()), "{step:?}");
        update
    }
}

fn is_free(point: &ReactionPoint) -> bool {
    point.may_release(Backlog::Waiting)
}

fn for_group(params: &ReactionPointParams, rule: GroupRule) -> ReactionPoint {
    ReactionPoint::for_group(params, &GroupParams { rule, ..GroupParams::default() }, LINE)
}

/// The state of a point in use, as its caller sees it.
fn seen(point: &ReactionPoint) -> impl PartialEq + core::fmt::Debug {
    let (limit, target) = (point.limit(), point.target_rate());
    (
        limit,
        point.rate(),
        target,
        point.timer(),
        point.tag(),
        point.counters(),
        point.may_release(Backlog::Empty),
    )
}

proptest! {
    /// While all notifications come from one congestion point, every rule behaves like the plain reaction
    /// point: rates, targets, timers, tags, counters and random numbers are the same. Limiters are released as
    /// soon as possible, as a station does.
    #[test]
    fn with_a_single_congestion_point_every_rule_is_the_plain_point(
        params in any_params(), steps in changing_history(1), seed in 1u64..,
    ) {
        for rule in [GroupRule::EveryNotification, GroupRule::SlowestPath, GroupRule::WorstPoint] {
            let mut plain = Run::new(ReactionPoint::new(&params, &Path::at(LINE)), Xorshift(seed));
            let mut group = Run::new(for_group(&params, rule), Xorshift(seed));
            let mut current = params;
            for step in &steps {
                if let Step::Reconfigure(params) = step {
                    current = *params;
                }
                prop_assert_eq!(plain.take(step), group.take(step), "{:?}", step);
                prop_assert_eq!(plain.point.limit(), group.point.limit());
                prop_assert_eq!(plain.point.counters(), group.point.counters());
                prop_assert_eq!(plain.entropy.0, group.entropy.0);
                prop_assert_eq!(is_free(&plain.point), is_free(&group.point));
                if is_free(&plain.point) {
                    plain.point = ReactionPoint::new(&current, &Path::at(LINE));
                    group.point = for_group(&current, rule);
                }
                prop_assert_eq!(seen(&plain.point), seen(&group.point));
            }
        }
    }

    /// Whatever happens, limit and rate are the minima over the states, the states are in order, and no count is
    /// lost.
    #[test]
    fn the_slowest_path_is_the_minimum_of_all_states(
        params in any_params(), steps in changing_history(6), seed in 1u64..,
    ) {
        let mut run = Run::new(for_group(&params, GroupRule::SlowestPath), Xorshift(seed));
        let mut current = params;
        let mut decreases = 0;
        for step in &steps {
            run.take(step);
            if let Step::Reconfigure(params) = step {
                let same = core::mem::discriminant(&current) == core::mem::discriminant(params);
                decreases = if same { decreases } else { 0 };
                current = *params;
            }
            let states = states(&run.point);
            let fresh = ReactionPoint::new(&current, &Path::at(LINE));
            let least = limits(&run.point).into_iter().min_by_key(|limit| limit.rate());
            prop_assert_eq!(run.point.limit(), least.unwrap_or(fresh.limit()));
            let least = states.iter().map(|&(_, rate)| rate).min();
            prop_assert_eq!(run.point.rate(), least.unwrap_or(fresh.rate()));
            prop_assert!(states.is_sorted_by(|(one, _), (next, _)| one < next));
            prop_assert!(run.point.counters().get("decreases") >= decreases);
            decreases = run.point.counters().get("decreases");
            prop_assert!(run.point.timer().is_none_or(|due| due > run.now));
        }
    }

    /// CR = min r_i: the rate is the minimum over plain points, each of which gets the notifications of one
    /// congestion point and counts every frame. Here they are never released, which makes no difference: at its
    /// maximum rate, QCN's reaction point is in the same state as a new one.
    #[test]
    fn the_slowest_path_is_the_minimum_of_plain_points(params in qcn_params(), steps in history(5)) {
        let params = ReactionPointParams::Qcn(params);
        let fresh = ReactionPoint::new(&params, &Path::at(LINE));
        let mut group = Run::new(for_group(&params, GroupRule::SlowestPath), Constant(1 << 31));
        let mut plain: BTreeMap<PointId, Run<Constant>> = BTreeMap::new();
        for id in (0..5).map(PointId) {
            plain.insert(id, Run::new(fresh.clone(), Constant(1 << 31)));
        }
        for step in &steps {
            group.take(step);
            for (id, run) in &mut plain {
                if !matches!(step, Step::Hear(from, _) if from != id) {
                    run.take(step);
                }
            }
            let least = plain.values().map(|run| run.point.rate()).min();
            prop_assert_eq!(Some(group.point.rate()), least);
        }
    }

    /// The rate equals the rate of a plain point that gets only the notifications of the selected points. The
    /// test computes the selection from the whole history each time.
    #[test]
    fn the_worst_point_is_a_plain_point_with_fewer_notifications(steps in history(4), seed in 1u64..) {
        let params = ReactionPointParams::Qcn(RpParams::default());
        let mut group = Run::new(for_group(&params, GroupRule::WorstPoint), Xorshift(seed));
        let mut plain = Run::new(ReactionPoint::new(&params, &Path::at(LINE)), Xorshift(seed));
        let mut obeyed: Vec<(Time, PointId, Notification)> = Vec::new();
        let mut ignored = 0;
        // QCN's congestion points send nothing without congestion.
        let empty = |step: &Step| {
            let Step::Hear(_, heard) = step else { return false };
            heard.notification().is_none_or(|heard| heard.feedback.get() == 0)
        };
        for step in steps.iter().filter(|step| !empty(step)) {
            group.take(step);
            match step {
                Step::Hear(from, Signal::Notification(heard)) => {
                    if is_obeyed(&obeyed, plain.now, *from, heard) {
                        obeyed.push((plain.now, *from, *heard));
                        plain.take(step);
                    } else {
                        ignored += 1;
                    }
                }
                _ => drop(plain.take(step)),
            }
            prop_assert_eq!(plain.point.limit(), group.point.limit());
            prop_assert_eq!(plain.point.timer(), group.point.timer());
            prop_assert_eq!(group.point.counters().get("ignored"), ignored);
        }
    }
}

/// The rule from the chapter, applied to the notifications obeyed so far.
fn is_obeyed(
    obeyed: &[(Time, PointId, Notification)],
    now: Time,
    from: PointId,
    heard: &Notification,
) -> bool {
    let memory = GroupParams::default().memory;
    match obeyed.last() {
        Some((last, point, said)) if now.saturating_since(*last) < memory => {
            from == *point || heard.feedback > said.feedback
        }
        _ => true,
    }
}
