//! Small deviations in parts per million.

use crate::text::{Scale, quantity_text};

/// Units of a deviation, largest first.
const PARTS_UNITS: &[Scale] = &[Scale::plain("ppm", 1_000), Scale::new("ppb", 1)];

/// An unsigned deviation, such as the tolerance of an oscillator, with a resolution of one part per billion.
///
/// ```
/// use setpoint_units::PartsPerMillion;
///
/// let tolerance: PartsPerMillion = "100 ppm".parse()?;
/// assert_eq!(tolerance, PartsPerMillion::new(100));
/// assert_eq!(tolerance.billionths(), 100_000);
/// # Ok::<(), setpoint_units::ParseQuantityError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartsPerMillion(u64);

quantity_text!(PartsPerMillion, "deviation", PARTS_UNITS, "100 ppm", from_billionths, billionths);

impl PartsPerMillion {
    /// No deviation.
    pub const ZERO: Self = Self(0);

    /// The given number of parts per million.
    pub const fn new(millionths: u64) -> Self {
        Self(millionths * 1_000)
    }

    /// The given number of parts per billion.
    pub const fn from_billionths(billionths: u64) -> Self {
        Self(billionths)
    }

    /// Parts per billion.
    pub const fn billionths(self) -> u64 {
        self.0
    }
}
