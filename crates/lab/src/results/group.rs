//! Groups and their receivers, as they are stored.

use serde::{Deserialize, Serialize};

/// A group of stations, with all that was sent to it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GroupSummary {
    /// Its name.
    pub name: String,
    /// Flows to it: one per sender with multicast, one per sender and receiver with multiple unicast.
    pub flows: usize,
    /// Stations that send to it.
    pub sources: usize,
    /// Stations that were members at any time, with what they received of all flows to the group.
    pub receivers: Vec<ReceiverSummary>,
    /// Mean over senders of their rates to the group, each the mean over those who were members.
    pub rate_mean_bps: f64,
    /// Jain's index of these rates, over senders whose flows were on during all of the measured part, whatever they
    /// had to send.
    pub jain_index: Option<f64>,
    /// Notifications that reached the senders over frames that they sent to the group.
    pub feedback_overhead: f64,
    /// Frames lost over frames that should have arrived, over all receivers.
    pub loss_share: f64,
    /// Notifications that a sender received of its flows to the group, per second: mean over senders.
    pub notifications_per_source_mean: f64,
    /// The most that one sender received of them in any 100 ms, per second.
    pub notifications_per_source_peak: f64,
}

/// What became of frames for one receiver.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ReceiverSummary {
    /// The station.
    pub station: String,
    /// Rate at which they arrived, over the time in which it was a member.
    pub rate_bps: f64,
    /// Frames that arrived.
    pub delivered_frames: u64,
    /// Frames that would have arrived, had no bridge dropped them.
    pub lost_frames: u64,
    /// Those lost over all of them.
    pub loss_share: f64,
}
