//! The pauses of ports, if a run records them.

use setpoint_units::Time;

use crate::ids::{PortId, PrioritySet};

/// A change of the priorities for which a port is paused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PauseChange {
    /// The time at which it takes effect.
    pub at: Time,
    /// The port.
    pub port: PortId,
    /// The priorities that are paused from then on.
    pub paused: PrioritySet,
}
