//! Traffic models of flows.

use std::sync::Arc;

use setpoint_units::{Bytes, Rate, TimeDelta};

pub mod collective;
mod dependent;
pub mod matrix;
pub mod sizes;
pub(crate) mod source;
pub mod workloads;

pub use dependent::DependentMessage;
pub use sizes::SizeDistribution;

/// The traffic of a flow.
#[derive(Clone, Debug, PartialEq)]
pub enum Traffic {
    /// There is always a frame to send.
    Backlogged,
    /// Frames at a constant rate.
    Constant {
        /// Bits offered per second.
        rate: Rate,
    },
    /// Bursts at the port's rate, separated by silences whose lengths give a mean rate of `offered`.
    OnOff {
        /// Bytes in a burst.
        burst: Bytes,
        /// Mean rate over bursts and silence.
        offered: Rate,
        /// Whether the silence is exponentially distributed or always equal to its mean.
        silence: Silence,
    },
    /// Messages that arrive as a Poisson process.
    Poisson {
        /// Mean time between two messages.
        mean_gap: TimeDelta,
        /// Size of a message.
        sizes: SizeDistribution,
    },
    /// A single message at the flow's start.
    Message {
        /// Its size.
        size: Bytes,
    },
    /// Messages at listed times, which must not decrease. The list begins again each time the flow starts.
    Schedule(Arc<[Arrival]>),
    /// Messages that wait for other messages ([`DependentMessage`]). The flow starts exactly at its start time, only once, and
    /// does not stop.
    Dependent(Arc<[DependentMessage]>),
}

/// The order in which the messages of a flow are sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MessageOrder {
    /// One after another, on one path and with one limiter: a message waits for the earlier ones of its flow.
    #[default]
    InOrder,
    /// At the same time, each like a separate flow: a message takes turns with the others at the station's port and has its
    /// own limiter, and a hash selects its path. At most [`MessageOrder::MOST_AT_ONCE`] messages of a flow are sent at a
    /// time; further messages wait.
    Independent,
}

impl MessageOrder {
    /// The maximum number of independent messages of a flow that are sent at the same time. It bounds the memory use of an
    /// overloaded network.
    pub const MOST_AT_ONCE: u32 = 1_024;
}

/// A message of [`Traffic::Schedule`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// Time after the flow's start at which the message is offered.
    pub after: TimeDelta,
    /// Its size.
    pub size: Bytes,
}

impl Traffic {
    /// The shortest frame that the flow can send, given the length of a full frame: the last frame of a
    /// message or burst.
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
            Self::Schedule(arrivals) => {
                arrivals.iter().map(|arrival| last(arrival.size)).min().unwrap_or(frame)
            }
            Self::Dependent(messages) => sizes(messages).map(last).min().unwrap_or(frame),
        }
    }

    /// Whether it consists of messages, whose completion is measured.
    pub fn sends_messages(&self) -> bool {
        match self {
            Self::Backlogged | Self::Constant { .. } | Self::OnOff { .. } => false,
            Self::Poisson { .. } | Self::Message { .. } | Self::Schedule(_) | Self::Dependent(_) => true,
        }
    }

    /// The messages that wait for other messages.
    pub fn dependent_messages(&self) -> &[DependentMessage] {
        match self {
            Self::Dependent(messages) => messages,
            _ => &[],
        }
    }

    /// The mean number of messages offered in a time span.
    pub(crate) fn messages_in(&self, time: TimeDelta) -> f64 {
        match self {
            Self::Backlogged | Self::Constant { .. } | Self::OnOff { .. } => 0.0,
            Self::Poisson { mean_gap, .. } => time.as_picos() as f64 / mean_gap.as_picos().max(1) as f64,
            Self::Message { .. } => 1.0,
            Self::Schedule(arrivals) => arrivals.partition_point(|arrival| arrival.after <= time) as f64,
            Self::Dependent(messages) => sizes(messages).count() as f64,
        }
    }

    /// The mean frame length in bytes, given the length of a full frame.
    pub(crate) fn mean_frame(&self, full: Bytes) -> f64 {
        let chunk = match self {
            Self::Backlogged | Self::Constant { .. } => return full.get() as f64,
            Self::OnOff { burst, .. } => burst.get() as f64,
            Self::Poisson { sizes, .. } => sizes.mean(),
            Self::Message { size } => size.get() as f64,
            Self::Schedule(arrivals) => mean_size(arrivals.iter().map(|arrival| arrival.size)),
            Self::Dependent(messages) if sizes(messages).next().is_none() => return full.get() as f64,
            Self::Dependent(messages) => mean_size(sizes(messages)),
        };
        chunk / libm::ceil(chunk / full.get().max(1) as f64).max(1.0)
    }

    /// The reason why this traffic is invalid, if it is.
    pub(crate) fn fault(&self) -> Option<&'static str> {
        match self {
            Self::Backlogged | Self::Constant { .. } => None,
            Self::OnOff { burst, .. } => burst.is_zero().then_some("bursts of 0 B"),
            Self::Poisson { mean_gap, .. } if mean_gap.is_zero() => Some("no time between messages"),
            Self::Poisson { sizes, .. } => sizes.fault(),
            Self::Message { size } => size.is_zero().then_some("a message of 0 B"),
            Self::Schedule(arrivals) if arrivals.is_empty() => Some("an empty list of messages"),
            Self::Schedule(arrivals) if arrivals.iter().any(|arrival| arrival.size.is_zero()) => {
                Some("a message of 0 B")
            }
            Self::Schedule(arrivals) => {
                (!arrivals.is_sorted_by_key(|arrival| arrival.after)).then_some("message times that decrease")
            }
            Self::Dependent(messages) => messages.is_empty().then_some("an empty list of messages"),
        }
    }
}

/// The sizes of the messages that are sent.
fn sizes(messages: &[DependentMessage]) -> impl Iterator<Item = Bytes> {
    messages.iter().filter(|message| !message.is_computation()).map(|message| message.size)
}

/// The mean size in bytes.
fn mean_size(sizes: impl Iterator<Item = Bytes>) -> f64 {
    let (sum, count) = sizes.fold((0.0, 0), |(sum, count), size| (sum + size.get() as f64, count + 1));
    sum / f64::from(count.max(1))
}

/// The distribution of silences between bursts of [`Traffic::OnOff`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Silence {
    /// Always equal to the mean.
    Fixed,
    /// Exponentially distributed.
    Exponential,
}
