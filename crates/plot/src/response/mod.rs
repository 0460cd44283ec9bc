//! Frequency responses: Bode and Nyquist plots of open loops.
//!
//! Points that are not finite or whose frequency is not positive are omitted; the others are sorted by frequency.

mod bode;
mod nyquist;
mod reading;

pub use bode::bode;
pub use nyquist::nyquist;

/// The frequency response of an open loop.
///
/// ```
/// use setpoint_plot::{Response, Size, Style, Surface, bode};
///
/// // An integrator, 1/s: its gain is one at 1 rad/s, with a phase margin of 90 degrees.
/// let points: Vec<_> = (-20..=20).map(|step| 10f64.powf(f64::from(step) / 10.0)).map(|w| (w, 0.0, -1.0 / w)).collect();
/// let [gain, phase] = bode("integrator", &[Response { name: "1/s", points: &points }]);
/// assert_eq!(gain.title, "Gain of the open loop");
/// assert!(phase.svg(Size::Wide, Surface::File(Style::SCREEN)).contains("phase margin 90"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Response<'a> {
    /// Name in the legend.
    pub name: &'a str,
    /// Angular frequency in radians per second, real part and imaginary part.
    pub points: &'a [(f64, f64, f64)],
}
