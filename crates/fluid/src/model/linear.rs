//! BCN and AIMD: sources that change their rates in response to feedback of both signs.
//!
//! ```text
//! dr/dt = r_τ p ( F(Fb_τ, r) )        F = -Gd Fb r  for Fb > 0,  -Gi Ru Fb  for Fb < 0      (2) of the SMCC paper
//! ```
//!
//! Fb > 0 means congestion here, as in the equations of QCN. A source receives feedback for samples of its
//! own frames, at r p per second. With the Averaging Principle, by theorem 1 of the Allerton paper, a change
//! F is replaced by 3/4 of F minus 1/4 of the previous one, one sampling interval T = 1/(p R*) earlier. T is
//! computed for the equal share, so that the delay is constant.
//!
//! Not modelled: BCN's tags (there is only one congestion point), its stop at a severe threshold, and its
//! drift.

use super::coupled::{Context, Law};
use super::plant::{Layout, Signals};
use crate::gains::LinearGains;

/// BCN or AIMD.
#[derive(Clone, Debug)]
pub(super) struct Linear {
    pub(super) gains: LinearGains,
    /// T in seconds, if the Averaging Principle is used.
    pub(super) interval_s: Option<f64>,
}

impl Linear {
    /// Fb in frames; positive values mean congestion.
    fn feedback(&self, signals: &Signals) -> f64 {
        let growth = signals.growth / (signals.capacity * self.gains.probability);
        signals.queue - self.gains.set_point + self.gains.weight * growth
    }
}

impl Law for Linear {
    fn layout(&self) -> Layout {
        Layout { own: 1, interval: self.interval_s, ..Layout::default() }
    }

    fn own_slope(&self, context: &Context<'_>, slope: &mut [f64]) {
        let rate = context.own(0);
        let change = |signals: &Signals| self.gains.change(self.feedback(signals), rate);
        let change = match self.interval_s {
            None => change(&context.received),
            Some(_) => 0.75 * change(&context.received) - 0.25 * change(&context.before),
        };
        slope[0] = context.rate_then * self.gains.probability * change;
    }

    fn set_point(&self) -> f64 {
        self.gains.set_point
    }

    fn min_rate(&self) -> f64 {
        self.gains.min_rate
    }
}
