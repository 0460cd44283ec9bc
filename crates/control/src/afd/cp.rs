//! The congestion point, which decides which frames enter the queue.

use alloc::boxed::Box;

use setpoint_units::{Bytes, Time};

use super::params::Params;
use crate::arrivals::{Account, Amount, Arrivals, Intervals};
use crate::parameter::Percent;
use crate::scheme::{BridgeNeeds, BridgePart};
use crate::{Admission, Arrival, CpCounters, Entropy, Observe, Outbox, PointId, Reading, Show};

/// An AFD queue manager.
#[derive(Clone, Debug)]
pub struct CongestionPoint {
    intervals: Intervals,
    arrivals: Arrivals,
    /// Mfair: the fair share of an account of weight one, per interval.
    fair: Amount,
    /// The queue length at the end of the last interval.
    old_queue: Bytes,
    drops: u64,
    params: Params,
}

impl CongestionPoint {
    /// Creates a point at an empty queue, without accounts, whose fair share is the whole link.
    pub fn new(params: Params) -> Self {
        Self {
            intervals: Intervals::new(params.interval),
            arrivals: Arrivals::new(params.entries),
            fair: params.most(),
            old_queue: Bytes::ZERO,
            drops: 0,
            params,
        }
    }

    /// The measured arrivals.
    pub fn arrivals(&self) -> &Arrivals {
        &self.arrivals
    }

    /// Mfair: the fair share of an account of weight one, per interval.
    pub fn fair_share(&self) -> Amount {
        self.fair
    }

    #[cold]
    #[inline(never)]
    fn end_intervals(&mut self, now: Time, queue: Bytes) {
        let ended = self.intervals.advance(now);
        if ended > 0 {
            self.arrivals.end_intervals(self.params.smoothing, ended);
            self.adjust(queue);
            self.drift(queue, ended - 1);
        }
    }

    /// Equation (2): Mfair ← Mfair - a₁ (Q - Q_ref) + a₂ (Q_old - Q_ref).
    fn adjust(&mut self, queue: Bytes) {
        let old_queue = core::mem::replace(&mut self.old_queue, queue);
        let raised = gain(self.params.a2) * self.params.excess(old_queue);
        self.move_share(raised - gain(self.params.a1) * self.params.excess(queue));
    }

    /// Equation (2) for further intervals with the same queue length at their ends.
    fn drift(&mut self, queue: Bytes, intervals: u64) {
        let slope = gain(self.params.a2) - gain(self.params.a1);
        let drift = slope * self.params.excess(queue);
        self.move_share(drift.saturating_mul(intervals.into()));
    }

    /// Changes Mfair by the given number of hundredths of a percent of a byte, rounds it down to a multiple of 1/256
    /// byte, and clamps it to its bounds.
    fn move_share(&mut self, hundredths: i128) {
        let parts = i128::from(Amount::BYTE.get());
        let moved = hundredths.saturating_mul(parts).div_euclid(gain(Percent::WHOLE));
        let fair = i128::from(self.fair.get()).saturating_add(moved);
        self.fair = Amount::new(fair.clamp(0, self.params.most().get().into()) as u64);
    }

    /// Equation (3): a frame of account i is dropped with probability Dᵢ = (1 - Mfairᵢ/Mᵢ)₊.
    fn drops(&self, account: &Account, entropy: &mut dyn Entropy) -> bool {
        let estimate = u128::from(account.estimate().get());
        let share = u128::from(self.fair.get()) * u128::from(account.weight());
        // Equivalent to drawn / 2³² < (Mᵢ - Mfairᵢ) / Mᵢ, but without a division.
        estimate > share && u128::from(entropy.next_u32()) * estimate < (estimate - share) << 32
    }
}

impl Params {
    /// The maximum of Mfair: the capacity of the link, plus the set point to fill an empty queue.
    fn most(&self) -> Amount {
        let carried = Amount::at(self.max_share, self.interval).get();
        Amount::new(carried + Amount::bytes(self.set_point).get())
    }

    fn excess(&self, queue: Bytes) -> i128 {
        i128::from(queue.get()) - i128::from(self.set_point.get())
    }
}

/// A gain in hundredths of a percent.
fn gain(percent: Percent) -> i128 {
    percent.hundredths().into()
}

impl BridgePart for Box<CongestionPoint> {
    type Params = Params;

    fn needs(_params: &Params) -> BridgeNeeds {
        BridgeNeeds { admission: true, tenants: true, ..BridgeNeeds::NONE }
    }

    fn create(params: Params, _id: PointId) -> Self {
        Self::new(CongestionPoint::new(params))
    }

    fn heap_bytes(params: &Params) -> usize {
        size_of::<CongestionPoint>() + Arrivals::most_heap_bytes(params.entries)
    }
}

impl Observe for CongestionPoint {
    /// Frames that enter the queue have already been counted by `admit`.
    #[inline]
    fn passes(&mut self, _frame: Bytes) -> bool {
        true
    }

    #[inline]
    fn on_enqueue(&mut self, _arrival: &Arrival, _entropy: &mut dyn Entropy, _outbox: &mut dyn Outbox) {}

    fn admit(&mut self, arrival: &Arrival, entropy: &mut dyn Entropy) -> Admission {
        if self.intervals.are_over(arrival.now) {
            self.end_intervals(arrival.now, arrival.queue);
        }
        self.arrivals.count(arrival.tenant, arrival.frame);
        match self.arrivals.account(arrival.tenant.id) {
            Some(account) if self.drops(account, entropy) => {
                self.drops += 1;
                Admission::Drop
            }
            _ => Admission::Accept,
        }
    }

    /// AFD neither samples nor notifies.
    fn counters(&self) -> CpCounters {
        CpCounters::default()
    }

    fn state(&self, show: &mut dyn Show) {
        show.show("fair_share_256", Reading::Number(self.fair.get() as i64));
        show.show("old_queue", Reading::bytes(self.old_queue));
        show.show("interval_end", Reading::time(self.intervals.end()));
        show.show("drops", Reading::Number(self.drops as i64));
        self.arrivals.state(show);
    }
}
