//! The reaction point: turns acknowledgements into the window of one limiter.
//!
//! For an acknowledgement with the delay d, a window of w frames, and a path with a number of bridges (hops),
//!
//! ```text
//! target = base + hops h + clamp(α/√w + γ, 0, range)      α = range/(1/√min - 1/√max), γ = -α/√max
//! w <- w + ai acked/w                                     d < target, w >= 1
//! w <- w + ai acked                                       d < target, w < 1
//! w <- w max(1 - β (d - target)/d, 1 - max_decrease)      otherwise, once per round-trip time
//! ```
//!
//! A window of at least one frame applies at line rate. Below one frame, one frame is in flight at a time, at a rate of
//! w frames per round-trip time.
//!
//! * Invariant: `min_window <= w <= max_window`.
//! * Rounding: windows are rounded down to a multiple of 2^-20 frames.

use alloc::boxed::Box;

use setpoint_units::{Bytes, Rate, Time, TimeDelta};

use super::{Delay, RpParams};
use crate::parameter::Percent;
use crate::scheme::{SourceNeeds, SourcePart, Start};
use crate::{
    Acknowledgement, Backlog, Counters, Entropy, Feedback, Limit, Path, React, Reading, Show, Update,
};

/// A Swift reaction point.
#[derive(Clone, Debug)]
pub struct ReactionPoint {
    /// Boxed, so that the enum over all algorithms stays within its cache lines.
    params: Box<RpParams>,
    path: Box<Path>,
    /// The window in units of 2^-20 frames.
    window: u64,
    /// The last round-trip time; none before the first acknowledgement.
    rtt: Option<TimeDelta>,
    /// The time of the last decrease.
    decreased: Option<Time>,
    increases: u64,
    decreases: u64,
}

/// A window of one frame.
const FRAME: u64 = 1 << 20;

impl ReactionPoint {
    /// Creates a reaction point with its first window.
    pub fn new(params: RpParams, path: &Path) -> Self {
        Self {
            params: Box::new(params),
            path: Box::new(*path),
            window: u64::from(params.first_window) * FRAME,
            rtt: None,
            decreased: None,
            increases: 0,
            decreases: 0,
        }
    }

    /// The window in bytes, at least one: a frame may always be in flight.
    pub fn window(&self) -> Bytes {
        let bytes = u128::from(self.window) * u128::from(self.path.frame.get()) / u128::from(FRAME);
        Bytes::new(bytes as u64).max(Bytes::new(1))
    }

    /// The target delay at the present window.
    pub fn target(&self) -> TimeDelta {
        let RpParams { base_target, hop_target, scaling_range, scaling_min, scaling_max, .. } = *self.params;
        let [now, least, most] =
            [self.window, part(FRAME, scaling_min), u64::from(scaling_max) * FRAME].map(inverse_root);
        let whole = least.saturating_sub(most).max(1);
        let scaled = scaling_range.scaled(now.saturating_sub(most).min(whole), whole);
        base_target + hop_target * u64::from(self.path.bridges) + scaled
    }

    /// Replaces the parameters and keeps the state. The window is clamped to the new bounds.
    pub fn set_params(&mut self, params: RpParams) -> Update {
        let before = self.limit();
        *self.params = params;
        self.set_window(self.window);
        Update::between(before, self.limit())
    }

    fn set_window(&mut self, window: u64) {
        let RpParams { min_window, max_window, .. } = *self.params;
        let (least, most) = (part(FRAME, min_window).max(1), u64::from(max_window) * FRAME);
        self.window = window.clamp(least, most.max(least));
    }

    fn increase(&mut self, bytes: Bytes) {
        let acked = u128::from(bytes.get()) * u128::from(FRAME) / u128::from(self.path.frame.get().max(1));
        let step =
            acked * u128::from(self.params.increase.hundredths()) / u128::from(Percent::WHOLE.hundredths());
        let step =
            if self.window >= FRAME { step * u128::from(FRAME) / u128::from(self.window) } else { step };
        self.increases += 1;
        self.set_window(self.window.saturating_add(step.min(u128::from(u64::MAX)) as u64));
    }

