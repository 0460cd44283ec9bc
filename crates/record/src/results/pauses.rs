//! The pauses of ports, for scenarios with `record_pauses`.

use setpoint_sim::{Outcome, Priority};

/// A change of the priorities for which a port is paused.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct PauseRecord {
    /// The time at which it takes effect, in seconds.
    pub time_s: f64,
    /// The port, as an index into the ports of the summary.
    pub port: usize,
    /// The priorities that are paused from then on.
    pub priorities: Vec<u8>,
}

impl PauseRecord {
    /// The changes in a run, in chronological order; none if they are not recorded.
    pub(crate) fn all(outcome: &Outcome) -> Option<Vec<Self>> {
        let record = |change: &setpoint_sim::PauseChange| {
            // Every port that was paused has an entry.
            let port = outcome.ports.binary_search_by_key(&change.port, |port| port.port).ok()?;
            let paused =
                |priority: &u8| Priority::new(*priority).is_some_and(|one| change.paused.contains(one));
            let priorities = (0..8).filter(paused).collect();
            Some(Self { time_s: change.at.as_secs_f64(), port, priorities })
        };
        outcome.pauses.as_ref().map(|changes| changes.iter().filter_map(record).collect())
    }
}
