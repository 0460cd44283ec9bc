//! Rates in quarters of a bit per second.
//!
//! A feedback F in whole bits per second changes the rate by F, then F/2 (averaging), or by 3F/4 and F/4 (the
//! equivalent scheme). All are whole numbers of quarters, so only F itself is rounded, unless a rate reaches its bounds.

use setpoint_units::Rate;

use crate::limiter::Bounds;

/// A rate in quarters of a bit per second, clamped to 2^62 b/s.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Quarters(u64);

impl Quarters {
    /// Converts a rate in whole bits per second.
    pub(super) fn of(rate: Rate) -> Self {
        Self(rate.bits_per_second().min(u64::MAX / 4) * 4)
    }

    /// The rate, rounded down to whole bits per second.
    pub(super) fn rate(self) -> Rate {
        Rate::new(self.0 / 4).unwrap_or(Rate::MIN)
    }

    pub(super) fn get(self) -> u64 {
        self.0
    }

    /// The rate changed by the given number of quarters and clamped to the bounds.
    pub(super) fn moved(self, quarters: i128, bounds: Bounds) -> Self {
        let moved = (i128::from(self.0) + quarters).clamp(0, i128::from(u64::MAX)) as u64;
        Self(moved).held(bounds)
    }

    /// The rate, clamped to the bounds.
    pub(super) fn held(self, bounds: Bounds) -> Self {
        self.clamp(Self::of(bounds.min), Self::of(bounds.max))
    }

    /// The mean of this rate and another, rounded down.
    pub(super) fn mean(self, other: Self) -> Self {
        Self(self.0.midpoint(other.0))
    }
}
