//! A run in the formats of the HPCC simulator, so that scripts written for it also work with our results.
//!
//! | file | columns |
//! |---|---|
//! | fct.txt | source and destination as IPv4 addresses in hexadecimal, source and destination port, bytes, start, completion time and standalone time in nanoseconds |
//! | pfc.txt | time in nanoseconds, node, 0 for a host or 1 for a switch, interface, 1 for a pause or 0 for its end |
//! | nodes.txt | number and name of each node; HPCC has no such file |
//!
//! Two things differ from HPCC. A completion time ends when the sender could have received the last acknowledgement:
//! the delay of the return path is added to our time, which ends at the destination. And unless the scenario sets
//! `record_pauses`, pauses are taken from samples: in each sample interval, the time paused is exact, but several
//! pauses of a port appear as one.

#[cfg(test)]
mod example;
mod fct;
mod network;
mod pfc;
pub(crate) mod standalone;

use crate::results::RunRecord;
use network::Network;

/// The time at which HPCC's traffic begins, in nanoseconds: its scripts expect no earlier times.
const BASE_NS: u64 = 2_000_000_000;

/// The files, each with its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Files {
    /// Completion times.
    pub fct: String,
    /// Pauses.
    pub pfc: String,
    /// The numbers of nodes.
    pub nodes: String,
}

/// The reason why a run cannot be written in HPCC's formats.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HpccError {
    /// The run has no messages.
    #[error(
        "{0} completed no messages, and HPCC's fct.txt lists messages; use traffic such as `message`, `poisson` or `[[flow_files]]`"
    )]
    NoMessages(String),
    /// A flow goes to a group.
    #[error(
        "the flow {0} goes to a group, and HPCC's flows have one destination; use `network.delivery = \"multiple-unicast\"`"
    )]
    Group(String),
    /// The network is not complete, as in the result of a single live node.
    #[error("the result does not contain the path of the flow {0}; export a simulated run")]
    NoPath(String),
}

/// Writes a run in HPCC's formats.
///
/// # Errors
/// If the run completed no messages, or has messages that HPCC's formats cannot represent.
pub fn files(record: &RunRecord) -> Result<Files, HpccError> {
    let network = Network::of(&record.topology);
    Ok(Files { fct: fct::text(record, &network)?, pfc: pfc::text(record, &network), nodes: network.list() })
}

/// Seconds as nanoseconds, to the nearest.
fn nanoseconds(seconds: f64) -> u64 {
    libm::round(seconds * 1e9) as u64
}
