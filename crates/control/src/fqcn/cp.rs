//! The congestion point: QCN's sampling, with feedback in proportion to the arrivals of each flow.

use alloc::boxed::Box;

use super::params::CpParams;
use crate::arrivals::{Account, Arrivals};
use crate::parameter::Power;
use crate::scheme::{BridgeNeeds, BridgePart};
use crate::{
    Arrival, CpCounters, Entropy, FlowKey, Notification, Observe, Outbox, PointId, QuantizedFeedback, Show,
    Tenant, qcn,
};

/// An FQCN congestion point.
#[derive(Clone, Debug)]
pub struct CongestionPoint {
    qcn: qcn::CongestionPoint,
    /// Arrivals by flow. An interval is the time between two samples, and the estimate equals the arrivals in
    /// the last interval.
    arrivals: Arrivals,
    notifications: u64,
}

/// No smoothing: the estimate equals the arrivals in the last interval.
const WHOLE: Power = Power::of_two(0);

impl CongestionPoint {
    /// Creates a congestion point at an empty queue, without flows.
    pub fn new(params: CpParams) -> Self {
        Self {
            qcn: qcn::CongestionPoint::new(params.qcn),
            arrivals: Arrivals::new(params.flows.entries),
            notifications: 0,
        }
    }

    /// The measured arrivals.
    pub fn arrivals(&self) -> &Arrivals {
        &self.arrivals
    }

    #[cold]
    #[inline(never)]
    fn notify(&mut self, measured: Notification, outbox: &mut dyn Outbox) {
        self.arrivals.end_intervals(WHOLE, 1);
        if measured.feedback.is_zero() {
            return;
        }
        let fine = self.qcn.params().quantizer == qcn::Quantizer::Fine;
        let flows = self.arrivals.accounts();
        let equal = Share::of(flows);
        let overrated = flows.iter().filter(|flow| equal.is_reached_by(flow));
        let brought: u128 = overrated.clone().map(amount).sum();
        for flow in overrated {
            // Fb(i) = Aᵢ / Σ Aₖ · Fb.
            let share = |feedback: u16| (amount(flow) * u128::from(feedback) / brought.max(1)) as u64;
            let feedback = if fine {
                QuantizedFeedback::from_parts(share(measured.feedback.parts()))
            } else {
                QuantizedFeedback::saturating(share(measured.feedback.get().into()))
            };
            if !feedback.is_zero() {
                self.notifications += 1;
                outbox.send(FlowKey(flow.id()), Notification { feedback, ..measured }.into());
            }
        }
    }
}

/// The arrivals of all flows, and the sum of their weights.
#[derive(Clone, Copy, Debug)]
struct Share {
    amount: u128,
    weight: u128,
}

impl Share {
    fn of(flows: &[Account]) -> Self {
        let weight = flows.iter().map(|flow| u128::from(flow.weight())).sum();
        Self { amount: flows.iter().map(amount).sum(), weight }
    }

    /// Whether a flow is at or above its share: Aᵢ ≥ Wᵢ / Σ Wⱼ · Σ Aⱼ.
    fn is_reached_by(self, flow: &Account) -> bool {
        amount(flow) * self.weight >= u128::from(flow.weight()) * self.amount
    }
}

fn amount(flow: &Account) -> u128 {
    flow.estimate().get().into()
}

impl BridgePart for Box<CongestionPoint> {
    type Params = CpParams;

    fn needs(_params: &CpParams) -> BridgeNeeds {
        BridgeNeeds { tenants: true, ..BridgeNeeds::NONE }
    }

    fn create(params: CpParams, _id: PointId) -> Self {
        Self::new(CongestionPoint::new(params))
    }

    fn heap_bytes(params: &CpParams) -> usize {
        size_of::<CongestionPoint>() + Arrivals::most_heap_bytes(params.flows.entries)
    }
}

impl Observe for CongestionPoint {
    #[inline]
    fn on_enqueue(&mut self, arrival: &Arrival, entropy: &mut dyn Entropy, outbox: &mut dyn Outbox) {
        let flow = Tenant { id: arrival.flow.0, weight: arrival.tenant.weight, max: None };
        self.arrivals.count(flow, arrival.frame);
        if let Some(measured) = self.qcn.sample(arrival, entropy) {
            self.notify(measured, outbox);
        }
    }

    fn counters(&self) -> CpCounters {
        CpCounters { notifications: self.notifications, ..self.qcn.counters() }
    }

    fn state(&self, show: &mut dyn Show) {
        self.qcn.state(show);
        self.arrivals.state(show);
    }
}
