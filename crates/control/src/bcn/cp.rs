//! The congestion point: which samples it tells of, and to whom.
//!
//! | the queue is | and Fb is | source of a frame tagged with this point | any other source |
//! |---|---|---|---|
//! | beyond the severe threshold | any | stop | stop |
//! | above the set point | negative | offset and difference | offset and difference |
//! | below the set point | positive | offset and difference | nothing |
//! | anything else | | nothing | nothing |
//!
//! * Fb = -(Qoff + w dQ), of which only the sign matters here; the source computes it again.
//! * A stop is an offset and a difference of zero, BCN(0,0), which no other message has.
//! * A frame tagged with another point's name counts as untagged.
//! * Source: as remembered (unverified). The proposal counts dQ as frames enqueued less frames dequeued since
//!   the last sample, which is the same difference of queue lengths unless frames are dropped.

use core::cmp::Ordering;

use super::params::CpParams;
use setpoint_units::Bytes;

use crate::linear_feedback::direction;
use crate::parameter::Power;
use crate::sampler::{Sampler, held};
use crate::{Arrival, CpCounters, Entropy, Notification, Observe, Outbox, PointId, QuantizedFeedback, Show};

/// A congestion point of BCN.
#[derive(Clone, Debug)]
pub struct CongestionPoint {
    sampler: Sampler,
    id: PointId,
    /// The largest a length can be held at where nothing is stopped.
    severe_threshold: u32,
    weight: Power,
}

/// BCN(0,0).
const STOP: Notification =
    Notification { feedback: QuantizedFeedback::saturating(0), queue_offset: 0, queue_delta: 0 };

impl CongestionPoint {
    /// A congestion point at an empty queue, with the name that tags have for it.
    #[must_use]
    pub fn new(params: CpParams, id: PointId) -> Self {
        let severe = params.severe_stop.is_on().then(|| held(params.severe_threshold));
        Self {
            sampler: Sampler::new(params.set_point, params.sample_base, params.jitter),
            id,
            severe_threshold: severe.unwrap_or(u32::MAX),
            weight: params.weight,
        }
    }

    fn notify(&mut self, arrival: &Arrival, sample: Notification, outbox: &mut impl Outbox) {
        let notification = if held(arrival.queue) > self.severe_threshold {
            STOP
        } else if self.is_sent(&sample, arrival.tag) {
            sample
        } else {
            return;
        };
        self.sampler.count_notification();
        outbox.send(arrival.flow, notification);
    }

    /// Whether a sample is told to the source of a frame.
    fn is_sent(&self, sample: &Notification, tag: Option<PointId>) -> bool {
        match direction(sample, self.weight) {
            Ordering::Less => sample.queue_offset < 0,
            Ordering::Greater => sample.queue_offset > 0 && tag == Some(self.id),
            Ordering::Equal => false,
        }
    }
}

impl Observe for CongestionPoint {
    #[inline]
    fn passes(&mut self, frame: Bytes) -> bool {
        self.sampler.passes(frame)
    }

    #[inline]
    fn on_enqueue(&mut self, arrival: &Arrival, entropy: &mut impl Entropy, outbox: &mut impl Outbox) {
        if let Some(sample) = self.sampler.on_enqueue(arrival, entropy) {
            self.notify(arrival, sample, outbox);
        }
    }

    /// Without a frame there is no tag: sources are slowed down or stopped, never let go faster.
    fn on_clock(&mut self, arrival: &Arrival, entropy: &mut impl Entropy, outbox: &mut impl Outbox) {
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
