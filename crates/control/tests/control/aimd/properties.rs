//! Properties that hold for all parameters and all histories, including extreme ones.

use proptest::prelude::*;
use setpoint_control::aimd::{Averaging, Decrease, ReactionPoint, RpParams};
use setpoint_control::parameter::{Percent, Power};
use setpoint_control::{Backlog, Notification, PointId, QuantizedFeedback, React, Update};
use setpoint_units::{Bytes, Rate, Time};

use crate::any::{any_length, any_rate};
use crate::entropy::Forbidden;

fn any_bytes() -> impl Strategy<Value = Bytes> {
    prop_oneof![0u64..200_000, any::<u64>()].prop_map(Bytes::new)
}

fn any_params() -> impl Strategy<Value = RpParams> {
    let rates = (any_rate(), any_rate(), prop::option::of(any_rate()));
    let averaging = prop::sample::select(vec![Averaging::Off, Averaging::On, Averaging::Equivalent]);
    let decrease = prop::sample::select(vec![Decrease::Multiplicative, Decrease::Additive]);
    (rates, any::<i8>(), any::<u16>(), any_bytes(), any_bytes(), averaging, decrease).prop_map(
        |(rates, exponent, largest, reference, averaging_bytes, averaging, decrease)| RpParams {
            largest_increase: rates.0,
            min_rate: rates.1,
            max_rate: rates.2,
            weight: Power::of_two(exponent),
            largest_decrease: Percent::from_hundredths(largest),
            reference,
            averaging_bytes,
            averaging,
            decrease,
        },
    )
}

#[derive(Clone, Debug)]
enum Step {
    Hear(i64, i64),
    Send(Bytes),
    Reconfigure(RpParams),
}

fn history() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        10 => (any_length(), any_length()).prop_map(|(offset, delta)| Step::Hear(offset, delta)),
        10 => any_bytes().prop_map(Step::Send),
        1 => any_params().prop_map(Step::Reconfigure),
    ];
    prop::collection::vec(step, 1..80)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// Rates are limited to 2^62 b/s, the only bound that is not a parameter.
    #[test]
    fn rates_keep_their_bounds(params in any_params(), line in any_rate(), steps in history()) {
        let mut point = ReactionPoint::new(params, line);
        let mut params = params;
        for step in steps {
            let before = point.rate();
            let update = match step {
                Step::Hear(queue_offset, queue_delta) => {
                    let heard = Notification { feedback: QuantizedFeedback::default(), queue_offset, queue_delta };
                    point.on_feedback(Time::ZERO, &heard.sent_by(PointId(0)), &mut Forbidden)
                }
                Step::Send(bytes) => point.on_sent(bytes, &mut Forbidden),
                Step::Reconfigure(other) => {
                    params = other;
                    point.set_params(other)
                }
            };
            let most = Rate::from_bits_per_second(u64::MAX / 4);
            let max = params.max_rate.map_or(line, |max| max.min(line)).min(most);
            let min = params.min_rate.min(max);
            prop_assert!(min <= point.rate() && point.rate() <= max);
            prop_assert!(min <= point.target_rate() && point.target_rate() <= max);
            prop_assert_eq!(update == Update::Changed, before != point.rate());
            prop_assert!(point.counters().get("decreases") > 0 || point.rate() == max);
            prop_assert!(!point.may_release(Backlog::Empty) || point.rate() == max);
        }
    }
}
