//! The reaction point: the rate, and the Averaging Principle.
//!
//! With Fb = -(Qoff + w dQ), clamped to ±Fmax, Fmax = (1 + 2w) reference, a message changes the rate by
//!
//! ```text
//! F =  largest_increase Fb / Fmax          Fb > 0, or Fb < 0 and the decrease is additive
//! F =  r largest_decrease Fb / Fmax        Fb < 0 and the decrease is multiplicative
//! ```
//!
//! rounded towards zero to a whole bit per second. Then
//!
//! ```text
//! off:         R[n]  = R[n-1] + F[n]
//! on:          R1[n] = R2[n-1] + F[n]                 at once                          (system 1)
//!              R2[n] = (R1[n] + R2[n-1]) / 2          half an interval later, unless another message arrived
//! equivalent:  R[n]  = R[n-1] + 3/4 F[n] - 1/4 F[n-1]                                  (system 2)
//! ```
//!
//! Theorem 1: for the same F, the mean (R1[n] + R2[n])/2 of system 1 equals R[n] of system 2. Rates are kept in quarters
//! of a bit per second, in which both are exact as long as no rate is at its bounds. [`rate`](React::rate) is rounded
//! down, so that it differs by less than 1 b/s between the two. F is the same if the decrease is additive; a
//! multiplicative decrease depends on the rate, which differs between the systems.
//!
//! * Half an interval is measured in bytes that the limiter sends. On average a flow is sampled once for every sample base of bytes that it sends, whatever its share of the link, so half a sample base is half an interval.
//! * Invariant: `min <= rate <= max`.
//! * A source that was never slowed down ignores feedback that is not negative. A source is not associated with a
//!   particular congestion point, since the paper considers only a single point. If a path has several congestion
//!   points, the source follows all of them.
//! * The limiter is released at the maximum rate once no frame is waiting, as in QCN; a pending averaging step is discarded.

use core::cmp::Ordering;

use setpoint_units::{Bytes, Rate, Time};

use super::params::{Averaging, Decrease, RpParams};
use super::quarters::Quarters;
use crate::counters::FamilyCounters;
use crate::limiter::Bounds;
use crate::linear_feedback::LinearFeedback;
use crate::scheme::SourcePart;
use crate::{Backlog, Counters, Entropy, Feedback, Notification, Path, React, Reading, Show, Update};

/// A reaction point for AIMD with feedback.
#[derive(Clone, Debug)]
pub struct ReactionPoint {
    params: RpParams,
    rate: Quarters,
    /// R2[n-1], the rate before the last message, while an averaging step is pending.
    before: Quarters,
    /// Bytes left to send before the averaging step; [`NEVER`] while none is pending.
    bytes_left: i64,
    /// F[n-1], in bits per second.
    last_change: i64,
    line_rate: Rate,
    limiter: Slowed,
    decreases: u64,
    increases: u64,
    averagings: u64,
}

/// Whether the source has ever been slowed down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slowed {
    Never,
    Once,
}

/// More bytes than any flow sends.
const NEVER: i64 = i64::MAX;

impl ReactionPoint {
    /// Creates a reaction point at the full rate of its port, not yet limited.
    pub fn new(params: RpParams, line_rate: Rate) -> Self {
        let rate = Quarters::of(Bounds::new(params.min_rate, params.max_rate, line_rate).max);
        Self {
            params,
            rate,
            before: rate,
            bytes_left: NEVER,
            last_change: 0,
            line_rate,
            limiter: Slowed::Never,
            decreases: 0,
            increases: 0,
            averagings: 0,
        }
    }

    /// Replaces the parameters and keeps the state. A pending averaging step is discarded if averaging is switched
    /// off.
    pub fn set_params(&mut self, params: RpParams) -> Update {
        let before = self.limit();
        self.params = params;
        let bounds = self.bounds();
        self.rate = match self.limiter {
            Slowed::Never => Quarters::of(bounds.max),
            Slowed::Once => self.rate.held(bounds),
        };
        self.before = self.before.held(bounds);
        if params.averaging != Averaging::On {
            self.bytes_left = NEVER;
        }
        Update::between(before, self.limit())
    }

    /// The rate in quarters of a bit per second, in which theorem 1 is exact.
    pub fn quarter_bits(&self) -> u64 {
        self.rate.get()
    }

    /// F[n], in bits per second.
    fn change(&self, feedback: LinearFeedback) -> i64 {
        let additive = feedback.share_of(self.params.largest_increase.bits_per_second());
        let signed = |bits: u64| i64::try_from(bits).unwrap_or(i64::MAX);
        match (feedback.direction(), self.params.decrease) {
            (Ordering::Equal, _) => 0,
            (Ordering::Greater, _) => signed(additive),
            (Ordering::Less, Decrease::Additive) => -signed(additive),
            (Ordering::Less, Decrease::Multiplicative) => {
                let bits = self.rate.rate().bits_per_second();
                -signed(feedback.share_of_part(self.params.largest_decrease, bits))
            }
        }
    }

