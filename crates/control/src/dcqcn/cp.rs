//! The congestion point: marks frames at random, with a probability that depends on the queue length.
//!
//! The probability is zero up to k_min, grows linearly to p_max at k_max, and is one above. The length is that of one
//! output queue, without the frame itself, at this instant: there is no average.

use setpoint_units::Bytes;

use super::{CpParams, Marking};
use crate::parameter::Percent;
use crate::scheme::{BridgeNeeds, BridgePart};
use crate::{Arrival, CpCounters, Departure, Entropy, Mark, Observe, Outbox, PointId, Show};

/// A DCQCN congestion point.
///
/// ```
/// use setpoint_control::{Departure, FlowKey, Mark, Observe, dcqcn};
/// use setpoint_units::{Bytes, Time};
///
/// let mut point = dcqcn::CongestionPoint::new(dcqcn::CpParams::default());
/// let frame = Bytes::new(1_000);
/// let mut leave = |queue| {
///     let departure = Departure { now: Time::ZERO, frame, queue: Bytes::new(queue), flow: FlowKey(0) };
///     point.on_dequeue(&departure, &mut || 0)
/// };
/// // The random number is zero: every frame is marked unless its probability is zero.
/// assert_eq!((leave(6_000), leave(6_001)), (Mark::Clear, Mark::Congested));
/// ```
#[derive(Clone, Debug)]
pub struct CongestionPoint {
    params: CpParams,
    seen: u64,
    marked: u64,
}

impl CongestionPoint {
    /// Creates a congestion point.
    pub const fn new(params: CpParams) -> Self {
        Self { params, seen: 0, marked: 0 }
    }

    /// Decides by the queue length without the frame. Draws a random number only between the thresholds.
    fn decide(&mut self, queue: Bytes, entropy: &mut dyn Entropy) -> Mark {
        let CpParams { k_min, k_max, p_max, .. } = self.params;
        self.seen += 1;
        let marks = if queue <= k_min {
            false
        } else if queue > k_max {
            true
        } else {
            let (excess, width) = (queue.get() - k_min.get(), k_max.get() - k_min.get());
            // A random number of 32 bits is below 2^32 times the probability.
            let chance = (u128::from(excess) * u128::from(p_max.hundredths())) << 32;
            let whole = u128::from(width) * u128::from(Percent::WHOLE.hundredths());
            u128::from(entropy.next_u32()) * whole < chance
        };
        self.marked += u64::from(marks);
        if marks { Mark::Congested } else { Mark::Clear }
    }
}

impl BridgePart for CongestionPoint {
    type Params = CpParams;

    fn needs(params: &CpParams) -> BridgeNeeds {
        let marks = params.marking == Marking::Enqueue;
        BridgeNeeds { marks, departures: !marks, ..BridgeNeeds::NONE }
    }

    fn create(params: CpParams, _id: PointId) -> Self {
        Self::new(params)
    }
}

impl Observe for CongestionPoint {
    #[inline]
    fn passes(&mut self, _frame: Bytes) -> bool {
        true
    }

    fn on_enqueue(&mut self, _arrival: &Arrival, _entropy: &mut dyn Entropy, _outbox: &mut dyn Outbox) {}

    fn mark(&mut self, arrival: &Arrival, entropy: &mut dyn Entropy) -> Mark {
        self.decide(arrival.queue.saturating_sub(arrival.frame), entropy)
    }

    fn on_dequeue(&mut self, departure: &Departure, entropy: &mut dyn Entropy) -> Mark {
        self.decide(departure.queue.saturating_sub(departure.frame), entropy)
    }

    fn counters(&self) -> CpCounters {
        CpCounters { samples: self.seen, notifications: 0 }
    }

    fn marks(&self) -> Option<u64> {
        Some(self.marked)
    }

    fn state(&self, show: &mut dyn Show) {
        show.show("frames", crate::Reading::Number(self.seen as i64));
        show.show("marks", crate::Reading::Number(self.marked as i64));
    }
}
