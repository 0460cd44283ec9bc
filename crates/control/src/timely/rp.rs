//! The reaction point: turns acknowledgements into the rate of one limiter.
//!
//! The first acknowledgement only provides a delay to compare the next one with. After that, each update computes
//!
//! ```text
//! d <- (1 - α) d + α (delay - last delay)      gradient = d / D_minRTT
//! rate <- rate + δ                             delay < T_low
//! rate <- rate (1 - β (1 - T_high/delay))      delay > T_high
//! ```
//!
//! and between the thresholds, with the rule of TIMELY or of patched TIMELY,
//!
//! ```text
//! rate <- rate + δ                             gradient <= 0
//! rate <- rate (1 - β gradient)                gradient > 0
//! rate <- (1 - w) δ + rate (1 - w β (delay - T_low)/T_low)      w = 2 gradient + 1/2 between 0 and 1
//! ```
//!
//! * Invariant: `min_rate <= rate <= max_share of the line rate`, unless the minimum rate is above that bound.
//! * Rounding: averages of differences towards zero, in picoseconds; decreases and increments down, in bits per second.
//! * A round-trip time includes the transmission of the frame and of the acknowledgement, as in HPCC. TIMELY'15 subtracts
//!   the transmission time of the segment.

use alloc::boxed::Box;
use alloc::format;

use setpoint_units::{Bytes, Rate, Time, TimeDelta};

use super::{Delay, HyperIncrease, RpParams, Rule, Steady, Updates};
use crate::parameter::Percent;
use crate::scheme::{SourceNeeds, SourcePart, Start};
use crate::{
    Acknowledgement, Backlog, Counters, Entropy, Feedback, Limit, Misfit, Path, React, Reading, Replies,
    Show, Update, Window,
};

/// A TIMELY reaction point.
///
/// ```
/// use setpoint_control::{Acknowledgement, Feedback, Mark, Path, React, timely};
/// use setpoint_units::{Bytes, Rate, Time, TimeDelta};
///
/// let at = |micros| Time::ZERO + TimeDelta::from_micros(micros);
/// let mut point = timely::ReactionPoint::new(timely::RpParams::default(), &Path::at(Rate::from_gbps(10)));
/// let mut acknowledge = |sent_at, now| {
///     let bytes = Bytes::new(16_000);
///     let content = Acknowledgement { sent_at, bytes, settled: bytes, mark: Mark::Clear, hops: &[] };
///     point.on_feedback(now, &Feedback::Acknowledgement(content), &mut || 0);
///     point.rate()
/// };
/// acknowledge(at(0), at(1_000));
/// // The round-trip time is 1000 us, twice the upper threshold: 1 - 0.8 (1 - 1/2) = 0.6.
/// assert_eq!(acknowledge(at(20), at(1_020)), Rate::from_gbps(6));
/// ```
#[derive(Clone, Debug)]
pub struct ReactionPoint {
    /// Boxed, so that the enum over all algorithms stays within its cache lines.
    given: Box<Given>,
    line_rate: Rate,
    rate: Rate,
    /// The delay at the last update; none before the first acknowledgement.
    delay: Option<TimeDelta>,
    /// The average difference between the delays of successive updates, in picoseconds.
    difference: i64,
    /// Consecutive increases that count towards hyper increase.
    streak: u32,
    sent: Bytes,
    /// The rate is updated once more than these bytes are settled, if it is updated once per window.
    window_end: Bytes,
    counts: Counts,
}

#[derive(Clone, Copy, Debug)]
struct Given {
    params: RpParams,
    path: Path,
}

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    increases: u32,
    hyper_increases: u32,
    decreases: u32,
}

impl ReactionPoint {
    /// Creates a reaction point at its first rate.
    pub fn new(params: RpParams, path: &Path) -> Self {
        let mut point = Self {
            given: Box::new(Given { params, path: *path }),
            line_rate: path.line_rate,
            rate: path.line_rate,
            delay: None,
            difference: 0,
            streak: 0,
            sent: Bytes::ZERO,
            window_end: Bytes::ZERO,
            counts: Counts::default(),
        };
        point.set_rate(params.first_rate.unwrap_or(path.line_rate).bits_per_second());
        point
    }

    /// The delay at the last update; none before the first acknowledgement.
    pub const fn delay(&self) -> Option<TimeDelta> {
        self.delay
    }

