//! The reaction point: the two states, and the rate change in each.
//!
//! ```text
//! r <- r - a Qoff    a = state_a / reference     state A         (25)
//! r <- r - b dQ      b = state_b / reference     state B         (25)
//! ```
//!
//! * Source: section 4.2, equation (25), and the two-stage rule of section 4.4. The state consists of the rate and the
//!   point that limits the source.
//! * Invariant: `min <= rate <= max`; a source that was never slowed down is at max.
//! * Rounding: the change is rounded towards zero, so that it is at most 1 b/s too small. The new rate is then rounded
//!   down to a multiple of [`RpParams::rate_step`], unless it is at one of its limits.
//! * The change is linear and unbounded: in a buffer of more than twice the set point, an offset may exceed the
//!   reference, and the change may exceed Ra.
//!
//! Where the paper does not specify the behaviour:
//! * **A difference of zero** is state A. By the sign bits, which the paper's hardware compares, it would be state B
//!   below the target, with a change of zero: an empty queue would stay empty, and a full one full after its first
//!   sample.
//! * **An offset of zero** with a difference is state B, since in state A it would change nothing.
//! * **Association**, "similar to BCN" in the paper, is selected by [`Association`]. A BCN point notifies sources
//!   associated with other points only while its own queue is above the set point; an SMCC point always notifies,
//!   so the source must choose which points to obey. Read literally (a source belongs to the last point that slowed
//!   it down), the rule would let a point with an empty queue take over the source with the first frame that waits
//!   there (state B below the target requests a decrease) and then speed the source up.
//! * A source that was never slowed down ignores requests for an increase.
//! * **Release**: at max, once no frame is waiting, as in QCN.

use core::cmp::Ordering;

use setpoint_units::{Rate, Time};

use super::params::{Association, RpParams};
use crate::counters::FamilyCounters;
use crate::limiter::{Bounds, Limiter};
use crate::sampler::held;
use crate::scheme::SourcePart;
use crate::{
    Backlog, Counters, Entropy, Feedback, Notification, Path, PointId, React, Reading, Show, Update,
};

/// An SMCC reaction point.
///
/// ```
/// use setpoint_control::{Notification, PointId, QuantizedFeedback, React, smcc};
/// use setpoint_units::{Rate, Time};
///
/// let mut point = smcc::ReactionPoint::new(smcc::RpParams::default(), Rate::from_gbps(10));
/// // 32 kB above the set point and growing, state A: half of state_a for half of the reference.
/// let notification =
///     Notification { feedback: QuantizedFeedback::default(), queue_offset: -32_000, queue_delta: 4_000 };
/// point.on_feedback(Time::ZERO, &notification.sent_by(PointId(1)), &mut || 0);
/// assert_eq!(point.rate(), Rate::from_mbps(10_000 - 1_280));
/// ```
#[derive(Clone, Debug)]
pub struct ReactionPoint {
    params: RpParams,
    rate: Rate,
    line_rate: Rate,
    limiter: Limiter,
    decreases: u64,
    increases: u64,
    ignored: u64,
}

/// Whether the queue moves away from its target or returns to it (section 4.2, figure 7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Off its target and not returning: offset and difference have the same sign, or the difference is zero.
    A,
    /// Returning to the target, or at it: offset and difference differ in sign, or the offset is zero.
    B,
}

impl State {
    /// The state that a notification reports.
    pub const fn of(notification: &Notification) -> Self {
        // Qoff is minus the notification's offset.
        let signs = (notification.queue_offset.signum(), notification.queue_delta.signum());
        match signs {
            (-1, 0 | 1) | (1, 0 | -1) => Self::A,
            _ => Self::B,
        }
    }
}

impl RpParams {
    /// Equation (25): r - a Qoff in state A, r - b dQ in state B, where a and b are the largest changes divided
    /// by the reference.
    ///
    /// Returns the sign of the subtracted amount (greater means slower) and its magnitude in bits per second.
    fn demand(&self, notification: &Notification) -> (Ordering, u64) {
        let (largest, measure) = match State::of(notification) {
            State::A => (self.state_a(notification), -i128::from(notification.queue_offset)),
            State::B => (self.state_b, i128::from(notification.queue_delta)),
        };
        let reference = u128::from(self.reference.get().max(1));
        let amount = u128::from(largest.bits_per_second()) * measure.unsigned_abs() / reference;
        (measure.cmp(&0), u64::try_from(amount).unwrap_or(u64::MAX))
    }

    /// Ra, or by section 4.4: R_large if |dQ| > T1, otherwise R_small.
    fn state_a(&self, notification: &Notification) -> Rate {
        let moves_fast = notification.queue_delta.unsigned_abs() > u64::from(held(self.threshold));
        if self.two_stage.is_on() && !moves_fast { self.state_a_small } else { self.state_a }
    }

