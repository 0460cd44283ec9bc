//! Reaction points of any algorithm.

use alloc::boxed::Box;

use setpoint_units::{Bytes, Rate, Time};

use crate::aimd;
use crate::algorithm::{Algorithm, Params};
use crate::bcn;
use crate::group::{self, GroupParams, GroupRule};
use crate::misfit::Misfit;
use crate::qcn;
use crate::react::React;
use crate::signal::{Backlog, Entropy, Notification, PointId, Update};
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
    /// Additive increase, multiplicative decrease by feedback, with or without averaging (Alizadeh and others 2008).
    Aimd(aimd::RpParams),
}

impl ReactionPointParams {
    /// Whether the parameters are within their ranges and fit together.
    ///
    /// # Errors
    /// The first thing that is wrong.
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

    /// Whether frames are tagged ([`React::tag`]).
    #[must_use]
    pub const fn tags(&self) -> bool {
        matches!(self, Self::Bcn(_))
    }
}

/// A reaction point of any algorithm.
#[derive(Clone, Debug)]
pub enum ReactionPoint {
    /// Sends at line rate whatever it hears.
    None(Rate),
    /// IEEE 802.1Qau.
    Qcn(qcn::ReactionPoint),
    /// Sliding mode congestion control.
    Smcc(smcc::ReactionPoint),
    /// Backward congestion notification (Bergamasco and Pan 2005).
    Bcn(bcn::ReactionPoint),
    /// Additive increase, multiplicative decrease by feedback, with or without averaging (Alizadeh and others 2008).
    Aimd(aimd::ReactionPoint),
    /// One of the others, or several, for the limiter of a group. Elsewhere, so that the others keep to their
    /// cache lines.
    Group(Box<group::ReactionPoint>),
}

/// Calls the algorithm's point; without one, gives the value after the semicolon.
macro_rules! each {
    ($self:expr, $point:ident => $call:expr; $rate:ident => $none:expr) => {
        match $self {
            ReactionPoint::None($rate) => $none,
            ReactionPoint::Qcn($point) => $call,
            ReactionPoint::Smcc($point) => $call,
            ReactionPoint::Bcn($point) => $call,
            ReactionPoint::Aimd($point) => $call,
            ReactionPoint::Group($point) => $call,
        }
    };
}

impl ReactionPoint {
    /// A reaction point at the full rate of its port, not yet limited.
    #[must_use]
    pub fn new(params: &ReactionPointParams, line_rate: Rate) -> Self {
        match params {
            ReactionPointParams::None => Self::None(line_rate),
            ReactionPointParams::Qcn(params) => Self::Qcn(React::new(*params, line_rate)),
            ReactionPointParams::Smcc(params) => Self::Smcc(React::new(*params, line_rate)),
            ReactionPointParams::Bcn(params) => Self::Bcn(React::new(*params, line_rate)),
            ReactionPointParams::Aimd(params) => Self::Aimd(React::new(*params, line_rate)),
        }
    }

    /// The same for the limiter of a group, which hears from several congestion points.
    #[must_use]
    pub fn for_group(params: &ReactionPointParams, group: &GroupParams, line_rate: Rate) -> Self {
        match group.rule {
            GroupRule::EveryNotification => Self::new(params, line_rate),
            GroupRule::SlowestPath | GroupRule::WorstPoint => {
                let params = group::Params { point: *params, group: *group };
                Self::Group(React::new(params, line_rate))
            }
        }
    }

    /// Hears from a congestion point.
    pub fn on_notification(
        &mut self,
        now: Time,
        from: PointId,
        notification: &Notification,
        entropy: &mut impl Entropy,
    ) -> Update {
        each!(self, point => React::on_notification(point, now, from, notification, entropy); _rate => Update::Unchanged)
    }

    /// Counts a frame that was sent through the limiter.
    #[inline]
    pub fn on_sent(&mut self, frame: Bytes, entropy: &mut impl Entropy) -> Update {
        each!(self, point => React::on_sent(point, frame, entropy); _rate => Update::Unchanged)
    }

    /// Acts on its timer, which must be due ([`ReactionPoint::timer`] is at or before `now`).
    pub fn on_timer(&mut self, now: Time, entropy: &mut impl Entropy) -> Update {
        each!(self, point => React::on_timer(point, now, entropy); _rate => Update::Unchanged)
    }

