//! What the parameters of an algorithm are in frames and frames per second, as the equations have them.

mod linear;
mod qcn;

use setpoint_control::parameter::{Percent, Power};
use setpoint_units::Bytes;

pub(crate) use linear::{LinearGains, SmccGains};
pub(crate) use qcn::{AfGains, QcnGains, units_per_byte};

/// What a model cannot follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The byte counter is off: rates are raised by the timer alone, which is not in the equations.
    #[error("`rp.byte_counter` is off, and the fluid model raises rates by the byte counter alone")]
    NoByteCounter,
    /// Reaction points do not react.
    #[error("`rp.enable` is off: nothing reacts")]
    Disabled,
    /// Every frame is sampled, and the chance that a cycle passes without a notification is zero.
    #[error("every frame is sampled: no cycle of recovery ever passes without a notification")]
    EveryFrame,
    /// A length that something is divided by is zero.
    #[error("`{0}` is zero; it must be more")]
    Zero(&'static str),
}

/// A length that must not be zero.
pub(crate) fn above_zero(length: Bytes, key: &'static str) -> Result<Bytes, Refused> {
    if length.is_zero() { Err(Refused::Zero(key)) } else { Ok(length) }
}

/// Two to the power's exponent.
pub(crate) fn two_to(power: Power) -> f64 {
    libm::exp2(f64::from(power.exponent()))
}

/// A part of one.
pub(crate) fn part(percent: Percent) -> f64 {
    f64::from(percent.hundredths()) / 10_000.0
}
