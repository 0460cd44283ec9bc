//! Parameters of DCQCN, and the terms of its equations with their derivatives.

use setpoint_units::TimeDelta;

use super::{Refused, above_zero, part, two_to};
use crate::Bottleneck;
use crate::bisection::bisect;
use crate::dcqcn::{Marking, Params};
use crate::pi::PiGains;

/// DCQCN's parameters in frames and seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct DcqcnGains {
    pub(crate) marking: MarkingGains,
    /// τ.
    pub(crate) notification_s: f64,
    /// τ′.
    pub(crate) alpha_s: f64,
    /// T.
    timer_s: f64,
    /// B in frames.
    cycle: f64,
    /// F.
    stages: f64,
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
    /// a = 1 - (1-p)^(τ R): the probability of a notification within τ.
    pub(crate) cut: f64,
    /// 1 - (1-p)^(τ′ R): the probability of a mark within τ′.
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
            notification_s: seconds(params.notification_interval, "notification_interval")?,
            alpha_s: seconds(params.alpha_interval, "alpha_interval")?,
            timer_s: seconds(params.increase_timer, "increase_timer")?,
            cycle: bottleneck.frames(above_zero(params.byte_counter, "byte_counter")?),
            stages: f64::from(params.recovery_stages),
            gain: two_to(params.gain),
            active_increase: bottleneck.frames_per_second(params.active_increase),
            min_rate: bottleneck.frames_per_second(params.min_rate),
        })
    }

    /// The terms of the equations. Both limits are exact: for p = 0, b = c = 1/B and d = e = 1/(T R).
    pub(crate) fn terms(&self, probability: f64, rate: f64) -> Terms {
        if probability >= 1.0 {
            let certain = if rate > 0.0 { 1.0 } else { 0.0 };
            return Terms { cut: certain, marked: certain, recoveries: 0.0, increases: 0.0 };
        }
        let passed = libm::log1p(-probability);
        let (byte, timer) = (-self.cycle * passed, -self.timer_s * rate * passed);
        let ratio = mark_ratio(probability);
        let by_bytes = rate / self.cycle * ratio * decay(byte);
        let by_timer = ratio / self.timer_s * decay(timer);
        Terms {
            cut: -libm::expm1(self.notification_s * rate * passed),
            marked: -libm::expm1(self.alpha_s * rate * passed),
            recoveries: by_bytes + by_timer,
            increases: by_bytes * libm::exp(-self.stages * byte) + by_timer * libm::exp(-self.stages * timer),
        }
    }

    /// The derivatives of the terms by the probability, which must be below one.
    pub(crate) fn terms_by_probability(&self, probability: f64, rate: f64) -> Terms {
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
        Terms {
            cut: of_interval(self.notification_s),
            marked: of_interval(self.alpha_s),
            recoveries: rate / self.cycle * byte.0 + timer.0 / self.timer_s,
            increases: rate / self.cycle * byte.1 + timer.1 / self.timer_s,
        }
    }

    /// The derivatives of the terms by the rate, for a probability below one.
    pub(crate) fn terms_by_rate(&self, probability: f64, rate: f64) -> Terms {
        let passed = libm::log1p(-probability);
        let (byte, timer) = (-self.cycle * passed, -self.timer_s * rate * passed);
        let kept = libm::exp(-self.stages * timer);
        let ratio = mark_ratio(probability);
        let by_bytes = ratio * decay(byte) / self.cycle;
        // The derivative of ratio / T · decay(y), where y rises by -T ln(1-p) per unit of rate.
        let by_timer = probability * decay_slope(timer);
        let raised = by_timer + self.stages * passed * ratio * decay(timer);
        let of_interval = |seconds: f64| -seconds * passed * libm::exp(seconds * rate * passed);
        Terms {
            cut: of_interval(self.notification_s),
            marked: of_interval(self.alpha_s),
            recoveries: by_bytes + by_timer,
            increases: by_bytes * libm::exp(-self.stages * byte) + raised * kept,
        }
    }

    /// The fixed point at a share: the root of R α a² = τ² R_AI · R(b + d) · R(c + e).
    ///
    /// The root exists and is unique. As p rises from zero to one, a and α rise from zero to one. The chord slope
    /// ((1-p)^-x - 1)/p of a convex function rises without bound, so its inverses b and d fall to zero, and so do c
    /// and e. The left side therefore rises from zero, and the right side falls to zero.
    pub(crate) fn point(&self, share: f64) -> DcqcnPoint {
        let growth = self.notification_s * self.notification_s * self.active_increase;
        let is_below = |probability: f64| {
            let terms = self.terms(probability, share);
            share * terms.marked * terms.cut * terms.cut < growth * terms.recoveries * terms.increases
        };
        let probability = bisect(0.0, 1.0, is_below);
        let terms = self.terms(probability, share);
        DcqcnPoint {
            probability,
            alpha: terms.marked,
            gap: self.notification_s * self.active_increase * terms.increases / terms.cut,
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
    fn new(marking: &Marking, bottleneck: &Bottleneck) -> Result<Self, Refused> {
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

    /// The queue at which frames are marked with a probability, on the rising line and its extension.
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

/// The argument above which `y / (e^y - 1)` counts as zero.
const NEGLIGIBLE: f64 = 700.0;

/// y / (e^y - 1): one for y = 0.
fn decay(y: f64) -> f64 {
    match y {
        y if y > NEGLIGIBLE => 0.0,
        y if y > 0.0 => y / libm::expm1(y),
        _ => 1.0,
    }
}

/// The derivative of [`decay`]: its series near zero, where the formula would cancel.
fn decay_slope(y: f64) -> f64 {
    if y < 1e-2 {
        return -0.5 + y / 6.0 - y * y * y / 180.0;
    }
    let value = decay(y);
    if value > 0.0 { value * (1.0 / y - 1.0 - 1.0 / libm::expm1(y)) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use setpoint_units::{Bytes, Rate, Time};

    use super::*;

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

    fn list(terms: Terms) -> [f64; 4] {
        [terms.cut, terms.marked, terms.recoveries, terms.increases]
    }

    /// B = 10 000 frames and T = 55 µs: R/B + 1/T increases per second.
    #[test]
    fn without_marks_only_the_increases_remain() {
        let rate = 1e6;
        let expected = rate / 1e4 + 1.0 / 55e-6;
        for (probability, close) in [(0.0, 1e-15), (1e-15, 1e-9), (1e-9, 1e-3)] {
            let terms = gains().terms(probability, rate);
            assert!((terms.cut - probability * 50.0).abs() <= 1e-6 * probability * 50.0);
            assert!((terms.recoveries / expected - 1.0).abs() <= close, "{terms:?}");
            assert!((terms.increases / expected - 1.0).abs() <= close, "{terms:?}");
        }
    }

    #[test]
    fn with_every_frame_marked_only_cuts_remain() {
        assert_eq!(list(gains().terms(1.0, 1e6)), [1.0, 1.0, 0.0, 0.0]);
        assert_eq!(list(gains().terms(1.0, 0.0)), [0.0; 4]);
        let nearly = gains().terms(1.0 - 1e-12, 1e6);
        assert!(nearly.recoveries < 1e-9 && nearly.cut == 1.0, "{nearly:?}");
    }

    #[test]
    fn derivatives_match_differences() {
        let gains = gains();
        for probability in [1e-6, 9e-5, 1.1e-4, 1e-3, 1e-2, 0.2] {
            for rate in [2e4, 1e5, 1e6, 5e6] {
                let (dp, dr) = (1e-5 * probability, 1e-5 * rate);
                let at = |p, r| list(gains.terms(p, r));
                let differences = [
                    (at(probability + dp, rate), at(probability - dp, rate), dp),
                    (at(probability, rate + dr), at(probability, rate - dr), dr),
                ];
                let exact =
                    [gains.terms_by_probability(probability, rate), gains.terms_by_rate(probability, rate)];
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
