//! The parameters of an algorithm in frames and frames per second, as in the equations.

mod dcqcn;
mod dual;
mod linear;
mod qcn;
mod renewal;
mod timely;
mod vendor;

use setpoint_control::parameter::{Percent, Power};
use setpoint_units::{Bytes, TimeDelta};

pub(crate) use dcqcn::{DcqcnGains, DcqcnPoint, MarkingGains, Terms};
pub(crate) use dual::Dual;
pub(crate) use linear::{LinearGains, SmccGains};
pub(crate) use qcn::{AfGains, QcnGains, units_per_byte};
pub(crate) use timely::{BALANCED, TimelyGains, VariantGains, WEIGHT_SLOPE, decrease_weight};
pub(crate) use vendor::{COMPONENTS as VENDOR_COMPONENTS, VendorGains};

/// Parameters that a model does not support.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The byte counter is off: only the timer raises rates, and the equations have no timer.
    #[error("`rp.byte_counter` is off, but in the fluid model only the byte counter raises rates")]
    NoByteCounter,
    /// Reaction points are disabled.
    #[error("`rp.enable` is off, so nothing reacts")]
    Disabled,
    /// Every frame is sampled, so no recovery cycle ever passes without a notification.
    #[error("every frame is sampled, so no recovery cycle ever passes without a notification")]
    EveryFrame,
    /// A length used as a divisor is zero.
    #[error("`{0}` is zero; it must be positive")]
    Zero(&'static str),
    /// A gain of a proportional-integral controller is not positive and finite.
    #[error("`{0}` must be positive and finite")]
    Gain(&'static str),
    /// The thresholds of the marking are in the wrong order.
    #[error("`kmin` is {kmin}, and must be at most `kmax`, {kmax}")]
    Thresholds {
        /// Kmin.
        kmin: Bytes,
        /// Kmax.
        kmax: Bytes,
    },
    /// The thresholds of the delay are in the wrong order.
    #[error("`low` is {low}, and must be at most `high`, {high}")]
    Delays {
        /// T_low.
        low: TimeDelta,
        /// T_high.
        high: TimeDelta,
    },
}

/// A length that must not be zero.
pub(crate) fn above_zero(length: Bytes, key: &'static str) -> Result<Bytes, Refused> {
    if length.is_zero() { Err(Refused::Zero(key)) } else { Ok(length) }
}

/// Two to the power of the exponent.
pub(crate) fn two_to(power: Power) -> f64 {
    libm::exp2(f64::from(power.exponent()))
}

/// A percentage as a fraction.
pub(crate) fn part(percent: Percent) -> f64 {
    f64::from(percent.hundredths()) / 10_000.0
}
