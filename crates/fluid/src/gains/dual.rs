//! Numbers with their exact partial derivatives, for the Jacobians of models.

use std::array;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A value and its derivatives with respect to `N` variables.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Dual<const N: usize> {
    pub(crate) value: f64,
    pub(crate) by: [f64; N],
}

impl<const N: usize> Dual<N> {
    /// A number that depends on no variable.
    pub(crate) fn constant(value: f64) -> Self {
        Self { value, by: [0.0; N] }
    }

    /// The variable with the given index.
    pub(crate) fn variable(value: f64, index: usize) -> Self {
        Self { value, by: array::from_fn(|other| f64::from(u8::from(other == index))) }
    }

    /// A function of this number, given its value and its slope.
    pub(crate) fn map(self, value: f64, slope: f64) -> Self {
        Self { value, by: self.by.map(|by| slope * by) }
    }

    pub(crate) fn exp(self) -> Self {
        let value = libm::exp(self.value);
        self.map(value, value)
    }

    /// -ln(1 - x), for x of at least zero; probabilities too close to one are rounded down.
    pub(crate) fn passed(self) -> Self {
        let x = self.value.min(1.0 - 1e-12);
        self.map(-libm::log1p(-x), 1.0 / (1.0 - x))
    }

    /// y / (e^y - 1) for y of at least zero: one for y = 0.
    pub(crate) fn decay(self) -> Self {
        self.map(decay(self.value), decay_slope(self.value))
    }

    /// (1 - e^-y) / y for y of at least zero: one for y = 0.
    pub(crate) fn rise(self) -> Self {
        let y = self.value;
        if y < 1e-4 {
            return self.map(1.0 - y / 2.0 + y * y / 6.0, -0.5 + y / 3.0 - y * y / 8.0);
        }
        let value = -libm::expm1(-y) / y;
        self.map(value, (libm::exp(-y) - value) / y)
    }

    /// The smaller of this number and a constant.
    pub(crate) fn at_most(self, most: f64) -> Self {
        if self.value > most { Self::constant(most) } else { self }
    }
}

/// The argument above which `y / (e^y - 1)` counts as zero.
const NEGLIGIBLE: f64 = 700.0;

/// y / (e^y - 1): one for y = 0.
pub(crate) fn decay(y: f64) -> f64 {
    match y {
        y if y > NEGLIGIBLE => 0.0,
        y if y > 0.0 => y / libm::expm1(y),
        _ => 1.0,
    }
}

/// The derivative of [`decay`]: its series near zero, where the formula would cancel.
pub(crate) fn decay_slope(y: f64) -> f64 {
    if y < 1e-2 {
        return -0.5 + y / 6.0 - y * y * y / 180.0;
    }
    let value = decay(y);
    if value > 0.0 { value * (1.0 / y - 1.0 - 1.0 / libm::expm1(y)) } else { 0.0 }
}

impl<const N: usize> Add for Dual<N> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { value: self.value + other.value, by: array::from_fn(|index| self.by[index] + other.by[index]) }
    }
}

impl<const N: usize> Sub for Dual<N> {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl<const N: usize> Neg for Dual<N> {
    type Output = Self;

    fn neg(self) -> Self {
        self * -1.0
    }
}

impl<const N: usize> Mul for Dual<N> {
    type Output = Self;

    #[expect(clippy::suspicious_arithmetic_impl, reason = "the product rule adds")]
    fn mul(self, other: Self) -> Self {
        let by = array::from_fn(|index| self.by[index] * other.value + self.value * other.by[index]);
        Self { value: self.value * other.value, by }
    }
}

impl<const N: usize> Mul<f64> for Dual<N> {
    type Output = Self;

    fn mul(self, factor: f64) -> Self {
        self.map(self.value * factor, factor)
    }
}

impl<const N: usize> Add<f64> for Dual<N> {
    type Output = Self;

    fn add(self, other: f64) -> Self {
        self.map(self.value + other, 1.0)
    }
}

impl<const N: usize> Div for Dual<N> {
    type Output = Self;

    #[expect(clippy::suspicious_arithmetic_impl, reason = "the quotient rule subtracts")]
    fn div(self, other: Self) -> Self {
        let value = self.value / other.value;
        let by = array::from_fn(|index| (self.by[index] - value * other.by[index]) / other.value);
        Self { value, by }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivatives_match_differences() {
        let of = |x: Dual<1>, y: Dual<1>| {
            let lambda = x.passed() * y;
            (lambda.decay() + lambda.rise() * 3.0 - (-lambda).exp()) / (lambda + 2.0)
        };
        for (x, y) in [(1e-6, 3.0), (1e-3, 40.0), (0.2, 7.0), (0.9, 1.0)] {
            let step = 1e-6 * x;
            let at = |x: f64| of(Dual::constant(x), Dual::constant(y)).value;
            let slope = (at(x + step) - at(x - step)) / (2.0 * step);
            let exact = of(Dual::variable(x, 0), Dual::constant(y)).by[0];
            assert!(
                (slope - exact).abs() <= 1e-6 * exact.abs() + 1e-9 / step * 1e-6,
                "{x}: {slope}, {exact}"
            );
        }
    }
}
