//! The reaction point of a group, for the two rules that need more than a plain reaction point.

use setpoint_units::{Bytes, Rate, Time};

use super::{GroupRule, Params, SlowestPath, WorstPoint};
use crate::{Backlog, Counters, Entropy, Feedback, Limit, PointId, React, ReactionPointParams, Show, Update};

/// A reaction point that distinguishes the congestion points that notify it.
#[derive(Clone, Debug)]
pub enum ReactionPoint {
    /// Keeps a rate for each point and applies the lowest.
    SlowestPath(SlowestPath),
    /// Follows one of the points.
    WorstPoint(WorstPoint),
}

/// Evaluates an expression with the point of the current rule.
macro_rules! each {
    ($self:expr, $point:ident => $call:expr) => {
        match $self {
            ReactionPoint::SlowestPath($point) => $call,
            ReactionPoint::WorstPoint($point) => $call,
        }
    };
}

impl ReactionPoint {
    /// Creates a reaction point in its initial state. With [`GroupRule::EveryNotification`] it is a [`WorstPoint`]
    /// without memory, which behaves like a plain reaction point;
    /// [`ReactionPoint::for_group`](crate::ReactionPoint::for_group) creates the plain one.
    pub fn new(params: Params, line_rate: Rate) -> Self {
        match params.group.rule {
            GroupRule::SlowestPath => Self::SlowestPath(SlowestPath::new(params, line_rate)),
            GroupRule::WorstPoint | GroupRule::EveryNotification => {
                Self::WorstPoint(WorstPoint::new(params, line_rate))
            }
        }
    }

    /// Replaces the parameters and keeps the state. If the algorithm or the rule changes, the point restarts with its
    /// counters at zero.
    pub fn set_params(&mut self, params: Params) -> Update {
        match (&mut *self, params.group.rule) {
            (Self::SlowestPath(point), GroupRule::SlowestPath) => point.set_params(params),
            (Self::WorstPoint(point), GroupRule::WorstPoint | GroupRule::EveryNotification) => {
                point.set_params(params)
            }
            _ => {
                let before = self.limit();
                *self = Self::new(params, self.line_rate());
                Update::between(before, self.limit())
            }
        }
    }

    /// Replaces the parameters of the plain reaction points and keeps the rule and the memory. If the algorithm
    /// changes, the point restarts.
    pub fn set_point_params(&mut self, params: &ReactionPointParams) -> Update {
        each!(self, point => point.set_point_params(params))
    }
}

impl React for ReactionPoint {
    fn on_feedback(&mut self, now: Time, feedback: &Feedback, entropy: &mut dyn Entropy) -> Update {
        each!(self, point => point.on_feedback(now, feedback, entropy))
    }

    // Not inlined, to keep it out of the code path for frames to a single receiver.
    #[inline(never)]
    fn on_sent(&mut self, frame: Bytes, entropy: &mut dyn Entropy) -> Update {
        each!(self, point => point.on_sent(frame, entropy))
    }

    fn on_timer(&mut self, now: Time, entropy: &mut dyn Entropy) -> Update {
        each!(self, point => point.on_timer(now, entropy))
    }

    #[inline(never)]
    fn timer(&self) -> Option<Time> {
        each!(self, point => point.timer())
    }

    #[inline(never)]
    fn limit(&self) -> Limit {
        each!(self, point => point.limit())
    }

    fn rate(&self) -> Rate {
        each!(self, point => point.rate())
    }

    fn target_rate(&self) -> Rate {
        each!(self, point => point.target_rate())
    }

    fn line_rate(&self) -> Rate {
        each!(self, point => point.line_rate())
    }

    fn level(&self, feedback: &Feedback) -> u64 {
        each!(self, point => point.level(feedback))
    }

    #[inline(never)]
    fn tag(&self) -> Option<PointId> {
        each!(self, point => point.tag())
    }

    #[inline(never)]
    fn may_release(&self, backlog: Backlog) -> bool {
        each!(self, point => point.may_release(backlog))
    }

    fn counters(&self) -> Counters {
        each!(self, point => point.counters())
    }

    fn state(&self, show: &mut dyn Show) {
        each!(self, point => point.state(show));
    }
}
