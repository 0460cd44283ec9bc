//! The parameters of an algorithm in frames and frames per second, as in the equations.

mod dcqcn;
mod dual;
mod linear;
mod qcn;
mod renewal;
mod timely;
mod vendor;

use setpoint_control::parameter::{Percent, Power};
use setpoint_units::Bytes;

use crate::refused::Refused;

pub(crate) use dcqcn::{DcqcnGains, DcqcnPoint, MarkingGains, Terms};
pub(crate) use dual::Dual;
pub(crate) use linear::{LinearGains, SmccGains};
pub(crate) use qcn::{AfGains, QcnGains, units_per_byte};
pub(crate) use timely::{BALANCED, TimelyGains, VariantGains, WEIGHT_SLOPE, decrease_weight};
pub(crate) use vendor::{COMPONENTS as VENDOR_COMPONENTS, VendorGains};

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
