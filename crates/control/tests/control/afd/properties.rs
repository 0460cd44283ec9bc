//! For any arrivals: no panic, and the same result for the same arrivals. Invalid parameters are refused.

use crate::entropy::Xorshift;
use proptest::prelude::*;
use setpoint_control::afd::{CongestionPoint, Params};
use setpoint_control::parameter::Percent;
use setpoint_control::{
    Admission, Algorithm, Arrival, CongestionPointParams, CpCounters, Observe, PointId, ReactionPointParams,
    Tenant,
};
use setpoint_units::{Bytes, Rate, Time};

fn extreme() -> impl Strategy<Value = u64> {
    prop_oneof![Just(0), 1..3_000u64, any::<u64>(), Just(u64::MAX)]
}

fn arrivals() -> impl Strategy<Value = Vec<Arrival>> {
    let step = prop_oneof![5 => 0..2_000_000u64, 2 => 0..500_000_000u64, 1 => extreme()];
    let tenant = (prop_oneof![0..6u32, any::<u32>()], prop_oneof![Just(0), 1..5u32, Just(u32::MAX)]);
    prop::collection::vec((step, extreme(), extreme(), tenant), 1..200).prop_map(|arrivals| {
        let mut now = 0u64;
        let arrive = |(step, frame, queue, (id, weight)): (u64, u64, u64, (u32, u32))| {
            now = now.saturating_add(step);
            let tenant = Tenant { id, weight, max: Some(Rate::MIN) };
            Arrival {
                now: Time::from_picos(now),
                tenant,
                ..Arrival::of(Bytes::new(frame), Bytes::new(queue))
            }
        };
        arrivals.into_iter().map(arrive).collect()
    })
}

proptest! {
    #[test]
    fn any_arrivals_are_handled_and_equal_arrivals_give_equal_results(
        arrivals in arrivals(),
        gains in (1..=u16::MAX, 1..=u16::MAX),
        entries in 1..8u32,
    ) {
        let (a1, a2) = (Percent::from_hundredths(gains.0), Percent::from_hundredths(gains.1));
        let params = Params { a1, a2, entries, ..Params::default() };
        let run = || {
            let mut point = CongestionPoint::new(params);
            let mut entropy = Xorshift::default();
            let admissions: Vec<Admission> =
                arrivals.iter().map(|arrival| point.admit(arrival, &mut entropy)).collect();
            let mut state = Vec::new();
            point.state(&mut state);
            (admissions, state, point.fair_share())
        };
        let (admissions, state, fair) = run();
        prop_assert!(fair.get() <= 256 * 175_000);
        prop_assert_eq!((admissions, state, fair), run());
    }
}

#[test]
fn by_its_name_without_reaction_point_or_notifications() {
    let params = setpoint_control::Params::default();
    let (cp, rp) = Algorithm::Afd.points(&params);
    assert_eq!((cp, rp), (CongestionPointParams::Afd(params.afd), ReactionPointParams::None));
    assert!(cp.needs().admission && cp.needs().tenants);
    assert_eq!(cp.check(), Ok(()));
    assert_eq!(Algorithm::Afd.set_point(&params), Some(Bytes::new(50_000)));
    assert_eq!(Algorithm::Afd.min_rate(&params), None);
    let mut point = setpoint_control::CongestionPoint::new(&cp, PointId(0));
    let mut outbox = Vec::new();
    let mut dropped = 0;
    for step in 0..10_000 {
        let now = Time::from_picos(400_000 * step);
        let arrival = Arrival { now, ..Arrival::of(Bytes::new(1_000), Bytes::new(150_000)) };
        match point.admit(&arrival, &mut Xorshift(step + 1)) {
            Admission::Accept => point.on_enqueue(&arrival, &mut Xorshift(1), &mut outbox),
            Admission::Drop => dropped += 1,
        }
    }
    assert!(dropped > 1_000, "a queue far above its set point: {dropped}");
    assert!(outbox.is_empty());
    assert_eq!(point.counters(), CpCounters::default());
}
