//! SMCC: equations (26) and (27) of its paper, with a delay.
//!
//! ```text
//! dr/dt = -r_τ p a x_τ     state A: the queue is off its target and not returning
//! dr/dt = -r_τ p b ΔQ_τ    state B: it is on its way back          x = q - q0,  ΔQ = (Σ r - C) / (p C)
//! ```
//!
//! For r = C/N, N dr/dt is -a p C x and -b (Σ r - C): the paper's a1 and b2 are a p C and b. The paper prints
//! a = a1/N and b = p C b2/N. For these, every source would have to receive every sample, once per
//! unspecified unit of time.
//!
//! A difference of zero counts as state A, as in packet networks. With the two stages of section 4.4, a
//! depends on |ΔQ|.

use super::coupled::{Context, Law};
use super::plant::{Layout, Signals};
use crate::gains::SmccGains;

#[derive(Clone, Debug)]
pub(super) struct Smcc {
    pub(super) gains: SmccGains,
}

impl Smcc {
    fn offset(&self, signals: &Signals) -> f64 {
        signals.queue - self.gains.set_point
    }

    /// ΔQ in frames.
    fn difference(&self, signals: &Signals) -> f64 {
        signals.growth / (self.gains.probability * signals.capacity)
    }

    /// Equation (25): the rate change for a message.
    fn change(&self, signals: &Signals) -> f64 {
        let (offset, difference) = (self.offset(signals), self.difference(signals));
        if offset * difference < 0.0 || (offset == 0.0 && difference != 0.0) {
            return -self.gains.b * difference;
        }
        let a = match self.gains.small {
            Some((small, threshold)) if difference.abs() <= threshold => small,
            _ => self.gains.a,
        };
        -a * offset
    }
}

impl Law for Smcc {
    fn layout(&self) -> Layout {
        Layout { own: 1, ..Layout::default() }
    }

    fn own_slope(&self, context: &Context<'_>, slope: &mut [f64]) {
        slope[0] = context.rate_then * self.gains.probability * self.change(&context.received);
    }

    fn set_point(&self) -> f64 {
        self.gains.set_point
    }

    fn min_rate(&self) -> f64 {
        self.gains.min_rate
    }

    fn switches(&self) -> usize {
        if self.gains.small.is_some() { 3 } else { 2 }
    }

    fn switch(&self, index: usize, received: &Signals) -> f64 {
        match index {
            0 => self.offset(received),
            1 => self.difference(received),
            _ => self.difference(received).abs() - self.gains.small.map_or(0.0, |(_, threshold)| threshold),
        }
    }
}
