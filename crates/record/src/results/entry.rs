//! Figures per `[[flows]]` entry of the scenario.

use setpoint_units::quantity::Bounded;

use super::MessageClass;
use super::keyed::keyed;

keyed! {
    /// All flows of one `[[flows]]` entry.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct EntrySummary {
        /// Its `name`, or its key in the scenario, such as `flows.1`.
        pub name: String,
        /// Number of flows.
        pub flows: usize,
        /// Sum of the flows' rates, over the measurement interval: computed like `total.throughput_bps`.
        pub rate_sum_bps: f64 = BitsPerSecond,
        /// Mean of the flows' rates, `flows[].rate_bps`.
        pub rate_mean_bps: f64 = BitsPerSecond,
        /// Smallest of these rates.
        pub rate_min_bps: f64 = BitsPerSecond,
        /// Largest of these rates.
        pub rate_max_bps: f64 = BitsPerSecond,
        /// Jain's index of these rates: see [Fairness](#fairness).
        pub jain_index: Option<f64>,
        /// Frames sent; whole run.
        pub sent_frames: u64,
        /// Frames dropped; whole run.
        pub dropped_frames: u64,
        /// Dropped frames divided by sent frames; for flows to a group, lost frames divided by the frames due at
        /// receivers. Whole run.
        pub loss_share: f64 = Share,
        /// Notifications that its stations received for these flows; whole run.
        pub notifications: u64,
        /// Mean one-way delay of all its frames.
        pub delay_mean_s: Option<f64> = Seconds,
        /// Its messages: those offered at or after `measure_from_s` or, if there are none, those offered before.
        /// Omitted if the entry sends no messages.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub messages: Option<MessageClass>,
        /// Query completion time: see [Query completion time](#query-completion-time). Omitted if the entry is not a
        /// query, or if the query was not completed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub query_completion_s: Option<f64> = Seconds,
        /// Lower bound on the query completion time. Omitted if all messages of the query were completed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub query_completion_at_least_s: Option<f64> = Seconds,
    }
}

impl EntrySummary {
    /// Query completion time; none if the entry is not a query.
    pub fn query_completion(&self) -> Option<Bounded> {
        let at_least = || self.query_completion_at_least_s.map(Bounded::at_least);
        self.query_completion_s.map(Bounded::exact).or_else(at_least)
    }
}
