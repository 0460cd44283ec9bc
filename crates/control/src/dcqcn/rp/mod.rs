//! The reaction point: turns reports of marks, sent bytes and time into the rate of one limiter.
//!
//! Under the rules of the paper, a CNP cuts the rate by α/2, raises α, and restarts recovery and all clocks. Under the
//! vendor's rules, a CNP is only recorded: α is updated every [`RpParams::alpha_interval`], and the rate is cut at most once
//! every [`RpParams::decrease_interval`]. Both intervals begin with the first CNP. α is updated before a cut that is due at
//! the same time, and a cycle of the timer that ends at the same time comes before the cut.
//!
//! Between cuts, the byte counter and the timer complete cycles, as in QCN. Each cycle moves the rate halfway to the
//! target. After fast recovery the target rises as well.
//!
//! * Invariant: `min <= rate <= line rate` and, while the target is capped, `target <= line rate`.
//! * Rounding: a cut rounds down, the mean of rate and target rounds up to a whole bit per second, so that the
//!   rate reaches its target. ns3-rdma and HPCC truncate both halves.
//! * A byte cycle ends when more bytes than its length have been sent, and the excess is discarded.
//! * The timer stops while the rate and the target are at the line rate: further cycles would only count.
//! * If there is a window, the limiter also bounds the bytes in flight: by the line rate or by the current rate, times the
//!   base round-trip time ([`Window`]).
//! * A frame that is already waiting to depart is rescheduled when the rate changes ([`Pace`](crate::Pace)). In
//!   ns3-rdma and HPCC the new rate applies from the next frame on.

mod alpha;
mod stages;

use alloc::boxed::Box;
use alloc::format;

use setpoint_units::{Bytes, Rate, Time};

pub use self::alpha::Alpha;
use self::alpha::Estimate;
pub use self::stages::Phase;
use self::stages::{Clock, Stages};
use super::{AlphaOrder, Release, RpParams, Rules, TargetUpdate};
use crate::counters::FamilyCounters;
use crate::scheme::{SourceNeeds, SourcePart, Start};
use crate::{
    Backlog, Counters, Entropy, Feedback, Limit, Mark, Misfit, Path, React, Reading, Replies, Show, Update,
    Window,
};

/// A DCQCN reaction point.
///
/// ```
/// use setpoint_control::{Feedback, Path, React, dcqcn};
/// use setpoint_units::{Rate, Time, TimeDelta};
///
/// let path = Path::at(Rate::from_gbps(40));
/// let mut point = dcqcn::ReactionPoint::new(dcqcn::RpParams::default(), &path);
/// point.on_feedback(Time::ZERO, &Feedback::Congestion, &mut || 0);
/// assert_eq!((point.rate(), point.target_rate()), (Rate::from_gbps(20), Rate::from_gbps(40)));
/// // A cycle of the timer recovers half of the cut.
/// point.on_timer(Time::ZERO + TimeDelta::from_micros(55), &mut || 0);
/// assert_eq!(point.rate(), Rate::from_gbps(30));
/// ```
#[derive(Clone, Debug)]
pub struct ReactionPoint {
    /// Boxed, so that the enum over all algorithms stays within its cache lines.
    given: Box<Given>,
    line_rate: Rate,
    rate: Rate,
    target: Rate,
    /// The estimate α; none before the first CNP.
    estimate: Option<Estimate>,
    /// Bytes left to send in this cycle; counts down from [`NEVER`] if there is no cycle.
    bytes_left: i64,
    /// The end of the timer's cycle; [`Time::MAX`] while the timer does not run.
    cycle_end: Time,
    /// When the rate is cut because of a CNP, under the vendor's rules; [`Time::MAX`] if none has arrived.
    cut_due: Time,
    /// The first CNP, at which the vendor's checks begin.
    first: Time,
    stages: Stages,
    counts: Counts,
}

#[derive(Clone, Copy, Debug)]
struct Given {
    params: RpParams,
    path: Path,
}

