//! The congestion point: samples frames and sends the unquantised offset and difference.
//!
//! ```text
//! Qoff = q - q0        the notification contains -Qoff, with the sign of QCN
//! dQ   = q - qOld      qOld is the queue length at the last sample (section 2.2)
//! ```
//!
//! * Both go to the source of the sampled frame, whatever their signs (section 4.2); the quantised feedback is
//!   zero. Neither is rounded: the paper quantises them "into as many bit as possible".
//! * A sample at which both are zero sends nothing. The paper does not specify this case.
//! * The paper samples one in 100 frames of 1 kB. Here the point counts bytes, with QCN's jitter: an exact count of
//!   frames would fall into step with constant-rate background traffic. It can also sample each frame with a fixed
//!   probability ([`CpParams::sampling`]).

use super::params::{CpParams, Sampling};
use setpoint_units::Bytes;

use crate::sampler::Sampler;
use crate::scheme::{BridgeNeeds, BridgePart};
use crate::{Arrival, CpCounters, Entropy, Notification, Observe, Outbox, PointId, Show};

/// An SMCC congestion point.
///
/// ```
/// use setpoint_control::{Arrival, FlowKey, Observe, Signal, smcc};
/// use setpoint_units::Bytes;
///
/// let mut point = smcc::CongestionPoint::new(smcc::CpParams::default());
/// let mut outbox: Vec<(FlowKey, Signal)> = Vec::new();
/// for _ in 0..101 {
///     point.on_enqueue(&Arrival::of(Bytes::new(1_500), Bytes::new(50_000)), &mut || 0, &mut outbox);
/// }
/// // The queue is 14 kB below its set point of 64 kB: a message to speed up.
/// let sent = outbox[0].1.fields();
/// assert_eq!((sent.queue_offset, sent.queue_delta), (14_000, 50_000));
/// ```
#[derive(Clone, Debug)]
pub struct CongestionPoint {
    sampler: Sampler,
}

impl CongestionPoint {
    /// Creates a congestion point at an empty queue.
    pub fn new(params: CpParams) -> Self {
        let sampler = match params.sampling {
            Sampling::Regular => Sampler::new(params.set_point, params.sample_base, params.jitter),
            Sampling::Fixed => Sampler::random(params.set_point, params.fixed_probability),
        };
        Self { sampler }
    }

    fn notify(&mut self, arrival: &Arrival, sample: Notification, outbox: &mut dyn Outbox) {
        if sample.queue_offset != 0 || sample.queue_delta != 0 {
            self.sampler.count_notification();
            outbox.send(arrival.flow, sample.into());
        }
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
        if let Some(sample) = self.sampler.on_enqueue(arrival, entropy) {
            self.notify(arrival, sample, outbox);
        }
    }

    fn on_clock(&mut self, arrival: &Arrival, entropy: &mut dyn Entropy, outbox: &mut dyn Outbox) {
        let sample = self.sampler.on_clock(arrival, entropy);
        self.notify(arrival, sample, outbox);
    }

    fn counters(&self) -> CpCounters {
        self.sampler.counters()
    }

    fn state(&self, show: &mut dyn Show) {
        self.sampler.state(show);
    }
}
