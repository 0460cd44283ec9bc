//! What one server allows.

use std::time::Duration;

use setpoint_units::Bytes;

/// What one server allows.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The longest scenario.
    pub scenario: usize,
    /// Runs at the same time; further ones wait.
    pub runs: usize,
    /// Runs that may wait.
    pub waiting: usize,
    /// The memory that runs may need together; further ones wait.
    pub memory: Bytes,
    /// How long a run may compute, without its pauses.
    pub run_time: Duration,
    /// Finished runs whose files are kept.
    pub kept: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            scenario: 200_000,
            runs: 24,
            waiting: 100,
            memory: Bytes::new(450_000_000),
            run_time: Duration::from_secs(600),
            kept: 40,
        }
    }
}
