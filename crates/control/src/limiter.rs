//! What reaction points have in common that take feedback of both signs: whom they obey, and the bounds of
//! their rate.

use setpoint_units::Rate;

use crate::{PointId, Reading};

/// Whether a source has been slowed down, and by whom last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Limiter {
    /// Never: it sends at its largest rate.
    Idle,
    /// It was, and obeys this point.
    LimitedBy(PointId),
}

impl Limiter {
    /// The point that is obeyed.
    #[inline]
    pub(crate) fn point(self) -> Option<PointId> {
        match self {
            Self::Idle => None,
            Self::LimitedBy(point) => Some(point),
        }
    }

    /// The point that is obeyed, to be shown.
    pub(crate) fn reading(self) -> Reading {
        self.point().map_or(Reading::Absent, |point| Reading::Number(i64::from(point.0)))
    }
}

/// What a rate is held within: `min <= max <= line rate`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    pub(crate) min: Rate,
    pub(crate) max: Rate,
}

impl Bounds {
    /// The bounds that parameters and a port give; a least rate above the largest is held at the largest.
    #[inline]
    pub(crate) fn new(min: Rate, max: Option<Rate>, line_rate: Rate) -> Self {
        let max = max.map_or(line_rate, |max| max.min(line_rate));
        Self { min: min.min(max), max }
    }

    /// The rate of so many bits per second, brought within the bounds.
    pub(crate) fn hold(self, bits: u64) -> Rate {
        Rate::new(bits).map_or(self.min, |rate| rate.clamp(self.min, self.max))
    }
}
