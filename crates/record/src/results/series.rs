//! The curves and messages of a run.

use serde::{Deserialize, Serialize};
use setpoint_control::telemetry::Load;
use setpoint_units::quantity::Unit::{BitsPerSecond, Bytes, Seconds, Share};

use super::curve::{Curve, CurveColumn, CurveValue, Curves, Pairs, series};
use super::messages::MessageState;
use crate::statistics::moments::ratio;

/// The curves of a run; all vectors are as long as `time_s`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// End of each interval.
    pub time_s: Vec<f64>,
    /// Per flow.
    pub flows: Vec<FlowSeries>,
    /// Per flow whose source received acknowledgements, in the order of [`Summary::flows`](super::Summary::flows).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<SourceSeries>,
    /// Per queue, in the order of [`Summary::queues`](super::Summary::queues).
    pub queues: Vec<QueueSeries>,
    /// Per port, in the order of [`Summary::ports`](super::Summary::ports).
    pub ports: Vec<PortSeries>,
}

series! {
    /// Curves of a flow.
    FlowSeries of "flow" {
        /// Delivery rate in the interval.
        rate_bps: f64 = "Delivery rate", Some(BitsPerSecond), Mean;
        /// Rate of its limiter at the end of the interval: 1 while the limiter is silent (BCN's stop); missing without a
        /// limiter.
        limit_bps: Option<f64> = "Limit", Some(BitsPerSecond), Last;
        /// Notifications that arrived in the interval.
        notifications: u32 = "Notifications", None, Sum;
    }
}

series! {
    /// Curves of the source of a flow whose receiver acknowledges; its name is that of the flow. The values of independent
    /// messages are added up, except for round-trip times.
    SourceSeries of "source" {
        /// Mean round-trip time in the interval; missing if no acknowledgement arrived.
        round_trip_s: Option<f64> = "Round-trip time", Some(Seconds), Mean;
        /// Window at the end of the interval; missing without one. Those of independent messages are added up.
        window_bytes: Option<f64> = "Window", Some(Bytes), Last;
        /// Bytes that were sent and not yet acknowledged at the end of the interval. Those of independent messages are added up.
        in_flight_bytes: f64 = "Bytes in flight", Some(Bytes), Last;
        /// Acknowledgements of marked frames in the interval; missing if the algorithm does not mark frames. Congestion notification
        /// packets, which most profiles of DCQCN use instead, are the flow's notifications.
        marked_acknowledgements: Option<u32> = "Acknowledgements of marked frames", None, Sum;
        /// Load of the path that the source had computed last at the end of the interval (HPCC's U, PowerTCP's power): 1 is a fully used
        /// port without a queue, and the value before the first computation; missing if the algorithm does not compute one. Of those
        /// of independent messages, the largest.
        load: Option<f64> = "Load computed by the source", None, Last;
    }
}

series! {
    /// Curves of a queue; its name is `port/priority`.
    QueueSeries of "queue" {
        /// Length at the end of the interval.
        length_bytes: f64 = "Queue length", Some(Bytes), Last;
        /// Largest length within the interval.
        #[serde(default)]
        largest_bytes: f64 = "Largest queue length", Some(Bytes), Largest;
        /// Notifications sent in the interval.
        notifications: u32 = "Notifications", None, Sum;
        /// Frames marked in the interval; missing if the algorithm does not mark frames.
        marked_frames: Option<u32> = "Marked frames", None, Sum;
    }
}

series! {
    /// A curve of a queue that a page receives during a run, in addition to those of [`QueueSeries`]. Results do not
    /// contain it.
    QueueMeans of "queue" {
        /// Time-weighted mean length in the interval.
        mean_bytes: f64 = "Mean queue length", Some(Bytes), Mean;
    }
}

series! {
    /// Curves of a port; its name is `from->to`.
    PortSeries of "port" {
        /// Share of the interval spent transmitting.
        utilisation_share: f64 = "Utilisation", Some(Share), Mean;
        /// Share of the interval in which it was paused.
        paused_share: f64 = "Paused share", Some(Share), Mean;
    }
}

/// A load as a number: 1 is a fully used port without a queue.
pub fn load_ratio(load: Load) -> f64 {
    load.parts() as f64 / Load::PARTS as f64
}

/// A retained message.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MessageRecord {
    /// Its flow, as an index into [`Summary::flows`](super::Summary::flows).
    pub flow: usize,
    /// Its size.
    pub size_bytes: u64,
    /// The time at which it was offered.
    pub offered_s: f64,
    /// The time at which its last byte arrived; none unless it was completed.
    pub completed_s: Option<f64>,
    /// Its completion time on an empty network at the flow's full rate.
    pub ideal_s: f64,
    /// Its completion time, calculated before the instants were rounded; none unless it was completed.
    pub fct_s: Option<f64>,
    /// The time for which it waited for earlier messages of its flow.
    pub waited_s: f64,
    /// How it ended.
    pub state: MessageState,
}

impl MessageRecord {
    /// Its completion time divided by its completion time on an empty network; none unless it was completed.
    pub fn slowdown(&self) -> Option<f64> {
        self.fct_s.map(|fct_s| ratio(fct_s, self.ideal_s))
    }
}
