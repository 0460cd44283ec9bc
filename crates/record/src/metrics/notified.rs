//! Notifications per source, which show whether feedback implodes.
//!
//! Notifications are counted when they reach a station, and reported per second. The peak is measured in
//! a sliding window of 100 ms over the whole run, so that a burst at the onset of congestion counts.
//! The window consists of as many whole sample intervals as fit into 100 ms, but at least one; if the
//! run is shorter, the window is the whole run.

use std::collections::BTreeMap;

use setpoint_units::{Time, TimeDelta};

use super::axis::Axis;
use crate::statistics::moments::ratio;

/// The length of the sliding window.
const WINDOW: TimeDelta = TimeDelta::from_millis(100);

/// Notifications for a set of flows in each interval, by the station that received them.
#[derive(Clone, Debug, Default)]
pub(super) struct Notified<'a> {
    stations: BTreeMap<&'a str, Vec<u64>>,
}

impl<'a> Notified<'a> {
    /// Adds the notifications of a flow.
    pub(super) fn add(&mut self, source: &'a str, notifications: &[u32]) {
        // If there are very many flows, most of them receive no notification.
        if notifications.iter().all(|&count| count == 0) {
            return;
        }
        let sums = self.stations.entry(source).or_default();
        sums.resize(sums.len().max(notifications.len()), 0);
        for (sum, &count) in sums.iter_mut().zip(notifications) {
            *sum += u64::from(count);
        }
    }

    /// Notifications per second and station, from the given instant on.
    pub(super) fn mean(&self, stations: usize, axis: &Axis, from: Time) -> f64 {
        let measured = axis.within(from, axis.end);
        let seconds = (axis.begin(measured.end) - axis.begin(measured.start)).as_picos() as f64 / 1e12;
        let count: u64 = self.stations.values().map(|sums| sums[measured.clone()].iter().sum::<u64>()).sum();
        ratio(count as f64, seconds * stations as f64)
    }

    /// The largest number that one station received in any window, per second.
    pub(super) fn peak(&self, axis: &Axis) -> f64 {
        let length =
            ((WINDOW / axis.interval.max(TimeDelta::from_picos(1))) as usize).clamp(1, axis.samples.max(1));
        let most = self.stations.values().map(|sums| most_in(sums, length)).max().unwrap_or(0);
        let whole = axis.interval * length as u64;
        ratio(most as f64 * 1e12, whole.min(axis.end.since_start()).as_picos() as f64)
    }
}

/// The largest sum of `length` consecutive counts.
fn most_in(counts: &[u64], length: usize) -> u64 {
    let mut sum: u64 = counts.iter().take(length).sum();
    let mut most = sum;
    for (next, last) in counts.iter().skip(length).zip(counts) {
        sum = sum + next - last;
        most = most.max(sum);
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(interval_ms: u64, samples: usize) -> Axis {
        let interval = TimeDelta::from_millis(interval_ms);
        Axis { interval, end: Time::ZERO + interval * samples as u64, samples }
    }

    #[test]
    fn the_flows_of_a_station_count_together() {
        let mut notified = Notified::default();
        notified.add("s1", &[1, 0, 2]);
        notified.add("s1", &[0, 4, 0]);
        notified.add("s2", &[3, 0, 0]);
        notified.add("s3", &[0, 0, 0]);
        // Windows of one interval of 100 ms: at most 4 notifications in a window.
        assert_eq!(notified.peak(&axis(100, 3)), 40.0);
        // 10 notifications to three stations in 0.3 s, and 6 in the last 0.2 s.
        assert_eq!(notified.mean(3, &axis(100, 3), Time::ZERO), 10.0 / (0.3f64 * 3.0));
        let from = Time::ZERO + TimeDelta::from_millis(100);
        assert_eq!(notified.mean(3, &axis(100, 3), from), 6.0 / (0.2f64 * 3.0));
    }

    #[test]
    fn the_window_slides() {
        let mut notified = Notified::default();
        let mut counts = [0; 40];
        // A burst that straddles two adjacent tenths of a second.
        counts[8..12].copy_from_slice(&[5, 5, 5, 5]);
        notified.add("s1", &counts);
        assert_eq!(notified.peak(&axis(10, 40)), 200.0);
    }

    #[test]
    fn a_run_shorter_than_the_window_is_one() {
        let mut notified = Notified::default();
        notified.add("s1", &[1, 1, 1, 1, 1]);
        assert_eq!(notified.peak(&axis(10, 5)), 100.0);
        assert_eq!(Notified::default().peak(&axis(10, 5)), 0.0);
        assert_eq!(Notified::default().mean(0, &axis(10, 0), Time::ZERO), 0.0);
    }

    #[test]
    fn long_intervals_are_windows_of_their_own() {
        let mut notified = Notified::default();
        notified.add("s1", &[10, 30]);
        assert_eq!(notified.peak(&axis(500, 2)), 60.0);
    }
}
