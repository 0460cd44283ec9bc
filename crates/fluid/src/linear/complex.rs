//! Complex numbers, as much of them as is needed.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// A complex number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Complex {
    /// Real part.
    pub re: f64,
    /// Imaginary part.
    pub im: f64,
}

impl Complex {
    /// A complex number from its parts.
    #[must_use]
    pub const fn new(re: f64, im: f64) -> Self {
        Self { re, im }
    }

    /// A real number.
    #[must_use]
    pub const fn real(re: f64) -> Self {
        Self { re, im: 0.0 }
    }

    /// `j ω`, a point of the imaginary axis.
    #[must_use]
    pub const fn imaginary(im: f64) -> Self {
        Self { re: 0.0, im }
    }

    /// Distance from zero.
    #[must_use]
    pub fn abs(self) -> f64 {
        libm::hypot(self.re, self.im)
    }

    /// Square of the distance from zero.
    #[must_use]
    pub fn norm(self) -> f64 {
        self.re * self.re + self.im * self.im
    }

    /// Angle from the positive real axis, from -π to π.
    #[must_use]
    pub fn arg(self) -> f64 {
        libm::atan2(self.im, self.re)
    }

    /// e to its power.
    #[must_use]
    pub fn exp(self) -> Self {
        let size = libm::exp(self.re);
        Self::new(size * libm::cos(self.im), size * libm::sin(self.im))
    }

    /// A multiple.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        Self::new(self.re * factor, self.im * factor)
    }

    fn conjugate(self) -> Self {
        Self::new(self.re, -self.im)
    }
}

impl Add for Complex {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::new(self.re + other.re, self.im + other.im)
    }
}

impl Sub for Complex {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self::new(self.re - other.re, self.im - other.im)
    }
}

impl Mul for Complex {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self::new(self.re * other.re - self.im * other.im, self.re * other.im + self.im * other.re)
    }
}

impl Div for Complex {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        (self * other.conjugate()).times(1.0 / other.norm())
    }
}

impl Neg for Complex {
    type Output = Self;

    fn neg(self) -> Self {
        self.times(-1.0)
    }
}
