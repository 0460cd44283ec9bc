//! The reaction point: turns notifications, sent bytes and time into the rate of one limiter.
//!
//! A notification cuts the current rate and makes the previous rate the target. Then two clocks run, a counter
//! of sent bytes and a timer. Each time one of them completes a cycle, its stage increases by one and the
//! current rate moves halfway to the target. Once a clock has completed its cycles of fast recovery, the target
//! itself rises (active increase), and once both have, by ever larger steps (hyper-active increase).
//!
//! * Source: pseudo-code revision 2.2 and, as an alternative, the state machine of clause 32
//!   ([`Rules`](super::Rules)).
//! * Invariant: `min <= current <= target` and `current <= max`, and `target <= max` while the target is
//!   capped; max is the smaller of rpgMaxRate and the line rate. Stages never decrease between notifications.
//! * Rounding: a decrease rounds down, the mean of current and target rounds **up** to a whole bit per second.
//!   Rounding up lets the rate reach its target, on which the release of the limiter depends.
//! * A clock's first cycle after a notification has its full length, without jitter. A byte cycle ends when more bytes
//!   than its length have been sent, and the excess is discarded.
//!
//! Departures from the sources:
//! * The target is limited to max ([`RpParams::target_cap`]). The simulators that serve as sources let it wind up
//!   beyond that: after a notification that keeps the target, the flow recovers towards a rate that the port cannot
//!   reach.
//! * Extra fast recovery tests the byte stage. If the byte counter is off, its stage stays zero and the first target
//!   would be kept forever, so the time stage is tested instead.

mod counts;
mod rates;
mod stages;

use setpoint_units::{Bytes, Rate, Time};

use self::counts::Counts;
use self::rates::Rates;
pub use self::stages::{RpPhase, Stages};
use super::{RecoveryFeedback, Release, RpParams, Target};
use crate::counters::FamilyCounters;
use crate::jitter::jittered;
use crate::scheme::SourcePart;
use crate::{Backlog, Counters, Entropy, Feedback, Path, QuantizedFeedback, React, Reading, Show, Update};

/// An IEEE 802.1Qau reaction point.
///
/// ```
/// use setpoint_control::{Notification, PointId, QuantizedFeedback, React, qcn};
/// use setpoint_units::{Bytes, Rate, Time};
///
/// let mut point = qcn::ReactionPoint::new(qcn::RpParams::default(), Rate::from_gbps(10));
/// let notification =
///     Notification { feedback: QuantizedFeedback::saturating(32), queue_offset: -13_000, queue_delta: 0 };
/// point.on_feedback(Time::ZERO, &notification.sent_by(PointId(1)), &mut || 0);
/// assert_eq!((point.rate(), point.phase()), (Rate::from_mbps(7_500), qcn::RpPhase::FastRecovery));
/// // A cycle of the byte counter, 150 kB, recovers half of the cut.
/// for _ in 0..101 {
///     point.on_sent(Bytes::new(1_500), &mut || 0);
/// }
/// assert_eq!((point.rate(), point.target_rate()), (Rate::from_mbps(8_750), Rate::from_gbps(10)));
/// ```
// Three cache lines. The fields that every frame touches are in the middle one, with the end of the parameters,
// where the enum over all algorithms keeps its tag.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct ReactionPoint {
    params: RpParams,
    /// Bytes left to send in this cycle; counts down from [`NEVER`] if there is no cycle.
    bytes_left: i64,
    rates: Rates,
    /// The end of the timer's cycle; [`Time::MAX`] while the timer does not run.
    cycle_end: Time,
    limiter: Limiter,
    stages: Stages,
    /// Notifications ignored in fast recovery. Stored in 32 bits, which fill the padding before the line rate.
    ignored: u32,
    line_rate: Rate,
    counters: Counts,
}

/// Whether the point has accepted a notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Limiter {
    Idle,
    Active,
}

/// More bytes than any flow sends.
const NEVER: i64 = i64::MAX;

impl ReactionPoint {
    /// Creates a reaction point at the full rate of its port, or at the maximum rate if that is less. Its clocks
    /// start with the first notification.
    pub fn new(params: RpParams, line_rate: Rate) -> Self {
        Self {
            params,
            bytes_left: NEVER,
            rates: Rates::full(&params, line_rate),
            cycle_end: Time::MAX,
            limiter: Limiter::Idle,
            stages: Stages::default(),
            ignored: 0,
            line_rate,
            counters: Counts::default(),
        }
    }

