//! How pauses spread, as it is stored.

use serde::{Deserialize, Serialize};

/// Who was asked to pause, and because of whom; over the whole run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TreesSummary {
    /// The most ports that were asked to pause at once.
    pub widest: u32,
    /// The largest depth of a tree; 0 without pauses.
    pub deepest: u32,
    /// The pauses by port, cause and root, those that took longest first.
    pub pauses: Vec<PauseSummary>,
}

/// The pauses of one port for one cause and root.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PauseSummary {
    /// The port that was asked to pause, `from->to`.
    pub port: String,
    /// The output that its frames waited for, at the bridge it feeds.
    pub cause: String,
    /// The output where the congestion began.
    pub root: String,
    /// Links from the port to the root's bridge: 1 if it feeds it.
    pub depth: u32,
    /// How often it was asked.
    pub pauses: u64,
    /// For how long in all, from request to release.
    pub time_s: f64,
}

/// Ports that wait for each other in a cycle, for ever.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DeadlockSummary {
    /// When it was seen, at the end of a sample interval.
    pub at_s: f64,
    /// The ports of the cycle: each is paused until the next one sends, and the last until the first does.
    pub cycle: Vec<String>,
    /// The priority that is stuck; none with PAUSE, which stops a link as a whole.
    pub priority: Option<u8>,
    /// Ports that waited for ever when the run ended, in the cycle or behind it.
    pub stuck_ports: u32,
}
