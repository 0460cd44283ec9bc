//! Parameters of DCQCN, and the terms of its equations with their derivatives.

use setpoint_control::parameter::Fraction;
use setpoint_units::TimeDelta;

use super::dual::{decay, decay_slope};
use super::{Refused, above_zero, part};
use crate::Bottleneck;
use crate::bisection::bisect;
use crate::dcqcn::{Cycles, MarkedAt, Marking, Params};
use crate::pi::PiGains;

/// DCQCN's parameters in frames and seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct DcqcnGains {
    pub(crate) marking: MarkingGains,
    pub(crate) marked_at: MarkedAt,
    pub(super) cycles: Cycles,
    /// τ.
    pub(super) notification_s: f64,
    /// τ′.
    pub(super) alpha_s: f64,
    /// T.
    pub(crate) timer_s: f64,
    /// B in frames.
    pub(crate) cycle: f64,
    /// F.
    pub(crate) stages: f64,
    /// g.
    pub(crate) gain: f64,
    /// R_AI in frames per second.
    pub(crate) active_increase: f64,
    /// The minimum rate in frames per second.
    pub(crate) min_rate: f64,
}

/// The congestion point in frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum MarkingGains {
    Red { kmin: f64, kmax: f64, largest: f64 },
    Pi(PiGains),
}

/// The terms of the equations for a marking probability p and a rate R.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Terms {
    /// Cuts per second. As printed: a/τ with a = 1 - (1-p)^(τ R), the probability of a notification within τ.
    pub(crate) cut: f64,
    /// The fraction of the distance between target and rate that the target loses per second through cuts. As printed:
    /// a/τ.
    pub(crate) reset: f64,
    /// The rate per second at which α approaches `marked`. As printed: g/τ′.
    pub(crate) follow: f64,
    /// The value that α approaches. As printed: 1 - (1-p)^(τ′ R), the probability of a mark within τ′.
    pub(crate) marked: f64,
    /// R (b + d): increases per second, by the byte counter and by the timer.
    pub(crate) recoveries: f64,
    /// R (c + e): increases per second that also raise the target.
    pub(crate) increases: f64,
}

/// The fixed point in frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct DcqcnPoint {
    pub(crate) probability: f64,
    pub(crate) alpha: f64,
    /// R_T - R_C.
    pub(crate) gap: f64,
    pub(crate) queue: f64,
}

impl DcqcnGains {
    pub(crate) fn new(params: &Params, bottleneck: &Bottleneck) -> Result<Self, Refused> {
        Ok(Self {
            marking: MarkingGains::new(&params.marking, bottleneck)?,
            marked_at: params.marked_at,
            cycles: params.cycles,
            notification_s: seconds(params.notification_interval, "notification_interval")?,
            alpha_s: seconds(params.alpha_interval, "alpha_interval")?,
            timer_s: seconds(params.increase_timer, "increase_timer")?,
            cycle: bottleneck.frames(above_zero(params.byte_counter, "byte_counter")?),
            stages: f64::from(params.recovery_stages),
            gain: fraction(params.gain),
            active_increase: bottleneck.frames_per_second(params.active_increase),
            min_rate: bottleneck.frames_per_second(params.min_rate),
        })
    }

    pub(crate) fn is_printed(&self) -> bool {
        matches!(self.cycles, Cycles::AsPrinted)
    }

    /// The part of R_AI that is immediately added to the rate in a cycle that raises the target: half of it, a term
    /// that the printed equations leave out.
    pub(crate) fn own_step(&self) -> f64 {
        if self.is_printed() { 0.0 } else { self.active_increase / 2.0 }
    }

    /// The terms of the equations.
    pub(crate) fn terms(&self, probability: f64, rate: f64) -> Terms {
        match self.cycles {
            Cycles::AsPrinted => self.printed(probability, rate),
            Cycles::Renewal(_) => self.renewal_values(probability, rate),
        }
    }

