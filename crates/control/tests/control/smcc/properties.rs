//! Properties that hold for all parameters and all histories, including extreme ones.

use proptest::prelude::*;
use setpoint_control::parameter::Switch;
use setpoint_control::smcc::{Association, ReactionPoint, RpParams};
use setpoint_control::{Backlog, Notification, PointId, QuantizedFeedback, React, Update};
use setpoint_units::{Bytes, Rate, Time};

use crate::any::{any_length, any_rate};
use crate::entropy::Forbidden;

fn any_params() -> impl Strategy<Value = RpParams> {
    let rates = (any_rate(), any_rate(), any_rate(), any_rate(), prop::option::of(any_rate()), any_rate());
    let association =
        prop::sample::select(vec![Association::Congested, Association::LastSlowed, Association::Off]);
    let sizes = (0u64..=u64::MAX, 0u64..=u64::MAX);
    (rates, sizes, prop::bool::ANY, association).prop_map(|(rates, sizes, two_stage, association)| RpParams {
        state_a: rates.0,
        state_b: rates.1,
        state_a_small: rates.2,
        min_rate: rates.3,
        max_rate: rates.4,
        rate_step: rates.5,
        reference: Bytes::new(sizes.0),
        threshold: Bytes::new(sizes.1),
        two_stage: if two_stage { Switch::On } else { Switch::Off },
        association,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn rates_keep_their_bounds(
        params in any_params(), line in any_rate(),
        history in prop::collection::vec((0u32..3, any_length(), any_length()), 1..60),
    ) {
        let mut point = ReactionPoint::new(params, line);
        let max = params.max_rate.map_or(line, |max| max.min(line));
        let min = params.min_rate.min(max);
        for (from, queue_offset, queue_delta) in history {
            let heard = Notification { feedback: QuantizedFeedback::default(), queue_offset, queue_delta };
            let (before, counted) = (point.rate(), point.counters());
            let update = point.on_feedback(Time::ZERO, &heard.sent_by(PointId(from)), &mut Forbidden);
            let (after, counters) = (point.rate(), point.counters());
            prop_assert!(min <= after && after <= max);
            prop_assert_eq!(update == Update::Changed, before != after);
            prop_assert!(after >= before || counters.get("decreases") == counted.get("decreases") + 1);
            prop_assert!(after <= before || counters.get("increases") == counted.get("increases") + 1);
            prop_assert!(!point.may_release(Backlog::Empty) || after == max);
        }
    }

    /// In the paper's range, the change differs from the exact fraction of equation (25) by less than 1 b/s.
    #[test]
    fn changes_are_exact(offset in -64_000i64..64_000, difference in -64_000i64..64_000, megabits in 400u64..600) {
        let params = RpParams { association: Association::Off, ..super::paper().rp };
        let mut point = ReactionPoint::new(params, super::LINE);
        super::tell(&mut point, PointId(0), 250_000 - 250 * megabits as i64, 0);
        prop_assert_eq!(point.rate(), Rate::from_mbps(megabits));
        super::tell(&mut point, PointId(0), offset, difference);
        let away = if difference == 0 { true } else { offset * difference > 0 };
        let change = if away { 4_000 * offset } else { 1_000 * difference };
        let expected = 1_000_000 * megabits as i64 - change;
        prop_assert_eq!(point.rate().bits_per_second() as i64, expected);
    }
}
