//! Queues of bridges: output queues and input buffers.
//! Keys that apply only to bridges with input buffers are omitted for others, so the results and
//! digests of other networks are the same as before input buffers were added.

use serde::{Deserialize, Serialize};

use super::Settling;
use super::keyed::{Keyed, keyed};
use crate::statistics::moments::ratio;
use crate::statistics::quantile;

keyed! {
    /// One output queue or input buffer.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct QueueSummary {
        /// `port/priority` for an output queue, as in `left->right/3`; an input buffer is named after the port that
        /// feeds it, as in `h1->leaf1.1/3 (input)`.
        pub name: String,
        /// The port that it feeds, `from->to`; for an input buffer, the port that feeds it.
        pub port: String,
        /// `input` for the input buffer of a bridge. Omitted for an output queue.
        #[serde(default, skip_serializing_if = "Side::is_output")]
        pub side: Side,
        /// The priority, 0 to 7.
        pub priority: u8,
        /// Set point of its congestion point, if it has one.
        pub set_point_bytes: Option<u64> = Bytes,
        /// Time-weighted mean length.
        pub mean_bytes: f64 = Bytes,
        /// Mean minus set point: negative if the queue is shorter. Omitted without a set point.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub set_point_offset_bytes: Option<f64> = Bytes,
        /// Time-weighted standard deviation.
        pub deviation_bytes: f64 = Bytes,
        /// Share of the time during which it was empty.
        pub empty_share: f64 = Share,
        /// Largest length; whole run.
        pub peak_bytes: u64 = Bytes,
        /// Time-weighted quantiles as pairs of probability and length: see [Quantiles](#quantiles).
        pub quantiles: Vec<(f64, f64)> = Bytes,
        /// Frames dropped here; whole run.
        pub dropped_frames: u64,
        /// Frames that the congestion point sampled; whole run.
        pub samples: u64,
        /// Notifications that it sent; whole run.
        pub notifications: u64,
        /// Frames that it marked; whole run. Omitted if the algorithm does not mark frames.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub marked_frames: Option<u64>,
        /// Whether it settled after the last event. Omitted without a set point or without events.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub settling: Option<Settling>,
        /// Searches by the congestion point for a flow to notify; whole run. Omitted if there were none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub culprits: Option<CulpritSummary>,
    }
}

impl QueueSummary {
    /// The length that is exceeded 1 % of the time.
    pub fn p99(&self) -> Option<f64> {
        quantile::at(&self.quantiles, 0.99)
    }

    /// Root-mean-square distance from the set point; none if there is no set point.
    pub fn set_point_error(&self) -> Option<f64> {
        let offset = self.mean_bytes - self.set_point_bytes? as f64;
        Some((self.deviation_bytes * self.deviation_bytes + offset * offset).sqrt())
    }
}

/// A side of a bridge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// An output queue, from which frames leave.
    #[default]
    Output,
    /// An input buffer, at which frames arrive.
    Input,
}

impl Side {
    /// Whether it is an output.
    pub fn is_output(&self) -> bool {
        *self == Self::Output
    }
}

impl Keyed for Side {}

impl From<setpoint_sim::Side> for Side {
    fn from(side: setpoint_sim::Side) -> Self {
        match side {
            setpoint_sim::Side::Output => Self::Output,
            setpoint_sim::Side::Input => Self::Input,
        }
    }
}

keyed! {
    /// Searches by a congestion point for a flow to notify: see [`setpoint_control::culprit`].
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct CulpritSummary {
        /// Searches of the culprit array, one per notification.
        pub searches: u64,
        /// Reads of the array.
        pub reads: u64,
        /// Reads divided by searches.
        pub reads_per_search: f64,
        /// Searches in which no random read found a flow, so the array was read from one end to the other.
        pub fallbacks: u64,
        /// Reads in those searches after the random ones.
        pub fallback_reads: u64,
    }
}

impl CulpritSummary {
    /// The totals of two congestion points.
    pub(super) fn and(&self, other: &Self) -> Self {
        let (searches, reads) = (self.searches + other.searches, self.reads + other.reads);
        Self {
            searches,
            reads,
            reads_per_search: ratio(reads as f64, searches as f64),
            fallbacks: self.fallbacks + other.fallbacks,
            fallback_reads: self.fallback_reads + other.fallback_reads,
        }
    }
}

/// The name of a queue, as in [`QueueSummary::name`].
pub fn queue_name(port: &str, priority: u8, side: Side) -> String {
    match side {
        Side::Output => format!("{port}/{priority}"),
        Side::Input => format!("{port}/{priority} (input)"),
    }
}
