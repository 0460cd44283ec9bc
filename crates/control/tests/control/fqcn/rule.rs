//! The flows that are notified, and their feedback, worked out by hand.

use crate::entropy::Forbidden;
use crate::told::Told;
use setpoint_control::fqcn::{CongestionPoint, CpParams, Params};
use setpoint_control::parameter::Percent;
use setpoint_control::{Arrival, CpCounters, FlowKey, Observe, Tenant, qcn};
use setpoint_units::Bytes;

/// A flow with a weight; its tenant's number does not matter.
type Flow = (u32, u32);

struct Bench {
    point: CongestionPoint,
    outbox: Told,
}

impl Bench {
    fn new(entries: u32) -> Self {
        let qcn = qcn::CpParams { jitter: Percent::ZERO, ..Default::default() };
        Self {
            point: CongestionPoint::new(CpParams { qcn, flows: Params { entries } }),
            outbox: Told::default(),
        }
    }

    fn frame(&mut self, (flow, weight): Flow, bytes: u64, queue: u64) {
        let tenant = Tenant { weight, ..Tenant::ANYONE };
        let arrival = Arrival::of(Bytes::new(bytes), Bytes::new(queue));
        let arrival = Arrival { flow: FlowKey(flow), tenant, ..arrival };
        self.point.on_enqueue(&arrival, &mut Forbidden, &mut self.outbox);
    }

    /// Flows send the given numbers of bytes; the last frame is sampled, at a queue of 52 kB. The feedback is
    /// 37 if the previous sample found 26 kB, 63 if it found an empty queue, and 12 if it found 52 kB.
    fn sample(&mut self, brought: &[(Flow, u64)]) -> Vec<(u32, u8)> {
        let samples = self.point.counters().samples;
        let (last, before) = brought.split_last().expect("some flow sends something");
        for (flow, bytes) in before {
            self.frame(*flow, *bytes, 52_000);
        }
        assert_eq!(self.point.counters().samples, samples, "not yet");
        self.frame(last.0, last.1, 52_000);
        assert_eq!(self.point.counters().samples, samples + 1, "now");
        self.outbox.drain(..).map(|(flow, told)| (flow.0, told.feedback.get())).collect()
    }
}

/// Takes a first sample at the same queue length as the next, so that the next has a feedback of 12 and follows
/// 18.5 kB later.
fn warmed(entries: u32) -> Bench {
    let mut bench = Bench::new(entries);
    assert_eq!(bench.sample(&[((99, 1), 150_001)]), [(99, 63)]);
    bench
}

#[test]
fn flows_above_their_shares_divide_the_feedback_by_arrivals() {
    // The equal share of 20 kB is 5 kB. The feedback of 12 is split in the ratio 8 : 9, which gives 5.6 and 6.4.
    let brought = [((1, 1), 1_000), ((2, 1), 8_000), ((3, 1), 2_000), ((4, 1), 9_000)];
    assert_eq!(warmed(8).sample(&brought), [(2, 5), (4, 6)]);
}

/// With fine feedback the parts of a step are divided, too: F = 26000 of 130000 bytes is 3276 parts, 12.8 steps.
#[test]
fn fine_feedback_is_divided_in_parts_of_a_step() {
    let qcn = qcn::CpParams { jitter: Percent::ZERO, quantizer: qcn::Quantizer::Fine, ..Default::default() };
    let point = CongestionPoint::new(CpParams { qcn, flows: Params { entries: 8 } });
    let mut bench = Bench { point, outbox: Told::default() };
    assert_eq!(bench.sample(&[((99, 1), 150_001)]), [(99, 63)]);
    for ((flow, weight), bytes) in [((1, 1), 1_000), ((2, 1), 8_000), ((3, 1), 2_000), ((4, 1), 9_000)] {
        bench.frame((flow, weight), bytes, 52_000);
    }
    let parts: Vec<(u32, u16)> =
        bench.outbox.iter().map(|(flow, told)| (flow.0, told.feedback.parts())).collect();
    assert_eq!(parts, [(2, 1_541), (4, 1_734)], "3276 · 8/17 and 3276 · 9/17");
}

