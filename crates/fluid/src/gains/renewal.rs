//! The terms of DCQCN's equations as means over the time between two cuts.
//!
//! Marks reach a source at the rate λ = -R ln(1-p): it receives none within a time t with probability e^(-λt). After a
//! cut, receivers send no notification for τ, so the time between two cuts is τ plus an exponentially distributed time.
//! A clock that restarts at every cut completes cycle k with probability s_k = e^(λτ - k y), where y = λT for the timer and
//! y = -B ln(1-p) for the byte counter, but at most one.
//!
//! ```text
//! cut        = λ/(1 + λτ)
//! recoveries = cut Σ s_k                     over k = 1, 2, …
//! increases  = cut Σ s_k                     over k = F, F + 1, … or from F + 1
//! reset      = cut (1 + (1 - s_1)/(1 - e^-λT))/2
//! α'         = g cut ((1 - α) - α S)         S = Σ e^(λτ - kλτ′), the decays between two cuts
//! ```
//!
//! A cut lowers the target by the distance between target and rate at that time. This distance is largest within τ
//! after a cut, when there are no cuts. `reset` makes the loss and the recovery after a cut add up to the cut, as they
//! do for the timer: a fraction s_1/(2 - e^-λT) of a cut is recovered before the next cut, and the target loses the
//! rest.

use super::dcqcn::{DcqcnGains, Terms};
use super::dual::Dual;
use crate::dcqcn::{Cycles, FirstIncrease};

/// The terms and their derivatives with respect to probability and rate, in the order of [`Terms`].
type Derived<const N: usize> = [Dual<N>; 6];

impl DcqcnGains {
    pub(super) fn renewal_values(&self, probability: f64, rate: f64) -> Terms {
        let terms = self.renewal::<0>(Dual::constant(probability), Dual::constant(rate));
        collect(terms.map(|term| term.value))
    }

    pub(super) fn renewal_slopes(&self, probability: f64, rate: f64) -> [Terms; 2] {
        let terms = self.renewal::<2>(Dual::variable(probability, 0), Dual::variable(rate, 1));
        [0, 1].map(|variable| collect(terms.map(|term| term.by[variable])))
    }

    fn renewal<const N: usize>(&self, probability: Dual<N>, rate: Dual<N>) -> Derived<N> {
        let passed = probability.passed();
        let marks = passed * rate;
        let quiet = marks * self.notification_s;
        let one = Dual::constant(1.0);
        // cut/λ, so that all terms have a limit for p = 0.
        let per_mark = one / (quiet + 1.0);
        // cut Σ s_k from k = first, for a clock with an exponent y and y/λ.
        let cycles = |y: Dual<N>, per_lambda: Dual<N>, first: f64| {
            let completes = (quiet - y * first).at_most(0.0).exp();
            // 1/(1 - e^-y) = 1/(y rise(y))
            per_mark * completes / (per_lambda * y.rise())
        };
        let (timer, bytes) = (marks * self.timer_s, passed * self.cycle);
        let (per_timer, per_bytes) = (Dual::constant(self.timer_s), Dual::constant(self.cycle) / rate);
        let first = match self.cycles {
            Cycles::Renewal(FirstIncrease::AtThreshold) => self.stages,
            _ => self.stages + 1.0,
        };
        let both = |first: f64| cycles(timer, per_timer, first) + cycles(bytes, per_bytes, first);
        // (1 - s_1)/(1 - e^-λT), where s_1 = e^(λτ - λT); zero if τ is longer than T.
        let waits = (self.timer_s - self.notification_s).max(0.0);
        let fails = (marks * waits).rise() * waits / (timer.rise() * self.timer_s);
        let decays = cycles(marks * self.alpha_s, Dual::constant(self.alpha_s), 1.0);
        let cut = marks * per_mark;
        let follow = cut + decays;
        [cut, cut * (fails + 1.0) * 0.5, follow * self.gain, cut / follow, both(1.0), both(first)]
    }
}

fn collect([cut, reset, follow, marked, recoveries, increases]: [f64; 6]) -> Terms {
    Terms { cut, reset, follow, marked, recoveries, increases }
}
