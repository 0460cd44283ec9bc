//! Linearisation of DCQCN.

use super::closed::Loop;
use super::linearise::{NoLoop, Point};
use super::polynomial::Polynomial;
use crate::Bottleneck;
use crate::gains::{DcqcnGains, DcqcnPoint, MarkingGains};

impl Point {
    /// The fixed point, if the congestion point can hold it.
    pub(crate) fn check_dcqcn(
        &self,
        bottleneck: &Bottleneck,
        gains: &DcqcnGains,
    ) -> Result<DcqcnPoint, NoLoop> {
        let at = gains.point(self.share);
        if let MarkingGains::Red { kmin, kmax, largest } = gains.marking
            && (at.probability > largest || kmin >= kmax)
        {
            return Err(NoLoop::Marking { probability: at.probability, largest });
        }
        self.check(bottleneck, gains.min_rate, at.queue)?;
        Ok(at)
    }

    /// DCQCN at its fixed point. With the exact partial derivatives of the slopes f_α, f_T and f_C by the delayed
    /// probability p and the delayed rate r:
    ///
    /// ```text
    /// z' = -g/τ′ z + α_p p + α_r r                      x, y, z, q: deviations of R_T, R_C, α and the queue
    /// x' = -a/τ (x - y) + t_p p + t_r r                 p, r: deviations of p and R_C a delay ago
    /// y' = -α a/(2τ) y + h (x - y) - R a/(2τ) z + c_p p + c_r r
    /// q' = N y
    /// p  = V(s)/S(s) y    V/S = Pmax/(Kmax - Kmin) N/s, or (K1 + K2/s) N/s
    /// ```
    ///
    /// where h = R (b + d)/2. The queue integrates the rates, so the feedback depends on y alone, and the
    /// characteristic function has one delayed term.
    pub(super) fn dcqcn(&self, gains: &DcqcnGains, at: &DcqcnPoint) -> Loop {
        let (tau, share) = (gains.notification_s, self.share);
        let terms = gains.terms(at.probability, share);
        let (reset, follow) = (terms.cut / tau, gains.gain / gains.alpha_s);
        let (h, cuts) = (terms.recoveries / 2.0, at.alpha * reset / 2.0);
        let (marks, sum) = self.marks(&gains.marking);
        // The feedback in one slope, times S: its derivative by p times V, and by r times S.
        let feedback =
            |by_probability: f64, by_rate: f64| marks.scaled(by_probability).plus(&sum.scaled(by_rate));
        let (by_p, by_r) =
            (gains.terms_by_probability(at.probability, share), gains.terms_by_rate(at.probability, share));
        let alpha = feedback(follow * by_p.marked, follow * by_r.marked);
        let raise = |cut: f64, increases: f64| gains.active_increase * increases - at.gap / tau * cut;
        let target = feedback(raise(by_p.cut, by_p.increases), raise(by_r.cut, by_r.increases));
        let change =
            |cut: f64, recoveries: f64| at.gap / 2.0 * recoveries - share * at.alpha / (2.0 * tau) * cut;
        let current = feedback(change(by_p.cut, by_p.recoveries), change(by_r.cut, by_r.recoveries));
        let (slow_alpha, slow_target) = (Polynomial::shifted(follow), Polynomial::shifted(reset));
        let numerator = current
            .times(&slow_alpha)
            .times(&slow_target)
            .plus(&alpha.times(&slow_target).scaled(-share * reset / 2.0))
            .plus(&target.times(&slow_alpha).scaled(h))
            .scaled(-1.0);
        // (s + cuts + h)(s + reset) - h reset
        let rates = Polynomial::new([cuts * reset, cuts + h + reset, 1.0]);
        Loop {
            model: "DCQCN, exact derivatives at its fixed point",
            sources: self.sources,
            delay_s: self.delay_s,
            queueing_s: 0.0,
            numerator,
            denominator: sum.times(&slow_alpha).times(&rates),
            echo: None,
            corners: None,
        }
    }

    /// V and S: the marking probability in terms of a source's rate.
    fn marks(&self, marking: &MarkingGains) -> (Polynomial, Polynomial) {
        let n = f64::from(self.sources);
        match marking {
            MarkingGains::Red { kmin, kmax, largest } => {
                (Polynomial::new([n * largest / (kmax - kmin)]), Polynomial::s())
            }
            MarkingGains::Pi(pi) => (
                Polynomial::new([n * pi.integral, n * pi.proportional]),
                Polynomial::s().times(&Polynomial::s()),
            ),
        }
    }
}
