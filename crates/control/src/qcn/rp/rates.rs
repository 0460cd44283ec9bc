//! The current and the target rate of a reaction point, and their bounds.

use setpoint_units::Rate;

use super::super::params::RpParams;
use crate::QuantizedFeedback;
use crate::parameter::Percent;

/// `min <= current <= target`, `current <= max`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rates {
    current: Rate,
    target: Rate,
    min: Rate,
    max: Rate,
}

impl Rates {
    /// Both at the maximum rate.
    pub(super) fn full(params: &RpParams, line_rate: Rate) -> Self {
        let max = params.max_rate.map_or(line_rate, |rate| rate.min(line_rate));
        Self { current: max, target: max, min: params.min_rate.min(max), max }
    }

    /// Clamps both to the bounds of new parameters.
    pub(super) fn rebound(&mut self, params: &RpParams, line_rate: Rate) {
        let Self { min, max, .. } = Self::full(params, line_rate);
        let current = self.current.clamp(min, max);
        let target = self.target.max(current);
        let target = if params.target_cap.is_on() { target.min(max) } else { target };
        *self = Self { current, target, min, max };
    }

    #[inline]
    pub(super) fn current(&self) -> Rate {
        self.current
    }

    pub(super) fn target(&self) -> Rate {
        self.target
    }

    pub(super) fn max(&self) -> Rate {
        self.max
    }

    #[inline]
    pub(super) fn at_max(&self) -> bool {
        self.current == self.max
    }

    /// Makes the current rate the target.
    pub(super) fn retarget(&mut self) {
        self.target = self.current;
    }

    /// `CR = max(MIN_RATE, CR * max(MIN_DEC_FACTOR, 1 - GD * qFb))`, rounded down: the decrease of equation (2) of
    /// the SMCC paper, which QCN inherits from BCN.
    pub(super) fn decrease(&mut self, feedback: QuantizedFeedback, params: &RpParams) {
        let kept = kept_part(self.current, feedback, params);
        self.current = Rate::new(kept).map_or(self.min, |rate| rate.max(self.min));
    }

    /// Whether the target is more than ten times the current rate.
    pub(super) fn target_is_far(&self) -> bool {
        self.target.bits_per_second() > self.current.bits_per_second().saturating_mul(10)
    }

    /// Reduces a distant target, which stays above the current rate.
    pub(super) fn reduce_target(&mut self) {
        self.target =
            Rate::new(self.target.bits_per_second() / 8).map_or(self.current, |rate| rate.max(self.current));
    }

    /// `TR = TR + R_AI`, the first half of equation (4) of the SMCC paper; [`Rates::recover`] is the second.
    pub(super) fn raise_target(&mut self, increment: u64, params: &RpParams) {
        let raised = self.target.bits_per_second().saturating_add(increment);
        let raised = Rate::from_bits_per_second(raised);
        self.target = if params.target_cap.is_on() { raised.min(self.max) } else { raised };
    }

    /// `CR = min(C, (CR + TR) / 2)`, equation (3) of the SMCC paper, rounded up. The remaining distance to the target
    /// is thus rounded down and becomes zero.
    pub(super) fn recover(&mut self) {
        let (current, target) = (self.current.bits_per_second(), self.target.bits_per_second());
        let mean = current + (target - current).div_ceil(2);
        self.current = Rate::from_bits_per_second(mean).min(self.max);
    }
}

/// The rate that a notification leaves, in bits per second, rounded down.
fn kept_part(rate: Rate, feedback: QuantizedFeedback, params: &RpParams) -> u64 {
    let gain = u32::from(params.gain.exponent().min(0).unsigned_abs()).min(32);
    let shift = gain + QuantizedFeedback::PARTS.ilog2();
    let whole = 1u64 << shift;
    let kept = whole.saturating_sub(u64::from(feedback.parts()));
    let least = params.min_decrease_factor;
    if kept * u64::from(Percent::WHOLE.hundredths()) < whole * u64::from(least.hundredths()) {
        return least.of(rate.bits_per_second());
    }
    ((u128::from(rate.bits_per_second()) * u128::from(kept)) >> shift) as u64
}