    /// The derivatives of the terms with respect to the probability, which must be below one, and to the
    /// rate.
    pub(crate) fn slopes(&self, probability: f64, rate: f64) -> [Terms; 2] {
        match self.cycles {
            Cycles::AsPrinted => {
                [self.printed_by_probability(probability, rate), self.printed_by_rate(probability, rate)]
            }
            Cycles::Renewal(_) => self.renewal_slopes(probability, rate),
        }
    }

    /// The printed terms. Both limits are exact: for p = 0, b = c = 1/B and d = e = 1/(T R).
    fn printed(&self, probability: f64, rate: f64) -> Terms {
        let follow = self.gain / self.alpha_s;
        if probability >= 1.0 {
            let certain = if rate > 0.0 { 1.0 } else { 0.0 };
            let cut = certain / self.notification_s;
            return Terms { cut, reset: cut, follow, marked: certain, recoveries: 0.0, increases: 0.0 };
        }
        let passed = libm::log1p(-probability);
        let (byte, timer) = (-self.cycle * passed, -self.timer_s * rate * passed);
        let ratio = mark_ratio(probability);
        let by_bytes = rate / self.cycle * ratio * decay(byte);
        let by_timer = ratio / self.timer_s * decay(timer);
        let cut = -libm::expm1(self.notification_s * rate * passed) / self.notification_s;
        Terms {
            cut,
            reset: cut,
            follow,
            marked: -libm::expm1(self.alpha_s * rate * passed),
            recoveries: by_bytes + by_timer,
            increases: by_bytes * libm::exp(-self.stages * byte) + by_timer * libm::exp(-self.stages * timer),
        }
    }

    fn printed_by_probability(&self, probability: f64, rate: f64) -> Terms {
        let (passed, rest) = (libm::log1p(-probability), 1.0 - probability);
        let (ratio, ratio_slope) = (mark_ratio(probability), mark_ratio_slope(probability));
        let of_cycle = |frames: f64| {
            let y = -frames * passed;
            let (steps, kept) = (ratio * decay(y), libm::exp(-self.stages * y));
            let slope = ratio_slope * decay(y) + ratio * decay_slope(y) * frames / rest;
            (slope, (slope - steps * self.stages * frames / rest) * kept)
        };
        let (byte, timer) = (of_cycle(self.cycle), of_cycle(self.timer_s * rate));
        let of_interval = |seconds: f64| seconds * rate * libm::exp(seconds * rate * passed) / rest;
        let cut = of_interval(self.notification_s) / self.notification_s;
        Terms {
            cut,
            reset: cut,
            follow: 0.0,
            marked: of_interval(self.alpha_s),
            recoveries: rate / self.cycle * byte.0 + timer.0 / self.timer_s,
            increases: rate / self.cycle * byte.1 + timer.1 / self.timer_s,
        }
    }

    fn printed_by_rate(&self, probability: f64, rate: f64) -> Terms {
        let passed = libm::log1p(-probability);
        let (byte, timer) = (-self.cycle * passed, -self.timer_s * rate * passed);
        let kept = libm::exp(-self.stages * timer);
        let ratio = mark_ratio(probability);
        let by_bytes = ratio * decay(byte) / self.cycle;
        // The derivative of ratio / T · decay(y), where y rises by -T ln(1-p) per unit of rate.
        let by_timer = probability * decay_slope(timer);
        let raised = by_timer + self.stages * passed * ratio * decay(timer);
        let of_interval = |seconds: f64| -seconds * passed * libm::exp(seconds * rate * passed);
        let cut = of_interval(self.notification_s) / self.notification_s;
        Terms {
            cut,
            reset: cut,
            follow: 0.0,
            marked: of_interval(self.alpha_s),
            recoveries: by_bytes + by_timer,
            increases: by_bytes * libm::exp(-self.stages * byte) + raised * kept,
        }
    }

