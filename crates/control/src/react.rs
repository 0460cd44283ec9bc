//! What reaction points of all algorithms have in common.

use alloc::boxed::Box;

use setpoint_units::{Bytes, Rate, Time};

use crate::reaction_point::RpCounters;
use crate::signal::{Backlog, Entropy, Notification, PointId, Update};
use crate::state::Show;

/// What a reaction point does.
pub trait React {
    /// What can be set.
    type Params: Copy;

    /// A reaction point at the full rate of its port, not yet limited.
    fn new(params: Self::Params, line_rate: Rate) -> Self;

    /// Gives it other parameters and keeps its state.
    fn set_params(&mut self, params: Self::Params) -> Update;

    /// Hears from a congestion point.
    fn on_notification(
        &mut self,
        now: Time,
        from: PointId,
        notification: &Notification,
        entropy: &mut impl Entropy,
    ) -> Update;

    /// Counts a frame that was sent through the limiter.
    #[inline]
    fn on_sent(&mut self, _frame: Bytes, _entropy: &mut impl Entropy) -> Update {
        Update::Unchanged
    }

    /// Acts on its timer if it is due.
    fn on_timer(&mut self, _now: Time, _entropy: &mut impl Entropy) -> Update {
        Update::Unchanged
    }

    /// When the timer is due next, if it runs.
    #[inline]
    fn timer(&self) -> Option<Time> {
        None
    }

    /// The rate at which the limiter sends now. A source that is to be silent sends at [`Rate::MIN`], and has
    /// a timer that ends it.
    fn rate(&self) -> Rate;

    /// The rate that the present one recovers towards.
    fn target_rate(&self) -> Rate {
        self.rate()
    }

    /// The rate of the port.
    fn line_rate(&self) -> Rate;

    /// How congested the sender of a notification is, to compare senders by ([`WorstPoint`](crate::group::WorstPoint)):
    /// how much less it asks for, in whatever unit the algorithm has, and zero if it does not, or would not be
    /// obeyed by a source that obeys another point.
    fn level(&self, notification: &Notification) -> u64 {
        notification.feedback.get().into()
    }

    /// The point that frames of the limiter are tagged with.
    #[inline]
    fn tag(&self) -> Option<PointId> {
        None
    }

    /// Whether the limiter is no longer needed and its flows may send freely.
    fn may_release(&self, backlog: Backlog) -> bool;

    /// What the point has done so far.
    fn counters(&self) -> RpCounters;

    /// Its state.
    fn state(&self, show: &mut dyn Show);
}

impl<P: React> React for Box<P> {
    type Params = P::Params;

    fn new(params: P::Params, line_rate: Rate) -> Self {
        Self::new(P::new(params, line_rate))
    }

    fn set_params(&mut self, params: P::Params) -> Update {
        P::set_params(self, params)
    }

    fn on_notification(
        &mut self,
        now: Time,
        from: PointId,
        notification: &Notification,
        entropy: &mut impl Entropy,
    ) -> Update {
        P::on_notification(self, now, from, notification, entropy)
    }

    #[inline]
    fn on_sent(&mut self, frame: Bytes, entropy: &mut impl Entropy) -> Update {
        P::on_sent(self, frame, entropy)
    }

    fn on_timer(&mut self, now: Time, entropy: &mut impl Entropy) -> Update {
        P::on_timer(self, now, entropy)
    }

    #[inline]
    fn timer(&self) -> Option<Time> {
        P::timer(self)
    }

    #[inline]
    fn rate(&self) -> Rate {
        P::rate(self)
    }

    fn target_rate(&self) -> Rate {
        P::target_rate(self)
    }

    fn line_rate(&self) -> Rate {
        P::line_rate(self)
    }

    fn level(&self, notification: &Notification) -> u64 {
        P::level(self, notification)
    }

    #[inline]
    fn tag(&self) -> Option<PointId> {
        P::tag(self)
    }

    #[inline]
    fn may_release(&self, backlog: Backlog) -> bool {
        P::may_release(self, backlog)
    }

    fn counters(&self) -> RpCounters {
        P::counters(self)
    }

    fn state(&self, show: &mut dyn Show) {
        P::state(self, show);
    }
}
