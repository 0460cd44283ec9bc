//! Properties that hold for all parameters and all histories, including extreme ones.

use proptest::prelude::*;
use setpoint_control::bcn::{CongestionPoint, CpParams, ReactionPoint, RpParams};
use setpoint_control::parameter::{Percent, Power, Switch};
use setpoint_control::{Arrival, Backlog, Limit, Observe, PointId, React, Signal, Update};
use setpoint_units::{Bytes, Time, TimeDelta};

use super::heard;
use crate::any::{any_length, any_rate};
use crate::entropy::Xorshift;

fn any_switch() -> impl Strategy<Value = Switch> {
    prop::bool::ANY.prop_map(|on| if on { Switch::On } else { Switch::Off })
}

fn any_params() -> impl Strategy<Value = RpParams> {
    let rates = (any_rate(), any_rate(), any_rate(), prop::option::of(any_rate()));
    let powers = (any::<i8>(), any::<i8>());
    (rates, powers, any::<u64>(), any::<u16>(), (any::<u64>(), any::<u64>()), any_switch()).prop_map(
        |(rates, powers, reference, decrease, times, drift)| RpParams {
            largest_increase: rates.0,
            drift_increase: rates.1,
            min_rate: rates.2,
            max_rate: rates.3,
            weight: Power::of_two(powers.0),
            back_off: Power::of_two(powers.1),
            reference: Bytes::new(reference),
            largest_decrease: Percent::from_hundredths(decrease),
            stop_time: TimeDelta::from_picos(times.0),
            drift_interval: TimeDelta::from_picos(times.1),
            drift,
        },
    )
}

#[derive(Clone, Debug)]
enum Step {
    Hear(u32, i64, i64),
    Expire,
    Reconfigure(RpParams),
}

fn history() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        10 => (0u32..3, any_length(), any_length()).prop_map(|(from, offset, delta)| Step::Hear(from, offset, delta)),
        5 => Just(Step::Expire),
        1 => any_params().prop_map(Step::Reconfigure),
    ];
    prop::collection::vec(step, 1..80)
}

fn check_bounds(point: &ReactionPoint, params: &RpParams) -> Result<(), TestCaseError> {
    let max = params.max_rate.map_or(point.line_rate(), |max| max.min(point.line_rate()));
    let min = params.min_rate.min(max);
    prop_assert!(min <= point.rate() && point.rate() <= max);
    match point.limit() {
        Limit::Silent => prop_assert!(point.timer().is_some()),
        Limit::Rate(rate) | Limit::Window { rate, .. } => prop_assert_eq!(rate, point.rate()),
    }
    prop_assert!(!point.may_release(Backlog::Empty) || point.rate() == max);
    prop_assert_eq!(
        point.tag().is_some(),
        point.counters().get("decreases") + point.counters().get("stops") > 0
    );
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn rates_keep_their_bounds(params in any_params(), line in any_rate(), steps in history(), seed in 1u64..) {
        let mut point = ReactionPoint::new(params, line);
        let (mut params, mut random, mut now) = (params, Xorshift(seed), Time::ZERO);
        for step in steps {
            let (before, tag) = (point.limit(), point.tag());
            let update = match step {
                Step::Hear(from, queue_offset, queue_delta) => {
                    let heard = heard(queue_offset, queue_delta);
                    let update = point.on_feedback(now, &heard.sent_by(PointId(from)), &mut random);
                    // A message raises the rate only if it comes from the point with which the source is
                    // associated.
                    prop_assert!(point.limit().rate() <= before.rate() || tag == Some(PointId(from)));
                    update
                }
                Step::Expire => {
                    now = point.timer().unwrap_or(now);
                    let update = point.on_timer(now, &mut random);
                    prop_assert!(point.limit().rate() >= before.rate());
                    prop_assert!(point.timer().is_none_or(|due| due > now));
                    update
                }
                Step::Reconfigure(other) => {
                    params = other;
                    point.set_params(other)
                }
            };
            prop_assert_eq!(update == Update::Changed, before != point.limit());
            check_bounds(&point, &params)?;
        }
    }

    /// Whatever the queue length, a point sends positive messages only to sources that carry its tag.
    #[test]
    fn positive_messages_go_to_tagged_sources(
        queues in prop::collection::vec((any::<u64>().prop_map(|queue| queue % 200_000), 0u32..3), 1..100),
    ) {
        let mut point = CongestionPoint::new(CpParams::default(), PointId(1));
        for (queue, tag) in queues {
            let arrival = Arrival::of(Bytes::new(200_000), Bytes::new(queue));
            let mut outbox = Vec::new();
            let tagged = Arrival { tag: tag.checked_sub(1).map(PointId), ..arrival };
            point.on_enqueue(&tagged, &mut Xorshift(1), &mut outbox);
            for (_, told) in outbox {
                prop_assert_eq!(told == Signal::Stop, queue > 102_400);
                let positive = told.notification().is_some_and(|told| told.queue_offset > 0);
                prop_assert!(!positive || tagged.tag == Some(PointId(1)));
            }
        }
    }
}
