//! Frequency responses: Bode and Nyquist plots of open loops.
//!
//! A response is what [`Response::points`] says: angular frequency, real and imaginary part. What is not finite, or has
//! no positive frequency, is left out; the rest is taken in order of frequency.

mod bode;
mod nyquist;
mod reading;

pub use bode::bode;
pub use nyquist::nyquist;

/// An open loop over angular frequency.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Response<'a> {
    /// Name in the legend.
    pub name: &'a str,
    /// Angular frequency in radians per second, real part and imaginary part.
    pub points: &'a [(f64, f64, f64)],
}
