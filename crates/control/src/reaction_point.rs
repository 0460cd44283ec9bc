//! Reaction points of any algorithm.

use alloc::boxed::Box;

use setpoint_units::{Bytes, Rate, Time};

use crate::aimd;
use crate::algorithm::{Algorithm, Params};
use crate::bcn;
use crate::counters::Counters;
use crate::group::{self, GroupParams, GroupRule};
use crate::limit::Limit;
use crate::misfit::Misfit;
use crate::qcn;
use crate::react::React;
use crate::signal::{Backlog, Entropy, Feedback, Notification, PointId, Signal, Update};
use crate::smcc;
use crate::state::Show;

/// The parameters of a reaction point, by algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReactionPointParams {
    /// Ignores every notification.
    None,
    /// IEEE 802.1Qau.
    Qcn(qcn::RpParams),
    /// Sliding mode congestion control.
    Smcc(smcc::RpParams),
    /// Backward congestion notification (Bergamasco and Pan 2005).
    Bcn(bcn::RpParams),
    /// AIMD with feedback, with or without averaging (Alizadeh et al. 2008).
    Aimd(aimd::RpParams),
}

impl ReactionPointParams {
    /// Checks that the parameters are within their ranges and fit together.
    ///
    /// # Errors
    /// Returns the first problem.
    pub fn check(&self) -> Result<(), Misfit> {
        let mut params = Params::default();
        let algorithm = match *self {
            Self::None => return Ok(()),
            Self::Qcn(rp) => {
                params.qcn.rp = rp;
                Algorithm::Qcn
            }
            Self::Smcc(rp) => {
                params.smcc.rp = rp;
                Algorithm::Smcc
            }
            Self::Bcn(rp) => {
                params.bcn.rp = rp;
                Algorithm::Bcn
            }
            Self::Aimd(rp) => {
                params.aimd.rp = rp;
                Algorithm::Aimd
            }
        };
        algorithm.check(&params, None)
    }

    /// The signal that a notification frame with these fields carries. With BCN, all fields are zero in a stop.
    #[must_use]
    pub fn signal(&self, fields: Notification) -> Signal {
        match self {
            Self::Bcn(_) if fields.is_zero() => Signal::Stop,
            _ => Signal::Notification(fields),
        }
    }

    /// Whether a source that is not limited needs a limiter after feedback. It does not if the feedback requests a higher
    /// rate, or if the algorithm ignores it.
    #[must_use]
    pub fn limits(&self, feedback: &Feedback) -> bool {
        match self {
            Self::None => false,
            Self::Qcn(params) => params.limits(feedback),
            Self::Smcc(params) => params.limits(feedback),
            Self::Bcn(params) => params.limits(feedback),
            Self::Aimd(params) => params.limits(feedback),
        }
    }

    /// Whether frames are tagged ([`React::tag`]).
    #[must_use]
    pub const fn tags(&self) -> bool {
        matches!(self, Self::Bcn(_))
    }
}

/// A reaction point of any algorithm.
///
/// ```
/// use setpoint_control::{
///     Algorithm, Notification, Params, PointId, QuantizedFeedback, React, ReactionPoint, Update,
/// };
/// use setpoint_units::{Rate, Time};
///
/// let (_, params) = Algorithm::Qcn.points(&Params::default());
/// let mut point = ReactionPoint::new(&params, Rate::from_gbps(10));
/// let notification = Notification { feedback: QuantizedFeedback::MAX, queue_offset: -26_000, queue_delta: 0 };
/// let feedback = notification.sent_by(PointId(1));
/// assert_eq!(point.on_feedback(Time::ZERO, &feedback, &mut || 0), Update::Changed);
/// assert_eq!(point.rate(), Rate::from_bits_per_second(10_000_000_000 * 65 / 128));
/// assert_eq!(point.target_rate(), Rate::from_gbps(10));
/// ```
#[derive(Clone, Debug)]
pub enum ReactionPoint {
    /// Sends at line rate and ignores notifications.
    None(Rate),
    /// IEEE 802.1Qau.
    Qcn(qcn::ReactionPoint),
    /// Sliding mode congestion control.
    Smcc(smcc::ReactionPoint),
    /// Backward congestion notification (Bergamasco and Pan 2005).
    Bcn(bcn::ReactionPoint),
    /// AIMD with feedback, with or without averaging (Alizadeh et al. 2008).
    Aimd(aimd::ReactionPoint),
    /// One or several of the others, for the limiter of a group. Boxed, so that the others stay within their
    /// cache lines.
    Group(Box<group::ReactionPoint>),
    /// A point from outside this crate.
    Custom(Box<dyn React>),
}

/// Calls the algorithm's point; without one, returns the value after the semicolon.
macro_rules! each {
    ($self:expr, $point:ident => $call:expr; $rate:ident => $none:expr) => {
        match $self {
            ReactionPoint::None($rate) => $none,
            ReactionPoint::Qcn($point) => $call,
            ReactionPoint::Smcc($point) => $call,
            ReactionPoint::Bcn($point) => $call,
            ReactionPoint::Aimd($point) => $call,
            ReactionPoint::Group($point) => $call,
            ReactionPoint::Custom($point) => $call,
        }
    };
}

