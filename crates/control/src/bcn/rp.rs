//! The reaction point: the rate, the tag, the stop and the drift.
//!
//! ```text
//! Fb < 0:  r <- r (1 + Gd Fb)      Gd = largest_decrease / ((1 + 2w) reference)      (2)
//! Fb > 0:  r <- r + Gi Ru Fb       Gi Ru = largest_increase / ((1 + 2w) reference)   (2)
//! ```
//!
//! * Source: equations (1) and (2) of the SMCC paper. Fb is clamped, so that no message changes the rate by more than
//!   the largest decrease or increase (`alpha` and `beta` of the ixgbe driver).
//! * The source accepts a negative message from any point. That point then limits the source: frames carry its tag, and
//!   positive messages are accepted from it alone.
//! * A stop silences the source for a while. The source then starts at the minimum rate, limited by the point that
//!   stopped it, because otherwise nothing would ever raise its rate. Messages that arrive during a stop were caused by
//!   earlier frames and are ignored.
//! * If drift is on, the rate rises by the drift increase after every drift interval without feedback, until it is at
//!   its maximum.
//! * Invariant: `min <= rate <= max`. This holds during a stop too; the rate is then the one at which sending will
//!   resume.
//! * Rounding: changes are rounded towards zero, so that they are at most 1 b/s too small.

use core::cmp::Ordering;

use setpoint_units::{Rate, Time, TimeDelta};

use super::params::RpParams;
use super::stop::BackOff;
use crate::counters::FamilyCounters;
use crate::limiter::{Bounds, Limiter};
use crate::linear_feedback::LinearFeedback;
use crate::scheme::{SourceNeeds, SourcePart};
use crate::{
    Backlog, Counters, Entropy, Feedback, Limit, Notification, Path, PointId, React, Reading, Show, Signal,
    Update,
};

/// A BCN reaction point.
#[derive(Clone, Debug)]
pub struct ReactionPoint {
    params: RpParams,
    /// The rate, or during a stop the rate after it.
    rate: Rate,
    line_rate: Rate,
    limiter: Limiter,
    /// The end of a stop or the next drift step; [`Time::MAX`] for never.
    deadline: Time,
    counts: Counts,
    phase: Phase,
    back_off: BackOff,
}

/// Whether the source may send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Sending,
    Silent,
}

/// Counters of 32 bits each, so that the point is no larger than QCN's. This is enough for a 100 Gb/s flow that lasts
/// half a day.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    decreases: u32,
    increases: u32,
    ignored: u32,
    stops: u32,
}

/// The last instant that is not "never": a silent source always has a timer.
const LAST: Time = Time::from_picos(u64::MAX - 1);

impl ReactionPoint {
    /// Creates a reaction point at the full rate of its port, not yet limited.
    pub fn new(params: RpParams, line_rate: Rate) -> Self {
        Self {
            params,
            rate: Bounds::new(params.min_rate, params.max_rate, line_rate).max,
            line_rate,
            limiter: Limiter::Idle,
            deadline: Time::MAX,
            counts: Counts::default(),
            phase: Phase::Sending,
            back_off: BackOff::default(),
        }
    }

    /// Replaces the parameters and keeps the state. A stop in progress still ends when it was due to end; if drift is
    /// switched on, it starts with the next message.
    pub fn set_params(&mut self, params: RpParams) -> Update {
        let before = self.limit();
        self.params = params;
        self.rate = match self.limiter {
            Limiter::Idle => self.bounds().max,
            Limiter::LimitedBy(_) => self.bounds().hold(self.rate.bits_per_second()),
        };
        if self.phase == Phase::Sending && !params.drift.is_on() {
            self.deadline = Time::MAX;
        }
        Update::between(before, self.limit())
    }

    /// Equation (2), Fb < 0: r (1 + Gd Fb).
    fn slow_down(&mut self, from: PointId, feedback: LinearFeedback) {
        let bits = self.rate.bits_per_second();
        let less = feedback.share_of_part(self.params.largest_decrease, bits);
        self.rate = self.bounds().hold(bits - less);
        self.limiter = Limiter::LimitedBy(from);
        count(&mut self.counts.decreases);
    }

    /// Equation (2), Fb > 0: r + Gi Ru Fb.
    fn speed_up(&mut self, feedback: LinearFeedback) {
        let more = feedback.share_of(self.params.largest_increase.bits_per_second());
        self.raise(more);
        self.back_off.reset();
        count(&mut self.counts.increases);
    }

    fn stop(&mut self, now: Time, from: PointId, entropy: &mut dyn Entropy) {
        let end = now.saturating_add(self.back_off.draw(&self.params, entropy));
        self.deadline = end.min(LAST);
        self.phase = Phase::Silent;
        self.rate = self.bounds().min;
        self.limiter = Limiter::LimitedBy(from);
        count(&mut self.counts.stops);
    }

    fn raise(&mut self, by: u64) {
        self.rate = self.bounds().hold(self.rate.bits_per_second().saturating_add(by));
    }

    /// Schedules the next drift step, if there is one.
    fn await_drift(&mut self, now: Time) {
        let drifts = self.params.drift.is_on() && self.rate < self.bounds().max;
        // A timer that is always due at once would stop the caller's clock.
        let interval = self.params.drift_interval.max(TimeDelta::from_picos(1));
        self.deadline = if drifts { now.saturating_add(interval) } else { Time::MAX };
    }

