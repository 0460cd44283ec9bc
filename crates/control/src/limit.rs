//! The limit that a reaction point sets for its limiter.

use setpoint_units::Rate;

/// The traffic that a limiter lets through. Silence is below every rate, so the minimum of several limits is the
/// strictest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Limit {
    /// Nothing.
    Silent,
    /// Frames at this rate.
    Rate(Rate),
}

impl Limit {
    /// The limit with its rate, if it has one, replaced by a function of it.
    #[must_use]
    #[inline]
    pub fn map(self, change: impl FnOnce(Rate) -> Rate) -> Self {
        match self {
            Self::Silent => Self::Silent,
            Self::Rate(rate) => Self::Rate(change(rate)),
        }
    }

    /// The rate that series, files and tables show for the limit. They contain only rates, so silence appears as
    /// the smallest rate.
    #[must_use]
    pub const fn reported(self) -> Rate {
        match self {
            Self::Silent => Rate::MIN,
            Self::Rate(rate) => rate,
        }
    }
}
