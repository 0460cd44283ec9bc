//! The congestion point: monitors a queue, samples frames and notifies their sources of congestion.
//!
//! A sample computes the feedback
//!
//! ```text
//! Fb = (Qeq - q) - w (q - qOld)      clamped to -Qeq(2w + 1) and 0
//! ```
//!
//! from the queue length q, including the sampled frame, quantises -Fb to six bits and notifies the frame's source
//! unless they are all zero. The bits also determine how many bytes are enqueued before the next sample.
//!
//! * Source: pseudo-code revision 2.2; managed objects of clause 32.8 of IEEE 802.1Q. Whether the standard's
//!   queue length includes the arriving frame was not checked; here it does, as in ns-3-dcn.
//! * A sample is due when the byte counter falls **below** zero. The excess is discarded: the counter
//!   restarts from the table.
//! * Arithmetic is exact. With a weight below one, lengths are counted in units of w bytes, so that nothing
//!   is rounded before the quantiser, which rounds down.
//! * With probabilistic sampling the counter stays at zero, so that every frame takes it below zero.

use setpoint_units::Bytes;

use super::feedback::Feedback;
use super::{CpParams, FirstSample, OldQueue, Sampling};
use crate::coin;
use crate::jitter::jittered;
use crate::scheme::{BridgeNeeds, BridgePart};
use crate::{
    Arrival, CpCounters, Entropy, Notification, Observe, Outbox, PointId, QuantizedFeedback, Reading, Show,
};

/// An IEEE 802.1Qau congestion point.
///
/// ```
/// use setpoint_control::{Arrival, FlowKey, Observe, Signal, qcn};
/// use setpoint_units::Bytes;
///
/// let params = qcn::CpParams { sampling: qcn::Sampling::EveryFrame, ..qcn::CpParams::default() };
/// let mut point = qcn::CongestionPoint::new(params);
/// let frame = Bytes::new(1_500);
/// let mut outbox: Vec<(FlowKey, Signal)> = Vec::new();
/// point.on_enqueue(&Arrival::of(frame, Bytes::new(8_000)), &mut || 0, &mut outbox);
/// assert_eq!(outbox, [], "below the set point");
/// point.on_enqueue(&Arrival::of(frame, Bytes::new(36_000)), &mut || 0, &mut outbox);
/// let notification = outbox[0].1.fields();
/// assert_eq!((notification.queue_offset, notification.queue_delta), (-10_000, 28_000));
/// // 63 (10 000 + 2 · 28 000) / (26 000 (2 · 2 + 1)), rounded down
/// assert_eq!(notification.feedback.get(), 31);
/// ```
// One cache line, since every frame of the queue touches it.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub struct CongestionPoint {
    /// Bytes that can still be enqueued before the next sample.
    to_sample: i64,
    old_queue: Bytes,
    counters: CpCounters,
    params: CpParams,
}

impl CongestionPoint {
    /// Creates a congestion point at an empty queue.
    pub fn new(params: CpParams) -> Self {
        let to_sample = match (params.sampling, params.first_sample) {
            (
                Sampling::Table | Sampling::Regular | Sampling::LinearInterval,
                FirstSample::AfterSampleBase,
            ) => signed(params.sample_base),
            _ => 0,
        };
        Self { to_sample, old_queue: Bytes::ZERO, counters: CpCounters::default(), params }
    }

    /// Handles a frame that enters the queue; returns the measurement if the frame is sampled, with a feedback
    /// of zero if QCN alone would send nothing. Used by points that add to QCN's feedback or divide it.
    #[inline]
    pub(crate) fn sample(&mut self, arrival: &Arrival, entropy: &mut dyn Entropy) -> Option<Notification> {
        self.to_sample -= signed(arrival.frame);
        if self.to_sample >= 0 {
            return None;
        }
        self.on_expiry(arrival.queue, entropy)
    }

    /// Its parameters.
    pub fn params(&self) -> &CpParams {
        &self.params
    }

    /// The queue length from which growth is measured.
    pub fn old_queue(&self) -> Bytes {
        self.old_queue
    }

    /// The distance of a measurement below zero, in feedback steps: the margin before congestion.
    pub(crate) fn spare(&self, measured: &Notification) -> QuantizedFeedback {
        let (below, shrunk) = (measured.queue_offset, measured.queue_delta.saturating_neg());
        Feedback::of(&self.params, below, shrunk).quantized(&self.params)
    }

