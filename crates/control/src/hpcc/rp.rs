//! The reaction point: turns the reports of bridges into the window and the rate of one limiter.
//!
//! Two successive reports of a port show its use u: the share of its rate at which it has sent, plus its queue in units of
//! B T, where B is the rate of the port and T the base round-trip time. The largest u on the path is averaged over T:
//!
//! ```text
//! u = Δbytes/(Δt B) + min(queue, last queue)/(B T)
//! U <- U (1 - τ/T) + u τ/T                     τ = min(Δt, T), and U = 1 at the start
//! R = R_c η/U + R_AI                           U >= η, or after max_stage windows
//! R = R_c + R_AI                               otherwise
//! ```
//!
//! R applies at once, with a window of R T. The reference rate R_c becomes R once per window: when more bytes are settled
//! than had been sent at its last update. With [`Updates::WithoutReference`], it becomes R with every acknowledgement.
//!
//! * Invariant: `min_rate <= rate <= line rate`, unless the minimum rate is above the line rate.
//! * Rounding: U is rounded down to a multiple of 2^-30, and rates and windows to whole units. A window is at least one
//!   byte, so that a frame is always in flight.

use alloc::boxed::Box;

use setpoint_units::{Bytes, Rate, Time};

use super::{References, RpParams, Updates};
use crate::parameter::Percent;
use crate::scheme::{SourceNeeds, SourcePart, Start};
use crate::telemetry::{FULL, HopChange, Load, MAX_HOPS, MOST, Telemetry, share};
use crate::window::{Place, WindowedRate};
use crate::{
    Acknowledgement, Backlog, Counters, Entropy, Feedback, Limit, Path, React, Reading, Show, Update,
};

/// An HPCC reaction point.
///
/// ```
/// use setpoint_control::{Acknowledgement, Feedback, HopReport, Mark, Path, React, hpcc, telemetry::Fields};
/// use setpoint_units::{Bytes, Rate, Time, TimeDelta};
///
/// let line = Rate::from_gbps(10);
/// let rtt = TimeDelta::from_micros(10);
/// let path = Path { base_rtt: rtt, largest_rtt: rtt, ..Path::at(line) };
/// let params = hpcc::RpParams { fields: Fields::Exact, ..hpcc::RpParams::default() };
/// let mut point = hpcc::ReactionPoint::new(params, &path);
/// let mut acknowledge = |at: Time, sent| {
///     let hops = [HopReport { at, queue: Bytes::ZERO, sent: Bytes::new(sent), rate: line }];
///     let bytes = Bytes::new(sent);
///     let content = Acknowledgement { sent_at: at, bytes, settled: bytes, mark: Mark::Clear, hops: &hops };
///     point.on_feedback(at, &Feedback::Acknowledgement(content), &mut || 0);
///     point.rate()
/// };
/// acknowledge(Time::ZERO, 0);
/// // The port was fully used for a whole round-trip time: U = 1, and the rate becomes 10 Gb/s 0.95/1 + 4 Mb/s.
/// assert_eq!(acknowledge(Time::ZERO + rtt, 12_500), Rate::from_mbps(9_504));
/// ```
#[derive(Clone, Debug)]
pub struct ReactionPoint {
    /// Boxed, so that the enum over all algorithms stays within its cache lines.
    state: Box<State>,
    windowed: WindowedRate,
}

#[derive(Clone, Debug)]
struct State {
    params: RpParams,
    path: Path,
    telemetry: Telemetry,
    /// One for each bridge of the path, or only the first.
    references: [Reference; MAX_HOPS],
    increases: u64,
    decreases: u64,
}

/// A reference rate.
#[derive(Clone, Copy, Debug)]
struct Reference {
    /// R_c.
    rate: Rate,
    /// Windows since the last change in proportion to the use.
    stage: u32,
    /// U, in units of 2^-30.
    usage: u64,
}

impl ReactionPoint {
    /// Creates a reaction point at line rate, with a full window.
    pub fn new(params: RpParams, path: &Path) -> Self {
        let reference = Reference { rate: path.line_rate, stage: 0, usage: FULL };
        let state = State {
            params,
            path: *path,
            telemetry: Telemetry::NONE,
            references: [reference; MAX_HOPS],
            increases: 0,
            decreases: 0,
        };
        Self { state: Box::new(state), windowed: WindowedRate::new(path, params.base_rtt) }
    }

    /// The window.
    pub fn window(&self) -> Bytes {
        self.windowed.window()
    }

    /// Replaces the parameters and keeps the state. The rate is clamped to the new bounds.
    pub fn set_params(&mut self, params: RpParams) -> Update {
        let before = self.limit();
        self.state.params = params;
        self.windowed.base_rtt = self.state.path.rtt(params.base_rtt);
        self.windowed.rate = self.bounded(self.windowed.rate.bits_per_second());
        Update::between(before, self.limit())
    }

    fn bounded(&self, bits: u64) -> Rate {
        self.windowed.bounded(bits, self.state.params.min_rate)
    }

    /// The use of a port between two reports, in units of 2^-30.
    fn used(&self, change: &HopChange) -> u64 {
        let [before, after] = change.queues;
        let sent = share(change.sent, change.span, change.rate);
        let queued = share(before.min(after), self.windowed.base_rtt, change.rate);
        (sent + queued).min(MOST) as u64
    }

