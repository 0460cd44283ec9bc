//! Measurements of an output queue.

use setpoint_control::CpCounters;
use setpoint_sim::{PortId, Priority, QueueCurves, QueueOutcome, Side};
use setpoint_units::{Bytes, Time, TimeDelta};

use crate::bridge::point::Point;

/// Measurements of a queue so far.
#[derive(Clone, Debug, Default)]
pub(super) struct QueueRecord {
    curves: QueueCurves,
    peak: u64,
    notified_so_far: u64,
    marked_so_far: u64,
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
        self.curves.mean_series.push((grown / u128::from(span.as_picos().max(1))) as u64);
        self.curves.length_series.push(length);
        let largest = std::mem::replace(&mut point.largest, length).max(length);
        self.curves.largest_series.push(largest);
        self.peak = self.peak.max(largest);
        self.curves.notification_series.push((point.notifications - self.notified_so_far) as u32);
        self.notified_so_far = point.notifications;
        let marked = point.marked_frames().unwrap_or(0);
        self.curves.mark_series.push((marked - self.marked_so_far) as u32);
        self.marked_so_far = marked;
    }

    /// Begins the measurement.
    pub(super) fn measure_from(&mut self, point: &mut Point, length: u64, now: Time) {
        self.area_before += point.dwell.area_until(length, now) - self.area_so_far;
        self.area_so_far = 0;
        point.dwell.restart(now);
    }

    pub(super) fn thin(&mut self) {
        self.curves.halve();
    }

    pub(super) fn outcome(&self, place: &Place, point: &Point) -> QueueOutcome {
        let QueueCurves { length_series, largest_series, mean_series, notification_series, mark_series } =
            self.curves.clone();
        QueueOutcome {
            port: place.port,
            side: Side::Output,
            priority: place.priority,
            length: point.dwell.statistics(),
            peak: Bytes::new(self.peak),
            dropped_frames: point.dropped_frames,
            dropped: Bytes::new(point.dropped),
            congestion_point: CpCounters { samples: point.samples(), notifications: point.notifications },
            marked_frames: point.marked_frames(),
            culprits: Default::default(),
            length_series,
            largest_series,
            mean_series,
            limit: place.limit,
            notification_series,
            mark_series,
        }
    }
}