    /// Replaces the parameters and keeps the state. The rate is clamped to the new bounds.
    pub fn set_params(&mut self, params: RpParams) -> Update {
        let before = self.limit();
        self.given.params = params;
        self.set_rate(self.rate.bits_per_second());
        Update::between(before, self.limit())
    }

    fn update_since(&self, before: Rate) -> Update {
        if self.rate == before { Update::Unchanged } else { Update::Changed }
    }

    fn set_rate(&mut self, bits: u64) {
        let RpParams { min_rate, max_share, .. } = self.given.params;
        let most = max_share.of(self.line_rate.bits_per_second());
        let rate = bits.min(most).max(min_rate.bits_per_second());
        self.rate = Rate::from_bits_per_second(rate).min(self.line_rate);
    }

    /// The delay that an acknowledgement shows.
    fn measured(&self, now: Time, content: &Acknowledgement<'_>) -> TimeDelta {
        let round_trip = now.saturating_since(content.sent_at);
        match self.given.params.delay {
            Delay::RoundTrip => round_trip,
            Delay::Queueing => round_trip.saturating_sub(self.given.path.base_rtt),
        }
    }

    /// Whether an acknowledgement causes an update. If so, the next window begins.
    fn is_due(&mut self, settled: Bytes) -> bool {
        // A point that replaces another one has not counted all bytes.
        self.sent = self.sent.max(settled);
        if self.given.params.updates == Updates::Window && settled <= self.window_end && self.delay.is_some()
        {
            return false;
        }
        self.window_end = self.sent;
        true
    }

    /// Updates the rate by a delay and by its difference from the last one.
    fn update(&mut self, delay: TimeDelta, last: TimeDelta) {
        let RpParams { low, high, smoothing, rule, .. } = self.given.params;
        let change = delay.as_picos() as i64 - last.as_picos() as i64;
        self.difference = average(self.difference, change, smoothing);
        if delay < low {
            self.increase(HyperIncrease::AfterIncreases);
        } else if delay > high {
            let excess = delay.as_picos() - high.as_picos();
            self.decrease(excess, delay.as_picos());
        } else if rule == Rule::Patched {
            self.patched(delay);
        } else if self.difference < 0
            || (self.difference == 0 && self.given.params.steady == Steady::Increase)
        {
            self.increase(HyperIncrease::AfterDeclines);
        } else {
            self.decrease(self.difference.unsigned_abs(), self.given.params.min_rtt.as_picos());
        }
    }

    /// Increases the rate. Increases below the lower threshold end a series of declines, and count only for
    /// [`HyperIncrease::AfterIncreases`].
    fn increase(&mut self, of: HyperIncrease) {
        let RpParams { hyper, threshold, increase, hyper_increase, .. } = self.given.params;
        let counts = hyper != HyperIncrease::Never && (hyper == of || hyper == HyperIncrease::AfterIncreases);
        let is_hyper = counts && self.streak >= threshold;
        self.streak = if counts { self.streak.saturating_add(1) } else { 0 };
        let (step, counter) = if is_hyper {
            (hyper_increase, &mut self.counts.hyper_increases)
        } else {
            (increase, &mut self.counts.increases)
        };
        *counter = counter.saturating_add(1);
        self.set_rate(self.rate.bits_per_second().saturating_add(step.bits_per_second()));
    }

    /// Reduces the rate by β times a ratio of times, at most to the minimum.
    fn decrease(&mut self, part: u64, whole: u64) {
        let rate = self.rate.bits_per_second();
        let cut = share(self.given.params.decrease.of(rate), part, whole);
        self.streak = 0;
        self.counts.decreases = self.counts.decreases.saturating_add(u32::from(cut > 0));
        self.set_rate(rate.saturating_sub(cut));
    }

    /// The rule of patched TIMELY between the thresholds.
    fn patched(&mut self, delay: TimeDelta) {
        let RpParams { low, min_rtt, increase, decrease, .. } = self.given.params;
        // w is weight / whole.
        let unit = i128::from(min_rtt.as_picos());
        let whole = 2 * unit;
        let weight = (4 * i128::from(self.difference) + unit).clamp(0, whole) as u64;
        let whole = whole as u64;
        let rate = self.rate.bits_per_second();
        let cut = share(decrease.of(rate), delay.as_picos() - low.as_picos(), low.as_picos());
        let cut = share(cut, weight, whole);
        let raise = share(increase.bits_per_second(), whole - weight, whole);
        self.streak = 0;
        let counter = if raise > cut { &mut self.counts.increases } else { &mut self.counts.decreases };
        *counter = counter.saturating_add(1);
        self.set_rate(rate.saturating_add(raise).saturating_sub(cut));
    }
}

