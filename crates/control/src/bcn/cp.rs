//! The congestion point: which samples cause a notification, and to which sources.
//!
//! | the queue is | and Fb is | source of a frame tagged with this point | any other source |
//! |---|---|---|---|
//! | above the severe threshold | any | stop | stop |
//! | above the set point | negative | offset and difference | offset and difference |
//! | below the set point | positive | offset and difference | nothing |
//! | anything else | | nothing | nothing |
//!
//! * Fb = -(Qoff + w dQ). Only its sign matters here; the source computes its value.
//! * A stop is the message BCN(0,0): its offset and its difference are zero. No other message has these values.
//! * A frame tagged with another point's id counts as untagged.
//! * Source: from memory (unverified). The proposal counts dQ as frames enqueued minus frames dequeued since the last
//!   sample, which equals the difference in queue length unless frames are dropped.

use core::cmp::Ordering;

use super::params::CpParams;
use setpoint_units::Bytes;

use crate::linear_feedback::direction;
use crate::parameter::Power;
use crate::sampler::{Sampler, held};
use crate::scheme::{BridgeNeeds, BridgePart};
use crate::{Arrival, CpCounters, Entropy, Notification, Observe, Outbox, PointId, Show, Signal};

/// A BCN congestion point.
#[derive(Clone, Debug)]
pub struct CongestionPoint {
    sampler: Sampler,
    id: PointId,
    /// The queue length above which the point stops a source; if stops are off, the maximum length of any
    /// queue.
    severe_threshold: u32,
    weight: Power,
}

impl CongestionPoint {
    /// Creates a congestion point at an empty queue, with the id that identifies it in tags.
    pub fn new(params: CpParams, id: PointId) -> Self {
        let severe = params.severe_stop.is_on().then(|| held(params.severe_threshold));
        Self {
            sampler: Sampler::new(params.set_point, params.sample_base, params.jitter),
            id,
            severe_threshold: severe.unwrap_or(u32::MAX),
            weight: params.weight,
        }
    }

    fn notify(&mut self, arrival: &Arrival, sample: Notification, outbox: &mut dyn Outbox) {
        let signal = if held(arrival.queue) > self.severe_threshold {
            Signal::Stop
        } else if self.is_sent(&sample, arrival.tag) {
            Signal::Notification(sample)
        } else {
            return;
        };
        self.sampler.count_notification();
        outbox.send(arrival.flow, signal);
    }

    /// Whether a sample is sent to the source of a frame with this tag.
    fn is_sent(&self, sample: &Notification, tag: Option<PointId>) -> bool {
        match direction(sample, self.weight) {
            Ordering::Less => sample.queue_offset < 0,
            Ordering::Greater => sample.queue_offset > 0 && tag == Some(self.id),
            Ordering::Equal => false,
        }
    }
}

impl BridgePart for CongestionPoint {
    type Params = CpParams;

    fn needs(_params: &CpParams) -> BridgeNeeds {
        BridgeNeeds { clock: true, ..BridgeNeeds::NONE }
    }

    fn create(params: CpParams, id: PointId) -> Self {
        Self::new(params, id)
    }
}

impl Observe for CongestionPoint {
    #[inline]
    fn passes(&mut self, frame: Bytes) -> bool {
        self.sampler.passes(frame)
    }

    #[inline]
    fn on_enqueue(&mut self, arrival: &Arrival, entropy: &mut dyn Entropy, outbox: &mut dyn Outbox) {
        if let Some(sample) = self.sampler.on_enqueue(arrival, entropy) {
            self.notify(arrival, sample, outbox);
        }
    }

    /// Without a frame there is no tag: sources can be slowed down or stopped, but not sped up.
    fn on_clock(&mut self, arrival: &Arrival, entropy: &mut dyn Entropy, outbox: &mut dyn Outbox) {
        let sample = self.sampler.on_clock(arrival, entropy);
        self.notify(&Arrival { tag: None, ..*arrival }, sample, outbox);
    }

    fn counters(&self) -> CpCounters {
        self.sampler.counters()
    }

    fn state(&self, show: &mut dyn Show) {
        self.sampler.state(show);
    }
}
