//! Groups and their receivers.

use super::keyed::keyed;

keyed! {
    /// A group of stations, and all traffic sent to it.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct GroupSummary {
        /// Its name.
        pub name: String,
        /// Flows to it: one per sender with multicast, one per sender and receiver with multiple unicast.
        pub flows: usize,
        /// Stations that send to it.
        pub sources: usize,
        /// Share of the measurement interval in which it has at least one member. Omitted if it always has members.
        #[serde(default = "always", skip_serializing_if = "is_always")]
        pub occupied_share: f64 = Share,
        /// One entry per station that was a member at any time, for all flows to the group together.
        pub receivers: Vec<ReceiverSummary>,
        /// Rate to the group, averaged over senders: see [Groups](#groups).
        pub rate_mean_bps: f64 = BitsPerSecond,
        /// Jain's index of these rates, over senders whose flows were on during the whole measurement interval.
        pub jain_index: Option<f64>,
        /// Notifications that reached senders for their flows to the group, divided by the frames they sent to it;
        /// whole run.
        pub feedback_overhead: f64,
        /// Lost frames divided by frames due, over all receivers; whole run.
        pub loss_share: f64 = Share,
        /// Notifications per second that a sender received for its flows to the group, averaged over
        /// senders: see [Feedback](#feedback).
        pub notifications_per_source_mean: f64 = PerSecond,
        /// Largest number of these notifications that one sender received in any 100 ms, per second; whole run.
        pub notifications_per_source_peak: f64 = PerSecond,
    }
}

fn always() -> f64 {
    1.0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
#[expect(clippy::float_cmp, reason = "a group that always has members has a share of exactly 1")]
fn is_always(share: &f64) -> bool {
    *share == 1.0
}

keyed! {
    /// Frames for one receiver.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct ReceiverSummary {
        /// The station.
        pub station: String,
        /// Rate at which frames arrived there while it was a member.
        pub rate_bps: f64 = BitsPerSecond,
        /// Frames that arrived there; whole run.
        pub delivered_frames: u64,
        /// Frames for it that bridges dropped; whole run.
        pub lost_frames: u64,
        /// Lost frames divided by lost and delivered frames; whole run.
        pub loss_share: f64 = Share,
    }
}
