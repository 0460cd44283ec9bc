//! Settings that are needed only for real frames.

use setpoint_units::TimeDelta;
use setpoint_wire::{Conventions, Priority};

use crate::neighbour::Defence;

/// Settings that are needed only for real frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// How ports treat the priorities under congestion notification.
    pub defence: Defence,
    /// The priority of frames that arrive at an edge with a priority under congestion notification.
    pub alternate_priority: Priority,
    /// The time between two LLDP announcements.
    pub announce_every: TimeDelta,
    /// The watchdog ends a pause after this time, and then ignores pauses for the same time.
    pub pause_patience: TimeDelta,
    /// How notifications are encoded.
    pub conventions: Conventions,
}
