//! Frequencies at which the loop's gain is one, and the change in the characteristic function's
//! argument along the imaginary axis.

use std::f64::consts::PI;

use super::complex::{argument, modulus};
use super::{Complex, Loop};
use crate::bisection::bisect;

/// Steps per decade of frequency in the search for crossings.
const STEPS: f64 = 100.0;
/// Decades searched below the highest possible crossing frequency.
const DECADES: f64 = 8.0;
/// The largest change in the characteristic function's argument in one step, in radians.
const TURN: f64 = 0.4;

/// The change in the argument of the echo's `e^(-s T)` in one step, in radians, within the [`Band`].
const ECHO_TURN: f64 = 0.1;
/// Maximum number of steps in the [`Band`].
const MOST_STEPS: f64 = 1e6;

/// The frequencies at which the gain may cross one repeatedly as `e^(-s T)` turns: those at which |Q| is between
/// |P| - |E| and |P| + |E|. Steps are short there, since a root may lie near every turn.
#[derive(Clone, Copy, Debug)]
struct Band {
    low: f64,
    high: f64,
    step: f64,
}

impl Band {
    /// The end of a step between two frequencies, shortened at the band's edge and within it.
    fn cut(&self, from: f64, to: f64) -> f64 {
        match from {
            from if from < self.low => to.min(self.low),
            from if from < self.high => to.min(from + self.step),
            _ => to,
        }
    }
}

impl Loop {
    /// The frequencies at which the gain crosses one repeatedly, if there is an echo.
    fn band(&self, top: f64) -> Option<Band> {
        let echo = self.echo.as_ref()?;
        // The gain decreases with frequency, since it consists of integrators, lags and at most one zero.
        let falls_below = |level: f64, sign: f64| {
            let (mut low, mut high) = (top * libm::exp10(-DECADES), top);
            for _ in 0..60 {
                let middle = (low * high).sqrt();
                let s = Complex::new(0.0, middle);
                let forward = modulus(self.numerator.at(s)) + sign * modulus(echo.numerator.at(s));
                if forward > level * modulus(self.denominator.at(s)) { low = middle } else { high = middle }
            }
            high
        };
        let (low, high) = (falls_below(1.05, -1.0), falls_below(0.95, 1.0));
        Some(Band { low, high, step: (ECHO_TURN / echo.delay_s).max((high - low) / MOST_STEPS) })
    }

    /// The angular frequencies at which the gain is one, in ascending order.
    pub(super) fn crossings(&self) -> Vec<f64> {
        let top = self.quiet_above();
        let ratio = libm::exp10(1.0 / STEPS);
        let band = self.band(top);
        let mut omega = top * libm::exp10(-DECADES);
        let mut excess = self.excess(omega);
        let mut found = Vec::new();
        while omega < top {
            let next = band.map_or(omega * ratio, |band| band.cut(omega, omega * ratio));
            let next_excess = self.excess(next);
            if (excess > 0.0) != (next_excess > 0.0) {
                found.push(self.crossing_between(omega, next));
            }
            (omega, excess) = (next, next_excess);
        }
        found
    }

    /// The excess of the gain above one, negative if the gain is below: |P + E e^(-s T)|² - |Q|².
    fn excess(&self, omega: f64) -> f64 {
        let s = Complex::new(0.0, omega);
        self.forward(s).norm_sqr() - self.denominator.at(s).norm_sqr()
    }

    /// The crossing between two frequencies that enclose it, accurate to rounding error.
    fn crossing_between(&self, low: f64, high: f64) -> f64 {
        let above = self.excess(low) > 0.0;
        bisect(low, high, |omega| (self.excess(omega) > 0.0) == above)
    }

    /// An angular frequency above which the gain is below a hundredth.
    fn quiet_above(&self) -> f64 {
        let loud = |omega: f64| {
            let s = Complex::new(0.0, omega);
            let second = self.echo.as_ref().map_or(0.0, |echo| modulus(echo.numerator.at(s)));
            100.0 * (modulus(self.numerator.at(s)) + second) >= modulus(self.denominator.at(s))
        };
        let echo = self.echo.as_ref().map_or(0.0, |echo| echo.numerator.roots_within());
        let roots = self.denominator.roots_within().max(self.numerator.roots_within()).max(echo);
        let mut omega = if roots > 0.0 { roots } else { 1.0 };
        while loud(omega) {
            omega *= 2.0;
        }
        omega
    }

    /// The number of characteristic roots with a positive real part at a delay, by Mikhailov's criterion: the
    /// argument of the characteristic function of degree n changes by (n/2 - roots) π as ω goes from zero to
    /// infinity.
    pub fn unstable_roots(&self, delay_s: f64) -> usize {
        let top = self.quiet_above();
        let band = self.band(top);
        let value = |omega: f64| self.characteristic(Complex::new(0.0, omega), delay_s);
        let (mut omega, mut here, mut turned) = (0.0, value(0.0), 0.0);
        let mut step = top * 1e-9;
        while omega < top {
            let next = (omega + step).min(top);
            let next = band.map_or(next, |band| band.cut(omega, next));
            step = next - omega;
            let there = value(next);
            let turn = argument(there / here);
            // A step that is too long may hide whole turns; one that cannot be halved further ends at a root.
            if turn.abs() > TURN && omega + step / 2.0 > omega {
                step /= 2.0;
                continue;
            }
            turned += turn;
            (omega, here) = (next, there);
            step *= 2.0;
        }
        let degree = self.denominator.degree() as f64;
        (degree / 2.0 - turned / PI).round().max(0.0) as usize
    }
}