/// Counters in 32 bits, so that the point stays within its cache lines.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    decreases: u32,
    kept_targets: u32,
    target_reductions: u32,
    cycles: [u32; 3],
}

/// A bound for targets that are not capped, far above any line rate.
const HIGHEST: u64 = 1 << 60;

/// A number of bytes that no flow ever sends.
const NEVER: i64 = i64::MAX;

impl ReactionPoint {
    /// Creates a reaction point at line rate. Its clocks start with the first CNP.
    pub fn new(params: RpParams, path: &Path) -> Self {
        let line_rate = path.line_rate;
        Self {
            given: Box::new(Given { params, path: *path }),
            line_rate,
            rate: line_rate,
            target: line_rate,
            estimate: None,
            bytes_left: NEVER,
            cycle_end: Time::MAX,
            cut_due: Time::MAX,
            first: Time::ZERO,
            stages: Stages::ZERO,
            counts: Counts::default(),
        }
    }

    /// α after its last update; none before the first CNP. Updates are computed when a CNP or a check needs α.
    pub fn alpha(&self) -> Option<Alpha> {
        self.estimate.map(|estimate| estimate.alpha)
    }

    /// The phase of the last cycle; none before the first.
    pub const fn phase(&self) -> Option<Phase> {
        self.stages.phase
    }

    /// Replaces the parameters and keeps the state. Rates are clamped to the new bounds; current cycles keep their
    /// length.
    pub fn set_params(&mut self, params: RpParams) -> Update {
        let before = self.limit();
        self.given.params = params;
        self.rate = self.rate.max(params.min_rate).min(self.line_rate);
        self.target = self.target.max(self.rate);
        Update::between(before, self.limit())
    }

    fn update_since(&self, before: Rate) -> Update {
        if self.rate == before { Update::Unchanged } else { Update::Changed }
    }

    /// A CNP under the rules of the paper.
    fn notified(&mut self, now: Time) {
        let RpParams { gain, initial_alpha, alpha_interval, alpha_order, .. } = self.given.params;
        let mut estimate = self.estimate.unwrap_or(Estimate::new(initial_alpha, now));
        estimate.catch_up(now, alpha_interval, gain);
        let old = estimate.alpha;
        estimate.feed(now, gain);
        self.estimate = Some(estimate);
        self.cut(now, if alpha_order == AlphaOrder::AfterCut { old } else { estimate.alpha });
    }

    /// A CNP under the vendor's rules. The first one starts the clocks and does not contribute to α.
    fn noted(&mut self, now: Time) {
        let RpParams { gain, initial_alpha, alpha_interval, decrease_interval, first_rate, .. } =
            self.given.params;
        if let Some(estimate) = &mut self.estimate {
            estimate.catch_up(now, alpha_interval, gain);
            estimate.note();
        } else {
            self.estimate = Some(Estimate::new(initial_alpha, now));
            self.first = now;
            let kept = Rate::from_bits_per_second(first_rate.of(self.rate.bits_per_second()));
            self.rate = kept.max(self.given.params.min_rate).min(self.line_rate);
            self.target = self.rate;
        }
        if self.cut_due == Time::MAX {
            let checks = now.saturating_since(self.first) / decrease_interval + 1;
            self.cut_due = self.first + decrease_interval * checks;
        }
    }

    /// Cuts the rate, and restarts recovery and the timer.
    fn cut(&mut self, now: Time, alpha: Alpha) {
        let follows = match self.given.params.target {
            TargetUpdate::EveryCut => true,
            TargetUpdate::AfterByteCycle => self.stages.bytes != 0,
            TargetUpdate::AfterCycle => self.stages.bytes != 0 || self.stages.time != 0,
        };
        if follows {
            self.target = self.rate;
        } else {
            self.counts.kept_targets = self.counts.kept_targets.saturating_add(1);
        }
        if follows || self.bytes_left == NEVER {
            self.start_byte_counter();
        }
        self.rate = alpha.cut(self.rate).max(self.given.params.min_rate).min(self.line_rate);
        self.target = self.target.max(self.rate);
        self.stages = Stages::ZERO;
        self.cycle_end = now.saturating_add(self.given.params.time_reset);
        self.counts.decreases = self.counts.decreases.saturating_add(1);
    }