    /// The fixed point for a given share: the balance of cuts and increases,
    ///
    /// ```text
    /// R α cut/2 = D recoveries/2 + h R_AI increases        D = R_T - R_C = R_AI increases / reset
    /// ```
    ///
    /// with h = 1/2 for a rate that follows the raised target at once, and h = 0 in the printed equations, for which the
    /// balance is R α a² = τ² R_AI · R(b + d) · R(c + e).
    ///
    /// For the printed equations the root exists and is unique. As p rises from zero to one, a and α rise from zero to
    /// one. The chord slope ((1-p)^-x - 1)/p of a convex function rises without bound, so its inverses b and d fall to
    /// zero, and so do c and e. The left side therefore rises from zero, and the right side falls to zero.
    pub(crate) fn point(&self, share: f64) -> DcqcnPoint {
        let is_below = |probability: f64| {
            let Terms { cut, reset, marked, recoveries, increases, .. } = self.terms(probability, share);
            let raised =
                self.active_increase * increases * recoveries / 2.0 + self.own_step() * increases * reset;
            share * marked * cut * reset / 2.0 < raised
        };
        self.point_at(bisect(0.0, 1.0, is_below), share)
    }

    /// The state for a given probability in which α and the target do not change.
    pub(crate) fn point_at(&self, probability: f64, share: f64) -> DcqcnPoint {
        let terms = self.terms(probability, share);
        DcqcnPoint {
            probability,
            alpha: terms.marked,
            gap: self.active_increase * terms.increases / terms.reset,
            queue: self.marking.queue(probability),
        }
    }

    /// The paper's approximation of the probability at the fixed point.
    pub(crate) fn approximate_probability(&self, share: f64) -> f64 {
        let cycles = 1.0 / self.cycle + 1.0 / (self.timer_s * share);
        libm::cbrt(self.active_increase / (self.alpha_s * share * share) * cycles * cycles)
    }
}

impl MarkingGains {
    pub(super) fn new(marking: &Marking, bottleneck: &Bottleneck) -> Result<Self, Refused> {
        match marking {
            Marking::Pi(pi) => Ok(Self::Pi(PiGains::new(pi, bottleneck)?)),
            Marking::Red(red) if red.kmin > red.kmax => {
                Err(Refused::Thresholds { kmin: red.kmin, kmax: red.kmax })
            }
            Marking::Red(red) if part(red.largest) <= 0.0 => Err(Refused::Zero("largest")),
            Marking::Red(red) => Ok(Self::Red {
                kmin: bottleneck.frames(red.kmin),
                kmax: bottleneck.frames(red.kmax),
                largest: part(red.largest),
            }),
        }
    }

    /// The marking probability for a queue length; one above Kmax.
    pub(crate) fn of_queue(kmin: f64, kmax: f64, largest: f64, queue: f64) -> f64 {
        match queue {
            queue if queue <= kmin => 0.0,
            queue if queue <= kmax => largest * (queue - kmin) / (kmax - kmin),
            _ => 1.0,
        }
    }

    /// The queue length at which frames are marked with the given probability, on the rising line or its extension
    /// beyond Kmax.
    pub(crate) fn queue(&self, probability: f64) -> f64 {
        match self {
            Self::Red { kmin, kmax, largest } => kmin + probability / largest * (kmax - kmin),
            Self::Pi(pi) => pi.reference,
        }
    }
}

/// An interval that must not be zero.
pub(super) fn seconds(interval: TimeDelta, key: &'static str) -> Result<f64, Refused> {
    if interval.is_zero() { Err(Refused::Zero(key)) } else { Ok(interval.as_secs_f64()) }
}

/// p / -ln(1-p): one for p = 0, zero for p = 1.
fn mark_ratio(probability: f64) -> f64 {
    if probability > 0.0 { probability / -libm::log1p(-probability) } else { 1.0 }
}

/// The derivative of [`mark_ratio`]: its series near zero, where the formula would cancel.
fn mark_ratio_slope(p: f64) -> f64 {
    if p < 1e-4 {
        return -0.5 - p / 6.0 - p * p / 8.0 - 19.0 * p * p * p / 180.0;
    }
    let passed = -libm::log1p(-p);
    (passed - p / (1.0 - p)) / (passed * passed)
}