    // Out of line: one frame in a hundred gets here, and the caller's loop must stay small.
    #[cold]
    #[inline(never)]
    fn on_expiry(&mut self, queue: Bytes, entropy: &mut dyn Entropy) -> Option<Notification> {
        let (feedback, quantized) = self.restart(queue, entropy);
        let sampled = match self.params.sampling {
            Sampling::Table | Sampling::Regular | Sampling::LinearInterval | Sampling::EveryFrame => true,
            Sampling::Fixed => coin::toss(self.params.fixed_probability, entropy),
            Sampling::Linear => feedback.linear_coin(&self.params, entropy),
        };
        sampled.then(|| self.measure(queue, quantized))
    }

    /// Computes the feedback for a queue length and restarts the counter with it.
    fn restart(&mut self, queue: Bytes, entropy: &mut dyn Entropy) -> (Feedback, QuantizedFeedback) {
        let feedback = Feedback::new(&self.params, queue, self.old_queue);
        let quantized = feedback.quantized(&self.params);
        self.to_sample = self.next_interval(feedback, quantized, entropy);
        (feedback, quantized)
    }

    fn measure(&mut self, queue: Bytes, feedback: QuantizedFeedback) -> Notification {
        let measured = Notification {
            feedback,
            queue_offset: signed(self.params.set_point) - signed(queue),
            queue_delta: signed(queue) - signed(self.old_queue),
        };
        let due = !feedback.is_zero();
        self.counters.samples += 1;
        self.counters.notifications += u64::from(due);
        if due || self.params.old_queue == OldQueue::LastSample {
            self.old_queue = queue;
        }
        measured
    }

    /// Bytes until the next sample; zero if every frame may be sampled.
    fn next_interval(
        &self,
        feedback: Feedback,
        quantized: QuantizedFeedback,
        entropy: &mut dyn Entropy,
    ) -> i64 {
        let interval = match self.params.sampling {
            Sampling::Table => mark_interval(self.params.sample_base, quantized).get(),
            Sampling::Regular => self.params.sample_base.get(),
            Sampling::LinearInterval => feedback.linear_interval(&self.params),
            Sampling::EveryFrame | Sampling::Fixed | Sampling::Linear => return 0,
        };
        jittered(interval, self.params.jitter, entropy) as i64
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
        let left = self.to_sample - signed(frame);
        if left >= 0 {
            self.to_sample = left;
        }
        left >= 0
    }

    #[inline]
    fn on_enqueue(&mut self, arrival: &Arrival, entropy: &mut dyn Entropy, outbox: &mut dyn Outbox) {
        if let Some(measured) = self.sample(arrival, entropy)
            && !measured.feedback.is_zero()
        {
            outbox.send(arrival.flow, measured.into());
        }
    }

    /// Takes a sample regardless of the counter and the sampling probability, and restarts the counter.
    fn on_clock(&mut self, arrival: &Arrival, entropy: &mut dyn Entropy, outbox: &mut dyn Outbox) {
        let (_, quantized) = self.restart(arrival.queue, entropy);
        let measured = self.measure(arrival.queue, quantized);
        if !measured.feedback.is_zero() {
            outbox.send(arrival.flow, measured.into());
        }
    }

    fn counters(&self) -> CpCounters {
        self.counters
    }

    fn state(&self, show: &mut dyn Show) {
        show.show("to_sample", Reading::Bytes(self.to_sample));
        show.show("old_queue", Reading::bytes(self.old_queue));
    }
}

/// Bytes to the next sample, before jitter: the mark table, indexed by the upper three bits of the feedback.
///
/// The published table is 150, 75, 50, 37.5, 30, 25, 21.5 and 18.5 kB: the sample base divided by 1 to 8, with
/// the last two rounded to half a kilobyte. For another sample base it is scaled as a whole and rounded down to
/// the byte, so that the default gives the published entries and 150 KiB gives the entries of the Linux
/// queueing discipline; the last two are then 43/300 and 37/300 of the base, not a seventh and an eighth.
pub fn mark_interval(sample_base: Bytes, feedback: QuantizedFeedback) -> Bytes {
    const THREE_HUNDREDTHS: [u64; 8] = [300, 150, 100, 75, 60, 50, 43, 37];
    sample_base * THREE_HUNDREDTHS[usize::from(feedback.get() / 8)] / 300
}

/// Lengths are far below 2^63 bytes.
#[inline]
fn signed(length: Bytes) -> i64 {
    length.get() as i64
}