    /// The first half of an interval in theorem 1: R1[n] = R2[n-1] + F[n], or system 2's 3/4 F[n] - 1/4 F[n-1].
    fn apply(&mut self, change: i64) {
        let (now, last) = (i128::from(change), i128::from(self.last_change));
        let quarters = match self.params.averaging {
            Averaging::Off | Averaging::On => 4 * now,
            Averaging::Equivalent => 3 * now - last,
        };
        self.before = self.rate;
        self.rate = self.rate.moved(quarters, self.bounds());
        self.last_change = change;
        let on = self.params.averaging == Averaging::On;
        self.bytes_left = if on { signed(self.params.averaging_bytes) } else { NEVER };
    }

    /// The second half: R2[n] = (R1[n] + R2[n-1]) / 2.
    #[cold]
    #[inline(never)]
    fn average(&mut self) -> Update {
        let before = self.limit();
        self.rate = self.rate.mean(self.before);
        self.bytes_left = NEVER;
        self.averagings += 1;
        Update::between(before, self.limit())
    }

    #[inline]
    fn averaging_is_due(&self) -> bool {
        self.bytes_left != NEVER
    }

    fn bounds(&self) -> Bounds {
        Bounds::new(self.params.min_rate, self.params.max_rate, self.line_rate)
    }
}

impl RpParams {
    fn linear(&self, notification: &Notification) -> LinearFeedback {
        LinearFeedback::new(notification, self.weight, self.reference)
    }
}

impl SourcePart for ReactionPoint {
    type Params = RpParams;

    fn create(params: RpParams, path: &Path) -> Self {
        Self::new(params, path.line_rate)
    }

    fn limits(params: &RpParams, feedback: &Feedback) -> bool {
        feedback.notification().is_some_and(|content| params.linear(content).direction() == Ordering::Less)
    }
}

impl React for ReactionPoint {
    fn on_feedback(&mut self, _now: Time, feedback: &Feedback, _entropy: &mut dyn Entropy) -> Update {
        let Feedback::Notification { content, .. } = feedback else { return Update::Unchanged };
        let feedback = self.params.linear(content);
        match feedback.direction() {
            Ordering::Less => {
                self.limiter = Slowed::Once;
                self.decreases += 1;
            }
            _ if self.limiter == Slowed::Never => return Update::Unchanged,
            Ordering::Greater => self.increases += 1,
            Ordering::Equal => {}
        }
        let before = self.limit();
        self.apply(self.change(feedback));
        Update::between(before, self.limit())
    }

    #[inline]
    fn on_sent(&mut self, frame: Bytes, _entropy: &mut dyn Entropy) -> Update {
        if !self.averaging_is_due() {
            return Update::Unchanged;
        }
        self.bytes_left -= signed(frame);
        if self.bytes_left >= 0 {
            return Update::Unchanged;
        }
        self.average()
    }

    #[inline]
    fn rate(&self) -> Rate {
        self.rate.rate()
    }

    /// While an averaging step is pending, the rate before the last message: the rate will move halfway towards
    /// it.
    fn target_rate(&self) -> Rate {
        if self.averaging_is_due() { self.before.rate() } else { self.rate() }
    }

    fn line_rate(&self) -> Rate {
        self.line_rate
    }

    /// -Fb if it is positive, up to Fmax.
    fn level(&self, feedback: &Feedback) -> u64 {
        feedback.notification().map_or(0, |content| self.params.linear(content).congestion())
    }

    #[inline]
    fn may_release(&self, backlog: Backlog) -> bool {
        self.rate == Quarters::of(self.bounds().max)
            && (self.limiter == Slowed::Never || backlog == Backlog::Empty)
    }

    /// Averaging steps count as fast-recovery cycles, their counterpart in QCN.
    fn counters(&self) -> Counters {
        let Self { decreases, increases, averagings, .. } = *self;
        FamilyCounters { decreases, increases, fast_recovery_cycles: averagings, ..FamilyCounters::default() }
            .into()
    }

    fn state(&self, show: &mut dyn Show) {
        let limited = self.limiter == Slowed::Once;
        show.show("phase", Reading::Word(if limited { "limited" } else { "unlimited" }));
        show.show("rate", Reading::Rate(self.rate()));
        show.show("rate_quarters", Reading::Number((self.rate.get() % 4) as i64));
        show.show("target_rate", Reading::Rate(self.target_rate()));
        let due = self.averaging_is_due();
        show.show("averaging_left", if due { Reading::Bytes(self.bytes_left) } else { Reading::Absent });
        show.show("last_change", Reading::Number(self.last_change));
    }
}

/// The amount in bytes, clamped to less than [`NEVER`].
#[inline]
fn signed(amount: Bytes) -> i64 {
    i64::try_from(amount.get()).map_or(NEVER - 1, |amount| amount.min(NEVER - 1))
}
