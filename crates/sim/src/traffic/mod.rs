//! What flows have to send.

use setpoint_units::{Bytes, Rate, TimeDelta};

pub mod matrix;
pub mod sizes;
pub(crate) mod source;

pub use sizes::SizeDistribution;

/// What a flow has to send.
#[derive(Clone, Debug, PartialEq)]
pub enum Traffic {
    /// Always a frame to send.
    Backlogged,
    /// One frame after another at a constant rate.
    Constant {
        /// Bits offered per second.
        rate: Rate,
    },
    /// Bursts at the port's rate, with silence between them such that `offered` is the mean rate.
    OnOff {
        /// Bytes in a burst.
        burst: Bytes,
        /// Mean rate over bursts and silence.
        offered: Rate,
        /// Whether the silence has an exponential distribution or always its mean.
        silence: Silence,
    },
    /// Messages that arrive as a Poisson process.
    Poisson {
        /// Mean time between two messages.
        mean_gap: TimeDelta,
        /// Size of a message.
        sizes: SizeDistribution,
    },
    /// One message at the flow's start.
    Message {
        /// Its size.
        size: Bytes,
    },
}

impl Traffic {
    /// The shortest frame that there can be of a flow whose full frames have that length: the last one of a message or
    /// burst.
    pub(crate) fn shortest_frame(&self, frame: Bytes) -> Bytes {
        let last = |size: Bytes| match size.get() % frame.get() {
            0 => frame,
            rest => Bytes::new(rest),
        };
        match self {
            Self::Backlogged | Self::Constant { .. } => frame,
            Self::OnOff { burst: size, .. }
            | Self::Message { size }
            | Self::Poisson { sizes: SizeDistribution::Fixed(size), .. } => last(*size),
            Self::Poisson { sizes, .. } => {
                let (smallest, largest) = sizes.range();
                if largest > frame { Bytes::new(1) } else { smallest }
            }
        }
    }

    /// What makes it impossible to send, if anything does.
    pub(crate) fn fault(&self) -> Option<&'static str> {
        match self {
            Self::Backlogged | Self::Constant { .. } => None,
            Self::OnOff { burst, .. } => burst.is_zero().then_some("bursts of 0 B"),
            Self::Poisson { mean_gap, .. } if mean_gap.is_zero() => Some("no time between messages"),
            Self::Poisson { sizes, .. } => sizes.fault(),
            Self::Message { size } => size.is_zero().then_some("a message of 0 B"),
        }
    }
}

/// The time between the bursts of [`Traffic::OnOff`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Silence {
    /// Always the same.
    Fixed,
    /// Exponentially distributed.
    Exponential,
}
