//! The limits of a server.

use std::time::Duration;

use setpoint_units::Bytes;

/// The limits of a server.
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
    /// Connections and the time that their requests may take.
    pub connections: ConnectionLimits,
}

/// Limits of a server's connections.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionLimits {
    /// Connections at the same time; fewer than the files that a program may usually open.
    pub total: usize,
    /// Connections from one address; more than the runs that may compute or wait.
    pub of_address: usize,
    /// The time for the headers of a request. A connection without a request ends after it, too.
    pub headers: Duration,
    /// The time for the body of a request.
    pub body: Duration,
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
            connections: ConnectionLimits::default(),
        }
    }
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        Self { total: 600, of_address: 200, headers: Duration::from_secs(20), body: Duration::from_secs(30) }
    }
}
