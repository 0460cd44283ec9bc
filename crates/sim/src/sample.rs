//! The state of a run at the end of a sample interval, for observers.

use setpoint_control::telemetry::Load;
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

use crate::ids::{FlowId, PortId, Priority};
use crate::spec::Side;

/// The values that a monitor receives at the end of a sample interval: the same values as in the series of the outcome.
/// Flows are in the order of their ids. Queues and ports are in the order of [`crate::Outcome::queues`] and
/// [`crate::Outcome::ports`], but include those that have not carried any frames yet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sample {
    /// The end of the interval.
    pub at: Time,
    /// Its length.
    pub span: TimeDelta,
    /// One entry per flow.
    pub flows: Vec<FlowSample>,
    /// One entry per flow whose source has received an acknowledgement, in the order of the flows.
    pub sources: Vec<SourceSample>,
    /// One entry per recorded queue.
    pub queues: Vec<QueueSample>,
    /// One entry per recorded port.
    pub ports: Vec<PortSample>,
}

/// A flow in one interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlowSample {
    /// Bytes that arrived.
    pub delivered: u64,
    /// The rate of its limiter at the end, or `None` without a limiter.
    pub limit: Option<Rate>,
    /// Notifications that reached its station.
    pub notifications: u32,
}

/// The source of a flow whose receiver acknowledges, in one interval. The values of independent messages are added up, except for
/// round-trip times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceSample {
    /// The flow.
    pub flow: FlowId,
    /// The mean round-trip time, rounded down, or `None` if no acknowledgement arrived.
    pub round_trip: Option<TimeDelta>,
    /// The window at the end, or `None` without one.
    pub window: Option<Bytes>,
    /// Bytes that were sent and not yet acknowledged at the end.
    pub in_flight: u64,
    /// Acknowledgements that arrived with a mark.
    pub marks: u32,
    /// The load of the path that the source computed last, or `None` if the algorithm does not compute one. For independent
    /// messages, the largest.
    pub load: Option<Load>,
}

/// A queue in one interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueSample {
    /// The port that an output queue feeds, or the port that feeds an input buffer.
    pub port: PortId,
    /// Whether it is an output queue or an input buffer.
    pub side: Side,
    /// The priority.
    pub priority: Priority,
    /// Length at the end, in bytes.
    pub length: u64,
    /// Largest length, in bytes.
    pub largest: u64,
    /// Mean length, in bytes, rounded down.
    pub mean: u64,
    /// Notifications sent.
    pub notifications: u32,
    /// Frames marked.
    pub marks: u32,
}

/// A port in one interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PortSample {
    /// The port.
    pub port: PortId,
    /// Time spent transmitting.
    pub busy: TimeDelta,
    /// Time with at least one paused priority.
    pub paused: TimeDelta,
}
