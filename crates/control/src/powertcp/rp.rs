//! The reaction point: turns power into the window and the rate of one limiter.
//!
//! Power is one for a port that is fully used and has no queue. With reports of bridges, where λ is the arrival rate, B
//! the rate of the port and T the base round-trip time,
//!
//! ```text
//! λ = (Δbytes + Δqueue)/Δt                     u = max(λ, B/2) (queue + B T)/(B B T)
//! ```
//!
//! and the largest u on the path is used. With delays (θ-PowerTCP), where ΔRTT is the change of the round-trip time
//! since the last acknowledgement, and Δt the time between the two acknowledgements,
//!
//! ```text
//! u = max(1 + ΔRTT/Δt, 1/2) RTT/(1.05 T)
//! ```
//!
//! Power is averaged over T, and the rate follows from the reference rate R_c, which becomes R once per window:
//!
//! ```text
//! U <- U (1 - τ/T) + u τ/T                     τ = min(Δt, T), and U = 1 at the start
//! R = γ (R_c η/U + β) + (1 - γ) R_c            η = 1 for θ-PowerTCP
//! ```
//!
//! * Invariant: `min_rate <= rate <= line rate`, unless the minimum rate is above the line rate.
//! * Rounding: U is rounded down to a multiple of 2^-30, and rates and windows to whole units. A window is at least one
//!   byte, so that a frame is always in flight.

use alloc::boxed::Box;

use setpoint_units::{Bytes, Rate, Time, TimeDelta};

use super::{Measure, RpParams};
use crate::parameter::Percent;
use crate::scheme::{SourceNeeds, SourcePart, Start};
use crate::telemetry::{FULL, HopChange, Load, MOST, Telemetry, share};
use crate::window::{Place, WindowedRate};
use crate::{
    Acknowledgement, Backlog, Counters, Entropy, Feedback, Limit, Path, React, Reading, Show, Update,
};

/// A PowerTCP reaction point.
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
    /// The time of the last acknowledgement and the round-trip time that it showed.
    last: Option<(Time, TimeDelta)>,
    /// R_c.
    reference: Rate,
    /// U, in units of 2^-30.
    power: u64,
    increases: u64,
    decreases: u64,
}

impl ReactionPoint {
    /// Creates a reaction point at line rate, with a full window.
    pub fn new(params: RpParams, path: &Path) -> Self {
        let state = State {
            params,
            path: *path,
            telemetry: Telemetry::NONE,
            last: None,
            reference: path.line_rate,
            power: FULL,
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

    /// The power of a port between two reports, in units of 2^-30.
    fn power_of(&self, change: &HopChange) -> u64 {
        let ([before, after], full) = (change.queues, u128::from(FULL));
        let arrived = (change.sent + after).saturating_sub(before);
        // λ/B, and (queue + B T)/(B T).
        let current = share(arrived, change.span, change.rate).clamp(full / 2, MOST);
        let voltage = share(after, self.windowed.base_rtt, change.rate).min(MOST) + full;
        (current * voltage / full).min(MOST) as u64
    }

    /// The power that two successive round-trip times show, and the time between them.
    fn power_by_delay(&mut self, now: Time, content: &Acknowledgement<'_>) -> Option<(u64, TimeDelta)> {
        let rtt = now.saturating_since(content.sent_at);
        let (last, last_rtt) = self.state.last.replace((now, rtt))?;
        let span = now.saturating_since(last);
        if span.is_zero() {
            return None;
        }
        let (full, span_picos) = (i128::from(FULL), i128::from(span.as_picos()));
        let growth = i128::from(rtt.as_picos()) - i128::from(last_rtt.as_picos());
        let current = (full + growth * full / span_picos).clamp(full / 2, MOST as i128) as u128;
        let target = u128::from(self.state.params.target_rtt.hundredths())
            * u128::from(self.windowed.base_rtt.as_picos());
        let voltage = u128::from(rtt.as_picos()) * u128::from(Percent::WHOLE.hundredths());
        Some(((current * voltage / target).min(MOST) as u64, span))
    }

    /// The largest power on the path, and the time between its reports.
    fn largest(&mut self, content: &Acknowledgement<'_>) -> Option<(u64, TimeDelta)> {
        let changes = self.state.telemetry.update(content.hops, self.state.params.fields);
        let powers = changes.iter().flatten().map(|change| (self.power_of(change), change.span));
        powers.reduce(|most, next| if next.0 > most.0 { next } else { most })
    }

    /// The rate that follows from the reference and the average power.
    fn next(&self) -> Rate {
        let RpParams { measure, utilisation, weight, increase, .. } = self.state.params;
        let whole = u128::from(Percent::WHOLE.hundredths());
        let share = if measure == Measure::Telemetry { u128::from(utilisation.hundredths()) } else { whole };
        let reference = u128::from(self.state.reference.bits_per_second());
        let scaled = reference * u128::from(FULL) * share / (u128::from(self.state.power.max(1)) * whole);
        let new = scaled + u128::from(increase.bits_per_second());
        let weight = u128::from(weight.hundredths());
        let rate = (weight * new + (whole - weight) * reference) / whole;
        self.bounded(rate.min(u128::from(u64::MAX)) as u64)
    }

    fn acknowledged(&mut self, now: Time, content: &Acknowledgement<'_>) {
        let place = self.windowed.settle(content.settled);
        let measured = match self.state.params.measure {
            // There are no reports of bridges: the receiver's timer caused the acknowledgement.
            Measure::Telemetry if content.hops.is_empty() => return,
            Measure::Telemetry => self.largest(content),
            Measure::Delay => self.power_by_delay(now, content),
        };
        if let Some((power, span)) = measured {
            self.state.power = self.windowed.average(self.state.power, power, span);
            let rate = self.next();
            self.state.increases += u64::from(rate > self.windowed.rate);
            self.state.decreases += u64::from(rate < self.windowed.rate);
            self.windowed.rate = rate;
            if place != Place::Within {
                self.state.reference = rate;
            }
        }
        if place != Place::Within {
            self.windowed.begin_window();
        }
    }
}

impl SourcePart for ReactionPoint {
    type Params = RpParams;

    fn needs(params: &RpParams) -> SourceNeeds {
        let telemetry = params.measure == Measure::Telemetry;
        SourceNeeds { telemetry, window: true, start: Start::FirstFrame, ..SourceNeeds::NONE }
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
        let before = self.windowed.rate;
        self.acknowledged(now, content);
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
        Some(Load::of_parts(self.state.power))
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
        show.show("reference_rate", Reading::Rate(self.state.reference));
        show.show("power_in_2_30ths", Reading::Number(self.state.power as i64));
        self.windowed.show_window_end(show);
    }
}
