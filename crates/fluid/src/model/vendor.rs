//! DCQCN under the vendor's rules: the equations in `gains/vendor.rs`.
//!
//! As in the other models, rates stay between the minimum rate and the line rate, and a source that has just started
//! receives no marks for one loop delay.

use super::coupled::{Context, Law, rate_bounds};
use super::plant::{Layout, Signals};
use crate::dde::Bounds;
use crate::gains::{Dual, MarkingGains, VENDOR_COMPONENTS, VendorGains};

/// Components of a class.
const CURRENT: usize = 0;
const CYCLED: usize = 3;
const ALPHA: usize = 4;

/// DCQCN under the vendor's rules.
#[derive(Clone, Debug)]
pub(super) struct Vendor {
    pub(super) gains: VendorGains,
    /// The equal share of a source, in frames per second.
    pub(super) share: f64,
}

impl Vendor {
    fn held(&self) -> f64 {
        self.share.max(self.gains.min_rate)
    }

    /// Kmin and Kmax, at which the slopes are not smooth.
    fn thresholds(&self) -> Option<[f64; 2]> {
        match self.gains.marking {
            MarkingGains::Red { kmin, kmax, .. } => Some([kmin, kmax]),
            MarkingGains::Pi(_) => None,
        }
    }

    fn probability(&self, queue: f64) -> f64 {
        match self.gains.marking {
            MarkingGains::Red { kmin, kmax, largest } => MarkingGains::of_queue(kmin, kmax, largest, queue),
            MarkingGains::Pi(_) => 0.0,
        }
    }
}

impl Law for Vendor {
    fn layout(&self) -> Layout {
        Layout { own: VENDOR_COMPONENTS, ..Layout::default() }
    }

    fn own_slope(&self, context: &Context<'_>, slope: &mut [f64]) {
        let state = std::array::from_fn(|component| Dual::<0>::constant(context.own(component)));
        let probability = Dual::constant(self.probability(context.received.queue));
        let slopes = self.gains.slopes(state, probability, Dual::constant(context.rate_then));
        for (slope, found) in slope.iter_mut().zip(slopes) {
            *slope = found.value;
        }
    }

    fn own_bounds(&self, component: usize, line_rate: f64) -> Bounds {
        match component {
            CURRENT => rate_bounds(self.gains.min_rate, line_rate),
            CYCLED | ALPHA => Bounds { least: 0.0, most: 1.0 },
            // The target does not exceed the line rate.
            _ => Bounds { least: 0.0, most: line_rate },
        }
    }

    fn own_scale(&self, component: usize, line_rate: f64) -> f64 {
        if matches!(component, CYCLED | ALPHA) { 1.0 } else { line_rate }
    }

    fn own_start(&self, rate: f64, state: &mut [f64]) {
        state.fill(0.0);
        state[CURRENT] = rate;
        state[CYCLED] = 1.0;
        state[ALPHA] = 1.0;
    }

    fn own_equilibrium(&self, share: f64, state: &mut [f64]) {
        let share = share.max(self.gains.min_rate);
        state.copy_from_slice(&self.gains.state(share, self.gains.point(share).probability));
    }

    fn set_point(&self) -> f64 {
        let queue = self.gains.point(self.held()).queue;
        self.thresholds().map_or(queue, |[_, kmax]| queue.min(kmax))
    }

    fn min_rate(&self) -> f64 {
        self.gains.min_rate
    }

    fn switches(&self) -> usize {
        self.thresholds().map_or(0, |thresholds| thresholds.len())
    }

    fn switch(&self, index: usize, received: &Signals) -> f64 {
        self.thresholds().map_or(1.0, |thresholds| received.queue - thresholds[index])
    }
}
