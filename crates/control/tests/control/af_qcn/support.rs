//! A congestion point and accounts that send a given number of bytes per interval.

use crate::entropy::Xorshift;
use crate::told::Told;
use setpoint_control::af_qcn::{CongestionPoint, CpParams};
use setpoint_control::parameter::Percent;
use setpoint_control::qcn::{self, Sampling};
use setpoint_control::{Arrival, FlowKey, Notification, Observe, Tenant};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

/// Samples every frame, so that a test can check the reaction to each.
pub(crate) fn every_frame() -> CpParams {
    let qcn = qcn::CpParams { sampling: Sampling::EveryFrame, jitter: Percent::ZERO, ..Default::default() };
    CpParams { qcn, ..CpParams::default() }
}

pub(crate) fn tenant(id: u32, weight: u32) -> Tenant {
    Tenant { id, weight, max: None }
}

pub(crate) fn capped(id: u32, weight: u32, max: Rate) -> Tenant {
    Tenant { id, weight, max: Some(max) }
}

/// The set point, at which QCN sends nothing.
pub(crate) const CALM: u64 = 26_000;

pub(crate) struct Bench {
    pub(crate) point: CongestionPoint,
    now: Time,
    interval: TimeDelta,
}

impl Bench {
    pub(crate) fn new(params: CpParams) -> Self {
        Self { point: CongestionPoint::new(params), now: Time::ZERO, interval: params.af.interval }
    }

    /// An interval in which each tenant sends the given number of bytes in one frame while the queue is at its
    /// set point.
    pub(crate) fn interval(&mut self, brought: &[(Tenant, u64)]) {
        for (tenant, bytes) in brought {
            self.frame(*tenant, *bytes, CALM);
        }
        self.now += self.interval;
    }

    /// Enough equal intervals for the estimates to settle. They approach from above, so they reach the exact
    /// value.
    pub(crate) fn settle(&mut self, brought: &[(Tenant, u64)]) {
        let more: Vec<_> = brought.iter().map(|(tenant, bytes)| (*tenant, bytes + 1)).collect();
        for _ in 0..200 {
            self.interval(&more);
        }
        for _ in 0..200 {
            self.interval(brought);
        }
    }

    /// Offers a frame at the given queue length and returns the resulting notification.
    pub(crate) fn frame(&mut self, tenant: Tenant, bytes: u64, queue: u64) -> Option<Notification> {
        let arrival = Arrival {
            now: self.now,
            flow: FlowKey(100 + tenant.id),
            tenant,
            ..Arrival::of(Bytes::new(bytes), Bytes::new(queue))
        };
        let mut outbox = Told::default();
        self.point.on_enqueue(&arrival, &mut Xorshift::default(), &mut outbox);
        match outbox[..] {
            [] => None,
            [(to, told)] => {
                assert_eq!(to, arrival.flow, "the source of the sampled frame is notified");
                Some(told)
            }
            _ => panic!("more than one notification: {outbox:?}"),
        }
    }

    /// A share rounded to whole bytes.
    pub(crate) fn share(&self, id: u32) -> Option<u64> {
        self.point.share(id).map(|share| (share.get() + 128) / 256)
    }

    pub(crate) fn unfairness(&self, id: u32) -> u8 {
        self.point.unfairness(id).get()
    }
}
