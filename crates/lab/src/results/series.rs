//! The curves and messages of a run.

use serde::{Deserialize, Serialize};

use super::messages::MessageState;
use crate::metrics::moments::ratio;

/// The curves of a run; all vectors are as long as `time_s`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// End of each interval.
    pub time_s: Vec<f64>,
    /// Per flow.
    pub flows: Vec<FlowSeries>,
    /// Per queue, in the order of [`Summary::queues`](super::Summary::queues).
    pub queues: Vec<QueueSeries>,
    /// Per port, in the order of [`Summary::ports`](super::Summary::ports).
    pub ports: Vec<PortSeries>,
}

/// Curves of a flow.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FlowSeries {
    /// Its name.
    pub name: String,
    /// Delivery rate in each interval.
    pub rate_bps: Vec<f64>,
    /// Rate of its limiter at the end of each interval; none without a limiter.
    pub limit_bps: Vec<Option<f64>>,
    /// Notifications in each interval.
    pub notifications: Vec<u32>,
}

/// Curves of a queue.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct QueueSeries {
    /// `port/priority`.
    pub name: String,
    /// Length at the end of each interval.
    pub length_bytes: Vec<f64>,
    /// Largest length within each interval.
    #[serde(default)]
    pub largest_bytes: Vec<f64>,
    /// Notifications in each interval.
    pub notifications: Vec<u32>,
}

/// Curves of a port.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PortSeries {
    /// `from->to`.
    pub name: String,
    /// Share of each interval spent transmitting.
    pub utilisation_share: Vec<f64>,
    /// Share of each interval in which it was paused.
    pub paused_share: Vec<f64>,
}

/// A message that was delivered in full.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MessageRecord {
    /// Its flow, as an index into [`Summary::flows`](super::Summary::flows).
    pub flow: usize,
    /// Its size.
    pub size_bytes: u64,
    /// When it was offered.
    pub offered_s: f64,
    /// When its last byte arrived; none unless it was completed.
    pub completed_s: Option<f64>,
    /// How long it would have taken on an empty network at the flow's full rate.
    pub ideal_s: f64,
    /// How long it took, calculated before the instants were rounded; none unless it was completed.
    pub fct_s: Option<f64>,
    /// How long it waited for earlier messages of its flow.
    pub waited_s: f64,
    /// How it ended.
    pub state: MessageState,
}

impl MessageRecord {
    /// How long it took, divided by how long it would have taken on an empty network; none unless it was completed.
    #[must_use]
    pub fn slowdown(&self) -> Option<f64> {
        self.fct_s.map(|fct_s| ratio(fct_s, self.ideal_s))
    }
}
