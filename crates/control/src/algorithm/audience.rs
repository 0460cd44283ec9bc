//! The flows that a congestion point notifies when it samples a frame.
//!
//! According to the standard it notifies the source of the sampled frame, so that sources are notified in proportion
//! to their rates. The fairness argument of the SMCC paper (section 4.2) compares sources that all receive the same
//! messages; [`Audience::EveryFlow`] provides them.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::CongestionPoint;
use crate::signal::{Admission, Arrival, Departure, Entropy, FlowKey, Mark, Outbox, Signal};
use crate::state::Show;
use crate::{CpCounters, Observe};

/// The flows that a congestion point notifies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Audience {
    /// The flow of the sampled frame.
    #[default]
    Sampled,
    /// Every flow from which a frame has arrived since the previous sample, including the sampled frame. All receive
    /// the same signal, in the order of their numbers.
    EveryFlow,
}

/// A congestion point that notifies every flow it has seen since the previous sample.
#[derive(Clone, Debug)]
pub struct EveryFlow {
    point: CongestionPoint,
    /// The flows from which frames have arrived since the previous sample, in ascending order.
    flows: Vec<FlowKey>,
    /// The signals of the last sample, in a buffer that is reused.
    sent: Vec<(FlowKey, Signal)>,
    /// The number of signals that the inner point's own counter does not include.
    copies: u64,
}

impl EveryFlow {
    /// Wraps a congestion point.
    pub(crate) fn around(point: CongestionPoint) -> Box<Self> {
        Box::new(Self { point, flows: Vec::new(), sent: Vec::new(), copies: 0 })
    }

    /// Records the flow of a frame.
    fn see(&mut self, flow: FlowKey) {
        if let Err(place) = self.flows.binary_search(&flow) {
            self.flows.insert(place, flow);
        }
    }

    /// After a sample, sends its signal to all flows and forgets them.
    fn pass_on(&mut self, samples: u64, outbox: &mut dyn Outbox) {
        if self.point.counters().samples == samples {
            return;
        }
        for (_, signal) in self.sent.drain(..) {
            self.copies += self.flows.len().saturating_sub(1) as u64;
            self.flows.iter().for_each(|flow| outbox.send(*flow, signal));
        }
        self.flows.clear();
    }
}

impl Observe for EveryFlow {
    fn on_enqueue(&mut self, arrival: &Arrival, entropy: &mut dyn Entropy, outbox: &mut dyn Outbox) {
        self.see(arrival.flow);
        let samples = self.point.counters().samples;
        self.point.on_enqueue(arrival, entropy, &mut self.sent);
        self.pass_on(samples, outbox);
    }

    fn admit(&mut self, arrival: &Arrival, entropy: &mut dyn Entropy) -> Admission {
        self.point.admit(arrival, entropy)
    }

    fn mark(&mut self, arrival: &Arrival, entropy: &mut dyn Entropy) -> Mark {
        self.point.mark(arrival, entropy)
    }

    fn on_dequeue(&mut self, departure: &Departure, entropy: &mut dyn Entropy) -> Mark {
        self.point.on_dequeue(departure, entropy)
    }

    fn on_clock(&mut self, arrival: &Arrival, entropy: &mut dyn Entropy, outbox: &mut dyn Outbox) {
        self.see(arrival.flow);
        let samples = self.point.counters().samples;
        self.point.on_clock(arrival, entropy, &mut self.sent);
        self.pass_on(samples, outbox);
    }

    fn counters(&self) -> CpCounters {
        let CpCounters { samples, notifications } = self.point.counters();
        CpCounters { samples, notifications: notifications + self.copies }
    }

    fn marks(&self) -> Option<u64> {
        self.point.marks()
    }

    fn state(&self, show: &mut dyn Show) {
        self.point.state(show);
    }
}