    fn bounds(&self) -> Bounds {
        Bounds::new(self.params.min_rate, self.params.max_rate, self.line_rate)
    }

    /// Handles feedback while the source is not stopped.
    fn follow(&mut self, now: Time, feedback: &Feedback, entropy: &mut dyn Entropy) {
        let (from, content) = match feedback {
            Feedback::Notification { from, content } => (*from, content),
            Feedback::Stop { from } => return self.stop(now, *from, entropy),
            Feedback::Congestion | Feedback::Acknowledgement(_) => return,
        };
        let feedback = self.params.linear(content);
        match (feedback.direction(), self.limiter) {
            (Ordering::Less, _) => self.slow_down(from, feedback),
            (Ordering::Greater, Limiter::LimitedBy(point)) if point == from => self.speed_up(feedback),
            (Ordering::Greater, Limiter::LimitedBy(_)) => return count(&mut self.counts.ignored),
            (Ordering::Greater, Limiter::Idle) | (Ordering::Equal, _) => return,
        }
        self.await_drift(now);
    }
}

impl RpParams {
    fn linear(&self, notification: &Notification) -> LinearFeedback {
        LinearFeedback::new(notification, self.weight, self.reference)
    }
}

impl SourcePart for ReactionPoint {
    type Params = RpParams;

    fn needs(_params: &RpParams) -> SourceNeeds {
        SourceNeeds { tags: true, ..SourceNeeds::NONE }
    }

    fn create(params: RpParams, path: &Path) -> Self {
        Self::new(params, path.line_rate)
    }

    fn limits(params: &RpParams, feedback: &Feedback) -> bool {
        match feedback {
            Feedback::Notification { content, .. } => params.linear(content).direction() == Ordering::Less,
            Feedback::Stop { .. } => true,
            Feedback::Congestion | Feedback::Acknowledgement(_) => false,
        }
    }

    /// All fields are zero in a stop message, BCN(0,0).
    fn signal(fields: Notification) -> Signal {
        if fields.is_zero() { Signal::Stop } else { Signal::Notification(fields) }
    }
}

impl React for ReactionPoint {
    fn on_feedback(&mut self, now: Time, feedback: &Feedback, entropy: &mut dyn Entropy) -> Update {
        let before = self.limit();
        if self.phase == Phase::Sending {
            self.follow(now, feedback, entropy);
        }
        Update::between(before, self.limit())
    }

    fn on_timer(&mut self, now: Time, _entropy: &mut dyn Entropy) -> Update {
        if self.deadline > now {
            return Update::Unchanged;
        }
        let before = self.limit();
        match self.phase {
            Phase::Silent => self.phase = Phase::Sending,
            Phase::Sending => self.raise(self.params.drift_increase.bits_per_second()),
        }
        self.await_drift(now);
        Update::between(before, self.limit())
    }

    #[inline]
    fn timer(&self) -> Option<Time> {
        (self.deadline != Time::MAX).then_some(self.deadline)
    }

    #[inline]
    fn limit(&self) -> Limit {
        match self.phase {
            Phase::Sending => Limit::Rate(self.rate),
            Phase::Silent => Limit::Silent,
        }
    }

    /// During a stop, the rate at which sending will resume.
    #[inline]
    fn rate(&self) -> Rate {
        self.rate
    }

    fn line_rate(&self) -> Rate {
        self.line_rate
    }

    /// -Fb if it is positive, up to its maximum; a stop exceeds any feedback. Messages during a stop are ignored and
    /// count as zero.
    fn level(&self, feedback: &Feedback) -> u64 {
        match (self.phase, feedback) {
            (Phase::Sending, Feedback::Stop { .. }) => u64::MAX,
            (Phase::Sending, Feedback::Notification { content, .. }) => {
                self.params.linear(content).congestion()
            }
            _ => 0,
        }
    }

    /// The point that limits the source.
    #[inline]
    fn tag(&self) -> Option<PointId> {
        self.limiter.point()
    }

    #[inline]
    fn may_release(&self, backlog: Backlog) -> bool {
        self.phase == Phase::Sending
            && self.rate == self.bounds().max
            && (self.limiter == Limiter::Idle || backlog == Backlog::Empty)
    }

    fn counters(&self) -> Counters {
        let Counts { decreases, increases, ignored, stops } = self.counts;
        FamilyCounters {
            decreases: decreases.into(),
            increases: increases.into(),
            ignored: ignored.into(),
            stops: stops.into(),
            ..FamilyCounters::default()
        }
        .into()
    }

    fn state(&self, show: &mut dyn Show) {
        let silent = self.phase == Phase::Silent;
        show.show("phase", Reading::Word(if silent { "silent" } else { "sending" }));
        show.show("rate", Reading::Rate(self.limit().reported()));
        show.show("obeys", self.limiter.reading());
        show.show("back_off", Reading::Number(self.back_off.doublings().into()));
        show.show("timer", Reading::time(self.timer()));
    }
}

fn count(counter: &mut u32) {
    *counter = counter.saturating_add(1);
}
