//! Congestion points that notify every flow, with samples worked out by hand.

use crate::told::Told;
use setpoint_control::parameter::Percent;
use setpoint_control::{
    Arrival, Audience, CongestionPoint, CongestionPointParams, CpCounters, FlowKey, Observe, PointId, qcn,
};
use setpoint_units::Bytes;

struct Bench {
    point: CongestionPoint,
    outbox: Told,
}

impl Bench {
    /// Samples the frame that brings the number of enqueued bytes above 10 kB.
    fn new(audience: Audience) -> Self {
        let params = CongestionPointParams::Qcn(qcn::CpParams {
            sampling: qcn::Sampling::Regular,
            sample_base: Bytes::new(10_000),
            jitter: Percent::ZERO,
            ..qcn::CpParams::default()
        });
        Self { point: CongestionPoint::for_audience(&params, PointId(1), audience), outbox: Told::default() }
    }

    /// Frames of 1 kB from the given flows arrive at the given queue length; returns the notified flows and their feedback.
    fn frames(&mut self, flows: &[u32], queue: u64) -> Vec<(u32, u8)> {
        for flow in flows {
            let arrival = Arrival::of(Bytes::new(1_000), Bytes::new(queue));
            let arrival = Arrival { flow: FlowKey(*flow), ..arrival };
            if !self.point.passes(arrival.frame) {
                self.point.on_enqueue(&arrival, &mut || 0, &mut self.outbox);
            }
        }
        self.outbox.drain(..).map(|(flow, told)| (flow.0, told.feedback.get())).collect()
    }
}

/// The eleventh frame is sampled: F = 26000 + 2 · 52000 is the maximum. At the second sample the queue has not grown:
/// 63 · 26000 / 130000 is 12.6.
#[test]
fn every_flow_since_the_previous_sample_is_notified() {
    let mut bench = Bench::new(Audience::EveryFlow);
    assert_eq!(bench.frames(&[3, 1, 1, 1, 1, 1, 1, 3, 1, 1, 9], 52_000), [(1, 63), (3, 63), (9, 63)]);
    assert_eq!(bench.frames(&[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2], 52_000), [(1, 12), (2, 12)]);
    assert_eq!(bench.point.counters(), CpCounters { samples: 2, notifications: 5 });
    let mut usual = Bench::new(Audience::Sampled);
    assert_eq!(usual.frames(&[3, 1, 1, 1, 1, 1, 1, 3, 1, 1, 9], 52_000), [(9, 63)]);
    assert_eq!(usual.point.counters(), CpCounters { samples: 1, notifications: 1 });
}

/// A sample without congestion causes no notification, and the flows recorded before it are discarded. Then the
/// queue grows by 51 kB: 63 · (26000 + 2 · 51000) / 130000 is 62.03.
#[test]
fn a_sample_without_a_notification_starts_anew() {
    let mut bench = Bench::new(Audience::EveryFlow);
    assert_eq!(bench.frames(&[5; 11], 1_000), []);
    assert_eq!(bench.point.counters(), CpCounters { samples: 1, notifications: 0 });
    assert_eq!(bench.frames(&[4; 11], 52_000), [(4, 62)]);
    assert_eq!(bench.point.counters(), CpCounters { samples: 2, notifications: 1 });
}

/// Without an algorithm there are no notifications, and frames take the fast path.
#[test]
fn no_control_has_no_audience() {
    let mut point =
        CongestionPoint::for_audience(&CongestionPointParams::None, PointId(1), Audience::EveryFlow);
    assert!(point.passes(Bytes::new(1_000)));
    assert_eq!(point.counters(), CpCounters::default());
}
