//! For any arrivals: no panic, the same result for the same arrivals, and plain QCN if there is nothing to add.

use super::support::{Bench, CALM, every_frame, tenant};
use crate::entropy::{Constant, Xorshift};
use crate::sampled::Sampled;
use crate::told::Told;
use proptest::prelude::*;
use setpoint_control::af_qcn::{CongestionPoint, CpParams, Params, Rounding, Uncongested};
use setpoint_control::parameter::{Percent, Power};
use setpoint_control::{
    Algorithm, Arrival, CongestionPointParams, Entry, FlowKey, Observe, Outbox, PointId, ReactionPointParams,
    Reading, Signal, Tenant, qcn,
};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

fn extreme() -> impl Strategy<Value = u64> {
    prop_oneof![Just(0), 1..3_000u64, any::<u64>(), Just(u64::MAX)]
}

fn tenants() -> impl Strategy<Value = Tenant> {
    let weight = prop_oneof![Just(0), 1..5u32, Just(u32::MAX)];
    (prop_oneof![0..6u32, any::<u32>()], weight, prop_oneof![Just(0), extreme()])
        .prop_map(|(id, weight, max)| Tenant { id, weight, max: Rate::new(max) })
}

/// Ascending times with gaps of any size, and queue lengths that fit into real buffers.
fn arrivals() -> impl Strategy<Value = Vec<Arrival>> {
    let step = prop_oneof![5 => 0..2_000_000u64, 2 => 0..5_000_000_000u64, 1 => extreme()];
    let frame = prop_oneof![Just(0), 1..3_000u64, Just(u32::MAX.into()), 0..=1u64 << 60];
    prop::collection::vec((step, frame, 0..1u64 << 40, tenants()), 1..200).prop_map(|arrivals| {
        let mut now = 0u64;
        let arrive = |(step, frame, queue, tenant): (u64, u64, u64, Tenant)| {
            now = now.saturating_add(step);
            let (now, flow) = (Time::from_picos(now), FlowKey(tenant.id / 2));
            Arrival { now, flow, tenant, ..Arrival::of(Bytes::new(frame), Bytes::new(queue)) }
        };
        arrivals.into_iter().map(arrive).collect()
    })
}

fn params() -> impl Strategy<Value = CpParams> {
    let rounding = prop_oneof![Just(Rounding::Down), Just(Rounding::Nearest), Just(Rounding::Up)];
    let uncongested =
        prop_oneof![Just(Uncongested::Zero), Just(Uncongested::Signed), Just(Uncongested::Silent)];
    (1..10_000u16, 1_000_000..10_000_000_000u64, -8..0i8, 0..100_000u64, 1..8u32, (rounding, uncongested))
        .prop_map(|(alpha, interval, beta, threshold, entries, (rounding, uncongested))| {
            let af = Params {
                alpha: Percent::from_hundredths(alpha),
                interval: TimeDelta::from_picos(interval),
                smoothing: Power::of_two(beta),
                active_threshold: Bytes::new(threshold),
                entries,
                rounding,
                uncongested,
            };
            CpParams { af, ..every_frame() }
        })
}

fn state(point: &CongestionPoint) -> Vec<Entry> {
    let mut entries = Vec::new();
    point.state(&mut entries);
    entries
}

proptest! {
    #[test]
    fn any_arrivals_are_handled_and_equal_arrivals_give_equal_results(
        params in params(),
        arrivals in arrivals(),
    ) {
        let run = || {
            let (mut point, mut outbox) = (CongestionPoint::new(params), Told::default());
            let mut entropy = Xorshift::default();
            for arrival in &arrivals {
                point.on_enqueue(arrival, &mut entropy, &mut outbox);
            }
            (state(&point), outbox, point.counters())
        };
        let (state, outbox, counters) = run();
        prop_assert!(outbox.iter().all(|(_, told)| told.feedback.get() > 0));
        prop_assert_eq!(counters.notifications, outbox.len() as u64);
        prop_assert_eq!((state, outbox, counters), run());
    }

    /// If no account is active, the feedback is QCN's times 1 - alpha, at the same samples.
    #[test]
    fn without_active_accounts_it_is_qcn_scaled(arrivals in arrivals(), sampled in 0..4usize) {
        let sampling = [
            qcn::Sampling::Table, qcn::Sampling::Fixed, qcn::Sampling::Linear, qcn::Sampling::EveryFrame,
        ][sampled];
        let params = qcn::CpParams { sampling, ..Default::default() };
        let af = Params { active_threshold: Bytes::new(u64::MAX), rounding: Rounding::Up, ..Params::default() };
        let mut point = CongestionPoint::new(CpParams { qcn: params, af });
        let mut alone = qcn::CongestionPoint::new(params);
        let (mut entropy, mut same) = (Xorshift::default(), Xorshift::default());
        for arrival in &arrivals {
            let mut outbox = Told::default();
            point.on_enqueue(arrival, &mut entropy, &mut outbox);
            let told = alone.sampled(*arrival, &mut same);
            prop_assert_eq!(outbox.len(), usize::from(told.is_some()));
            if let (Some(told), [(to, heard)]) = (told, &outbox[..]) {
                prop_assert_eq!(*to, arrival.flow);
                prop_assert_eq!(u32::from(heard.feedback.get()), (7 * u32::from(told.feedback.get())).div_ceil(8));
                prop_assert_eq!((heard.queue_offset, heard.queue_delta), (told.queue_offset, told.queue_delta));
            }
        }
        prop_assert_eq!(point.counters(), alone.counters());
    }
}

