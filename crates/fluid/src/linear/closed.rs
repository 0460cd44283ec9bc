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
    /// The part of that delay that a frame spends in the queue and, if the feedback is a measured delay, on the link at
    /// the equilibrium; zero if the feedback does not wait in the queue. The delay of the path is the rest.
    pub queueing_s: f64,
    pub(super) numerator: Polynomial,
    pub(super) denominator: Polynomial,
    pub(super) echo: Option<Echo>,
    pub(super) corners: Option<Corners>,
}

/// Feedback that acts a second time, after a further delay.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Echo {
    pub(super) numerator: Polynomial,
    /// T in seconds.
    pub(super) delay_s: f64,
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

/// The phase margin of a loop at a delay: the phase lag that a longer delay may still add.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PhaseMargin {
    /// The margin in radians; infinite if the gain is below one at all frequencies. It is negative if the delay
    /// is longer than the [`Margin`], by more than a turn if the delay is much longer.
    pub radians: f64,
    /// The angular frequency at which the gain is one.
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
    pub fn open(&self, omega_rad_per_s: f64, delay_s: f64) -> Complex {
        let s = Complex::new(0.0, omega_rad_per_s);
        self.forward(s) * exp(s * -delay_s) / self.denominator.at(s)
    }

    /// `P(s) + E(s) e^(-s T)`: the delayed part.
    pub(super) fn forward(&self, s: Complex) -> Complex {
        let first = self.numerator.at(s);
        let second = |echo: &Echo| echo.numerator.at(s) * exp(s * -echo.delay_s);
        self.echo.as_ref().map_or(first, |echo| first + second(echo))
    }

    /// `Q(s) + e^(-s τ) (P(s) + E(s) e^(-s T))`, which is zero at the roots of the closed loop.
    pub(super) fn characteristic(&self, s: Complex, delay_s: f64) -> Complex {
        self.denominator.at(s) + self.forward(s) * exp(s * -delay_s)
    }

    /// The derivative of the characteristic function.
    pub(super) fn characteristic_slope(&self, s: Complex, delay_s: f64) -> Complex {
        let forward = self.forward(s);
        let first = self.numerator.slope_at(s);
        let second = |Echo { numerator, delay_s }: &Echo| {
            (numerator.slope_at(s) - numerator.at(s) * *delay_s) * exp(s * -delay_s)
        };
        let forward_slope = self.echo.as_ref().map_or(first, |echo| first + second(echo));
        let delayed = (forward_slope - forward * delay_s) * exp(s * -delay_s);
        self.denominator.slope_at(s) + delayed
    }

    /// The exact longest delay at which the loop is stable: the smallest delay at which a root lies on the
    /// imaginary axis. `None` if the loop is unstable without delay.
    pub fn margin(&self) -> Option<Margin> {
        if self.unstable_roots(0.0) > 0 {
            return None;
        }
        let of_crossing =
            |omega: f64| Margin { delay_s: self.spare_phase(omega) / omega, crossover_rad_per_s: omega };
        let margins = self.crossings().into_iter().map(of_crossing);
        let never = Margin { delay_s: f64::INFINITY, crossover_rad_per_s: 0.0 };
        Some(margins.fold(never, |least, one| if one.delay_s < least.delay_s { one } else { least }))
    }

    /// The smallest phase margin at a delay, over all frequencies at which the gain is one. `None` if the loop is
    /// unstable without delay.
    pub fn phase_margin(&self, delay_s: f64) -> Option<PhaseMargin> {
        if self.unstable_roots(0.0) > 0 {
            return None;
        }
        let of_crossing = |omega: f64| PhaseMargin {
            radians: self.spare_phase(omega) - omega * delay_s,
            crossover_rad_per_s: omega,
        };
        let margins = self.crossings().into_iter().map(of_crossing);
        let never = PhaseMargin { radians: f64::INFINITY, crossover_rad_per_s: 0.0 };
        Some(margins.fold(never, |least, one| if one.radians < least.radians { one } else { least }))
    }

    /// The phase margin at a delay as control toolboxes compute it: of all phases above -π at a gain of one, wrapped to
    /// (-π, π], the one that is closest to zero. It says nothing about stability: a loop that is unstable without delay
    /// has one too, and a margin below -π appears as a positive one. `None` if the gain is never one.
    pub fn wrapped_phase_margin(&self, delay_s: f64) -> Option<PhaseMargin> {
        let of_crossing = |omega: f64| PhaseMargin {
            radians: argument(-self.open(omega, delay_s)),
            crossover_rad_per_s: omega,
        };
        let margins = self.crossings().into_iter().map(of_crossing);
        margins.reduce(|least, one| if one.radians.abs() < least.radians.abs() { one } else { least })
    }

    /// The phase of the undelayed loop above -π at a frequency, from zero to a whole turn. At a frequency where the
    /// gain is one, e^(-jωτ) L(jω) = -1 if the delay's phase lag ωτ equals this phase.
    fn spare_phase(&self, omega: f64) -> f64 {
        argument(-self.open(omega, 0.0)).rem_euclid(TAU)
    }

    /// A delay below which the loop is stable, given by a closed formula, if there is one:
    ///
    /// ```text
    /// ω* = sqrt(K²/2 + sqrt(K⁴/4 + K²γ²))      τ* = (atan(ω*/b) - atan(ω*/β) + atan(ω*/γ)) / ω*
    /// ```
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
