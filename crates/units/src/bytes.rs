//! Amounts of data in whole bytes (octets).

use core::ops::Div;

use crate::additive::additive;
use crate::text::{Scale, quantity_text};
use crate::{Rate, TimeDelta};

/// Units of an amount of data, largest first. Decimal multiples, as in the standards and the papers; binary multiples are
/// read but never printed.
pub(crate) const BYTE_UNITS: &[Scale] = &[
    Scale::new("GB", 1_000_000_000),
    Scale::new("MB", 1_000_000),
    Scale::new("kB", 1_000),
    Scale::alias("KB", 1_000),
    Scale::alias("GiB", 1 << 30),
    Scale::alias("MiB", 1 << 20),
    Scale::alias("KiB", 1 << 10),
    Scale::plain("B", 1),
];

/// An amount of data in bytes.
///
/// ```
/// use setpoint_units::{Bytes, Rate, TimeDelta};
///
/// let frame: Bytes = "1522 B".parse()?;
/// assert_eq!(frame * 2 + Bytes::new(6), Bytes::new(3_050));
/// assert_eq!(frame / Rate::from_gbps(10), TimeDelta::from_picos(1_217_600));
/// assert_eq!("150 KiB".parse::<Bytes>()?.to_string(), "153.6 kB");
/// # Ok::<(), setpoint_units::ParseQuantityError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bytes(u64);

quantity_text!(Bytes, "size", BYTE_UNITS, "150 kB", new, get);

impl Bytes {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// The given number of bytes.
    pub const fn new(bytes: u64) -> Self {
        Self(bytes)
    }

    /// The number of bytes.
    pub const fn get(self) -> u64 {
        self.0
    }

    /// Whether the amount is zero.
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// The difference, or zero if `other` is larger.
    #[must_use]
    pub const fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

additive!(Bytes, "amount of bytes");

/// The time to send the bytes at a rate, rounded **up** to the picosecond.
impl Div<Rate> for Bytes {
    type Output = TimeDelta;
    #[inline]
    fn div(self, rate: Rate) -> TimeDelta {
        rate.time_to_send(self)
    }
}