/// A fraction as a number.
pub(super) fn fraction(fraction: Fraction) -> f64 {
    f64::from(fraction.parts()) / 1_024.0
}

#[cfg(test)]
mod tests {
    use setpoint_units::{Bytes, Rate, Time};

    use super::*;
    use crate::dcqcn::FirstIncrease;

    /// The parameters of the paper: frames of 1000 bytes at 40 Gb/s.
    fn gains() -> DcqcnGains {
        let bottleneck = Bottleneck {
            frame: Bytes::new(1_000),
            overhead: Bytes::ZERO,
            capacity: vec![(Time::ZERO, Rate::from_gbps(40))],
            buffer: Bytes::new(1_000_000),
            classes: Vec::new(),
        };
        DcqcnGains::new(&Params::default(), &bottleneck).expect("the defaults are valid")
    }

    fn list(terms: Terms) -> [f64; 6] {
        [terms.cut, terms.reset, terms.follow, terms.marked, terms.recoveries, terms.increases]
    }

    /// B = 10 000 frames and T = 55 µs: R/B + 1/T increases per second.
    #[test]
    fn without_marks_only_the_increases_remain() {
        let rate = 1e6;
        let expected = rate / 1e4 + 1.0 / 55e-6;
        for (probability, close) in [(0.0, 1e-15), (1e-15, 1e-9), (1e-9, 1e-3)] {
            let terms = gains().terms(probability, rate);
            assert!((terms.cut - probability * 1e6).abs() <= 1e-6 * probability * 1e6);
            assert!((terms.recoveries / expected - 1.0).abs() <= close, "{terms:?}");
            assert!((terms.increases / expected - 1.0).abs() <= close, "{terms:?}");
        }
    }

    #[test]
    fn with_every_frame_marked_only_cuts_remain() {
        // A cut every 50 us; every 55 us, α approaches one by 1/256 of the distance.
        let follow = 1.0 / 256.0 / 55e-6;
        assert_eq!(list(gains().terms(1.0, 1e6)), [2e4, 2e4, follow, 1.0, 0.0, 0.0]);
        assert_eq!(list(gains().terms(1.0, 0.0)), [0.0, 0.0, follow, 0.0, 0.0, 0.0]);
        let nearly = gains().terms(1.0 - 1e-12, 1e6);
        assert!(nearly.recoveries < 1e-9 && nearly.cut == 2e4, "{nearly:?}");
    }

    #[test]
    fn derivatives_match_differences() {
        for cycles in [Cycles::AsPrinted, Cycles::Renewal(FirstIncrease::AtThreshold)] {
            compare_derivatives(&DcqcnGains { cycles, ..gains() });
        }
    }

    fn compare_derivatives(gains: &DcqcnGains) {
        for probability in [1e-6, 9e-5, 1.1e-4, 1e-3, 1e-2, 0.2] {
            for rate in [2e4, 1e5, 1e6, 5e6] {
                let (dp, dr) = (1e-5 * probability, 1e-5 * rate);
                let at = |p, r| list(gains.terms(p, r));
                let differences = [
                    (at(probability + dp, rate), at(probability - dp, rate), dp),
                    (at(probability, rate + dr), at(probability, rate - dr), dr),
                ];
                let exact = gains.slopes(probability, rate);
                for ((up, down, step), exact) in differences.into_iter().zip(exact) {
                    for (term, exact) in list(exact).into_iter().enumerate() {
                        let slope = (up[term] - down[term]) / (2.0 * step);
                        let noise = 1e-10 * up[term].abs() / step;
                        assert!(
                            (slope - exact).abs() <= 1e-5 * exact.abs() + noise,
                            "{probability} {rate} {term}: {slope}, {exact}"
                        );
                    }
                }
            }
        }
    }
}
