//! DCQCN: the equations of the CoNEXT paper.
//!
//! ```text
//! p      = 0 up to Kmin, Pmax (q - Kmin)/(Kmax - Kmin) up to Kmax, 1 above
//! dα/dt  = g/τ′ ((1 - (1-p)^(τ′R)) - α)
//! dRT/dt = -(RT - RC)/τ a + R_AI R (c + e)            a = 1 - (1-p)^(τR)
//! dRC/dt = -RC α/(2τ) a + (RT - RC)/2 R (b + d)       b = p/((1-p)^-B - 1)       c = (1-p)^(FB) b
//! dq/dt  = Σ RC - C                                   d = p/((1-p)^-(TR) - 1)    e = (1-p)^(FTR) d
//! ```
//!
//! Here p and R = RC are those of one loop delay ago. If frames are marked when they leave the queue, the delay does
//! not include queueing. If they are marked when they enter it, the delay is longer by q/C. With a proportional-integral controller, the congestion point has the state p, between
//! zero and one, and dp/dt = K1 dq/dt + K2 (q - reference).
//!
//! These are the printed equations. `gains/renewal.rs` has other terms for the same equations.
//!
//! Our own additions: rates stay between the minimum rate and the line rate, and a source that has just started
//! receives no marks for one loop delay.

use super::coupled::{Context, Law, rate_bounds};
use super::plant::{Layout, Signals};
use super::reader::Reader;
use crate::dcqcn::MarkedAt;
use crate::dde::Bounds;
use crate::gains::{DcqcnGains, MarkingGains};

/// Components of a class.
const CURRENT: usize = 0;
const TARGET: usize = 1;
const ALPHA: usize = 2;

/// The magnitude of a marking probability, which sets its accuracy.
const PROBABILITY_SCALE: f64 = 1e-3;

/// DCQCN.
#[derive(Clone, Debug)]
pub(super) struct Dcqcn {
    pub(super) gains: DcqcnGains,
    /// The equal share of a source, in frames per second.
    pub(super) share: f64,
}

impl Dcqcn {
    /// The probability of the marks that reach a source now, and the rate at which the source sent the marked frames.
    fn marks(&self, context: &Context<'_>) -> (f64, f64) {
        match self.gains.marked_at {
            MarkedAt::Egress => {
                let (queue, controlled) = (context.received.queue, || context.shared_then(0));
                (self.probability(queue, controlled), context.rate_then)
            }
            MarkedAt::Ingress => {
                let delay = Self::with_queueing(context);
                let controlled = || context.shared_ago(delay, 0);
                (self.probability(context.queue_ago(delay), controlled), context.rate_ago(delay))
            }
        }
    }

    /// The marking probability for a queue, or the probability that a controller has computed.
    fn probability(&self, queue: f64, controlled: impl Fn() -> f64) -> f64 {
        match self.gains.marking {
            MarkingGains::Red { kmin, kmax, largest } => MarkingGains::of_queue(kmin, kmax, largest, queue),
            MarkingGains::Pi(_) => controlled().clamp(0.0, 1.0),
        }
    }

    /// The delay of the loop with the time that a frame spends in the queue.
    fn with_queueing(context: &Context<'_>) -> f64 {
        context.lag_s + context.at_point.queue.max(0.0) / context.at_point.capacity
    }

    /// The thresholds at which the slopes are not smooth.
    fn thresholds(&self) -> Option<[f64; 2]> {
        match self.gains.marking {
            MarkingGains::Red { kmin, kmax, .. } => Some([kmin, kmax]),
            MarkingGains::Pi(_) => None,
        }
    }
}

impl Law for Dcqcn {
    fn layout(&self) -> Layout {
        let shared = usize::from(self.thresholds().is_none());
        Layout { shared, own: 3, ..Layout::default() }
    }

    fn shared_slope(&self, _now: &Reader<'_>, signals: &Signals, slope: &mut [f64]) {
        if let MarkingGains::Pi(pi) = self.gains.marking {
            slope[0] = pi.proportional * signals.growth + pi.integral * (signals.queue - pi.reference);
        }
    }

    fn own_slope(&self, context: &Context<'_>, slope: &mut [f64]) {
        let gains = &self.gains;
        let (probability, rate_then) = self.marks(context);
        let terms = gains.terms(probability, rate_then);
        let (current, target, alpha) = (context.own(CURRENT), context.own(TARGET), context.own(ALPHA));
        let gap = target - current;
        slope[ALPHA] = terms.follow * (terms.marked - alpha);
        slope[TARGET] = gains.active_increase * terms.increases - gap * terms.reset;
        slope[CURRENT] = gap / 2.0 * terms.recoveries + gains.own_step() * terms.increases
            - current * alpha / 2.0 * terms.cut;
    }

    fn shared_bounds(&self, _component: usize) -> Bounds {
        Bounds { least: 0.0, most: 1.0 }
    }

    fn own_bounds(&self, component: usize, line_rate: f64) -> Bounds {
        match component {
            ALPHA => Bounds::NONE,
            _ => rate_bounds(self.gains.min_rate, line_rate),
        }
    }

    fn shared_scale(&self, _component: usize) -> f64 {
        PROBABILITY_SCALE
    }

    fn own_scale(&self, component: usize, line_rate: f64) -> f64 {
        if component == ALPHA { 1.0 } else { line_rate }
    }

    fn shared_equilibrium(&self, state: &mut [f64]) {
        state.fill(self.gains.point(self.share).probability);
    }

    fn own_start(&self, rate: f64, state: &mut [f64]) {
        state[CURRENT] = rate;
        state[TARGET] = rate;
        state[ALPHA] = 1.0;
    }

    fn own_equilibrium(&self, share: f64, state: &mut [f64]) {
        let share = share.max(self.gains.min_rate);
        let point = self.gains.point(share);
        state[CURRENT] = share;
        state[TARGET] = share + point.gap;
        state[ALPHA] = point.alpha;
    }

    fn set_point(&self) -> f64 {
        let queue = self.gains.point(self.share.max(self.gains.min_rate)).queue;
        self.thresholds().map_or(queue, |[_, kmax]| queue.min(kmax))
    }

    fn min_rate(&self) -> f64 {
        self.gains.min_rate
    }

    fn switches(&self) -> usize {
        match self.gains.marked_at {
            MarkedAt::Egress => self.thresholds().map_or(0, |thresholds| thresholds.len()),
            MarkedAt::Ingress => 0,
        }
    }

    fn switch(&self, index: usize, received: &Signals) -> f64 {
        self.thresholds().map_or(1.0, |thresholds| received.queue - thresholds[index])
    }

    fn own_switches(&self) -> usize {
        match self.gains.marked_at {
            MarkedAt::Egress => 0,
            MarkedAt::Ingress => self.thresholds().map_or(0, |thresholds| thresholds.len()),
        }
    }

    fn own_switch(&self, index: usize, context: &Context<'_>) -> f64 {
        let queue = context.queue_ago(Self::with_queueing(context));
        self.thresholds().map_or(1.0, |thresholds| queue - thresholds[index])
    }
}
