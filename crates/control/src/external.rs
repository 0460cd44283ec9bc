//! Points whose algorithm is outside this crate, such as one written in another language.
//!
//! The traits have the methods of [`Observe`] and [`React`](crate::React) in a form that allows trait objects. A caller that has such
//! points runs them through the same enums as the built-in ones, which pay nothing for it: the variants are boxed and
//! come last.

use alloc::boxed::Box;
use core::fmt::Debug;

use setpoint_units::{Bytes, Rate, Time};

use crate::signal::{Arrival, Backlog, Entropy, Notification, Outbox, PointId, Update};
use crate::state::Show;
use crate::{CpCounters, Observe, Reading, RpCounters};

/// A congestion point from outside.
///
/// ```
/// use setpoint_control::{
///     Arrival, Audience, CongestionPoint, CpCounters, Entropy, ExternalCongestionPoint, FlowKey, Notification, Outbox,
///     QuantizedFeedback,
/// };
/// use setpoint_units::Bytes;
///
/// /// Notifies the source of every frame that finds more than 30 kB.
/// #[derive(Clone, Debug)]
/// struct Threshold;
///
/// impl ExternalCongestionPoint for Threshold {
///     fn on_enqueue(&mut self, arrival: &Arrival, _entropy: &mut dyn Entropy, outbox: &mut dyn Outbox) {
///         if arrival.queue > Bytes::new(30_000) {
///             let feedback = QuantizedFeedback::MAX;
///             outbox.send(arrival.flow, Notification { feedback, queue_offset: 0, queue_delta: 0 });
///         }
///     }
///     fn counters(&self) -> CpCounters {
///         CpCounters::default()
///     }
///     fn duplicate(&self) -> Box<dyn ExternalCongestionPoint> {
///         Box::new(self.clone())
///     }
/// }
///
/// let mut point = CongestionPoint::external(Box::new(Threshold), Audience::Sampled);
/// let mut outbox: Vec<(FlowKey, Notification)> = Vec::new();
/// point.on_enqueue(&Arrival::of(Bytes::new(1_500), Bytes::new(40_000)), &mut || 0, &mut outbox);
/// assert_eq!(outbox.len(), 1);
/// ```
pub trait ExternalCongestionPoint: Debug + Send + Sync {
    /// As [`Observe::on_enqueue`], for every frame.
    fn on_enqueue(&mut self, arrival: &Arrival, entropy: &mut dyn Entropy, outbox: &mut dyn Outbox);

    /// As [`Observe::on_clock`].
    fn on_clock(&mut self, _arrival: &Arrival, _entropy: &mut dyn Entropy, _outbox: &mut dyn Outbox) {}

    /// As [`Observe::counters`].
    fn counters(&self) -> CpCounters;

    /// A copy with the same state.
    fn duplicate(&self) -> Box<dyn ExternalCongestionPoint>;
}

/// A reaction point from outside. Its limiter always has a rate: silence is for built-in points.
///
/// ```
/// use setpoint_control::{
///     Backlog, Entropy, ExternalReactionPoint, Limit, Notification, PointId, QuantizedFeedback, ReactionPoint, RpCounters, Update,
/// };
/// use setpoint_units::{Bytes, Rate, Time};
///
/// /// Halves its rate with every notification.
/// #[derive(Clone, Debug)]
/// struct Halving(Rate);
///
/// impl ExternalReactionPoint for Halving {
///     fn on_notification(&mut self, _: Time, _: PointId, _: &Notification, _: &mut dyn Entropy) -> Update {
///         self.0 = Rate::from_bits_per_second(self.0.bits_per_second() / 2);
///         Update::Changed
///     }
///     fn on_sent(&mut self, _: Bytes, _: &mut dyn Entropy) -> Update {
///         Update::Unchanged
///     }
///     fn on_timer(&mut self, _: Time, _: &mut dyn Entropy) -> Update {
///         Update::Unchanged
///     }
///     fn timer(&self) -> Option<Time> {
///         None
///     }
///     fn rate(&self) -> Rate {
///         self.0
///     }
///     fn line_rate(&self) -> Rate {
///         Rate::from_gbps(10)
///     }
///     fn may_release(&self, _: Backlog) -> bool {
///         false
///     }
///     fn counters(&self) -> RpCounters {
///         RpCounters::default()
///     }
///     fn duplicate(&self) -> Box<dyn ExternalReactionPoint> {
///         Box::new(self.clone())
///     }
/// }
///
/// let mut point = ReactionPoint::external(Box::new(Halving(Rate::from_gbps(10))));
/// let notification = Notification { feedback: QuantizedFeedback::MAX, queue_offset: 0, queue_delta: 0 };
/// point.on_notification(Time::ZERO, PointId(0), &notification, &mut || 0);
/// assert_eq!(point.limit(), Limit::Rate(Rate::from_gbps(5)));
/// ```
pub trait ExternalReactionPoint: Debug + Send + Sync {
    /// As [`React::on_notification`](crate::React::on_notification).
    fn on_notification(
        &mut self,
        now: Time,
        from: PointId,
        notification: &Notification,
        entropy: &mut dyn Entropy,
    ) -> Update;

