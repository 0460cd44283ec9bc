//! Queues of bridges: what waits for an output, and what waits at an input.
//!
//! Keys that only bridges with input buffers have are left out elsewhere: results of other networks, and their
//! digests, are those of versions that did not know input buffers.

use serde::{Deserialize, Serialize};

use super::Settling;

/// One output queue or input buffer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct QueueSummary {
    /// See [`queue_name`].
    pub name: String,
    /// The port that it feeds; of an input buffer, the port at the other end of the link that feeds it.
    pub port: String,
    /// Whether it is an output queue or an input buffer.
    #[serde(default, skip_serializing_if = "Side::is_output")]
    pub side: Side,
    /// The priority.
    pub priority: u8,
    /// The set point of its congestion point, if it has one.
    pub set_point_bytes: Option<u64>,
    /// Time-weighted mean.
    pub mean_bytes: f64,
    /// Distance of the mean from the set point, below zero if it is shorter; none without a set point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set_point_offset_bytes: Option<f64>,
    /// Time-weighted standard deviation.
    pub deviation_bytes: f64,
    /// Share of the time at zero.
    pub empty_share: f64,
    /// Largest length in the run.
    pub peak_bytes: u64,
    /// Time-weighted quantiles as (probability, length in bytes), 0 to 1, growing: a CDF to draw.
    pub quantiles: Vec<(f64, f64)>,
    /// Frames dropped.
    pub dropped_frames: u64,
    /// Frames sampled by the congestion point.
    pub samples: u64,
    /// Notifications sent.
    pub notifications: u64,
    /// Whether it settled at its set point after the last event; none without a set point or without events.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settling: Option<Settling>,
    /// What it cost to find out whom to tell; none where nobody was searched for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub culprits: Option<CulpritSummary>,
}

/// A side of a bridge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// Where frames leave: an output queue.
    #[default]
    Output,
    /// Where frames come in: an input buffer.
    Input,
}

impl Side {
    /// Whether it is an output.
    #[must_use]
    pub fn is_output(&self) -> bool {
        *self == Self::Output
    }
}

impl From<setpoint_sim::Side> for Side {
    fn from(side: setpoint_sim::Side) -> Self {
        match side {
            setpoint_sim::Side::Output => Self::Output,
            setpoint_sim::Side::Input => Self::Input,
        }
    }
}

/// The searches of a congestion point for a flow to blame: see [`setpoint_control::culprit`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CulpritSummary {
    /// Searches, one for each notification.
    pub searches: u64,
    /// Reads of the culprit array.
    pub reads: u64,
    /// Reads over searches.
    pub reads_per_search: f64,
    /// Searches in which no random read found anything, so that the array was read from one end to the other.
    pub fallbacks: u64,
    /// The reads of those, after the random ones.
    pub fallback_reads: u64,
}

/// The name of a queue: `port/priority`, as in `left->right/3`; an input buffer is called by the port that feeds it,
/// as in `h1->leaf1.1/3 (input)`.
#[must_use]
pub fn queue_name(port: &str, priority: u8, side: Side) -> String {
    match side {
        Side::Output => format!("{port}/{priority}"),
        Side::Input => format!("{port}/{priority} (input)"),
    }
}
