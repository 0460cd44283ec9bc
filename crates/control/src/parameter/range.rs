//! Ranges of values, including the ranges that several algorithms share.

use core::fmt;

use setpoint_units::{Bytes, Rate, TimeDelta};

use super::{Fraction, Percent, Power, Unit, Value};

/// The values that a parameter can take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// All of them.
    Any,
    /// From the first to the second, inclusive.
    Between(Value, Value),
}

impl Range {
    /// Whether a parameter with this unit can have the range. Quantities must have a range; switches and
    /// choices have none.
    pub(crate) const fn suits(self, unit: Unit) -> bool {
        match (self, unit) {
            (Self::Any, unit) => matches!(unit, Unit::Switch | Unit::Choice(_)),
            (Self::Between(lowest, highest), unit) => unit.has_kind_of(lowest) && unit.has_kind_of(highest),
        }
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("any"),
            Self::Between(lowest, highest) => write!(f, "{lowest} to {highest}"),
        }
    }
}

/// From far below the rate of any port to far above it, so that a mistaken unit is caught.
pub(crate) const RATES: Range =
    Range::Between(Value::Rate(Rate::from_bits_per_second(1_000)), Value::Rate(Rate::from_gbps(10_000)));

/// Queue lengths.
pub(crate) const SIZES: Range = sizes(100);

/// Weights of a queue's growth relative to its offset.
pub(crate) const WEIGHTS: Range = powers(-10, 10);

/// Random spread of an interval around its mean.
pub(crate) const JITTERS: Range = percents(Percent::ZERO, Percent::new(90));

/// Probabilities and fractions above zero.
pub(crate) const SHARES: Range = percents(Percent::from_hundredths(1), Percent::WHOLE);

/// Intervals over which arrivals are counted.
pub(crate) const INTERVALS: Range = times(TimeDelta::from_micros(1), TimeDelta::from_secs(1));

/// From the given number of bytes to the largest value of the standard's 32-bit objects.
pub(crate) const fn sizes(lowest: u64) -> Range {
    Range::Between(Value::Size(Bytes::new(lowest)), Value::Size(Bytes::new(u32::MAX as u64)))
}

pub(crate) const fn times(lowest: TimeDelta, highest: TimeDelta) -> Range {
    Range::Between(Value::Time(lowest), Value::Time(highest))
}

/// Powers of two between the given exponents, inclusive.
pub(crate) const fn powers(lowest: i8, highest: i8) -> Range {
    Range::Between(Value::Power(Power::of_two(lowest)), Value::Power(Power::of_two(highest)))
}

pub(crate) const fn percents(lowest: Percent, highest: Percent) -> Range {
    Range::Between(Value::Percent(lowest), Value::Percent(highest))
}

/// Fractions between the given numbers of 1024ths, inclusive.
pub(crate) const fn fractions(lowest: u16, highest: u16) -> Range {
    Range::Between(Value::Fraction(Fraction::of_1024(lowest)), Value::Fraction(Fraction::of_1024(highest)))
}

pub(crate) const fn counts(lowest: u32, highest: u32) -> Range {
    Range::Between(Value::Count(lowest), Value::Count(highest))
}
