//! Amounts of data in whole bytes (octets).

use core::ops::{Add, AddAssign, Div, Mul, Sub, SubAssign};

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
    Scale::new("B", 1),
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

impl Add for Bytes {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self(self.0.checked_add(other.0).expect("amount of bytes overflows"))
    }
}

impl AddAssign for Bytes {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Bytes {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0.checked_sub(other.0).expect("amount of bytes would be negative"))
    }
}

impl SubAssign for Bytes {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Mul<u64> for Bytes {
    type Output = Self;
    #[inline]
    fn mul(self, factor: u64) -> Self {
        Self(self.0.checked_mul(factor).expect("amount of bytes overflows"))
    }
}

/// Rounds down.
impl Div<u64> for Bytes {
    type Output = Self;
    #[inline]
    fn div(self, divisor: u64) -> Self {
        Self(self.0 / divisor)
    }
}

/// The time it takes to send the bytes at a rate, rounded **up** to the picosecond.
impl Div<Rate> for Bytes {
    type Output = TimeDelta;
    #[inline]
    fn div(self, rate: Rate) -> TimeDelta {
        rate.time_to_send(self)
    }
}

impl core::iter::Sum for Bytes {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, |total, amount| total + amount)
    }
}
