//! What the parameters of an algorithm are in frames and frames per second, as the equations have them.

mod linear;
mod qcn;

use setpoint_control::parameter::{Percent, Power};

pub(crate) use linear::{LinearGains, SmccGains};
pub(crate) use qcn::{AfGains, QcnGains};

pub use qcn::Refused;

/// Two to the power's exponent.
fn two_to(power: Power) -> f64 {
    libm::exp2(f64::from(power.exponent()))
}

/// A part of one.
fn part(percent: Percent) -> f64 {
    f64::from(percent.hundredths()) / 10_000.0
}