    fn start_byte_counter(&mut self) {
        let on = self.given.params.byte_counter.is_on() && self.given.params.rules == Rules::Paper;
        self.bytes_left = if on { self.given.params.byte_reset.get() as i64 } else { NEVER };
    }

    #[cold]
    #[inline(never)]
    fn on_byte_cycle(&mut self) -> Update {
        let update = self.raise(Clock::Bytes);
        self.bytes_left =
            (self.given.params.byte_reset / self.stages.divisor(&self.given.params)).get() as i64;
        update
    }

    fn on_time_cycle(&mut self, now: Time) {
        self.raise(Clock::Time);
        let period = self.given.params.time_reset / self.stages.divisor(&self.given.params);
        let at_rest = self.rate == self.line_rate && self.target == self.line_rate;
        // A timer that is always due at once would stop the caller's clock.
        let next = Time::from_picos(now.as_picos().saturating_add(period.as_picos().max(1)));
        self.cycle_end = if at_rest { Time::MAX } else { next };
    }

    /// A clock has completed a cycle.
    fn raise(&mut self, clock: Clock) -> Update {
        let before = self.rate;
        let phase = self.stages.advance(clock, &self.given.params);
        let cycles = &mut self.counts.cycles[phase as usize];
        *cycles = cycles.saturating_add(1);
        let far = self.target.bits_per_second() / 10 > self.rate.bits_per_second();
        if self.given.params.target_reduction.is_on() && self.stages.any_is_first() && far {
            self.target = Rate::from_bits_per_second(self.target.bits_per_second() / 8);
            self.counts.target_reductions = self.counts.target_reductions.saturating_add(1);
        } else {
            let increment = self.stages.increment(phase, &self.given.params);
            let raised = self.target.bits_per_second().saturating_add(increment).min(HIGHEST);
            self.target = Rate::from_bits_per_second(raised);
            if self.given.params.target_cap.is_on() {
                self.target = self.target.min(self.line_rate);
            }
        }
        let mean = (self.rate.bits_per_second() + self.target.bits_per_second()).div_ceil(2);
        self.rate = Rate::from_bits_per_second(mean).max(self.given.params.min_rate).min(self.line_rate);
        self.update_since(before)
    }
}

/// Whether feedback reports a mark.
fn congested(feedback: &Feedback<'_>) -> bool {
    match feedback {
        Feedback::Congestion => true,
        Feedback::Acknowledgement(content) => content.mark == Mark::Congested,
        Feedback::Notification { .. } | Feedback::Stop { .. } => false,
    }
}

impl SourcePart for ReactionPoint {
    type Params = RpParams;

    fn needs(params: &RpParams) -> SourceNeeds {
        match params.window {
            Window::None => SourceNeeds::NONE,
            Window::Fixed | Window::Rate => {
                SourceNeeds { window: true, start: Start::FirstFrame, ..SourceNeeds::NONE }
            }
        }
    }

    fn check_replies(params: &RpParams, replies: Replies) -> Result<(), Misfit> {
        if params.window == Window::None || replies.acknowledged_frames == Some(1) {
            return Ok(());
        }
        let message = format!(
            "dcqcn.rp.window is {}, which needs an acknowledgement of every frame, but dcqcn.np.reports is {}; set it to \
             \"acknowledged\", or dcqcn.rp.window to \"none\"",
            params.window.name(),
            replies.reports,
        );
        Err(Misfit::new("dcqcn.rp.window", &message))
    }

    fn create(params: RpParams, path: &Path) -> Self {
        Self::new(params, path)
    }

