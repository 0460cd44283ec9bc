//! TIMELY and patched TIMELY: the equations of the CoNEXT paper.
//!
//! ```text
//! dR/dt = δ/τ*                                         if q(t - τ′) < C T_low
//!         -β/τ* (1 - C T_high/q(t - τ′)) R             if q(t - τ′) > C T_high
//!         δ/τ* if g ≤ 0, -g β R/τ* otherwise           between the thresholds: TIMELY
//!         ((1 - w) δ - w β R e)/τ*                     between the thresholds: patched TIMELY
//! dg/dt = α/τ* (-g + (q(t - τ′) - q(t - τ′ - τ*))/(C D))
//! dq/dt = Σ R - C
//! τ* = max(Seg/R, D)     τ′ = q/C + MTU/C + D_prop     w = 2 g + 1/2 between 0 and 1
//! e  = (q(t - τ′) - q′)/q′ with q′ = C T_low, or p of a proportional-integral controller
//! ```
//!
//! D is D_minRTT, and D_prop is the loop delay of a class. The delays depend on the queue and on the rate. Each source
//! has its own controller: dp/dt = K1 de/dt + K2 e for e = q(t - τ′) - reference. We integrate K2 e, which stays
//! positive, and add K1 e; the sum p is not negative.
//!
//! Our own additions: rates stay between the minimum rate and the line rate, and the delay that a source measures may contain
//! the round-trip time of the idle path. Then q(t - τ′) in the conditions and in e is longer by C times this time.

use super::coupled::{Context, Law, rate_bounds};
use super::plant::Layout;
use crate::dde::Bounds;
use crate::gains::{TimelyGains, VariantGains, decrease_weight};

/// Components of a class.
const RATE: usize = 0;
const GRADIENT: usize = 1;
const INTEGRAL: usize = 2;

/// TIMELY.
#[derive(Clone, Debug)]
pub(super) struct Timely {
    pub(super) gains: TimelyGains,
    /// The shortest transmission time of a frame.
    pub(super) transmission_s: f64,
    /// The last capacity, and the equal share of a source, in frames per second.
    pub(super) capacity: f64,
    pub(super) share: f64,
}

impl Timely {
    /// q(t - τ′), and τ′.
    fn received(context: &Context<'_>) -> (f64, f64) {
        let delay = context.lag_s + context.at_point.queue.max(0.0) / context.at_point.capacity;
        (context.queue_ago(delay), delay)
    }

    /// The change of the rate per update.
    fn change(&self, context: &Context<'_>, queue: f64) -> f64 {
        let gains = &self.gains;
        let (rate, gradient) = (context.own(RATE), context.own(GRADIENT));
        let [low, high] = [gains.low_s, gains.high_s].map(|seconds| seconds * context.at_point.capacity);
        let measured = queue + gains.idle_rtt_s * context.at_point.capacity;
        if measured < low {
            return gains.increase;
        }
        if measured > high {
            return -gains.decrease * (1.0 - high / measured) * rate;
        }
        let offset = match gains.variant {
            VariantGains::Original if gradient <= 0.0 => return gains.increase,
            VariantGains::Original => return -gradient * gains.decrease * rate,
            VariantGains::Patched => (measured - low) / low,
            VariantGains::PatchedPi(pi) => {
                (context.own(INTEGRAL) + pi.proportional * (queue - pi.reference)).max(0.0)
            }
        };
        let weight = decrease_weight(gradient);
        (1.0 - weight) * gains.increase - weight * gains.decrease * rate * offset
    }
}

impl Law for Timely {
    fn layout(&self) -> Layout {
        let own = if matches!(self.gains.variant, VariantGains::PatchedPi(_)) { 3 } else { 2 };
        Layout { own, transmission: self.transmission_s, ..Layout::default() }
    }

    fn own_slope(&self, context: &Context<'_>, slope: &mut [f64]) {
        let gains = &self.gains;
        let interval = gains.update_interval(context.own(RATE));
        let (queue, delay) = Self::received(context);
        let growth = queue - context.queue_ago(delay + interval);
        let sample = growth / (context.at_point.capacity * gains.min_rtt_s);
        slope[RATE] = self.change(context, queue) / interval;
        slope[GRADIENT] = gains.smoothing / interval * (sample - context.own(GRADIENT));
        if let VariantGains::PatchedPi(pi) = gains.variant {
            slope[INTEGRAL] = pi.integral * (queue - pi.reference);
        }
    }

    fn own_bounds(&self, component: usize, line_rate: f64) -> Bounds {
        match component {
            RATE => rate_bounds(self.gains.min_rate, line_rate),
            INTEGRAL => Bounds { least: 0.0, most: f64::INFINITY },
            _ => Bounds::NONE,
        }
    }

    fn own_scale(&self, component: usize, line_rate: f64) -> f64 {
        if component == RATE { line_rate } else { 1.0 }
    }

    fn own_equilibrium(&self, share: f64, state: &mut [f64]) {
        let rate = share.max(self.gains.min_rate);
        state[RATE] = rate;
        if let Some(integral) = state.get_mut(INTEGRAL) {
            *integral = self.gains.offset(rate);
        }
    }

    fn set_point(&self) -> f64 {
        let [low, high] = self.gains.thresholds(self.capacity);
        let middle = (low.max(0.0) + high.max(0.0)) / 2.0;
        let share = self.share.max(self.gains.min_rate);
        self.gains.queue(self.capacity, share).unwrap_or(middle)
    }

    fn min_rate(&self) -> f64 {
        self.gains.min_rate
    }

    fn own_switches(&self) -> usize {
        if self.gains.variant == VariantGains::Original { 3 } else { 2 }
    }

    fn own_switch(&self, index: usize, context: &Context<'_>) -> f64 {
        let [low, high] = self.gains.thresholds(context.at_point.capacity);
        match index {
            0 => Self::received(context).0 - low,
            1 => Self::received(context).0 - high,
            _ => context.own(GRADIENT),
        }
    }
}