    /// As [`React::on_sent`](crate::React::on_sent).
    fn on_sent(&mut self, frame: Bytes, entropy: &mut dyn Entropy) -> Update;

    /// As [`React::on_timer`](crate::React::on_timer).
    fn on_timer(&mut self, now: Time, entropy: &mut dyn Entropy) -> Update;

    /// As [`React::timer`](crate::React::timer).
    fn timer(&self) -> Option<Time>;

    /// As [`React::rate`](crate::React::rate).
    fn rate(&self) -> Rate;

    /// As [`React::line_rate`](crate::React::line_rate).
    fn line_rate(&self) -> Rate;

    /// As [`React::may_release`](crate::React::may_release).
    fn may_release(&self, backlog: Backlog) -> bool;

    /// As [`React::counters`](crate::React::counters).
    fn counters(&self) -> RpCounters;

    /// A copy with the same state.
    fn duplicate(&self) -> Box<dyn ExternalReactionPoint>;
}

impl Clone for Box<dyn ExternalCongestionPoint> {
    fn clone(&self) -> Self {
        self.duplicate()
    }
}

impl Clone for Box<dyn ExternalReactionPoint> {
    fn clone(&self) -> Self {
        self.duplicate()
    }
}

impl Observe for Box<dyn ExternalCongestionPoint> {
    fn on_enqueue(&mut self, arrival: &Arrival, entropy: &mut impl Entropy, outbox: &mut impl Outbox) {
        (**self).on_enqueue(arrival, entropy, outbox);
    }

    fn on_clock(&mut self, arrival: &Arrival, entropy: &mut impl Entropy, outbox: &mut impl Outbox) {
        (**self).on_clock(arrival, entropy, outbox);
    }

    fn counters(&self) -> CpCounters {
        (**self).counters()
    }

    /// Nothing: the state is known outside alone.
    fn state(&self, _show: &mut dyn Show) {}
}

/// The reaction point in the enum over all algorithms. It has the methods of [`React`](crate::React) that need no parameters.
///
/// ```
/// # use setpoint_control::{
/// #     Backlog, Entropy, ExternalReactionPoint, Limit, Notification, PointId, QuantizedFeedback, ReactionPoint, RpCounters, Update,
/// # };
/// # use setpoint_units::{Bytes, Rate, Time};
/// # #[derive(Clone, Debug)]
/// # struct Halving(Rate);
/// #
/// # impl ExternalReactionPoint for Halving {
/// #     fn on_notification(&mut self, _: Time, _: PointId, _: &Notification, _: &mut dyn Entropy) -> Update {
/// #         self.0 = Rate::from_bits_per_second(self.0.bits_per_second() / 2);
/// #         Update::Changed
/// #     }
/// #     fn on_sent(&mut self, _: Bytes, _: &mut dyn Entropy) -> Update {
/// #         Update::Unchanged
/// #     }
/// #     fn on_timer(&mut self, _: Time, _: &mut dyn Entropy) -> Update {
/// #         Update::Unchanged
/// #     }
/// #     fn timer(&self) -> Option<Time> {
/// #         None
/// #     }
/// #     fn rate(&self) -> Rate {
/// #         self.0
/// #     }
/// #     fn line_rate(&self) -> Rate {
/// #         Rate::from_gbps(10)
/// #     }
/// #     fn may_release(&self, _: Backlog) -> bool {
/// #         false
/// #     }
/// #     fn counters(&self) -> RpCounters {
/// #         RpCounters::default()
/// #     }
/// #     fn duplicate(&self) -> Box<dyn ExternalReactionPoint> {
/// #         Box::new(self.clone())
/// #     }
/// # }
/// let point = ReactionPoint::external(Box::new(Halving(Rate::from_gbps(10))));
/// assert!(matches!(point, ReactionPoint::External(_)));
/// ```
#[derive(Clone, Debug)]
pub struct External(pub(crate) Box<dyn ExternalReactionPoint>);

impl crate::React for External {
    /// There are none: the point is made outside.
    type Params = core::convert::Infallible;

    fn new(params: Self::Params, _line_rate: Rate) -> Self {
        match params {}
    }

    fn set_params(&mut self, params: Self::Params) -> Update {
        match params {}
    }

    fn on_notification(
        &mut self,
        now: Time,
        from: PointId,
        notification: &Notification,
        entropy: &mut impl Entropy,
    ) -> Update {
        self.0.on_notification(now, from, notification, entropy)
    }

    fn on_sent(&mut self, frame: Bytes, entropy: &mut impl Entropy) -> Update {
        self.0.on_sent(frame, entropy)
    }

    fn on_timer(&mut self, now: Time, entropy: &mut impl Entropy) -> Update {
        self.0.on_timer(now, entropy)
    }

    fn timer(&self) -> Option<Time> {
        self.0.timer()
    }

    fn rate(&self) -> Rate {
        self.0.rate()
    }

    fn line_rate(&self) -> Rate {
        self.0.line_rate()
    }

    fn may_release(&self, backlog: Backlog) -> bool {
        self.0.may_release(backlog)
    }

    fn counters(&self) -> RpCounters {
        self.0.counters()
    }

    fn state(&self, show: &mut dyn Show) {
        show.show("rate", Reading::Rate(self.0.rate()));
    }
}
