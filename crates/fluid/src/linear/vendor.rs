//! Linearisation of DCQCN under the vendor's rules.

use super::closed::Loop;
use super::linearise::{NoLoop, Point};
use super::state_space::StateSpace;
use crate::Bottleneck;
use crate::gains::{DcqcnPoint, Dual, VENDOR_COMPONENTS, VendorGains};

impl Point {
    /// The fixed point, if the congestion point's marking allows it.
    pub(crate) fn check_vendor(
        &self,
        bottleneck: &Bottleneck,
        gains: &VendorGains,
    ) -> Result<DcqcnPoint, NoLoop> {
        let at = gains.point(self.share);
        self.check_marked(bottleneck, &gains.marking, gains.min_rate, &at)?;
        Ok(at)
    }

    /// The exact derivatives of the slopes with respect to the state, the delayed probability p and the delayed rate
    /// r. With the transfer functions F_p/Q and F_r/Q from these to the rate y, and p = V/S y as for the paper's
    /// rules,
    ///
    /// ```text
    /// 1 - e^(-sτ) (F_p V + F_r S)/(S Q) = 0
    /// ```
    pub(super) fn vendor(&self, gains: &VendorGains, at: &DcqcnPoint) -> Loop {
        const BY: usize = VENDOR_COMPONENTS + 2;
        let state = gains.state(self.share, at.probability);
        let state = std::array::from_fn(|index| Dual::<BY>::variable(state[index], index));
        let probability = Dual::variable(at.probability, VENDOR_COMPONENTS);
        let rate_then = Dual::variable(self.share, VENDOR_COMPONENTS + 1);
        let slopes = gains.slopes(state, probability, rate_then);
        let by = |row: usize, column: usize| slopes[row].by[column];
        let column = |column: usize| std::array::from_fn(|row| by(row, column));
        let system = StateSpace::<VENDOR_COMPONENTS> {
            matrix: std::array::from_fn(|row| std::array::from_fn(|column| by(row, column))),
            inputs: vec![column(VENDOR_COMPONENTS), column(VENDOR_COMPONENTS + 1)],
        };
        let (own, forward) = system.transfer();
        let (marks, sum) = self.marks(&gains.marking);
        Loop {
            model: "DCQCN under the vendor's rules, our equations",
            sources: self.sources,
            delay_s: self.delay_s,
            queueing_s: 0.0,
            numerator: forward[0].times(&marks).plus(&forward[1].times(&sum)).scaled(-1.0),
            denominator: own.times(&sum),
            echo: None,
            corners: None,
        }
    }
}
