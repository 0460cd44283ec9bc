//! The congestion point: samples regularly and sends a notification for every sample.
//!
//! * Offset and difference are sent unquantised, with their signs; the source computes the feedback from them.
//! * A sample at which both are zero is sent as well: a feedback of zero belongs to the sequence of theorem 1, and system
//!   2 responds to it with a quarter of the previous feedback.

use super::params::CpParams;
use setpoint_units::Bytes;

use crate::sampler::Sampler;
use crate::scheme::{BridgeNeeds, BridgePart};
use crate::{Arrival, CpCounters, Entropy, Observe, Outbox, PointId, Show};

/// A congestion point for AIMD with feedback.
#[derive(Clone, Debug)]
pub struct CongestionPoint {
    sampler: Sampler,
}

impl CongestionPoint {
    /// Creates a congestion point at an empty queue.
    pub fn new(params: CpParams) -> Self {
        Self { sampler: Sampler::new(params.set_point, params.sample_base, params.jitter) }
    }
}

impl BridgePart for CongestionPoint {
    type Params = CpParams;

    fn needs(_params: &CpParams) -> BridgeNeeds {
        BridgeNeeds { clock: true, ..BridgeNeeds::NONE }
    }

    fn create(params: CpParams, _id: PointId) -> Self {
        Self::new(params)
    }
}

impl Observe for CongestionPoint {
    #[inline]
    fn passes(&mut self, frame: Bytes) -> bool {
        self.sampler.passes(frame)
    }

    #[inline]
    fn on_enqueue(&mut self, arrival: &Arrival, entropy: &mut dyn Entropy, outbox: &mut dyn Outbox) {
        if let Some(notification) = self.sampler.on_enqueue(arrival, entropy) {
            self.sampler.count_notification();
            outbox.send(arrival.flow, notification.into());
        }
    }

    fn on_clock(&mut self, arrival: &Arrival, entropy: &mut dyn Entropy, outbox: &mut dyn Outbox) {
        let notification = self.sampler.on_clock(arrival, entropy);
        self.sampler.count_notification();
        outbox.send(arrival.flow, notification.into());
    }

    fn counters(&self) -> CpCounters {
        self.sampler.counters()
    }

    fn state(&self, show: &mut dyn Show) {
        self.sampler.state(show);
    }
}