    /// The decrease that a notification requests, in bits per second, if a source limited by another point would accept
    /// it ([`Association`]).
    fn decrease_by_any_point(&self, notification: &Notification) -> Option<u64> {
        let takes_over = notification.queue_offset < 0 || self.association != Association::Congested;
        match self.demand(notification) {
            (Ordering::Greater, by) if takes_over => Some(by),
            _ => None,
        }
    }
}

impl ReactionPoint {
    /// Creates a reaction point at the full rate of its port, not yet limited.
    pub fn new(params: RpParams, line_rate: Rate) -> Self {
        let rate = Bounds::new(params.min_rate, params.max_rate, line_rate).max;
        Self { params, rate, line_rate, limiter: Limiter::Idle, decreases: 0, increases: 0, ignored: 0 }
    }

    /// Replaces the parameters and keeps the state.
    pub fn set_params(&mut self, params: RpParams) -> Update {
        let before = self.limit();
        self.params = params;
        self.rate = match self.limiter {
            Limiter::Idle => self.bounds().max,
            Limiter::LimitedBy(_) => self.bounds().hold(self.rate.bits_per_second()),
        };
        Update::between(before, self.limit())
    }

    fn slow_down(&mut self, from: PointId, notification: &Notification, by: u64) {
        let above_target = notification.queue_offset < 0;
        let accepted = match self.params.association {
            Association::Congested => above_target || self.limiter == Limiter::LimitedBy(from),
            Association::LastSlowed | Association::Off => true,
        };
        if accepted {
            self.limiter = Limiter::LimitedBy(from);
            self.rate = self.stepped(self.rate.bits_per_second().saturating_sub(by));
            self.decreases += 1;
        } else {
            self.ignore();
        }
    }

    fn speed_up(&mut self, from: PointId, by: u64) {
        let accepted = match self.limiter {
            Limiter::Idle => false,
            Limiter::LimitedBy(point) => point == from || self.params.association == Association::Off,
        };
        if accepted {
            // A rate that new parameters have clamped may be between two steps; an increase does not lower it.
            self.rate = self.rate.max(self.stepped(self.rate.bits_per_second().saturating_add(by)));
            self.increases += 1;
        } else {
            self.ignore();
        }
    }

    /// The given number of bits per second, rounded down to a whole step and clamped to the bounds.
    fn stepped(&self, bits: u64) -> Rate {
        self.bounds().hold_stepped(bits, self.params.rate_step)
    }

    /// Counts the notification if another point limits the source.
    fn ignore(&mut self) {
        self.ignored += u64::from(self.limiter != Limiter::Idle);
    }

    fn bounds(&self) -> Bounds {
        Bounds::new(self.params.min_rate, self.params.max_rate, self.line_rate)
    }
}

impl SourcePart for ReactionPoint {
    type Params = RpParams;

    fn create(params: RpParams, path: &Path) -> Self {
        Self::new(params, path.line_rate)
    }

    fn limits(params: &RpParams, feedback: &Feedback) -> bool {
        feedback.notification().is_some_and(|content| params.decrease_by_any_point(content).is_some())
    }
}

impl React for ReactionPoint {
    /// Equation (25).
    fn on_feedback(&mut self, _now: Time, feedback: &Feedback, _entropy: &mut dyn Entropy) -> Update {
        let Feedback::Notification { from, content } = feedback else { return Update::Unchanged };
        let before = self.limit();
        let (direction, by) = self.params.demand(content);
        match direction {
            Ordering::Greater => self.slow_down(*from, content, by),
            Ordering::Less => self.speed_up(*from, by),
            Ordering::Equal => {}
        }
        Update::between(before, self.limit())
    }

    #[inline]
    fn rate(&self) -> Rate {
        self.rate
    }

    fn line_rate(&self) -> Rate {
        self.line_rate
    }

    /// The decrease in bits per second, if a source limited by another point would accept it ([`Association`]).
    fn level(&self, feedback: &Feedback) -> u64 {
        feedback.notification().and_then(|content| self.params.decrease_by_any_point(content)).unwrap_or(0)
    }

    #[inline]
    fn may_release(&self, backlog: Backlog) -> bool {
        self.rate == self.bounds().max && (self.limiter == Limiter::Idle || backlog == Backlog::Empty)
    }

    fn counters(&self) -> Counters {
        let Self { decreases, increases, ignored, .. } = *self;
        FamilyCounters { decreases, increases, ignored, ..FamilyCounters::default() }.into()
    }

    fn state(&self, show: &mut dyn Show) {
        show.show("rate", Reading::Rate(self.rate));
        show.show("obeys", self.limiter.reading());
    }
}
