//! The properties of a flow's path that its reaction point needs.

use setpoint_units::{Bytes, Rate, TimeDelta};

/// The path of a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Path {
    /// The rate of the source's port.
    pub line_rate: Rate,
    /// The time from the beginning of a frame's transmission to the arrival of the reply to it, in an idle network.
    pub base_rtt: TimeDelta,
    /// The length of the flow's frames.
    pub frame: Bytes,
}

impl Path {
    /// A path for reaction points that use only the line rate, such as those of QCN and its relatives.
    #[must_use]
    pub const fn at(line_rate: Rate) -> Self {
        Self { line_rate, base_rtt: TimeDelta::ZERO, frame: Bytes::new(1_000) }
    }
}
