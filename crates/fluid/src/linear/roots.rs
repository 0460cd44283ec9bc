//! Characteristic roots at a delay: the slowest mode of the closed loop.

use super::complex::modulus;
use super::{Complex, Loop};

/// A pair of conjugate characteristic roots, or a single real root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Root {
    /// Real part: the growth rate of the mode; negative if it decays.
    pub growth_per_s: f64,
    /// Imaginary part, not negative: the angular frequency of the mode; zero if it does not oscillate.
    pub frequency_rad_per_s: f64,
}

/// Maximum number of Newton steps.
const STEPS: usize = 60;
/// Real and imaginary parts of the starting points, relative to the crossover frequency.
const GROWTHS: [f64; 6] = [0.5, 0.1, 0.0, -0.3, -1.0, -3.0];
const FREQUENCIES: [f64; 8] = [0.0, 0.02, 0.1, 0.3, 0.6, 1.0, 1.6, 3.0];
/// Maximum number of starting points at gain crossings.
const MOST_CROSSINGS: usize = 500;

impl Loop {
    /// The rightmost characteristic root at a delay, which belongs to the mode that grows fastest or decays
    /// last. `None` if the search finds none.
    ///
    /// Runs Newton's method from a grid of starting points and from the gain crossings, and checks the sign
    /// of the result against the count of unstable roots. If feedback is averaged and there are many sources,
    /// there are also many roots close together, and the one found may not be exactly the
    /// rightmost.
    pub fn dominant(&self, delay_s: f64) -> Option<Root> {
        let crossings = self.crossings();
        let scale = crossings.last().copied().unwrap_or_else(|| self.denominator.roots_within());
        let starts = GROWTHS.iter().flat_map(|growth| {
            FREQUENCIES.iter().map(move |frequency| Complex::new(growth * scale, frequency * scale))
        });
        let every = crossings.len().div_ceil(MOST_CROSSINGS).max(1);
        let starts = starts.chain(crossings.iter().step_by(every).map(|omega| Complex::new(0.0, *omega)));
        let roots = starts.filter_map(|start| self.newton(start, delay_s, scale));
        let rightmost = roots.reduce(|one, other| if other.re > one.re { other } else { one })?;
        let near_the_axis = rightmost.re.abs() <= 1e-6 * scale;
        if !near_the_axis && (rightmost.re > 0.0) != (self.unstable_roots(delay_s) > 0) {
            return None;
        }
        Some(Root { growth_per_s: rightmost.re, frequency_rad_per_s: rightmost.im.abs() })
    }

    fn newton(&self, start: Complex, delay_s: f64, scale: f64) -> Option<Complex> {
        let mut s = start;
        for _ in 0..STEPS {
            let step = self.characteristic(s, delay_s) / self.characteristic_slope(s, delay_s);
            s -= step;
            if !(s.re.is_finite() && s.im.is_finite()) || s.re * delay_s > 50.0 {
                return None;
            }
            if modulus(step) <= 1e-12 * (modulus(s) + 1e-6 * scale) {
                return Some(s);
            }
        }
        None
    }
}