/// The source of the sampled frame is notified only if it exceeds its share.
#[test]
fn the_sampled_flow_has_no_special_role() {
    let brought = [((2, 1), 18_000), ((1, 1), 1_000)];
    assert_eq!(warmed(8).sample(&brought), [(2, 12)]);
}

#[test]
fn shares_are_by_weight() {
    // Weights 3 and 1: 15 kB and 5 kB of 20 kB. 14 kB is within the share, 6 kB is not.
    let brought = [((1, 3), 14_000), ((2, 1), 6_000)];
    assert_eq!(warmed(8).sample(&brought), [(2, 12)]);
    let brought = [((1, 1), 14_000), ((2, 1), 6_000)];
    assert_eq!(warmed(8).sample(&brought), [(1, 12)]);
    // A weight of zero counts as one.
    let brought = [((1, 0), 14_000), ((2, 0), 6_000)];
    assert_eq!(warmed(8).sample(&brought), [(1, 12)]);
}

#[test]
fn flows_at_their_shares_are_notified() {
    let brought = [((1, 1), 10_000), ((2, 1), 10_000)];
    assert_eq!(warmed(8).sample(&brought), [(1, 6), (2, 6)]);
    assert_eq!(warmed(8).sample(&[((7, 1), 20_000)]), [(7, 12)]);
}

/// With thirteen equal flows, each one's part of 12 is less than one.
#[test]
fn parts_that_round_to_zero_are_not_sent() {
    let equal = |count, bytes| -> Vec<(Flow, u64)> { (0..count).map(|flow| ((flow, 1), bytes)).collect() };
    let told = warmed(16).sample(&equal(12, 1_600));
    assert_eq!(told, (0..12).map(|flow| (flow, 1)).collect::<Vec<_>>());
    let mut bench = warmed(16);
    assert_eq!(bench.sample(&equal(13, 1_500)), []);
    assert_eq!(bench.point.counters(), CpCounters { samples: 2, notifications: 1 });
}

/// Arrivals before the last sample no longer count, nor do flows that have sent nothing since.
#[test]
fn counts_restart_with_every_sample() {
    let mut bench = warmed(8);
    assert_eq!(bench.sample(&[((1, 1), 18_000), ((2, 1), 1_000)]), [(1, 12)]);
    assert!(bench.point.arrivals().account(99).is_none());
    // After a feedback value of 12, the next sample is taken 75 kB later.
    assert_eq!(bench.sample(&[((1, 1), 1_000), ((2, 1), 75_000)]), [(2, 12)]);
}

#[test]
fn without_congestion_no_flow_is_notified() {
    let mut bench = Bench::new(8);
    bench.frame((1, 1), 150_001, 26_000);
    bench.frame((1, 1), 37_501, 20_000);
    bench.frame((1, 1), 150_001, 20_000);
    assert_eq!(bench.outbox.len(), 1, "the queue grew from zero");
    let arrived = bench.point.arrivals().account(1).map(|flow| (flow.arrived(), flow.estimate().get()));
    assert_eq!(arrived, Some((Bytes::ZERO, 256 * 150_001)));
}

#[test]
fn a_full_table_leaves_flows_alone() {
    let mut bench = warmed(2);
    // Flow 99 still occupies an entry when flows 1 and 2 arrive, so flow 2 finds none.
    assert_eq!(bench.sample(&[((1, 1), 5_000), ((2, 1), 15_000)]), [(1, 12)]);
    assert_eq!(bench.point.arrivals().untracked(), 1);
}

#[test]
fn notifications_carry_qcns_measurement() {
    let mut bench = warmed(8);
    bench.frame((1, 1), 20_000, 55_000);
    let [(FlowKey(1), told)] = bench.outbox[..] else { panic!("one source is notified: {:?}", bench.outbox) };
    // 63 (29000 + 2 · 3000) / 130000.
    assert_eq!((told.feedback.get(), told.queue_offset, told.queue_delta), (16, -29_000, 3_000));
}
