//! Rates in bits per second.

use core::num::NonZeroU64;
use core::ops::Mul;

use crate::text::{Scale, quantity_text};
use crate::{Bytes, TimeDelta};

/// Units of a rate, largest first.
pub(crate) const RATE_UNITS: &[Scale] = &[
    Scale::new("Tb/s", 1_000_000_000_000),
    Scale::new("Gb/s", 1_000_000_000),
    Scale::new("Mb/s", 1_000_000),
    Scale::new("kb/s", 1_000),
    Scale::alias("Kb/s", 1_000),
    Scale::new("b/s", 1),
    Scale::alias("Tbps", 1_000_000_000_000),
    Scale::alias("Gbps", 1_000_000_000),
    Scale::alias("Mbps", 1_000_000),
    Scale::alias("kbps", 1_000),
    Scale::alias("bps", 1),
];

/// A rate in bits per second, never zero: a stopped source has no rate.
///
/// ```
/// use setpoint_units::{Bytes, Rate, TimeDelta};
///
/// let line = Rate::from_gbps(10);
/// assert_eq!(line * TimeDelta::from_micros(1), Bytes::new(1_250));
/// assert_eq!(line.time_to_send(Bytes::new(1_250)), TimeDelta::from_micros(1));
/// assert_eq!(Rate::from_bytes_over(Bytes::new(1_250), TimeDelta::from_micros(1)), Some(line));
/// assert_eq!(Rate::new(0), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rate(NonZeroU64);

quantity_text!(Rate, "rate", RATE_UNITS, "10 Gb/s", try_from_bits_per_second, bits_per_second);

impl Rate {
    /// The number of picoseconds that a byte takes at one bit per second. Divided by a rate in bits per second, this
    /// is the time that a byte takes at that rate.
    pub const BYTE_PICOS: u64 = 8 * 1_000_000_000_000;

    /// One bit per second, the smallest rate.
    pub const MIN: Self = Self(NonZeroU64::MIN);

    /// A rate of `bits` per second, or `None` for zero.
    pub const fn new(bits: u64) -> Option<Self> {
        match NonZeroU64::new(bits) {
            Some(bits) => Some(Self(bits)),
            None => None,
        }
    }

    /// A rate in bits per second, for a value that is known to be positive.
    ///
    /// # Panics
    /// Panics if `bits` is zero.
    pub const fn from_bits_per_second(bits: u64) -> Self {
        Self(NonZeroU64::new(bits).expect("a rate is never zero"))
    }

    /// A rate in megabits (10⁶ bits) per second.
    ///
    /// # Panics
    /// Panics if `megabits` is zero.
    pub const fn from_mbps(megabits: u64) -> Self {
        Self::from_bits_per_second(megabits * 1_000_000)
    }

    /// A rate in gigabits (10⁹ bits) per second.
    ///
    /// # Panics
    /// Panics if `gigabits` is zero.
    pub const fn from_gbps(gigabits: u64) -> Self {
        Self::from_bits_per_second(gigabits * 1_000_000_000)
    }

    /// Bits per second.
    #[inline]
    pub const fn bits_per_second(self) -> u64 {
        self.0.get()
    }

    /// The time to send `bytes`, rounded **up** to the picosecond.
    #[inline]
    pub const fn time_to_send(self, bytes: Bytes) -> TimeDelta {
        // Compared rather than multiplied with a check, which needs a product of 128 bits in WebAssembly.
        if bytes.get() <= u64::MAX / Self::BYTE_PICOS {
            TimeDelta::from_picos((bytes.get() * Self::BYTE_PICOS).div_ceil(self.0.get()))
        } else {
            let work = bytes.get() as u128 * Self::BYTE_PICOS as u128;
            let picos = work.div_ceil(self.0.get() as u128);
            assert!(picos <= u64::MAX as u128, "sending time overflows");
            TimeDelta::from_picos(picos as u64)
        }
    }

    /// The rate that sends `bytes` in `span`, rounded down, or `None` if it is zero or out of range.
    pub fn from_bytes_over(bytes: Bytes, span: TimeDelta) -> Option<Self> {
        let work = u128::from(bytes.get()) * u128::from(Self::BYTE_PICOS);
        let bits = work.checked_div(u128::from(span.as_picos()))?;
        Self::new(u64::try_from(bits).ok()?)
    }

    fn try_from_bits_per_second(bits: u64) -> Option<Self> {
        Self::new(bits)
    }
}

/// The data sent in a span, rounded **down** to whole bytes.
impl Mul<TimeDelta> for Rate {
    type Output = Bytes;
    #[inline]
    fn mul(self, span: TimeDelta) -> Bytes {
        let work = u128::from(self.0.get()) * u128::from(span.as_picos());
        let bytes = work / u128::from(Self::BYTE_PICOS);
        Bytes::new(u64::try_from(bytes).expect("amount of bytes overflows"))
    }
}
