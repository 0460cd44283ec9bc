//! The limits of a server.

use std::time::Duration;

use setpoint_page::Place;
use setpoint_units::Bytes;

/// The limits of a server.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The maximum length of a scenario.
    pub scenario: usize,
    /// The maximum number of concurrent runs; further runs wait.
    pub runs: usize,
    /// The maximum number of waiting runs.
    pub waiting: usize,
    /// The memory that all runs together may need; further runs wait.
    pub memory: Bytes,
    /// Maximum time that a run may compute, not counting its pauses.
    pub run_time: Duration,
    /// The number of finished runs whose files are kept.
    pub kept: usize,
    /// The limits on connections and on the time that their requests may take.
    pub connections: ConnectionLimits,
}

/// Limits of a server's connections.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionLimits {
    /// The maximum number of concurrent connections, which is below the usual limit on open files.
    pub total: usize,
    /// The maximum number of connections from one address; more than the number of runs that may compute or wait.
    pub of_address: usize,
    /// The time within which the headers of a request must arrive. A connection without a request is also
    /// closed after this time.
    pub headers: Duration,
    /// The time within which the body of a request must arrive.
    pub body: Duration,
}

impl Limits {
    /// The limits of a single question from the page.
    pub(crate) fn page(&self) -> setpoint_page::Limits {
        setpoint_page::Limits { scenario: self.scenario, memory: self.memory, place: Place::Server }
    }
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
