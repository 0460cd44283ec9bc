//! What a station has measured.

use setpoint_control::RpCounters;
use setpoint_units::{Rate, Time};

use super::Station;

/// What a station knows about one of its flows.
#[derive(Clone, Debug, PartialEq)]
pub struct StationFlow {
    /// Frames sent.
    pub sent_frames: u64,
    /// Octets sent, with frame check sequences.
    pub sent: u64,
    /// Notifications obeyed.
    pub notifications: u64,
    /// When the first one arrived.
    pub first_notified: Option<Time>,
    /// The current rate of its limiter, if it has one.
    pub limit: Option<Rate>,
    /// Counters of its limiters.
    pub reaction: RpCounters,
    /// Octets sent in each interval.
    pub sent_series: Vec<u64>,
    /// The rate of its limiter at the end of each interval.
    pub limit_series: Vec<Option<Rate>>,
    /// Notifications in each interval.
    pub notification_series: Vec<u32>,
}

impl Station {
    /// Ends a sample interval.
    pub fn sample(&mut self) {
        for flow in &mut self.flows {
            flow.sample();
        }
    }

    /// Its flows, in the order in which they appeared, without the frames that belong to none.
    #[must_use]
    pub fn flows(&self) -> Vec<StationFlow> {
        let known = |flow: &super::Flow| StationFlow {
            sent_frames: flow.record.sent_frames,
            sent: flow.record.sent,
            notifications: flow.record.notifications,
            first_notified: flow.record.first_notified,
            limit: flow.limit(),
            reaction: flow.reaction(),
            sent_series: flow.record.sent_series.clone(),
            limit_series: flow.record.limit_series.clone(),
            notification_series: flow.record.notification_series.clone(),
        };
        self.flows.iter().skip(1).map(known).collect()
    }
}