    /// The rate and the stage that follow from a reference.
    fn next(&self, reference: &Reference) -> (Rate, u32) {
        let RpParams { utilisation, max_stage, increase, .. } = self.state.params;
        let (share, whole) = (u128::from(utilisation.hundredths()), u128::from(Percent::WHOLE.hundredths()));
        let (used, target) = (u128::from(reference.usage) * whole, u128::from(FULL) * share);
        let rate = reference.rate.bits_per_second();
        if used >= target || reference.stage >= max_stage {
            let scaled = (u128::from(rate) * target).checked_div(used);
            let scaled = scaled.map_or(u64::MAX, |scaled| scaled.min(u128::from(u64::MAX)) as u64);
            (self.bounded(scaled.saturating_add(increase.bits_per_second())), 0)
        } else {
            (self.bounded(rate.saturating_add(increase.bits_per_second())), reference.stage + 1)
        }
    }

    /// Changes the rate according to the busiest port. With `commit`, the new rate also becomes the reference rate.
    fn react_to_busiest(&mut self, changes: &[Option<HopChange>], commit: bool) {
        let uses = changes.iter().flatten().map(|change| (self.used(change), change.span));
        // The first of the busiest ports.
        let busiest = uses.reduce(|most, next| if next.0 > most.0 { next } else { most });
        let Some((used, span)) = busiest else { return };
        let mut reference = self.state.references[0];
        reference.usage = self.windowed.average(reference.usage, used, span);
        let (rate, stage) = self.next(&reference);
        if commit {
            (reference.rate, reference.stage) = (rate, stage);
        }
        self.state.references[0] = reference;
        self.windowed.rate = rate;
    }

    /// Changes the rate to the lowest of those computed for the ports. With `commit`, each of these also becomes the
    /// reference rate of its port.
    fn react_to_each(&mut self, changes: &[Option<HopChange>], commit: bool) {
        if changes.iter().all(Option::is_none) {
            return;
        }
        let mut lowest = self.windowed.line_rate;
        for (index, change) in changes.iter().enumerate() {
            let Some(change) = change else { continue };
            let mut reference = self.state.references[index];
            reference.usage = self.windowed.average(reference.usage, self.used(change), change.span);
            let (rate, stage) = self.next(&reference);
            if commit {
                (reference.rate, reference.stage) = (rate, stage);
            }
            self.state.references[index] = reference;
            lowest = lowest.min(rate);
        }
        self.windowed.rate = lowest;
    }

    fn acknowledged(&mut self, content: &Acknowledgement<'_>) {
        let place = self.windowed.settle(content.settled);
        if content.hops.is_empty() {
            return;
        }
        if place == Place::Within && self.state.params.updates == Updates::Window {
            return;
        }
        let changes = self.state.telemetry.update(content.hops, self.state.params.fields);
        if place != Place::Within {
            self.windowed.begin_window();
        }
        if place == Place::First {
            return;
        }
        let before = self.windowed.rate;
        let commits = place == Place::End || self.state.params.updates == Updates::WithoutReference;
        match self.state.params.references {
            References::One => self.react_to_busiest(&changes, commits),
            References::PerHop => self.react_to_each(&changes, commits),
        }
        self.state.increases += u64::from(self.windowed.rate > before);
        self.state.decreases += u64::from(self.windowed.rate < before);
    }
}

impl SourcePart for ReactionPoint {
    type Params = RpParams;

    fn needs(_params: &RpParams) -> SourceNeeds {
        SourceNeeds { telemetry: true, window: true, start: Start::FirstFrame, ..SourceNeeds::NONE }
    }

    fn create(params: RpParams, path: &Path) -> Self {
        Self::new(params, path)
    }

    fn limits(_params: &RpParams, feedback: &Feedback<'_>) -> bool {
        matches!(feedback, Feedback::Acknowledgement(_))
    }
}

impl React for ReactionPoint {
    fn on_feedback(&mut self, _now: Time, feedback: &Feedback<'_>, _entropy: &mut dyn Entropy) -> Update {
        let Feedback::Acknowledgement(content) = feedback else { return Update::Unchanged };
        let before = self.windowed.rate;
        self.acknowledged(content);
        if self.windowed.rate == before { Update::Unchanged } else { Update::Changed }
    }

    #[inline]
    fn on_sent(&mut self, frame: Bytes, _entropy: &mut dyn Entropy) -> Update {
        self.windowed.count_sent(frame);
        Update::Unchanged
    }

    fn limit(&self) -> Limit {
        self.windowed.limit()
    }

    #[inline]
    fn rate(&self) -> Rate {
        self.windowed.rate
    }

    fn line_rate(&self) -> Rate {
        self.windowed.line_rate
    }

    fn load(&self) -> Option<Load> {
        let used = match self.state.params.references {
            References::One => 1,
            References::PerHop => self.state.telemetry.hops().max(1),
        };
        self.state.references[..used].iter().map(|reference| Load::of_parts(reference.usage)).max()
    }

    #[inline]
    fn may_release(&self, _backlog: Backlog) -> bool {
        false
    }

    fn counters(&self) -> Counters {
        [("decreases", self.state.decreases), ("increases", self.state.increases)].into()
    }

    fn state(&self, show: &mut dyn Show) {
        self.windowed.show_rate(show);
        let reference = &self.state.references[0];
        show.show("reference_rate", Reading::Rate(reference.rate));
        show.show("stage", Reading::Number(reference.stage.into()));
        show.show("usage_in_2_30ths", Reading::Number(reference.usage as i64));
        self.windowed.show_window_end(show);
    }
}
