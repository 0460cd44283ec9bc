//! The limits of an engine.

use setpoint_units::Bytes;

/// The limits of an engine.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The maximum length of a scenario, in bytes.
    pub scenario: usize,
    /// The maximum memory that a run may need.
    pub memory: Bytes,
}