/// The share `part / whole` of an amount, rounded down.
fn share(amount: u64, part: u64, whole: u64) -> u64 {
    let share = u128::from(amount) * u128::from(part) / u128::from(whole.max(1));
    u64::try_from(share).unwrap_or(u64::MAX)
}

/// The average with a new value of the given weight, rounded towards zero.
fn average(old: i64, new: i64, weight: Percent) -> i64 {
    let (weight, whole) = (i128::from(weight.hundredths()), i128::from(Percent::WHOLE.hundredths()));
    ((i128::from(old) * (whole - weight) + i128::from(new) * weight) / whole) as i64
}

impl SourcePart for ReactionPoint {
    type Params = RpParams;

    fn needs(params: &RpParams) -> SourceNeeds {
        SourceNeeds { window: params.window != Window::None, start: Start::FirstFrame, ..SourceNeeds::NONE }
    }

    fn check_replies(params: &RpParams, replies: Replies) -> Result<(), Misfit> {
        let Some(frames @ 2..) = replies.acknowledged_frames else { return Ok(()) };
        if params.window == Window::None {
            return Ok(());
        }
        let message = format!(
            "timely.rp.window is {}, which needs an acknowledgement of every frame, but timely.np.frames is {frames}; set it to 1, or \
             timely.rp.window to \"none\"",
            params.window.name(),
        );
        Err(Misfit::new("timely.rp.window", &message))
    }

    fn aim(params: &RpParams, _path: &Path) -> Option<(&'static str, TimeDelta)> {
        (params.delay == Delay::RoundTrip).then_some(("low", params.low))
    }

    fn create(params: RpParams, path: &Path) -> Self {
        Self::new(params, path)
    }

    fn limits(_params: &RpParams, feedback: &Feedback<'_>) -> bool {
        matches!(feedback, Feedback::Acknowledgement(_))
    }
}

impl React for ReactionPoint {
    fn on_feedback(&mut self, now: Time, feedback: &Feedback<'_>, _entropy: &mut dyn Entropy) -> Update {
        let Feedback::Acknowledgement(content) = feedback else { return Update::Unchanged };
        if !self.is_due(content.settled) {
            return Update::Unchanged;
        }
        let (before, delay) = (self.rate, self.measured(now, content));
        if let Some(last) = self.delay.replace(delay) {
            self.update(delay, last);
        }
        self.update_since(before)
    }

    #[inline]
    fn on_sent(&mut self, frame: Bytes, _entropy: &mut dyn Entropy) -> Update {
        self.sent += frame;
        Update::Unchanged
    }

    #[inline]
    fn limit(&self) -> Limit {
        let Given { params, path } = &*self.given;
        params.window.limit(self.rate, self.line_rate, path.rtt(params.base_rtt))
    }

    #[inline]
    fn rate(&self) -> Rate {
        self.rate
    }

    fn line_rate(&self) -> Rate {
        self.line_rate
    }

    #[inline]
    fn may_release(&self, _backlog: Backlog) -> bool {
        false
    }

    fn counters(&self) -> Counters {
        [
            ("decreases", self.counts.decreases.into()),
            ("increases", self.counts.increases.into()),
            ("hyper_increases", self.counts.hyper_increases.into()),
        ]
        .into()
    }

    fn state(&self, show: &mut dyn Show) {
        show.show("rate", Reading::Rate(self.rate));
        if let Limit::Window { bytes, .. } = self.limit() {
            show.show("window", Reading::bytes(bytes));
        }
        let picos = |delay: TimeDelta| Reading::Number(delay.as_picos() as i64);
        show.show("delay_in_ps", self.delay.map_or(Reading::Absent, picos));
        show.show("difference_in_ps", Reading::Number(self.difference));
        show.show("streak", Reading::Number(self.streak.into()));
        show.show("sent", Reading::bytes(self.sent));
        show.show("window_end", Reading::bytes(self.window_end));
    }
}