    /// The maximum rate: the port rate, or rpgMaxRate if it is lower.
    pub fn max_rate(&self) -> Rate {
        self.rates.max()
    }

    /// The cycles completed since the last notification.
    pub fn stages(&self) -> Stages {
        self.stages
    }

    /// The phase of recovery.
    pub fn phase(&self) -> RpPhase {
        match self.limiter {
            Limiter::Idle => RpPhase::Unlimited,
            Limiter::Active => self.stages.phase(&self.params),
        }
    }

    /// Its parameters.
    pub fn params(&self) -> &RpParams {
        &self.params
    }

    /// Replaces the parameters and keeps the state.
    ///
    /// Rates are clamped to the new bounds. Current cycles keep their length. A clock that is switched off stops. A
    /// byte counter that is switched on starts a cycle at once, a timer at the next notification. A disabled point
    /// forgets its limit.
    pub fn set_params(&mut self, params: RpParams) -> Update {
        let before = self.rates;
        let counted = core::mem::replace(&mut self.params, params).byte_counter;
        if self.limiter == Limiter::Idle || !params.enable.is_on() {
            let Self { counters, ignored, .. } = *self;
            *self = Self { counters, ignored, ..Self::new(params, self.line_rate) };
            return self.update_since(before);
        }
        self.rates.rebound(&params, self.line_rate);
        if !params.timer.is_on() {
            self.cycle_end = Time::MAX;
        }
        if params.byte_counter != counted {
            self.start_byte_counter();
        }
        self.update_since(before)
    }

    /// Cuts the current rate and, if it is time for a new target, makes the rate before or after the cut the target.
    fn cut(&mut self, feedback: QuantizedFeedback) {
        let new_target = self.takes_new_target();
        if new_target {
            self.rates.retarget();
            self.start_byte_counter();
        } else {
            self.counters.kept_targets += 1;
        }
        self.rates.decrease(feedback, &self.params);
        if new_target && self.params.target == Target::AfterCut {
            self.rates.retarget();
        }
    }

    #[cold]
    #[inline(never)]
    fn on_byte_cycle(&mut self, entropy: &mut dyn Entropy) -> Update {
        let phase = self.phase();
        self.stages.bytes = self.stages.bytes.saturating_add(1);
        let period = self.params.byte_reset / self.period_divisor(phase, self.stages.bytes);
        self.bytes_left = jittered(period.get(), self.params.jitter, entropy) as i64;
        self.raise()
    }

    fn start_byte_counter(&mut self) {
        let on = self.params.byte_counter.is_on();
        self.bytes_left = if on { self.params.byte_reset.get() as i64 } else { NEVER };
    }

    /// Whether a notification makes the current rate the target: always without extra fast recovery, otherwise only
    /// if the point was not limited or its byte counter has completed a cycle since the last notification.
    fn takes_new_target(&self) -> bool {
        let stage = if self.params.byte_counter.is_on() { self.stages.bytes } else { self.stages.time };
        !self.params.extra_fast_recovery.is_on() || self.rates.at_max() || stage != 0
    }

    /// Whether the source is limited and neither clock has completed the cycles of fast recovery. This is not the phase:
    /// by the pseudo-code, the phase lasts until one more cycle ends, which already raises the target.
    fn is_recovering(&self) -> bool {
        let completed = self.stages.bytes.max(self.stages.time);
        self.limiter == Limiter::Active && completed < self.params.threshold
    }

    fn period_divisor(&self, phase: RpPhase, own_stage: u32) -> u64 {
        if stages::period_is_halved(&self.params, phase, own_stage) { 2 } else { 1 }
    }

    /// The pseudo-code's `self_increase`, the standard's `AdjustRates`: a cycle has been completed.
    fn raise(&mut self) -> Update {
        let before = self.rates;
        let phase = self.phase();
        *self.counters.cycles_in(phase) += 1;
        if self.params.target_reduction.is_on() && self.stages.any_is_first() && self.rates.target_is_far() {
            self.rates.reduce_target();
            self.counters.target_reductions += 1;
        } else {
            self.rates.raise_target(self.stages.increment(phase, &self.params), &self.params);
        }
        self.rates.recover();
        self.update_since(before)
    }

    fn update_since(&self, before: Rates) -> Update {
        if self.rates.current() == before.current() { Update::Unchanged } else { Update::Changed }
    }
}

impl RpParams {
    /// The feedback of a notification that decreases the rate. A notification without feedback does not.
    fn accepted(&self, feedback: &Feedback) -> Option<QuantizedFeedback> {
        match feedback {
            Feedback::Notification { content, .. } if self.enable.is_on() => {
                Some(content.feedback).filter(|feedback| !feedback.is_zero())
            }
            _ => None,
        }
    }
}

