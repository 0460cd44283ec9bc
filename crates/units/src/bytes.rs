//! Amounts of data in whole bytes (octets).

use core::ops::Div;

use crate::additive::additive;
use crate::text::{Scale, quantity_text};
use crate::{Rate, TimeDelta};

/// Units of an amount of data, largest first. Decimal multiples, as in the standards and the
/// papers; the binary ones are read but never printed.
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bytes(u64);

quantity_text!(Bytes, "size", BYTE_UNITS, "150 kB", new, get);

impl Bytes {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// An amount of bytes.
    #[must_use]
    pub const fn new(bytes: u64) -> Self {
        Self(bytes)
    }

    /// The number of bytes.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0
    }

    /// Whether there is nothing.
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// The difference, or zero where `other` is more.
    #[must_use]
    pub const fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

additive!(Bytes, "amount of bytes");

/// The time it takes to send the bytes at a rate, rounded **up** to the picosecond.
impl Div<Rate> for Bytes {
    type Output = TimeDelta;
    #[inline]
    fn div(self, rate: Rate) -> TimeDelta {
        rate.time_to_send(self)
    }
}
