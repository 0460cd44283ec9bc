//! A linearised loop, its delay margin and its sufficient bound.

use std::f64::consts::TAU;

use super::complex::{Complex, argument, exp};
use super::polynomial::Polynomial;

/// A linearised loop. See the [module](super).
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    /// A short description of the model that it linearises.
    pub model: &'static str,
    /// The number of controlled sources.
    pub sources: u32,
    /// The delay of the bottleneck's sources; the longest if they differ. Methods take the delay as an
    /// argument.
    pub delay_s: f64,
    pub(super) numerator: Polynomial,
    pub(super) denominator: Polynomial,
    /// T of the Averaging Principle in seconds, if the feedback is averaged.
    pub(super) averaging_s: Option<f64>,
    pub(super) corners: Option<Corners>,
}

/// The corner frequencies in the sufficient bound, in radians per second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Corners {
    /// K, the gain.
    pub(super) gain: f64,
    /// γ = C p / w, from the queue and its growth.
    pub(super) gamma: f64,
    /// b and β, between which the Averaging Principle adds phase lead; `None` without it.
    pub(super) lead: Option<(f64, f64)>,
}

/// The longest delay at which a loop is stable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Margin {
    /// The delay; infinite if the loop is stable at every delay.
    pub delay_s: f64,
    /// The angular frequency of the oscillation at that delay.
    pub crossover_rad_per_s: f64,
}

/// A sufficient delay: the loop is stable below it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    /// The delay.
    pub delay_s: f64,
    /// The same bound without the Averaging Principle's phase lead.
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

    /// `A(s) P(s)`: the delayed part.
    pub(super) fn forward(&self, s: Complex) -> Complex {
        let forward = self.numerator.at(s);
        self.averaging_s.map_or(forward, |interval| forward * averaging(s, interval))
    }

    /// `Q(s) + e^(-s τ) A(s) P(s)`, which is zero at the roots of the closed loop.
    pub(super) fn characteristic(&self, s: Complex, delay_s: f64) -> Complex {
        self.denominator.at(s) + self.forward(s) * exp(s * -delay_s)
    }

    /// The derivative of the characteristic function.
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

    /// The exact longest delay at which the loop is stable: the smallest delay at which a root lies on the
    /// imaginary axis. `None` if the loop is unstable without delay.
    #[must_use]
    pub fn margin(&self) -> Option<Margin> {
        if self.unstable_roots(0.0) > 0 {
            return None;
        }
        let of_crossing = |omega: f64| {
            // e^(-jωτ) G(jω) = -1: the delay uses up the phase of G above -π, plus whole turns.
            let phase = argument(-self.open(omega, 0.0)).rem_euclid(TAU);
            Margin { delay_s: phase / omega, crossover_rad_per_s: omega }
        };
        let margins = self.crossings().into_iter().map(of_crossing);
        let never = Margin { delay_s: f64::INFINITY, crossover_rad_per_s: 0.0 };
        Some(margins.fold(never, |least, one| if one.delay_s < least.delay_s { one } else { least }))
    }

    /// A delay below which the loop is stable, given by a closed formula, if there is one:
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

/// The effect of the Averaging Principle on feedback that arrives once per interval T: 3/4 of the current
/// feedback minus 1/4 of the previous one (theorem 1).
fn averaging(s: Complex, interval_s: f64) -> Complex {
    Complex::from(0.75) - exp(s * -interval_s) * 0.25
}
