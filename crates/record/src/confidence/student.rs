//! Quantiles of Student's t distribution.

use std::f64::consts::{FRAC_2_PI, FRAC_PI_2};

/// For more degrees of freedom than this, the quantile for this number is used; it is at most 2 % too large.
const MOST_DEGREES: usize = 200;
/// Number of bisection steps, enough for full precision.
const STEPS: usize = 60;

/// The value that the absolute value of t exceeds with probability `error`.
pub(super) fn two_sided(error: f64, degrees: usize) -> f64 {
    let degrees = degrees.clamp(1, MOST_DEGREES);
    // The search is over the angle whose tangent is t / √degrees, which is bounded.
    let (mut low, mut high) = (0.0, FRAC_PI_2);
    for _ in 0..STEPS {
        let middle = (low + high) / 2.0;
        if 1.0 - inside(middle, degrees) > error { low = middle } else { high = middle }
    }
    (degrees as f64).sqrt() * libm::tan(low)
}

/// The probability that the absolute value of t is below √degrees · tan(angle): Abramowitz and Stegun, 26.7.3 and
/// 26.7.4, exact for whole degrees of freedom.
fn inside(angle: f64, degrees: usize) -> f64 {
    let (sine, cosine) = (libm::sin(angle), libm::cos(angle));
    let odd = degrees % 2 == 1;
    let mut term = if odd { cosine } else { 1.0 };
    let mut sum = if degrees == 1 { 0.0 } else { term };
    let first = if odd { 3 } else { 2 };
    for divisor in (first..degrees.saturating_sub(1)).step_by(2) {
        term *= cosine * cosine * (divisor - 1) as f64 / divisor as f64;
        sum += term;
    }
    if odd { FRAC_2_PI * (angle + sine * sum) } else { sine * sum }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From the table of Abramowitz and Stegun (26.10), two-sided.
    #[test]
    fn quantiles_of_the_printed_table() {
        let table = [
            (0.05, 1, 12.706),
            (0.05, 2, 4.303),
            (0.05, 3, 3.182),
            (0.05, 4, 2.776),
            (0.05, 9, 2.262),
            (0.05, 30, 2.042),
            (0.05, 120, 1.980),
            (0.01, 4, 4.604),
            (0.01, 5, 4.032),
            (0.001, 10, 4.587),
        ];
        for (error, degrees, expected) in table {
            let found = two_sided(error, degrees);
            assert!((found - expected).abs() < 6e-4, "{error} {degrees}: {found}");
        }
        assert_eq!(two_sided(0.05, 5_000), two_sided(0.05, MOST_DEGREES));
    }
}
