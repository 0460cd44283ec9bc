//! The interface of congestion points.

use alloc::boxed::Box;
use core::fmt::Debug;

use setpoint_units::Bytes;

use crate::signal::{Admission, Arrival, Departure, Entropy, Mark, Outbox};
use crate::state::Show;

/// The interface of a congestion point.
///
/// The caller passes in every frame, and the point sends its notifications to the [`Outbox`].
///
/// ```
/// use setpoint_control::{Arrival, FlowKey, Observe, Signal, aimd};
/// use setpoint_units::Bytes;
///
/// let mut point = aimd::CongestionPoint::new(aimd::CpParams::default());
/// let arrival = Arrival::of(Bytes::new(1_500), Bytes::new(40_000));
/// let mut outbox: Vec<(FlowKey, Signal)> = Vec::new();
/// for _ in 0..100 {
///     assert!(point.passes(arrival.frame), "150 kB are not yet exceeded");
/// }
/// point.on_enqueue(&arrival, &mut || 0, &mut outbox);
/// assert_eq!(outbox[0].1.fields().queue_offset, 30_000 - 40_000);
/// assert_eq!(point.counters().samples, 1);
/// ```
pub trait Observe: CloneObserve + Debug + Send + Sync {
    /// The fast path: if the point needs only the length of the frame, counts it and returns true. Otherwise returns
    /// false, and the caller calls [`Observe::on_enqueue`]. Points that sample by counting bytes return true for most
    /// frames.
    #[inline]
    fn passes(&mut self, _frame: Bytes) -> bool {
        false
    }

    /// Handles a frame that enters the queue, and sends the notifications that are due.
    fn on_enqueue(&mut self, arrival: &Arrival, entropy: &mut dyn Entropy, outbox: &mut dyn Outbox);

    /// Decides whether a frame may enter the queue. The queue length does not include the frame yet. Called only if the point
    /// [needs](crate::BridgeNeeds) `admission`.
    fn admit(&mut self, _arrival: &Arrival, _entropy: &mut dyn Entropy) -> Admission {
        Admission::Accept
    }

    /// Samples the queue without an arriving frame, in place of a frame that is held back upstream: `arrival` has
    /// length zero. Called only if the point [needs](crate::BridgeNeeds) `clock`.
    fn on_clock(&mut self, _arrival: &Arrival, _entropy: &mut dyn Entropy, _outbox: &mut dyn Outbox) {}

    /// Decides whether to mark a frame that enters the queue. Called before [`Observe::on_enqueue`], only if the point
    /// [needs](crate::BridgeNeeds) `marks`.
    fn mark(&mut self, _arrival: &Arrival, _entropy: &mut dyn Entropy) -> Mark {
        Mark::Clear
    }

    /// Decides whether to mark a frame that leaves the queue. Called only if the point [needs](crate::BridgeNeeds)
    /// `departures`.
    fn on_dequeue(&mut self, _departure: &Departure, _entropy: &mut dyn Entropy) -> Mark {
        Mark::Clear
    }

    /// The counters of the point.
    fn counters(&self) -> CpCounters;

    /// Number of marked frames; none for a point that never marks.
    fn marks(&self) -> Option<u64> {
        None
    }

    /// Shows the state of the point.
    fn state(&self, show: &mut dyn Show);
}

/// Copies a boxed point with its state. Implemented for every point that is [`Clone`].
pub trait CloneObserve {
    /// A copy with the same state.
    fn clone_box(&self) -> Box<dyn Observe>;
}

impl<P: Observe + Clone + 'static> CloneObserve for P {
    fn clone_box(&self) -> Box<dyn Observe> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn Observe> {
    fn clone(&self) -> Self {
        (**self).clone_box()
    }
}

/// A point that is boxed because it is large.
impl<P: Observe + Clone + 'static> Observe for Box<P> {
    #[inline]
    fn passes(&mut self, frame: Bytes) -> bool {
        (**self).passes(frame)
    }

    #[inline]
    fn on_enqueue(&mut self, arrival: &Arrival, entropy: &mut dyn Entropy, outbox: &mut dyn Outbox) {
        (**self).on_enqueue(arrival, entropy, outbox);
    }

    fn admit(&mut self, arrival: &Arrival, entropy: &mut dyn Entropy) -> Admission {
        (**self).admit(arrival, entropy)
    }

    fn on_clock(&mut self, arrival: &Arrival, entropy: &mut dyn Entropy, outbox: &mut dyn Outbox) {
        (**self).on_clock(arrival, entropy, outbox);
    }

    fn mark(&mut self, arrival: &Arrival, entropy: &mut dyn Entropy) -> Mark {
        (**self).mark(arrival, entropy)
    }

    fn on_dequeue(&mut self, departure: &Departure, entropy: &mut dyn Entropy) -> Mark {
        (**self).on_dequeue(departure, entropy)
    }

    fn counters(&self) -> CpCounters {
        (**self).counters()
    }

    fn marks(&self) -> Option<u64> {
        (**self).marks()
    }

    fn state(&self, show: &mut dyn Show) {
        (**self).state(show);
    }
}

/// Counters of a congestion point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CpCounters {
    /// Sampled frames.
    pub samples: u64,
    /// Notifications sent.
    pub notifications: u64,
}
