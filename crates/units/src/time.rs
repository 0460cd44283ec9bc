//! Instants and spans in integer picoseconds.

use core::ops::{Add, AddAssign, Div, Rem, Sub};

use crate::additive::additive;
use crate::text::{Scale, quantity_text};

/// Units of a span, largest first.
pub(crate) const TIME_UNITS: &[Scale] = &[
    Scale::plain("s", 1_000_000_000_000),
    Scale::new("ms", 1_000_000_000),
    Scale::typed("us", "µs", 1_000_000),
    Scale::alias("µs", 1_000_000),
    Scale::alias("μs", 1_000_000),
    Scale::new("ns", 1_000),
    Scale::new("ps", 1),
];

/// An instant: picoseconds since the start of a run. The range is 213 days.
///
/// ```
/// use setpoint_units::{Time, TimeDelta};
///
/// let start = Time::ZERO + TimeDelta::from_micros(3);
/// let end = start + TimeDelta::from_nanos(1_500);
/// assert_eq!(end - start, TimeDelta::from_nanos(1_500));
/// assert_eq!(start.saturating_since(end), TimeDelta::ZERO);
/// assert_eq!(end.to_string(), "4.5 µs");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(u64);

/// A span of time in picoseconds, never negative.
///
/// ```
/// use setpoint_units::TimeDelta;
///
/// let cycle: TimeDelta = "15 ms".parse()?;
/// assert_eq!(cycle / 2, TimeDelta::from_micros(7_500));
/// assert_eq!(cycle / TimeDelta::from_millis(4), 3, "whole times");
/// assert_eq!(cycle.scaled(1, 7).as_picos(), 2_142_857_143, "rounded up");
/// # Ok::<(), setpoint_units::ParseQuantityError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TimeDelta(u64);

quantity_text!(TimeDelta, "time", TIME_UNITS, "15 ms", from_picos, as_picos);

impl Time {
    /// The start of a run.
    pub const ZERO: Self = Self(0);
    /// An instant that no run reaches.
    pub const MAX: Self = Self(u64::MAX);

    /// The instant `picos` picoseconds after the start.
    pub const fn from_picos(picos: u64) -> Self {
        Self(picos)
    }

    /// Picoseconds since the start.
    pub const fn as_picos(self) -> u64 {
        self.0
    }

    /// Seconds since the start, for display and statistics.
    pub fn as_secs_f64(self) -> f64 {
        self.since_start().as_secs_f64()
    }

    /// The span from the start to this instant.
    pub const fn since_start(self) -> TimeDelta {
        TimeDelta(self.0)
    }

    /// The span since `earlier`, or zero if `earlier` is later.
    pub const fn saturating_since(self, earlier: Self) -> TimeDelta {
        TimeDelta(self.0.saturating_sub(earlier.0))
    }

    /// The instant `delta` later, or [`Time::MAX`] if that is out of range.
    #[must_use]
    pub const fn saturating_add(self, delta: TimeDelta) -> Self {
        Self(self.0.saturating_add(delta.0))
    }
}

impl TimeDelta {
    /// No time at all.
    pub const ZERO: Self = Self(0);
    /// The longest span.
    pub const MAX: Self = Self(u64::MAX);

    /// A span of the given number of picoseconds.
    pub const fn from_picos(picos: u64) -> Self {
        Self(picos)
    }

    /// A span of the given number of nanoseconds.
    pub const fn from_nanos(nanos: u64) -> Self {
        Self(nanos * 1_000)
    }

    /// A span of the given number of microseconds.
    pub const fn from_micros(micros: u64) -> Self {
        Self(micros * 1_000_000)
    }

    /// A span of the given number of milliseconds.
    pub const fn from_millis(millis: u64) -> Self {
        Self(millis * 1_000_000_000)
    }

    /// A span of the given number of seconds.
    pub const fn from_secs(secs: u64) -> Self {
        Self(secs * 1_000_000_000_000)
    }

    /// The span in picoseconds.
    pub const fn as_picos(self) -> u64 {
        self.0
    }

    /// The span in seconds, for display and statistics.
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / 1e12
    }

    /// Whether the span is empty.
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// The difference, or zero if `other` is longer.
    #[must_use]
    pub const fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// This span times `numerator / denominator`, rounded up; saturates at [`TimeDelta::MAX`].
    ///
    /// # Panics
    /// Panics if `denominator` is zero.
    #[must_use]
    pub const fn scaled(self, numerator: u64, denominator: u64) -> Self {
        let scaled = (self.0 as u128 * numerator as u128).div_ceil(denominator as u128);
        if scaled > u64::MAX as u128 { Self::MAX } else { Self(scaled as u64) }
    }
}

impl core::fmt::Display for Time {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        core::fmt::Display::fmt(&self.since_start(), f)
    }
}

impl Add<TimeDelta> for Time {
    type Output = Self;
    #[inline]
    fn add(self, delta: TimeDelta) -> Self {
        Self(self.0.checked_add(delta.0).expect("time overflows"))
    }
}

impl AddAssign<TimeDelta> for Time {
    #[inline]
    fn add_assign(&mut self, delta: TimeDelta) {
        *self = *self + delta;
    }
}

impl Sub for Time {
    type Output = TimeDelta;
    #[inline]
    fn sub(self, earlier: Self) -> TimeDelta {
        TimeDelta(self.0.checked_sub(earlier.0).expect("subtracted a later time from an earlier one"))
    }
}

impl Sub<TimeDelta> for Time {
    type Output = Self;
    #[inline]
    fn sub(self, delta: TimeDelta) -> Self {
        Self(self.0.checked_sub(delta.0).expect("time before the start"))
    }
}

additive!(TimeDelta, "span of time");

/// The number of times that `other` fits into the span, rounded down.
impl Div for TimeDelta {
    type Output = u64;
    #[inline]
    fn div(self, other: Self) -> u64 {
        self.0 / other.0
    }
}

impl Rem for TimeDelta {
    type Output = Self;
    #[inline]
    fn rem(self, other: Self) -> Self {
        Self(self.0 % other.0)
    }
}
