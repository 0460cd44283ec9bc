//! A loop, its margin and its bound.

use std::f64::consts::TAU;

use super::complex::{Complex, argument, exp};
use super::polynomial::Polynomial;

/// A linearised loop. See the [module](super).
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    /// What it is the linearisation of, in a few words.
    pub model: &'static str,
    /// Sources under control.
    pub sources: u32,
    /// The delay of the bottleneck's sources; the longest, where they differ. Methods take a delay of their own.
    pub delay_s: f64,
    pub(super) numerator: Polynomial,
    pub(super) denominator: Polynomial,
    /// T of the Averaging Principle in seconds, where the feedback is averaged.
    pub(super) averaging_s: Option<f64>,
    pub(super) corners: Option<Corners>,
}

/// The corner frequencies that the sufficient bound is made of, in radians per second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Corners {
    /// K, the gain.
    pub(super) gain: f64,
    /// γ = C p / w, of the queue and its growth.
    pub(super) gamma: f64,
    /// b and β, between which the Averaging Principle leads; none where there is no such thing.
    pub(super) lead: Option<(f64, f64)>,
}

/// The longest delay at which a loop is stable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Margin {
    /// The delay; infinite if no delay makes the loop unstable.
    pub delay_s: f64,
    /// The angular frequency of the oscillation at it.
    pub crossover_rad_per_s: f64,
}

/// A delay below which a loop is certainly stable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    /// The delay.
    pub delay_s: f64,
    /// The same bound with the Averaging Principle's lead dropped.
    pub without_averaging_s: f64,
    /// The angular frequency above which the loop's gain is below one.
    pub crossover_rad_per_s: f64,
}

impl Loop {
    /// The open loop `L(jω)` at a delay.
    #[must_use]
    pub fn open(&self, omega_rad_per_s: f64, delay_s: f64) -> Complex {
        let s = Complex::new(0.0, omega_rad_per_s);
        self.forward(s) * exp(s * -delay_s) / self.denominator.at(s)
    }

    /// `A(s) P(s)`: what is delayed.
    pub(super) fn forward(&self, s: Complex) -> Complex {
        let forward = self.numerator.at(s);
        self.averaging_s.map_or(forward, |interval| forward * averaging(s, interval))
    }

    /// `Q(s) + e^(-s τ) A(s) P(s)`, which is zero at the roots of the closed loop.
    pub(super) fn characteristic(&self, s: Complex, delay_s: f64) -> Complex {
        self.denominator.at(s) + self.forward(s) * exp(s * -delay_s)
    }

    /// The slope of the characteristic function.
    pub(super) fn characteristic_slope(&self, s: Complex, delay_s: f64) -> Complex {
        let forward = self.forward(s);
        let forward_slope = match self.averaging_s {
            None => self.numerator.slope_at(s),
            Some(interval) => {
                let bend = exp(s * -interval) * (0.25 * interval);
                self.numerator.slope_at(s) * averaging(s, interval) + self.numerator.at(s) * bend
            }
        };
        let delayed = (forward_slope - forward * delay_s) * exp(s * -delay_s);
        self.denominator.slope_at(s) + delayed
    }

    /// The longest delay at which the loop is stable, exactly: the smallest at which a root lies on the imaginary axis.
    /// None where the loop is unstable without any delay.
    #[must_use]
    pub fn margin(&self) -> Option<Margin> {
        if self.unstable_roots(0.0) > 0 {
            return None;
        }
        let of_crossing = |omega: f64| {
            // e^(-jωτ) G(jω) = -1: the delay takes what phase G has above -π, and whole turns beyond that.
            let phase = argument(-self.open(omega, 0.0)).rem_euclid(TAU);
            Margin { delay_s: phase / omega, crossover_rad_per_s: omega }
        };
        let margins = self.crossings().into_iter().map(of_crossing);
        let never = Margin { delay_s: f64::INFINITY, crossover_rad_per_s: 0.0 };
        Some(margins.fold(never, |least, one| if one.delay_s < least.delay_s { one } else { least }))
    }

    /// A delay below which the loop is stable by a formula, where there is one:
    ///
    /// ```text
    /// ω* = sqrt(K²/2 + sqrt(K⁴/4 + K²γ²))      τ* = (atan(ω*/b) - atan(ω*/β) + atan(ω*/γ)) / ω*
    /// ```
    #[must_use]
    pub fn bound(&self) -> Option<Bound> {
        let Corners { gain, gamma, lead } = self.corners?;
        let square = gain * gain;
        let omega = (square / 2.0 + (square * square / 4.0 + square * gamma * gamma).sqrt()).sqrt();
        let without = libm::atan(omega / gamma);
        let led = lead.map_or(0.0, |(b, beta)| libm::atan(omega / b) - libm::atan(omega / beta));
        Some(Bound {
            delay_s: (led + without) / omega,
            without_averaging_s: without / omega,
            crossover_rad_per_s: omega,
        })
    }
}

/// What the Averaging Principle does to feedback once in an interval T: 3/4 of it less 1/4 of the one before (theorem 1).
fn averaging(s: Complex, interval_s: f64) -> Complex {
    Complex::from(0.75) - exp(s * -interval_s) * 0.25
}
