//! Flows, as they are stored.
//!
//! Keys that many flows have no use for are left out there: a large fabric has hundreds of thousands of flows.

use serde::{Deserialize, Serialize};

use super::ReceiverSummary;

/// One flow.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FlowSummary {
    /// Its name.
    pub name: String,
    /// Source station.
    pub source: String,
    /// Destination station, or the name of the group.
    pub destination: String,
    /// The group that it is a flow to or, with multiple unicast, a part of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Mean rate of delivery. Of a flow to a group, the mean over those who were members, by the time they were.
    pub rate_bps: f64,
    /// Standard deviation of the rate over sample intervals.
    pub rate_deviation_bps: f64,
    /// Frames sent.
    pub sent_frames: u64,
    /// Frames delivered; of a flow to a group, to all its members together.
    pub delivered_frames: u64,
    /// Frames dropped; of a flow to a group, copies.
    pub dropped_frames: u64,
    /// Notifications received.
    pub notifications: u64,
    /// Notifications received over frames sent: more than 1 if there are more of them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub feedback_overhead: f64,
    /// When the first notification came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_notified_s: Option<f64>,
    /// Mean rate of its limiter at the ends of intervals, at line rate while it has none; none for a flow that cannot be
    /// limited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit_mean_bps: Option<f64>,
    /// Standard deviation of that rate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit_deviation_bps: Option<f64>,
    /// Mean one-way delay.
    pub delay_mean_s: Option<f64>,
    /// Largest one-way delay.
    pub delay_max_s: Option<f64>,
    /// Notifications that its reaction points obeyed and that asked for less.
    #[serde(default)]
    pub decreases: u64,
    /// Those that asked for more, with algorithms that tell of room too.
    #[serde(default)]
    pub increases: u64,
    /// Those that silenced it for a while (BCN).
    #[serde(default)]
    pub stops: u64,
    /// Cycles the reaction point spent in fast recovery.
    pub fast_recovery_cycles: u64,
    /// Cycles in active increase.
    pub active_increase_cycles: u64,
    /// Cycles in hyper-active increase.
    pub hyper_increase_cycles: u64,
    /// How long it was delayed by congestion that it did not cause: it had data to deliver while a port on its path was
    /// paused in a tree whose root is not on its path. Never more than the run.
    #[serde(default)]
    pub victim_s: f64,
    /// What became of its frames for each member of its group; empty for a flow to one station.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub receivers: Vec<ReceiverSummary>,
}

impl FlowSummary {
    /// The stations that receive it: its destination, or all that are members of its group at some time.
    pub fn sinks(&self) -> impl Iterator<Item = &str> {
        let alone = self.receivers.is_empty().then_some(self.destination.as_str());
        alone.into_iter().chain(self.receivers.iter().map(|receiver| receiver.station.as_str()))
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn is_zero(value: &f64) -> bool {
    *value == 0.0
}