/// More accounts than the table can hold: accounts without an entry get only QCN's part, 37 × 7/8.
#[test]
fn a_full_table_leaves_the_rest_to_qcn() {
    let af = Params { entries: 2, ..Params::default() };
    let mut bench = Bench::new(CpParams { af, ..every_frame() });
    let brought = [(tenant(1, 1), 300_000), (tenant(2, 1), 100_000), (tenant(3, 1), 900_000)];
    bench.settle(&brought);
    bench.frame(tenant(3, 1), 1, CALM);
    assert_eq!([1, 2, 3].map(|id| bench.share(id)), [Some(200_000), Some(200_000), None]);
    assert_eq!(bench.point.arrivals().untracked(), 401);
    assert_eq!(bench.frame(tenant(3, 1), 1, 52_000).map(|told| told.feedback.get()), Some(32));
}

#[test]
fn idle_accounts_are_forgotten_and_leave_their_share() {
    let mut bench = Bench::new(every_frame());
    bench.settle(&[(tenant(1, 1), 600_000), (tenant(2, 1), 600_000)]);
    bench.settle(&[(tenant(2, 1), 600_000)]);
    bench.frame(tenant(2, 1), 1, CALM);
    assert_eq!(bench.point.arrivals().account(1), None);
    assert_eq!((bench.share(1), bench.share(2)), (None, Some(600_000)));
    assert_eq!(bench.unfairness(2), 0);
}

#[test]
fn state_is_by_ascending_id() {
    let mut bench = Bench::new(every_frame());
    bench.settle(&[(tenant(9, 1), 300_000), (tenant(4, 1), 100_000), (tenant(7, 1), 1_000)]);
    bench.frame(tenant(9, 1), 1_000, CALM);
    let entries = state(&bench.point);
    let named = |name| -> Vec<(u32, Reading)> {
        entries
            .iter()
            .filter(|entry| entry.name == name)
            .map(|entry| (entry.of.unwrap(), entry.reading))
            .collect()
    };
    let arrived = [(4, 0), (7, 0), (9, 1_000)].map(|(id, bytes)| (id, Reading::Bytes(bytes)));
    assert_eq!(named("arrived"), arrived);
    assert_eq!(named("unfairness"), [(4, Reading::Number(0)), (9, Reading::Number(21))]);
    assert_eq!(named("share_256").len(), 2);
    assert!(entries.iter().any(|entry| entry.name == "old_queue"));
}

#[test]
fn by_its_name_with_qcns_reaction_point() {
    let params = setpoint_control::Params::default();
    let (cp, rp) = Algorithm::AfQcn.points(&params);
    assert_eq!(cp, CongestionPointParams::AfQcn(CpParams::default()));
    assert_eq!(rp, ReactionPointParams::Qcn(params.qcn.rp));
    assert!(cp.needs().tenants && !cp.needs().admission);
    assert_eq!(cp.check(), Ok(()));
    assert_eq!(Algorithm::AfQcn.set_point(&params), Some(Bytes::new(26_000)));
    struct Nobody;
    impl Outbox for Nobody {
        fn send(&mut self, _: FlowKey, told: Signal) {
            panic!("there is no congestion, but a notification was sent: {told:?}");
        }
    }
    let mut point = setpoint_control::CongestionPoint::new(&cp, PointId(0));
    let arrival = Arrival::of(Bytes::new(1_000), Bytes::new(1_000));
    for _ in 0..1_000 {
        point.on_enqueue(&arrival, &mut Constant(0), &mut Nobody);
    }
    assert!(point.counters().samples > 0);
}