    fn limits(params: &RpParams, feedback: &Feedback<'_>) -> bool {
        let acknowledged = matches!(feedback, Feedback::Acknowledgement(_));
        congested(feedback) || (acknowledged && params.window != Window::None)
    }
}

impl React for ReactionPoint {
    fn on_feedback(&mut self, now: Time, feedback: &Feedback<'_>, _entropy: &mut dyn Entropy) -> Update {
        if !congested(feedback) {
            return Update::Unchanged;
        }
        let before = self.rate;
        match self.given.params.rules {
            Rules::Paper => self.notified(now),
            Rules::Vendor => self.noted(now),
        }
        self.update_since(before)
    }

    #[inline]
    fn on_sent(&mut self, frame: Bytes, _entropy: &mut dyn Entropy) -> Update {
        self.bytes_left -= frame.get() as i64;
        if self.bytes_left >= 0 {
            return Update::Unchanged;
        }
        self.on_byte_cycle()
    }

    fn on_timer(&mut self, now: Time, _entropy: &mut dyn Entropy) -> Update {
        let before = self.rate;
        if self.cycle_end <= now {
            self.on_time_cycle(now);
        }
        if self.cut_due <= now {
            self.cut_due = Time::MAX;
            if let Some(estimate) = &mut self.estimate {
                estimate.catch_up(now, self.given.params.alpha_interval, self.given.params.gain);
                let alpha = estimate.alpha;
                self.cut(now, alpha);
            }
        }
        self.update_since(before)
    }

    #[inline]
    fn timer(&self) -> Option<Time> {
        let next = self.cycle_end.min(self.cut_due);
        (next != Time::MAX).then_some(next)
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

    fn target_rate(&self) -> Rate {
        self.target
    }

    fn line_rate(&self) -> Rate {
        self.line_rate
    }

    #[inline]
    fn may_release(&self, _backlog: Backlog) -> bool {
        let RpParams { release, window, .. } = self.given.params;
        let is_free = self.rate == self.line_rate && self.cut_due == Time::MAX;
        release == Release::AtLineRate && window == Window::None && is_free
    }

    fn counters(&self) -> Counters {
        let [fast_recovery, active_increase, hyper_increase] = self.counts.cycles;
        FamilyCounters {
            decreases: self.counts.decreases.into(),
            fast_recovery_cycles: fast_recovery.into(),
            active_increase_cycles: active_increase.into(),
            hyper_increase_cycles: hyper_increase.into(),
            kept_targets: self.counts.kept_targets.into(),
            target_reductions: self.counts.target_reductions.into(),
            ..FamilyCounters::default()
        }
        .into()
    }

    fn state(&self, show: &mut dyn Show) {
        show.show("phase", self.stages.phase.map_or(Reading::Absent, |phase| Reading::Word(phase.name())));
        show.show("rate", Reading::Rate(self.rate));
        show.show("target_rate", Reading::Rate(self.target));
        if let Limit::Window { bytes, .. } = self.limit() {
            show.show("window", Reading::bytes(bytes));
        }
        if let Some(Estimate { alpha, at, notified }) = self.estimate {
            show.show("alpha_in_2_30ths", Reading::Number(alpha.units().into()));
            show.show("alpha_updated", Reading::Time(at));
            show.show("notified", Reading::Number(notified.into()));
        }
        if self.given.params.rules == Rules::Vendor && self.estimate.is_some() {
            show.show("first_notification", Reading::Time(self.first));
        }
        show.show("byte_stage", Reading::Number(i64::from(self.stages.bytes)));
        show.show("time_stage", Reading::Number(i64::from(self.stages.time)));
        let left =
            if self.bytes_left > NEVER / 2 { Reading::Absent } else { Reading::Bytes(self.bytes_left) };
        show.show("cycle_left", left);
        let running = |end: Time| Reading::time((end != Time::MAX).then_some(end));
        show.show("cycle_end", running(self.cycle_end));
        show.show("cut_due", running(self.cut_due));
        show.show("timer", Reading::time(self.timer()));
    }
}
