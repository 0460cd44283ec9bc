//! Complex functions, computed with `libm` so that results are the same everywhere: with other mathematical libraries,
//! the last bit depends on the platform.

pub use num_complex::Complex64 as Complex;

/// Distance from zero.
pub(super) fn modulus(z: Complex) -> f64 {
    libm::hypot(z.re, z.im)
}

/// Angle from the positive real axis, from -π to π.
pub(super) fn argument(z: Complex) -> f64 {
    libm::atan2(z.im, z.re)
}

/// e to the power of `z`.
pub(super) fn exp(z: Complex) -> Complex {
    let size = libm::exp(z.re);
    Complex::new(size * libm::cos(z.im), size * libm::sin(z.im))
}