impl ReactionPoint {
    /// Creates a reaction point at the full rate of its port, not yet limited.
    #[must_use]
    pub fn new(params: &ReactionPointParams, line_rate: Rate) -> Self {
        match params {
            ReactionPointParams::None => Self::None(line_rate),
            ReactionPointParams::Qcn(params) => Self::Qcn(qcn::ReactionPoint::new(*params, line_rate)),
            ReactionPointParams::Smcc(params) => Self::Smcc(smcc::ReactionPoint::new(*params, line_rate)),
            ReactionPointParams::Bcn(params) => Self::Bcn(bcn::ReactionPoint::new(*params, line_rate)),
            ReactionPointParams::Aimd(params) => Self::Aimd(aimd::ReactionPoint::new(*params, line_rate)),
        }
    }

    /// Creates a reaction point for the limiter of a group, which receives notifications from several congestion
    /// points.
    #[must_use]
    pub fn for_group(params: &ReactionPointParams, group: &GroupParams, line_rate: Rate) -> Self {
        match group.rule {
            GroupRule::EveryNotification => Self::new(params, line_rate),
            GroupRule::SlowestPath | GroupRule::WorstPoint => {
                let params = group::Params { point: *params, group: *group };
                Self::Group(Box::new(group::ReactionPoint::new(params, line_rate)))
            }
        }
    }

    /// A reaction point from outside this crate.
    #[must_use]
    pub fn custom(point: Box<dyn React>) -> Self {
        Self::Custom(point)
    }

    /// Replaces the parameters and keeps the state. If the algorithm changes, the point restarts with its
    /// counters at zero. A point of a group keeps its rule.
    pub fn set_params(&mut self, params: &ReactionPointParams) -> Update {
        match (&mut *self, params) {
            (Self::Qcn(point), ReactionPointParams::Qcn(params)) => point.set_params(*params),
            (Self::Smcc(point), ReactionPointParams::Smcc(params)) => point.set_params(*params),
            (Self::Bcn(point), ReactionPointParams::Bcn(params)) => point.set_params(*params),
            (Self::Aimd(point), ReactionPointParams::Aimd(params)) => point.set_params(*params),
            (Self::Group(point), params) => point.set_point_params(params),
            // Its parameters are outside.
            (Self::Custom(_), _) => Update::Unchanged,
            _ => {
                let before = self.limit();
                *self = Self::new(params, self.line_rate());
                Update::between(before, self.limit())
            }
        }
    }

    /// Whether this is a single point that runs the algorithm of `params`.
    pub(crate) fn runs(&self, params: &ReactionPointParams) -> bool {
        matches!(
            (self, params),
            (Self::None(_), ReactionPointParams::None)
                | (Self::Qcn(_), ReactionPointParams::Qcn(_))
                | (Self::Smcc(_), ReactionPointParams::Smcc(_))
                | (Self::Bcn(_), ReactionPointParams::Bcn(_))
                | (Self::Aimd(_), ReactionPointParams::Aimd(_))
        )
    }
}

impl React for ReactionPoint {
    fn on_feedback(&mut self, now: Time, feedback: &Feedback, entropy: &mut dyn Entropy) -> Update {
        each!(self, point => point.on_feedback(now, feedback, entropy); _rate => Update::Unchanged)
    }

    #[inline]
    fn on_sent(&mut self, frame: Bytes, entropy: &mut dyn Entropy) -> Update {
        each!(self, point => point.on_sent(frame, entropy); _rate => Update::Unchanged)
    }

    fn on_timer(&mut self, now: Time, entropy: &mut dyn Entropy) -> Update {
        each!(self, point => point.on_timer(now, entropy); _rate => Update::Unchanged)
    }

    #[inline]
    fn timer(&self) -> Option<Time> {
        each!(self, point => point.timer(); _rate => None)
    }

    #[inline]
    fn limit(&self) -> Limit {
        each!(self, point => point.limit(); rate => Limit::Rate(*rate))
    }

    #[inline]
    fn rate(&self) -> Rate {
        each!(self, point => point.rate(); rate => *rate)
    }

    fn target_rate(&self) -> Rate {
        each!(self, point => point.target_rate(); rate => *rate)
    }

    fn line_rate(&self) -> Rate {
        each!(self, point => point.line_rate(); rate => *rate)
    }

    fn level(&self, feedback: &Feedback) -> u64 {
        each!(self, point => point.level(feedback); _rate => 0)
    }

    #[inline]
    fn tag(&self) -> Option<PointId> {
        each!(self, point => point.tag(); _rate => None)
    }

    #[inline]
    fn may_release(&self, backlog: Backlog) -> bool {
        each!(self, point => point.may_release(backlog); _rate => true)
    }

    fn counters(&self) -> Counters {
        each!(self, point => point.counters(); _rate => Counters::default())
    }

    fn state(&self, show: &mut dyn Show) {
        each!(self, point => point.state(show); rate => show.show("rate", crate::Reading::Rate(*rate)));
    }
}