impl SourcePart for ReactionPoint {
    type Params = RpParams;

    fn create(params: RpParams, path: &Path) -> Self {
        Self::new(params, path.line_rate)
    }

    fn limits(params: &RpParams, feedback: &Feedback) -> bool {
        params.accepted(feedback).is_some()
    }
}

impl React for ReactionPoint {
    /// Accepts notifications from every point: the standard's source ignores the id of the congestion point.
    /// [`RpParams::recovery_feedback`] determines the effect of a notification that arrives during fast recovery.
    ///
    /// No entropy is drawn: the first cycles after a notification have their full length.
    fn on_feedback(&mut self, now: Time, feedback: &Feedback, _entropy: &mut dyn Entropy) -> Update {
        let Some(feedback) = self.params.accepted(feedback) else { return Update::Unchanged };
        let before = self.rates;
        match self.params.recovery_feedback {
            RecoveryFeedback::Off if self.is_recovering() => {
                self.ignored = self.ignored.saturating_add(1);
                return Update::Unchanged;
            }
            RecoveryFeedback::NoRestart if self.is_recovering() => {
                self.rates.retarget();
                self.rates.decrease(feedback, &self.params);
                if self.params.target == Target::AfterCut {
                    self.rates.retarget();
                }
                self.counters.decreases += 1;
                return self.update_since(before);
            }
            RecoveryFeedback::CutOnly if self.is_recovering() => {
                self.rates.decrease(feedback, &self.params);
                self.counters.decreases += 1;
                self.counters.kept_targets += 1;
                return self.update_since(before);
            }
            _ => self.cut(feedback),
        }
        self.stages = Stages::default();
        self.limiter = Limiter::Active;
        self.counters.decreases += 1;
        if self.params.timer.is_on() {
            self.cycle_end = now.saturating_add(self.params.time_reset);
        }
        self.update_since(before)
    }

    #[inline]
    fn on_sent(&mut self, frame: Bytes, entropy: &mut dyn Entropy) -> Update {
        self.bytes_left -= frame.get() as i64;
        if self.bytes_left >= 0 {
            return Update::Unchanged;
        }
        self.on_byte_cycle(entropy)
    }

    /// Ends the timer's cycle if it is due at `now`, and starts the next one.
    fn on_timer(&mut self, now: Time, entropy: &mut dyn Entropy) -> Update {
        if self.cycle_end > now {
            return Update::Unchanged;
        }
        let phase = self.phase();
        self.stages.time = self.stages.time.saturating_add(1);
        let period = self.params.time_reset / self.period_divisor(phase, self.stages.time);
        let period = jittered(period.as_picos(), self.params.jitter, entropy);
        // A timer that is always due at once would stop the caller's clock.
        self.cycle_end = Time::from_picos(now.as_picos().saturating_add(period.max(1)));
        self.raise()
    }

    #[inline]
    fn timer(&self) -> Option<Time> {
        (self.cycle_end != Time::MAX).then_some(self.cycle_end)
    }

    #[inline]
    fn rate(&self) -> Rate {
        self.rates.current()
    }

    fn target_rate(&self) -> Rate {
        self.rates.target()
    }

    fn line_rate(&self) -> Rate {
        self.line_rate
    }

    #[inline]
    fn may_release(&self, backlog: Backlog) -> bool {
        // This condition is nearly always false; a point that is not limited is at its maximum rate.
        self.rates.at_max()
            && (self.limiter == Limiter::Idle
                || self.params.release == Release::AtMaxRate
                || backlog == Backlog::Empty)
    }

    fn counters(&self) -> Counters {
        FamilyCounters { ignored: self.ignored.into(), ..self.counters.into() }.into()
    }

    fn state(&self, show: &mut dyn Show) {
        show.show("phase", Reading::Word(self.phase().name()));
        show.show("rate", Reading::Rate(self.rate()));
        show.show("target_rate", Reading::Rate(self.target_rate()));
        show.show("byte_stage", Reading::Number(i64::from(self.stages.bytes)));
        show.show("time_stage", Reading::Number(i64::from(self.stages.time)));
        let counting = self.limiter == Limiter::Active && self.params.byte_counter.is_on();
        show.show("cycle_left", if counting { Reading::Bytes(self.bytes_left) } else { Reading::Absent });
        show.show("timer", Reading::time(self.timer()));
    }
}
