//! DCQCN under the vendor's rules as differential equations. The derivation is ours; see
//! `docs/algorithms/fluid-models.md`.
//!
//! Marks reach a source at the rate λ = -R ln(1-p), as in `renewal.rs`; with an interval I between notifications, λ/(1 +
//! λI) of them count. A check finds a mark with probability 1 - e^(-λD) and then cuts, so that
//!
//! ```text
//! c = (1 - e^-λD)/D                              cuts per second
//! ν = c/(e^λt - 1),  t = D (⌈T/D⌉ - 1)           first cycles of the timer per second, of sources without one
//! η = c/(e^λT - 1)                               further cycles per second, of sources with one
//! α̂ = (1-g)^m α + (1 - (1-g)^m) μ/(1 - e^-λD)    α at a cut: m = D/τ′ updates follow the mark; μ = 1 - e^-λτ′
//! i = π c e^(-FλT) R_AI + π η e^(-FλT) R_HAI     increases of the target
//! ```
//!
//! The state of a class is its rate R, the share π of sources whose timer has completed a cycle since their last cut, the
//! mean distance of the target from the rate, split into the part V of these sources and the part U of all others, and
//! α:
//!
//! ```text
//! R' = -c α̂ R/2 + ν U/2 + η V/2 + i/2
//! U' =  c α̂ R/2 - ν U
//! V' =  ν U/2 - η V/2 - c V + i/2
//! π' =  ν (1 - π) - c π
//! α' =  g/τ′ (μ - α)
//! ```
//!
//! Only a cut after a cycle lowers the target: the target R + U + V loses c V and gains i.

use super::dcqcn::{DcqcnPoint, MarkingGains, fraction, seconds};
use super::dual::Dual;
use crate::Bottleneck;
use crate::bisection::bisect;
use crate::dcqcn::{Marking, Vendor};
use crate::refused::Refused;

/// The number of components of a class: R, U, V, π and α.
pub(crate) const COMPONENTS: usize = 5;

/// The vendor's parameters in frames and seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct VendorGains {
    pub(crate) marking: MarkingGains,
    notification_s: f64,
    alpha_s: f64,
    decrease_s: f64,
    timer_s: f64,
    stages: f64,
    gain: f64,
    active_increase: f64,
    hyper_increase: f64,
    pub(crate) min_rate: f64,
}

impl VendorGains {
    pub(crate) fn new(params: &Vendor, bottleneck: &Bottleneck) -> Result<Self, Refused> {
        Ok(Self {
            marking: MarkingGains::new(&Marking::Red(params.marking), bottleneck)?,
            notification_s: params.notification_interval.as_secs_f64(),
            alpha_s: seconds(params.alpha_interval, "alpha_interval")?,
            decrease_s: seconds(params.decrease_interval, "decrease_interval")?,
            timer_s: seconds(params.increase_timer, "increase_timer")?,
            stages: f64::from(params.recovery_stages),
            gain: fraction(params.gain),
            active_increase: bottleneck.frames_per_second(params.active_increase),
            hyper_increase: bottleneck.frames_per_second(params.hyper_increase),
            min_rate: bottleneck.frames_per_second(params.min_rate),
        })
    }

    /// The slopes of a class's components, for the probability and the rate one delay earlier.
    pub(crate) fn slopes<const N: usize>(
        &self,
        [rate, kept, ahead, cycled, alpha]: [Dual<N>; COMPONENTS],
        probability: Dual<N>,
        rate_then: Dual<N>,
    ) -> [Dual<N>; COMPONENTS] {
        let one = Dual::constant(1.0);
        let marks = probability.passed() * rate_then;
        let marks = marks / (marks * self.notification_s + 1.0);
        let checks = (marks * self.decrease_s).rise();
        let updates = (marks * self.alpha_s).rise();
        let cuts = marks * checks;
        let first_s = self.first_cycle_s();
        let first = checks * (marks * first_s).decay() * (1.0 / first_s);
        let further = checks * (marks * self.timer_s).decay() * (1.0 / self.timer_s);
        let forgotten = 1.0 - libm::pow(1.0 - self.gain, self.decrease_s / self.alpha_s);
        let fed = updates / checks * (self.alpha_s / self.decrease_s) * forgotten;
        let cut = cuts * (alpha * (1.0 - forgotten) + fed) * rate * 0.5;
        let raises = cycled * (marks * (-self.stages * self.timer_s)).exp();
        let raised = raises * (cuts * self.active_increase + further * self.hyper_increase);
        let (won, won_later) = (first * kept, further * ahead * 0.5);
        [
            won * 0.5 + won_later + raised * 0.5 - cut,
            cut - won,
            won * 0.5 + raised * 0.5 - won_later - cuts * ahead,
            first * (one - cycled) - cuts * cycled,
            (marks * updates * self.alpha_s - alpha) * (self.gain / self.alpha_s),
        ]
    }

    /// t: the time within which a check may prevent the first cycle of the timer. A cycle that ends with a check comes first.
    fn first_cycle_s(&self) -> f64 {
        let checks = libm::ceil(self.timer_s / self.decrease_s - 1e-9) - 1.0;
        self.decrease_s * checks.max(1e-3)
    }

    /// The state for a given share and probability in which the slopes of all components except the rate are zero.
    pub(crate) fn state(&self, share: f64, probability: f64) -> [f64; COMPONENTS] {
        let slopes = |kept: f64, ahead: f64, cycled: f64, alpha: f64| {
            let state = [share, kept, ahead, cycled, alpha].map(Dual::<0>::constant);
            let slopes = self.slopes(state, Dual::constant(probability), Dual::constant(share));
            slopes.map(|slope| slope.value)
        };
        // Every slope is linear in its own component, so that its root follows from two of its values.
        let root = |at: &dyn Fn(f64) -> f64| at(0.0) / (at(0.0) - at(1.0));
        let alpha = root(&|alpha| slopes(0.0, 0.0, 0.0, alpha)[4]);
        let cycled = root(&|cycled| slopes(0.0, 0.0, cycled, alpha)[3]);
        let kept = root(&|kept| slopes(kept, 0.0, cycled, alpha)[1]);
        let ahead = root(&|ahead| slopes(kept, ahead, cycled, alpha)[2]);
        [share, kept, ahead, cycled, alpha]
    }

    /// The slope of the rate in that state: it is positive at low probabilities and negative at high ones.
    fn drift(&self, share: f64, probability: f64) -> f64 {
        let state = self.state(share, probability).map(Dual::<0>::constant);
        self.slopes(state, Dual::constant(probability), Dual::constant(share))[0].value
    }

    /// The fixed point for a given share.
    pub(crate) fn point(&self, share: f64) -> DcqcnPoint {
        // At a higher probability, cuts leave no time for a cycle of the timer.
        let most = -libm::expm1(-50.0 / (share * self.timer_s)).min(1.0);
        let probability = bisect(0.0, most.min(1.0), |probability| {
            probability <= 0.0 || self.drift(share, probability) > 0.0
        });
        let [_, kept, ahead, _, alpha] = self.state(share, probability);
        DcqcnPoint { probability, alpha, gap: kept + ahead, queue: self.marking.queue(probability) }
    }
}
