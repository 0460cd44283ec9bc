//! The point that limits a source, and the bounds of the source's rate, for reaction points whose feedback has both
//! signs.

use setpoint_units::Rate;

use crate::{PointId, Reading};

/// Whether a source has been slowed down, and by which point last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Limiter {
    /// Never slowed down: it sends at its maximum rate.
    Idle,
    /// Slowed down by this point.
    LimitedBy(PointId),
}

impl Limiter {
    /// The point that limits the source.
    #[inline]
    pub(crate) fn point(self) -> Option<PointId> {
        match self {
            Self::Idle => None,
            Self::LimitedBy(point) => Some(point),
        }
    }

    /// The point that limits the source, as a value to show in the state.
    pub(crate) fn reading(self) -> Reading {
        self.point().map_or(Reading::Absent, |point| Reading::Number(i64::from(point.0)))
    }
}

/// The bounds of a rate: `min <= max <= line rate`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    pub(crate) min: Rate,
    pub(crate) max: Rate,
}

impl Bounds {
    /// The bounds given by the parameters and the port. A minimum above the maximum is lowered to it.
    #[inline]
    pub(crate) fn new(min: Rate, max: Option<Rate>, line_rate: Rate) -> Self {
        let max = max.map_or(line_rate, |max| max.min(line_rate));
        Self { min: min.min(max), max }
    }

    /// Rounds a rate in bits per second down to a multiple of `step` and clamps it to the bounds, which need not be
    /// multiples themselves.
    pub(crate) fn hold_stepped(self, bits: u64, step: Rate) -> Rate {
        if bits >= self.max.bits_per_second() {
            return self.max;
        }
        self.hold(bits - bits % step.bits_per_second())
    }

    /// Clamps a rate in bits per second to the bounds.
    pub(crate) fn hold(self, bits: u64) -> Rate {
        Rate::new(bits).map_or(self.min, |rate| rate.clamp(self.min, self.max))
    }
}
