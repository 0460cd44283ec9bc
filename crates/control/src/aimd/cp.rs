//! The congestion point: samples regularly, and tells every sample.
//!
//! * Offset and difference are sent as they are, of either sign; the source makes the feedback of them.
//! * A sample at which both are zero is told as well: a feedback of zero is one of the sequence that theorem 1 is
//!   about, and system 2 answers to it with a quarter of the one before.

use super::params::CpParams;
use setpoint_units::Bytes;

use crate::sampler::Sampler;
use crate::{Arrival, CpCounters, Entropy, Observe, Outbox, Show};

/// A congestion point of AIMD with feedback.
#[derive(Clone, Debug)]
pub struct CongestionPoint {
    sampler: Sampler,
}

impl CongestionPoint {
    /// A congestion point at an empty queue.
    #[must_use]
    pub fn new(params: CpParams) -> Self {
        Self { sampler: Sampler::new(params.set_point, params.sample_base, params.jitter) }
    }
}

impl Observe for CongestionPoint {
    #[inline]
    fn passes(&mut self, frame: Bytes) -> bool {
        self.sampler.passes(frame)
    }

    #[inline]
    fn on_enqueue(&mut self, arrival: &Arrival, entropy: &mut impl Entropy, outbox: &mut impl Outbox) {
        if let Some(notification) = self.sampler.on_enqueue(arrival, entropy) {
            self.sampler.count_notification();
            outbox.send(arrival.flow, notification);
        }
    }

    fn on_clock(&mut self, arrival: &Arrival, entropy: &mut impl Entropy, outbox: &mut impl Outbox) {
        let notification = self.sampler.on_clock(arrival, entropy);
        self.sampler.count_notification();
        outbox.send(arrival.flow, notification);
    }

    fn counters(&self) -> CpCounters {
        self.sampler.counters()
    }

    fn state(&self, show: &mut dyn Show) {
        self.sampler.state(show);
    }
}