    fn decrease(&mut self, now: Time, delay: TimeDelta, target: TimeDelta) {
        let RpParams { decrease, max_decrease, .. } = *self.params;
        let excess = u128::from(delay.as_picos() - target.as_picos());
        let cut = u128::from(part(self.window, decrease)) * excess / u128::from(delay.as_picos().max(1));
        let cut = (cut as u64).min(part(self.window, max_decrease));
        self.decreased = Some(now);
        self.decreases += 1;
        self.set_window(self.window - cut);
    }

    fn acknowledged(&mut self, now: Time, content: &Acknowledgement<'_>) {
        let rtt = now.saturating_since(content.sent_at);
        self.rtt = Some(rtt);
        let delay = match self.params.delay {
            Delay::RoundTrip => rtt,
            Delay::Queueing => rtt.saturating_sub(self.path.base_rtt),
        };
        let target = self.target();
        if delay < target {
            self.increase(content.bytes);
        } else if self.decreased.is_none_or(|last| now.saturating_since(last) >= rtt) {
            self.decrease(now, delay, target);
        }
    }
}

/// A part of a window, rounded down.
fn part(window: u64, share: Percent) -> u64 {
    (u128::from(window) * u128::from(share.hundredths()) / u128::from(Percent::WHOLE.hundredths())) as u64
}

/// 1/√w in units of 2^-20, for a window in units of 2^-20.
fn inverse_root(window: u64) -> u64 {
    let root = (u128::from(window) << 20).isqrt().max(1);
    ((1_u128 << 40) / root) as u64
}

impl SourcePart for ReactionPoint {
    type Params = RpParams;

    fn needs(_params: &RpParams) -> SourceNeeds {
        SourceNeeds { window: true, start: Start::FirstFrame, ..SourceNeeds::NONE }
    }

    fn aim(params: &RpParams, path: &Path) -> Option<(&'static str, TimeDelta)> {
        if params.delay == Delay::Queueing {
            return None;
        }
        let mut point = Self::new(*params, path);
        let frames = u128::from((path.line_rate * path.base_rtt).get()) * u128::from(FRAME);
        let filling = u64::try_from(frames / u128::from(path.frame.get().max(1))).unwrap_or(u64::MAX);
        point.set_window(filling);
        Some(("base_target", point.target()))
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
        let before = self.limit();
        self.acknowledged(now, content);
        Update::between(before, self.limit())
    }

    fn limit(&self) -> Limit {
        Limit::Window { bytes: self.window(), rate: self.rate() }
    }

    /// The line rate, or the rate at which a window below one frame is sent.
    fn rate(&self) -> Rate {
        let line = self.path.line_rate;
        match self.rtt {
            Some(rtt) if self.window < FRAME => {
                Rate::from_bytes_over(self.window(), rtt).unwrap_or(line).min(line)
            }
            _ => line,
        }
    }

    fn line_rate(&self) -> Rate {
        self.path.line_rate
    }

    #[inline]
    fn may_release(&self, _backlog: Backlog) -> bool {
        false
    }

    fn counters(&self) -> Counters {
        [("decreases", self.decreases), ("increases", self.increases)].into()
    }

    fn state(&self, show: &mut dyn Show) {
        show.show("rate", Reading::Rate(self.rate()));
        show.show("window", Reading::bytes(self.window()));
        show.show("window_in_2_20ths", Reading::Number(self.window as i64));
        let picos = |delay: TimeDelta| Reading::Number(delay.as_picos() as i64);
        show.show("target_in_ps", picos(self.target()));
        show.show("round_trip_in_ps", self.rtt.map_or(Reading::Absent, picos));
        show.show("decreased", Reading::time(self.decreased));
    }
}
