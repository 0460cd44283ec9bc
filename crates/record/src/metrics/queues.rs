//! Figures and curves of queues, the busiest first.
//!
//! The busiest queue is the one with the largest time-weighted mean; ties go to the queue with more
//! notifications, then to the one that comes first by port and priority.

use std::cmp::Reverse;

use setpoint_control::CulpritCounters;
use setpoint_scenario::PortNames;
use setpoint_sim::{DwellStatistics, QueueOutcome};
use setpoint_units::Bytes;

use super::Context;
use super::axis::Axis;
use crate::results::{CulpritSummary, QueueSeries, QueueSummary, Side, queue_name};
use crate::statistics::moments::{finite, ratio, share};
use crate::statistics::quantile::PROBABILITIES;

/// Sorts queues into the order of the summary.
pub(super) fn busiest_first(queues: &mut [QueueOutcome]) {
    // The sort is stable, and the simulator lists queues by port and priority.
    queues.sort_by(|first, second| {
        let mean = finite(second.length.mean).total_cmp(&finite(first.length.mean));
        mean.then_with(|| Reverse(count(first)).cmp(&Reverse(count(second))))
    });
}

fn count(queue: &QueueOutcome) -> u64 {
    queue.congestion_point.notifications
}

/// The figures for a queue; [`super::events`] adds whether it settled.
pub(super) fn summary(context: &Context<'_>, names: &PortNames, queue: &QueueOutcome) -> QueueSummary {
    let control = &context.spec.control;
    let controlled = control.priorities.contains(queue.priority) && control.placement.includes(queue.side);
    let set_point = context.set_point.filter(|_| controlled);
    let mean = finite(queue.length.mean);
    let (port, side) = (names.of(queue.port), Side::from(queue.side));
    QueueSummary {
        name: queue_name(port, queue.priority.get(), side),
        port: port.to_owned(),
        side,
        priority: queue.priority.get(),
        set_point_bytes: set_point.map(Bytes::get),
        mean_bytes: mean,
        set_point_offset_bytes: set_point.map(|point| mean - point.get() as f64),
        deviation_bytes: finite(queue.length.deviation),
        empty_share: share(queue.length.empty, 1.0),
        peak_bytes: queue.peak.get(),
        quantiles: quantiles(&queue.length, queue.peak),
        dropped_frames: queue.dropped_frames,
        samples: queue.congestion_point.samples,
        notifications: queue.congestion_point.notifications,
        marked_frames: queue.marked_frames,
        settling: None,
        culprits: culprits(&queue.culprits),
    }
}

fn culprits(counters: &CulpritCounters) -> Option<CulpritSummary> {
    let CulpritCounters { searches, reads, fallbacks, fallback_reads } = *counters;
    let reads_per_search = ratio(reads as f64, searches as f64);
    (searches > 0).then_some(CulpritSummary { searches, reads, reads_per_search, fallbacks, fallback_reads })
}

/// Quantiles of the length over time. Lengths are known to within one step of the dwell times, so an interpolated value
/// may exceed every length that occurred; it is clamped to the peak. While the queue was empty, the length is exactly
/// zero, not spread over the first step.
fn quantiles(length: &DwellStatistics, peak: Bytes) -> Vec<(f64, f64)> {
    let at = |probability| {
        let bytes = if probability <= length.empty { 0.0 } else { finite(length.quantile(probability)) };
        (probability, bytes.min(peak.get() as f64))
    };
    PROBABILITIES.into_iter().map(at).collect()
}

/// The curves of a queue.
pub(super) fn series(name: String, queue: QueueOutcome, axis: &Axis) -> QueueSeries {
    let bytes = |series: Vec<u64>| series.into_iter().map(|bytes| bytes as f64).collect();
    let mut curves = QueueSeries {
        name,
        length_bytes: bytes(queue.length_series),
        largest_bytes: bytes(queue.largest_series),
        notifications: queue.notification_series,
        marked_frames: match queue.marked_frames {
            Some(_) => queue.mark_series.into_iter().map(Some).collect(),
            None => Vec::new(),
        },
    };
    curves.marked_frames.resize(axis.samples, queue.marked_frames.map(|_| 0));
    curves.length_bytes.resize(axis.samples, 0.0);
    curves.largest_bytes.resize(axis.samples, 0.0);
    curves.notifications.resize(axis.samples, 0);
    curves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::quantile::at;
    use setpoint_control::CpCounters;
    use setpoint_sim::{PortId, Priority};
    use setpoint_units::TimeDelta;

    fn dwell(spans_us: &[u64], empty: f64) -> DwellStatistics {
        let dwell = spans_us.iter().copied().map(TimeDelta::from_micros).collect();
        DwellStatistics { mean: 0.0, deviation: 0.0, empty, dwell, step: Bytes::new(1000) }
    }

    fn queue(port: u32, mean: f64, notifications: u64) -> QueueOutcome {
        QueueOutcome {
            port: PortId(port),
            priority: Priority::new(3).unwrap(),
            length: DwellStatistics { mean, ..dwell(&[], 0.0) },
            peak: Bytes::ZERO,
            dropped_frames: 0,
            dropped: Bytes::ZERO,
            congestion_point: CpCounters { samples: notifications, notifications },
            marked_frames: None,
            culprits: CulpritCounters::default(),
            side: setpoint_sim::Side::Output,
            length_series: Vec::new(),
            largest_series: Vec::new(),
            mean_series: Vec::new(),
            limit: None,
            notification_series: Vec::new(),
            mark_series: Vec::new(),
        }
    }

    #[test]
    fn searches_are_reported_if_there_were_any() {
        assert_eq!(culprits(&CulpritCounters::default()), None);
        let counters = CulpritCounters { searches: 4, reads: 10, fallbacks: 1, fallback_reads: 3 };
        let summary = culprits(&counters).unwrap();
        assert_eq!((summary.searches, summary.reads, summary.reads_per_search), (4, 10, 2.5));
        assert_eq!((summary.fallbacks, summary.fallback_reads), (1, 3));
    }

    #[test]
    fn the_busiest_comes_first_and_equals_keep_their_order() {
        let mut queues =
            [queue(0, 1.0, 0), queue(1, 5.0, 0), queue(2, 5.0, 9), queue(3, 1.0, 0), queue(4, f64::NAN, 0)];
        busiest_first(&mut queues);
        assert_eq!(queues.map(|queue| queue.port.0), [2, 1, 0, 3, 4]);
    }

    #[test]
    fn quantiles_are_weighted_by_time() {
        // 50 us in [0, 1[ kB, 50 us in [2, 3[ kB, never empty.
        let list = quantiles(&dwell(&[50, 0, 50], 0.0), Bytes::new(3_000));
        assert_eq!(at(&list, 0.25), Some(500.0));
        assert_eq!(at(&list, 0.5), Some(1_000.0));
        assert_eq!(at(&list, 0.75), Some(2_500.0));
        assert_eq!(at(&list, 1.0), Some(3_000.0));
    }

    #[test]
    fn an_empty_queue_is_empty_and_the_peak_is_the_most() {
        let list = quantiles(&dwell(&[50, 0, 50], 0.5), Bytes::new(2_200));
        assert_eq!(at(&list, 0.5), Some(0.0));
        assert_eq!(at(&list, 1.0), Some(2_200.0));
        let never_used = quantiles(&dwell(&[], 1.0), Bytes::ZERO);
        assert!(never_used.iter().all(|(_, bytes)| *bytes == 0.0));
    }
}
