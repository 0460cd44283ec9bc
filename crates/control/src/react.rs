//! The interface of reaction points.

use alloc::boxed::Box;

use setpoint_units::{Bytes, Rate, Time};

use crate::limit::Limit;
use crate::quantized_feedback::QuantizedFeedback;
use crate::reaction_point::RpCounters;
use crate::signal::{Backlog, Entropy, Notification, PointId, Update};
use crate::state::Show;

/// The interface of a reaction point.
///
/// The caller passes in events (`on_…`), which return whether the limit has changed, and may ask for limit, timer, tag
/// and state at any time.
///
/// ```
/// use setpoint_control::{Notification, PointId, QuantizedFeedback, React, Update, smcc};
/// use setpoint_units::{Rate, Time};
///
/// fn slow_down(point: &mut impl React) -> Update {
///     let feedback = QuantizedFeedback::default();
///     let notification = Notification { feedback, queue_offset: -64_000, queue_delta: 1_000 };
///     point.on_notification(Time::ZERO, PointId(1), &notification, &mut || 0)
/// }
///
/// let mut point = smcc::ReactionPoint::new(smcc::RpParams::default(), Rate::from_gbps(10));
/// assert_eq!(slow_down(&mut point), Update::Changed);
/// assert_eq!(point.rate(), Rate::from_mbps(10_000 - 2_560));
/// ```
pub trait React {
    /// Its parameters.
    type Params: Copy;

    /// Creates a reaction point at the full rate of its port, not yet limited.
    fn new(params: Self::Params, line_rate: Rate) -> Self;

    /// Replaces the parameters and keeps the state.
    fn set_params(&mut self, params: Self::Params) -> Update;

    /// Handles a notification from a congestion point.
    fn on_notification(
        &mut self,
        now: Time,
        from: PointId,
        notification: &Notification,
        entropy: &mut impl Entropy,
    ) -> Update;

    /// Counts a frame sent through the limiter.
    #[inline]
    fn on_sent(&mut self, _frame: Bytes, _entropy: &mut impl Entropy) -> Update {
        Update::Unchanged
    }

    /// Handles the expiry of the timer; does nothing if it is not due.
    fn on_timer(&mut self, _now: Time, _entropy: &mut impl Entropy) -> Update {
        Update::Unchanged
    }

    /// The next expiry of the timer, if it runs.
    #[inline]
    fn timer(&self) -> Option<Time> {
        None
    }

    /// The limit that the limiter must apply now. A silent source has a timer that ends the silence.
    #[inline]
    fn limit(&self) -> Limit {
        Limit::Rate(self.rate())
    }

    /// The current rate; for a silent source, the rate at which it will resume.
    fn rate(&self) -> Rate;

    /// The rate towards which the current one recovers.
    fn target_rate(&self) -> Rate {
        self.rate()
    }

    /// The port rate.
    fn line_rate(&self) -> Rate;

    /// The congestion that a notification reports, by which [`WorstPoint`](crate::group::WorstPoint) compares its
    /// senders: the requested decrease, in a unit specific to the algorithm. Zero if the notification requests none, or if
    /// a source limited by another point would ignore it. Fine feedback is rounded up to whole steps.
    fn level(&self, notification: &Notification) -> u64 {
        notification.feedback.parts().div_ceil(QuantizedFeedback::PARTS).into()
    }

    /// The point with which frames of the limiter are tagged.
    #[inline]
    fn tag(&self) -> Option<PointId> {
        None
    }

    /// Whether the limiter is no longer needed, so that its flows may send freely.
    fn may_release(&self, backlog: Backlog) -> bool;

    /// The counters of the point.
    fn counters(&self) -> RpCounters;

    /// Shows the state of the point.
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
    fn limit(&self) -> Limit {
        P::limit(self)
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
