//! Sampling for congestion points that send the unquantised offset and difference of the queue.
//!
//! The point samples a frame each time the sample base, varied by the jitter, has been enqueued, or it samples each
//! frame with the same probability. A sample compares the queue, including the sampled frame, with the set point
//! and with the previous sample.
//!
//! * A sample is due when the byte counter falls **below** zero; the excess is discarded. The first one is
//!   taken after a whole sample base, without jitter, as in QCN by default.
//! * With random sampling the counter stays at zero, so that every frame takes it below zero and leads to a random
//!   decision.
//! * Lengths are clamped to 2^32 - 1 bytes, the maximum of the standard's managed objects, so that a point is
//!   small and no sum overflows.

use setpoint_units::Bytes;

use crate::coin;
use crate::jitter::jittered;
use crate::parameter::Percent;
use crate::{Arrival, CpCounters, Entropy, Notification, QuantizedFeedback, Reading, Show};

/// The sampling half of a congestion point.
#[derive(Clone, Debug)]
pub(crate) struct Sampler {
    /// Bytes that can still be enqueued before the next sample.
    to_sample: i64,
    counters: CpCounters,
    old_queue: u32,
    set_point: u32,
    schedule: Schedule,
}

/// The frames that are sampled.
#[derive(Clone, Copy, Debug)]
enum Schedule {
    Regular { sample_base: u32, jitter: Percent },
    Random { probability: Percent },
}

impl Sampler {
    /// Creates a sampler at an empty queue that samples regularly.
    pub(crate) fn new(set_point: Bytes, sample_base: Bytes, jitter: Percent) -> Self {
        let sample_base = held(sample_base);
        Self::of(set_point, sample_base.into(), Schedule::Regular { sample_base, jitter })
    }

    /// Creates a sampler at an empty queue that samples each frame with the given probability.
    pub(crate) fn random(set_point: Bytes, probability: Percent) -> Self {
        Self::of(set_point, 0, Schedule::Random { probability })
    }

    fn of(set_point: Bytes, to_sample: i64, schedule: Schedule) -> Self {
        let counters = CpCounters::default();
        Self { to_sample, counters, old_queue: 0, set_point: held(set_point), schedule }
    }

    /// Counts the frame and returns true, unless it is to be sampled.
    #[inline]
    pub(crate) fn passes(&mut self, frame: Bytes) -> bool {
        let left = self.to_sample - i64::from(held(frame));
        if left >= 0 {
            self.to_sample = left;
        }
        left >= 0
    }

    /// Handles a frame that enters the queue; returns the measurement if the frame is sampled.
    #[inline]
    pub(crate) fn on_enqueue(
        &mut self,
        arrival: &Arrival,
        entropy: &mut dyn Entropy,
    ) -> Option<Notification> {
        self.to_sample -= i64::from(held(arrival.frame));
        if self.to_sample >= 0 {
            return None;
        }
        self.on_expiry(arrival.queue, entropy)
    }

    /// Samples without an arriving frame and restarts the counter.
    pub(crate) fn on_clock(&mut self, arrival: &Arrival, entropy: &mut dyn Entropy) -> Notification {
        self.sample(arrival.queue, entropy)
    }

    /// Counts a notification.
    pub(crate) fn count_notification(&mut self) {
        self.counters.notifications += 1;
    }

    pub(crate) fn counters(&self) -> CpCounters {
        self.counters
    }

    pub(crate) fn state(&self, show: &mut dyn Show) {
        show.show("to_sample", Reading::Bytes(self.to_sample));
        show.show("old_queue", Reading::Bytes(i64::from(self.old_queue)));
    }

    // Out of line: one frame in a hundred gets here, and the caller's loop must stay small.
    #[cold]
    #[inline(never)]
    fn on_expiry(&mut self, queue: Bytes, entropy: &mut dyn Entropy) -> Option<Notification> {
        match self.schedule {
            Schedule::Random { probability } if !coin::toss(probability, entropy) => {
                self.to_sample = 0;
                None
            }
            _ => Some(self.sample(queue, entropy)),
        }
    }

    fn sample(&mut self, queue: Bytes, entropy: &mut dyn Entropy) -> Notification {
        let queue = held(queue);
        let notification = Notification {
            feedback: QuantizedFeedback::default(),
            queue_offset: i64::from(self.set_point) - i64::from(queue),
            queue_delta: i64::from(queue) - i64::from(self.old_queue),
        };
        self.to_sample = match self.schedule {
            Schedule::Regular { sample_base, jitter } => {
                jittered(u64::from(sample_base), jitter, entropy) as i64
            }
            Schedule::Random { .. } => 0,
        };
        self.old_queue = queue;
        self.counters.samples += 1;
        notification
    }
}

/// A length, clamped to the maximum of the standard's 32-bit objects.
#[inline]
pub(crate) fn held(length: Bytes) -> u32 {
    u32::try_from(length.get()).unwrap_or(u32::MAX)
}
