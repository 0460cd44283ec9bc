//! Linearisation of DCQCN.

use super::closed::Loop;
use super::linearise::{NoLoop, Point};
use super::polynomial::Polynomial;
use crate::Bottleneck;
use crate::dcqcn::MarkedAt;
use crate::gains::{DcqcnGains, DcqcnPoint, MarkingGains, Terms};

impl Point {
    /// The fixed point, if the congestion point's marking allows it.
    pub(crate) fn check_dcqcn(
        &self,
        bottleneck: &Bottleneck,
        gains: &DcqcnGains,
    ) -> Result<DcqcnPoint, NoLoop> {
        let at = gains.point(self.share);
        self.check_marked(bottleneck, &gains.marking, gains.min_rate, &at)?;
        Ok(at)
    }

    /// Checks that the congestion point's marking allows a fixed point.
    pub(super) fn check_marked(
        &self,
        bottleneck: &Bottleneck,
        marking: &MarkingGains,
        min_rate: f64,
        at: &DcqcnPoint,
    ) -> Result<(), NoLoop> {
        // A share below the minimum rate is reported first: it is then the reason why sources need more marks than
        // the congestion point sets.
        self.check(bottleneck, min_rate, 0.0)?;
        if let MarkingGains::Red { kmin, kmax, largest } = *marking
            && (at.probability > largest || kmin >= kmax)
        {
            return Err(NoLoop::Marking { probability: at.probability, largest });
        }
        self.check(bottleneck, min_rate, at.queue)
    }

    /// DCQCN at its fixed point. With the exact partial derivatives of the slopes f_α, f_T and f_C with respect
    /// to the delayed probability p and the delayed rate r:
    ///
    /// ```text
    /// z' = -f z + α_p p + α_r r                         x, y, z, q: deviations of R_T, R_C, α and the queue
    /// x' = -d (x - y) + t_p p + t_r r                   p, r: deviations of p and R_C a delay ago
    /// y' = -α a/2 y + h (x - y) - R a/2 z + c_p p + c_r r
    /// q' = N y
    /// p  = V(s)/S(s) y    V/S = Pmax/(Kmax - Kmin) N/s, or (K1 + K2/s) N/s
    /// ```
    ///
    /// where a, d and f are the cuts, the resets of the target and the pace of α per second, and h is half of the
    /// recoveries per second. The queue integrates the rates, so the feedback depends on y alone, and the
    /// characteristic function has one delayed term. If frames are marked when they enter the queue, the delay depends
    /// on the queue, but at the fixed point its deviations have no effect, since p and R_C are constant there.
    pub(super) fn dcqcn(&self, gains: &DcqcnGains, at: &DcqcnPoint) -> Loop {
        let share = self.share;
        let terms = gains.terms(at.probability, share);
        let (reset, follow) = (terms.reset, terms.follow);
        let (h, cuts) = (terms.recoveries / 2.0, at.alpha * terms.cut / 2.0);
        let (marks, sum) = self.marks(&gains.marking);
        // The feedback in one slope, multiplied by S: its derivative with respect to p, times V, plus its
        // derivative with respect to r, times S.
        let [by_p, by_r] = gains.slopes(at.probability, share);
        let feedback =
            |slope: &dyn Fn(&Terms) -> f64| marks.scaled(slope(&by_p)).plus(&sum.scaled(slope(&by_r)));
        let alpha = feedback(&|by| follow * by.marked);
        let target = feedback(&|by| gains.active_increase * by.increases - at.gap * by.reset);
        let current = feedback(&|by| {
            at.gap / 2.0 * by.recoveries + gains.own_step() * by.increases - share * at.alpha / 2.0 * by.cut
        });
        let (slow_alpha, slow_target) = (Polynomial::shifted(follow), Polynomial::shifted(reset));
        let numerator = current
            .times(&slow_alpha)
            .times(&slow_target)
            .plus(&alpha.times(&slow_target).scaled(-share * terms.cut / 2.0))
            .plus(&target.times(&slow_alpha).scaled(h))
            .scaled(-1.0);
        // (s + cuts + h)(s + reset) - h reset
        let rates = Polynomial::new([cuts * reset, cuts + h + reset, 1.0]);
        let queueing_s = match gains.marked_at {
            MarkedAt::Egress => 0.0,
            MarkedAt::Ingress => at.queue / self.capacity,
        };
        Loop {
            model: match gains.is_printed() {
                true => "DCQCN, the equations of the CoNEXT paper as printed",
                false => "DCQCN, the equations of the CoNEXT paper with means over the time between cuts",
            },
            sources: self.sources,
            delay_s: self.delay_s + queueing_s,
            queueing_s,
            numerator,
            denominator: sum.times(&slow_alpha).times(&rates),
            echo: None,
            corners: None,
        }
    }

    /// V and S: the marking probability in terms of a source's rate.
    pub(super) fn marks(&self, marking: &MarkingGains) -> (Polynomial, Polynomial) {
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
