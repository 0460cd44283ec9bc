//! Measurements of an output queue.

use setpoint_control::CpCounters;
use setpoint_sim::{PortId, Priority, QueueOutcome, Side, thin};
use setpoint_units::{Bytes, Time, TimeDelta};

use crate::bridge::point::Point;

/// Measurements of a queue so far.
#[derive(Clone, Debug, Default)]
pub(super) struct QueueRecord {
    length: Vec<u64>,
    largest: Vec<u64>,
    mean: Vec<u64>,
    notifications: Vec<u32>,
    peak: u64,
    notified_so_far: u64,
    area_so_far: u128,
    area_before: u128,
}

/// A queue in the network that the outcome describes.
pub(super) struct Place {
    pub(super) port: PortId,
    pub(super) priority: Priority,
    /// The largest length that it may reach; `None` where flow control prevents drops.
    pub(super) limit: Option<Bytes>,
}

impl QueueRecord {
    /// Ends a sample interval of the given span.
    pub(super) fn sample(&mut self, point: &mut Point, length: u64, now: Time, span: TimeDelta) {
        let area = point.dwell.area_until(length, now);
        let grown =
            std::mem::take(&mut self.area_before) + area - std::mem::replace(&mut self.area_so_far, area);
        self.mean.push((grown / u128::from(span.as_picos().max(1))) as u64);
        self.length.push(length);
        let largest = std::mem::replace(&mut point.largest, length).max(length);
        self.largest.push(largest);
        self.peak = self.peak.max(largest);
        self.notifications.push((point.notifications - self.notified_so_far) as u32);
        self.notified_so_far = point.notifications;
    }

    /// Begins the measurement.
    pub(super) fn measure_from(&mut self, point: &mut Point, length: u64, now: Time) {
        self.area_before += point.dwell.area_until(length, now) - self.area_so_far;
        self.area_so_far = 0;
        point.dwell.restart(now);
    }

    pub(super) fn thin(&mut self) {
        thin::last(&mut self.length);
        thin::largest(&mut self.largest);
        thin::mean(&mut self.mean);
        thin::summed(&mut self.notifications);
    }

    pub(super) fn outcome(&self, place: &Place, point: &Point) -> QueueOutcome {
        QueueOutcome {
            port: place.port,
            side: Side::Output,
            priority: place.priority,
            length: point.dwell.statistics(),
            peak: Bytes::new(self.peak),
            dropped_frames: point.dropped_frames,
            dropped: Bytes::new(point.dropped),
            congestion_point: CpCounters { samples: point.samples(), notifications: point.notifications },
            marked_frames: None,
            culprits: Default::default(),
            length_series: self.length.clone(),
            largest_series: self.largest.clone(),
            mean_series: self.mean.clone(),
            limit: place.limit,
            notification_series: self.notifications.clone(),
        }
    }
}
