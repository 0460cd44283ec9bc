//! Flows.
//!
//! Keys that few flows need are omitted for the others: a large fabric has hundreds of thousands of flows.

use std::borrow::Cow;

use setpoint_control::{Counters, Role};

use super::ReceiverSummary;
use super::keyed::keyed;

keyed! {
    /// One flow.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct FlowSummary {
        /// Its name.
        pub name: String,
        /// The sending station.
        pub source: String,
        /// The receiving station, or the name of the group.
        pub destination: String,
        /// The group that it sends to, either as a multicast flow or as one of several flows to the members. Omitted
        /// for other flows.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub group: Option<String>,
        /// Mean delivery rate; for a flow to a group, the mean over its receivers: see [Groups](#groups).
        pub rate_bps: f64 = BitsPerSecond,
        /// Standard deviation of the rate over sample intervals.
        pub rate_deviation_bps: f64 = BitsPerSecond,
        /// Frames that left the station; whole run.
        pub sent_frames: u64,
        /// Frames that arrived; whole run. For a flow to a group, at all its receivers together.
        pub delivered_frames: u64,
        /// Frames that were dropped; whole run. For a flow to a group, dropped copies.
        pub dropped_frames: u64,
        /// Frames lost on links that had failed; whole run. Omitted if it is 0.
        #[serde(default, skip_serializing_if = "none")]
        pub lost_on_links_frames: u64,
        /// The frames among them that were lost while no path to the destination was known. Omitted if it is 0.
        #[serde(default, skip_serializing_if = "none")]
        pub unreachable_frames: u64,
        /// Notifications that reached the station; whole run.
        pub notifications: u64,
        /// Notifications received divided by frames sent; whole run. Omitted if it is 0.
        #[serde(default, skip_serializing_if = "is_zero")]
        pub feedback_overhead: f64,
        /// Time of the first notification. Omitted if there was none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub first_notified_s: Option<f64> = Seconds,
        /// Mean rate of its limiter at the ends of sample intervals; while it has no limiter, the
        /// station's link rate counts. Omitted for flows that cannot be limited.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub limit_mean_bps: Option<f64> = BitsPerSecond,
        /// Standard deviation of the limiter's rate over sample intervals.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub limit_deviation_bps: Option<f64> = BitsPerSecond,
        /// Mean one-way delay, from a frame's departure from the station to its complete arrival.
        pub delay_mean_s: Option<f64> = Seconds,
        /// Largest one-way delay.
        pub delay_max_s: Option<f64> = Seconds,
        /// Acknowledgements that reached its source; whole run. Omitted if there were none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub acknowledgements: Option<u64>,
        /// Mean round-trip time that its acknowledgements show, from the beginning of a frame's transmission to the arrival of
        /// the acknowledgement. Omitted if there was none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub round_trip_mean_s: Option<f64> = Seconds,
        /// Longest round-trip time.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub round_trip_max_s: Option<f64> = Seconds,
        /// Mean of its window at the ends of sample intervals; measurement interval. Omitted without windows.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub window_mean_bytes: Option<f64> = Bytes,
        /// Mean of the load of its path that its source had computed last at the ends of sample intervals; measurement
        /// interval. Omitted if the algorithm does not compute one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub load_mean: Option<f64>,
        /// Notifications that requested a lower rate and to which its reaction points responded; whole run.
        #[serde(default)]
        pub decreases: u64,
        /// Notifications that requested a higher rate, for algorithms that send these; whole run.
        #[serde(default)]
        pub increases: u64,
        /// Notifications that stopped the flow for a while (BCN); whole run.
        #[serde(default)]
        pub stops: u64,
        /// Cycles that its reaction points spent in fast recovery; whole run.
        pub fast_recovery_cycles: u64,
        /// Cycles in active increase; whole run.
        pub active_increase_cycles: u64,
        /// Cycles in hyper-active increase; whole run.
        pub hyper_increase_cycles: u64,
        /// Time for which it was delayed by congestion that it did not cause: see [Victims](#victims). Whole run.
        #[serde(default)]
        pub victim_s: f64 = Seconds,
        /// One entry per station that was a member of the multicast group at any time. Omitted for other flows.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub receivers: Vec<ReceiverSummary>,
        /// Counters of its reaction and notification points, under the names that the algorithm defines: see
        /// [Counters](#counters). Whole run. Omitted if all are zero.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub counters: Vec<CounterSummary>,
    }
}

keyed! {
    /// A non-zero counter of a flow's reaction or notification points.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct CounterSummary {
        /// The role of the points: `rp` for reaction points, `np` for notification points.
        #[serde(with = "super::role")]
        pub role: Role,
        /// The name of the counter.
        pub counter: Cow<'static, str>,
        /// Its value, over all points of the flow with this role.
        pub count: u64,
    }
}

impl CounterSummary {
    /// The counters of points with a role, without those that are zero.
    pub(crate) fn of(role: Role, counters: &Counters) -> impl Iterator<Item = Self> {
        let one = move |(name, count)| Self { role, counter: Cow::Borrowed(name), count };
        counters.iter().filter(|(_, count)| *count > 0).map(one)
    }

    /// The name of the counter in prose.
    pub fn title(&self) -> String {
        self.counter.replace('_', " ")
    }
}

impl FlowSummary {
    /// The sums of all counters over several flows, by role and name.
    pub fn counter_totals(flows: &[Self]) -> Vec<CounterSummary> {
        let mut totals: Vec<CounterSummary> = Vec::new();
        for one in flows.iter().flat_map(|flow| &flow.counters) {
            match totals.iter_mut().find(|sum| (&sum.role, &sum.counter) == (&one.role, &one.counter)) {
                Some(sum) => sum.count += one.count,
                None => totals.push(one.clone()),
            }
        }
        totals
    }

    /// The stations that receive it: its destination, or all stations that are members of its group at some time.
    pub fn sinks(&self) -> impl Iterator<Item = &str> {
        let alone = self.receivers.is_empty().then_some(self.destination.as_str());
        alone.into_iter().chain(self.receivers.iter().map(|receiver| receiver.station.as_str()))
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
fn none(count: &u64) -> bool {
    *count == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
fn is_zero(value: &f64) -> bool {
    *value == 0.0
}
