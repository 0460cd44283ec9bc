//! The interface of reaction points.

use alloc::boxed::Box;
use core::fmt::Debug;

use setpoint_units::{Bytes, Rate, Time};

use crate::counters::Counters;
use crate::limit::Limit;
use crate::quantized_feedback::QuantizedFeedback;
use crate::signal::{Backlog, Entropy, Feedback, Notification, PointId, Update};
use crate::state::Show;
use crate::telemetry::Load;

/// The interface of a reaction point.
///
/// The caller passes in events (`on_…`), which return whether the limit has changed, and may query the limit, timer,
/// tag and state at any time.
///
/// ```
/// use setpoint_control::{Notification, PointId, QuantizedFeedback, React, Update, smcc};
/// use setpoint_units::{Rate, Time};
///
/// fn slow_down(point: &mut impl React) -> Update {
///     let feedback = QuantizedFeedback::default();
///     let notification = Notification { feedback, queue_offset: -64_000, queue_delta: 1_000 };
///     point.on_feedback(Time::ZERO, &notification.sent_by(PointId(1)), &mut || 0)
/// }
///
/// let mut point = smcc::ReactionPoint::new(smcc::RpParams::default(), Rate::from_gbps(10));
/// assert_eq!(slow_down(&mut point), Update::Changed);
/// assert_eq!(point.rate(), Rate::from_mbps(10_000 - 2_560));
/// ```
pub trait React: CloneReact + Debug + Send + Sync {
    /// Handles feedback from the network. Feedback of a kind that the algorithm does not use is ignored.
    fn on_feedback(&mut self, now: Time, feedback: &Feedback, entropy: &mut dyn Entropy) -> Update;

    /// Counts a frame sent through the limiter.
    #[inline]
    fn on_sent(&mut self, _frame: Bytes, _entropy: &mut dyn Entropy) -> Update {
        Update::Unchanged
    }

    /// Handles the expiry of the timer; does nothing if it is not due.
    fn on_timer(&mut self, _now: Time, _entropy: &mut dyn Entropy) -> Update {
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

    /// The load of the path that the point computed last; none if the algorithm does not compute one.
    fn load(&self) -> Option<Load> {
        None
    }

    /// The congestion that feedback reports, by which [`WorstPoint`](crate::group::WorstPoint) compares its senders: the
    /// requested decrease, in a unit specific to the algorithm. Zero if the feedback requests none, or if a source
    /// limited by another point would ignore it. Fine feedback is rounded up to whole steps.
    fn level(&self, feedback: &Feedback) -> u64 {
        let steps =
            |content: &Notification| content.feedback.parts().div_ceil(QuantizedFeedback::PARTS).into();
        feedback.notification().map_or(0, steps)
    }

    /// The congestion point whose id is the tag of the limiter's frames.
    #[inline]
    fn tag(&self) -> Option<PointId> {
        None
    }

    /// Whether the limiter is no longer needed, so that its flows may send freely.
    fn may_release(&self, backlog: Backlog) -> bool;

    /// The counters of the point, with the names that the algorithm gives them.
    fn counters(&self) -> Counters;

    /// Shows the state of the point.
    fn state(&self, show: &mut dyn Show);
}

/// Copies a boxed point with its state. Implemented for every point that is [`Clone`].
pub trait CloneReact {
    /// A copy with the same state.
    fn clone_box(&self) -> Box<dyn React>;
}

impl<P: React + Clone + 'static> CloneReact for P {
    fn clone_box(&self) -> Box<dyn React> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn React> {
    fn clone(&self) -> Self {
        (**self).clone_box()
    }
}
