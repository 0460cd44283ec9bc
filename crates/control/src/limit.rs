//! The limit that a reaction point sets for its limiter.

use setpoint_units::{Bytes, Rate};

/// The traffic that a limiter lets through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Nothing.
    Silent,
    /// Frames at this rate.
    Rate(Rate),
    /// Frames at this rate, while the bytes sent and not yet settled are below `bytes`.
    Window {
        /// The window.
        bytes: Bytes,
        /// The rate.
        rate: Rate,
    },
}

impl Limit {
    /// Applies a function to the rate of the limit, if it has one.
    #[must_use]
    #[inline]
    pub fn map(self, change: impl FnOnce(Rate) -> Rate) -> Self {
        match self {
            Self::Silent => Self::Silent,
            Self::Rate(rate) => Self::Rate(change(rate)),
            Self::Window { bytes, rate } => Self::Window { bytes, rate: change(rate) },
        }
    }

    /// Whether it lets less through than another limit: a lower rate or a smaller window.
    pub fn is_below(self, other: Self) -> bool {
        let window = |limit| match limit {
            Self::Window { bytes, .. } => Some(bytes),
            Self::Silent | Self::Rate(_) => None,
        };
        let is_smaller = matches!((window(self), window(other)), (Some(own), Some(other)) if own < other);
        self.rate() < other.rate() || is_smaller
    }

    /// The rate; `None` for silence, which counts as lower than any rate.
    #[inline]
    pub const fn rate(self) -> Option<Rate> {
        match self {
            Self::Silent => None,
            Self::Rate(rate) | Self::Window { rate, .. } => Some(rate),
        }
    }

    /// The rate that series, files and tables show for the limit. They contain only rates, so silence appears as
    /// the smallest rate.
    pub const fn reported(self) -> Rate {
        match self {
            Self::Silent => Rate::MIN,
            Self::Rate(rate) | Self::Window { rate, .. } => rate,
        }
    }
}