    /// Gives it other parameters and keeps its state; a point that is given another algorithm starts anew,
    /// with its counters at zero. One of a group stays that.
    pub fn set_params(&mut self, params: &ReactionPointParams) -> Update {
        match (&mut *self, params) {
            (Self::Qcn(point), ReactionPointParams::Qcn(params)) => point.set_params(*params),
            (Self::Smcc(point), ReactionPointParams::Smcc(params)) => point.set_params(*params),
            (Self::Bcn(point), ReactionPointParams::Bcn(params)) => point.set_params(*params),
            (Self::Aimd(point), ReactionPointParams::Aimd(params)) => point.set_params(*params),
            (Self::Group(point), params) => point.set_point_params(params),
            _ => {
                let before = self.rate();
                *self = Self::new(params, self.line_rate());
                Update::between(before, self.rate())
            }
        }
    }

    /// Whether it is a single point of the algorithm that parameters are for.
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

    /// When the timer is due next, if it runs.
    #[must_use]
    #[inline]
    pub fn timer(&self) -> Option<Time> {
        each!(self, point => React::timer(point); _rate => None)
    }

    /// The rate at which the limiter sends now.
    #[must_use]
    #[inline]
    pub fn rate(&self) -> Rate {
        each!(self, point => React::rate(point); rate => *rate)
    }

    /// The rate that the present one recovers towards.
    #[must_use]
    pub fn target_rate(&self) -> Rate {
        each!(self, point => React::target_rate(point); rate => *rate)
    }

    /// The rate of the port.
    #[must_use]
    pub fn line_rate(&self) -> Rate {
        each!(self, point => React::line_rate(point); rate => *rate)
    }

    /// How congested the sender of a notification is, to compare senders by ([`React::level`]).
    #[must_use]
    pub fn level(&self, notification: &Notification) -> u64 {
        each!(self, point => React::level(point, notification); _rate => 0)
    }

    /// The point that frames of the limiter are tagged with.
    #[must_use]
    #[inline]
    pub fn tag(&self) -> Option<PointId> {
        each!(self, point => React::tag(point); _rate => None)
    }

    /// Whether the limiter is no longer needed and its flows may send freely.
    #[must_use]
    #[inline]
    pub fn may_release(&self, backlog: Backlog) -> bool {
        each!(self, point => React::may_release(point, backlog); _rate => true)
    }

    /// What the point has done so far.
    #[must_use]
    pub fn counters(&self) -> RpCounters {
        each!(self, point => React::counters(point); _rate => RpCounters::default())
    }

    /// Its state.
    pub fn state(&self, show: &mut dyn Show) {
        each!(self, point => React::state(point, show); rate => show.show("rate", crate::Reading::Rate(*rate)));
    }
}

/// Counters that show a reaction point at work. A cycle is one expiry of the byte counter or timer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RpCounters {
    /// Notifications that were obeyed and asked for less. They cut the rate, unless it was at its minimum.
    pub decreases: u64,
    /// Notifications that were obeyed and asked for more.
    pub increases: u64,
    /// Notifications that were not obeyed, since the limiter obeys another point.
    pub ignored: u64,
    /// Notifications that silenced the source for a while.
    pub stops: u64,
    /// Cycles in fast recovery.
    pub fast_recovery_cycles: u64,
    /// Cycles in active increase.
    pub active_increase_cycles: u64,
    /// Cycles in hyper-active increase.
    pub hyper_increase_cycles: u64,
    /// Notifications that kept the old target (extra fast recovery).
    pub kept_targets: u64,
    /// Target rates cut because they were far above the current rate.
    pub target_reductions: u64,
}

impl core::ops::AddAssign for RpCounters {
    fn add_assign(&mut self, other: Self) {
        self.decreases += other.decreases;
        self.increases += other.increases;
        self.ignored += other.ignored;
        self.stops += other.stops;
        self.fast_recovery_cycles += other.fast_recovery_cycles;
        self.active_increase_cycles += other.active_increase_cycles;
        self.hyper_increase_cycles += other.hyper_increase_cycles;
        self.kept_targets += other.kept_targets;
        self.target_reductions += other.target_reductions;
    }
}
