//! For any arrivals: no panic, no more feedback than QCN's, and the same result for the same arrivals.

use crate::entropy::{Constant, Xorshift};
use crate::sampled::Sampled;
use crate::told::Told;
use proptest::prelude::*;
use setpoint_control::fqcn::{CongestionPoint, CpParams, Params};
use setpoint_control::{
    Algorithm, Arrival, CongestionPointParams, FlowKey, Observe, PointId, ReactionPointParams, Tenant, qcn,
};
use setpoint_units::Bytes;

fn arrivals() -> impl Strategy<Value = Vec<Arrival>> {
    let frame = prop_oneof![Just(0), 1..3_000u64, Just(u32::MAX.into()), 0..=1u64 << 60];
    let flow = prop_oneof![0..6u32, any::<u32>()];
    let weight = prop_oneof![Just(0), 1..5u32, Just(u32::MAX)];
    let arrival = (frame, 0..1u64 << 40, flow, weight).prop_map(|(frame, queue, flow, weight)| Arrival {
        flow: FlowKey(flow),
        tenant: Tenant { weight, ..Tenant::ANYONE },
        ..Arrival::of(Bytes::new(frame), Bytes::new(queue))
    });
    prop::collection::vec(arrival, 1..200)
}

proptest! {
    #[test]
    fn divides_qcns_feedback_at_qcns_samples(arrivals in arrivals(), entries in 1..10u32, every in any::<bool>()) {
        let sampling = if every { qcn::Sampling::EveryFrame } else { qcn::Sampling::Table };
        let params = qcn::CpParams { sampling, ..Default::default() };
        let mut point = CongestionPoint::new(CpParams { qcn: params, flows: Params { entries } });
        let mut alone = qcn::CongestionPoint::new(params);
        let (mut entropy, mut same) = (Xorshift::default(), Xorshift::default());
        let mut all = 0;
        for arrival in &arrivals {
            let mut outbox = Told::default();
            point.on_enqueue(arrival, &mut entropy, &mut outbox);
            all += outbox.len() as u64;
            match alone.sampled(*arrival, &mut same) {
                None => prop_assert!(outbox.is_empty()),
                Some(told) => {
                    let given: u32 = outbox.iter().map(|(_, part)| u32::from(part.feedback.get())).sum();
                    prop_assert!(given <= told.feedback.get().into());
                    prop_assert!(outbox.iter().all(|(_, part)| part.feedback.get() > 0));
                    prop_assert!(outbox.iter().all(|(_, part)| part.queue_offset == told.queue_offset));
                    let mut flows: Vec<FlowKey> = outbox.iter().map(|(flow, _)| *flow).collect();
                    flows.sort_unstable();
                    flows.dedup();
                    prop_assert_eq!(flows.len(), outbox.len(), "no flow is notified twice");
                }
            }
        }
        prop_assert_eq!(point.counters().samples, alone.counters().samples);
        prop_assert_eq!(point.counters().notifications, all);
    }

    #[test]
    fn equal_arrivals_give_equal_results(arrivals in arrivals(), entries in 1..10u32) {
        let run = || {
            let mut point = CongestionPoint::new(CpParams { flows: Params { entries }, ..CpParams::default() });
            let (mut entropy, mut outbox, mut state) = (Xorshift::default(), Told::default(), Vec::new());
            for arrival in &arrivals {
                point.on_enqueue(arrival, &mut entropy, &mut outbox);
            }
            point.state(&mut state);
            (outbox, state)
        };
        prop_assert_eq!(run(), run());
    }
}

#[test]
fn by_its_name_with_qcns_reaction_point() {
    let mut params = setpoint_control::Params::default();
    let (cp, rp) = Algorithm::Fqcn.points(&params);
    assert_eq!(cp, CongestionPointParams::Fqcn(CpParams::default()));
    assert_eq!(rp, ReactionPointParams::Qcn(params.qcn.rp));
    assert!(cp.needs().tenants && !cp.needs().admission);
    assert_eq!(cp.check(), Ok(()));
    let mut point = setpoint_control::CongestionPoint::new(&cp, PointId(0));
    let mut outbox = Told::default();
    for _ in 0..1_000 {
        let arrival = Arrival::of(Bytes::new(1_000), Bytes::new(52_000));
        point.on_enqueue(&arrival, &mut Constant(0), &mut outbox);
    }
    assert!(!outbox.is_empty());
    params.fqcn.entries = 0;
    let refused = Algorithm::Fqcn.check(&params, None).map_err(|error| error.to_string());
    assert_eq!(refused, Err("fqcn.cp.entries cannot be \"0\"; it must be from 1 to 65536".into()));
}
