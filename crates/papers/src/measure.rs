//! Quantities measured in a run, or from the values of several flows, queues or cases.

use setpoint_record::results::{FlowSeries, FlowSummary, PortSeries, PortSummary, QueueSeries, QueueSummary};
use setpoint_record::statistics::moments::Moments;
use setpoint_record::statistics::quantile::quantile;

use crate::runs::Run;
use crate::timeline::{Moment, Window};

impl Run {
    /// The delivery rates of a flow at the sample times.
    pub fn rates(&self, flow: &str) -> Option<&[f64]> {
        Some(&self.flow_series(flow)?.rate_bps)
    }

    /// The mean delivery rate of a flow.
    pub fn mean_rate(&self, flow: &str, window: Window) -> Option<f64> {
        self.mean_over(self.rates(flow)?, window)
    }

    /// The mean delivery rates of several flows.
    pub fn mean_rates<'a>(
        &self,
        flows: impl IntoIterator<Item = &'a str>,
        window: Window,
    ) -> Option<Vec<f64>> {
        flows.into_iter().map(|flow| self.mean_rate(flow, window)).collect()
    }

    /// The rate limit of a flow at the sample times; the line rate while it has no limiter.
    pub fn limits(&self, flow: &str, line: f64) -> Option<Vec<f64>> {
        Some(self.flow_series(flow)?.limit_bps.iter().map(|limit| limit.unwrap_or(line)).collect())
    }

    /// The number of notifications that a flow received.
    pub fn notifications(&self, flow: &str) -> Option<f64> {
        Some(self.flow(flow)?.notifications as f64)
    }

    /// The lengths of a queue, such as `left->right/3`, at the sample times.
    pub fn queue(&self, name: &str) -> Option<&[f64]> {
        Some(&self.queue_series(name)?.length_bytes)
    }

    /// The mean length of a queue.
    pub fn mean_queue(&self, name: &str, window: Window) -> Option<f64> {
        self.mean_over(self.queue(name)?, window)
    }

    /// The standard deviation of a queue's length.
    pub fn queue_std_dev(&self, name: &str, window: Window) -> Option<f64> {
        Some(self.moments_over(self.queue(name)?, window)?.deviation())
    }

    /// The range from the smallest to the largest sample of a queue.
    pub fn queue_range(&self, name: &str, window: Window) -> Option<f64> {
        let samples = self.over(self.queue(name)?, window)?;
        Some(largest(samples)? - smallest(samples)?)
    }

    /// The range from the 5th to the 95th percentile of a queue's samples.
    pub fn queue_percentiles(&self, name: &str, window: Window) -> Option<f64> {
        middle_range(self.over(self.queue(name)?, window)?)
    }

    /// A percentile of a queue's samples, such as 0.95.
    pub fn queue_percentile(&self, name: &str, window: Window, share: f64) -> Option<f64> {
        let mut sorted = self.over(self.queue(name)?, window)?.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        quantile(&sorted, share)
    }

    /// The largest length of a queue, including times between samples.
    pub fn queue_peak(&self, name: &str, window: Window) -> Option<f64> {
        largest(self.over(&self.queue_series(name)?.largest_bytes, window)?)
    }

    /// The share of a queue's samples that satisfy a test.
    pub fn queue_share(&self, name: &str, window: Window, test: impl Fn(f64) -> bool) -> Option<f64> {
        let samples = self.over(self.queue(name)?, window)?;
        Some(samples.iter().filter(|length| test(**length)).count() as f64 / samples.len() as f64)
    }

    /// The share of samples at which a queue is empty.
    pub fn queue_empty(&self, name: &str, window: Window) -> Option<f64> {
        self.queue_share(name, window, |length| length <= 0.0)
    }

    /// The share of time for which a port such as `left->right` is busy.
    pub fn utilisation(&self, port: &str, window: Window) -> Option<f64> {
        self.mean_over(&self.port_series(port)?.utilisation_share, window)
    }

    /// The mean, within a window, of values at the sample times.
    pub fn mean_over(&self, values: &[f64], window: Window) -> Option<f64> {
        Some(self.moments_over(values, window)?.mean)
    }

    /// Mean and standard deviation of values in a window; none if it has no samples.
    pub fn moments_over(&self, values: &[f64], window: Window) -> Option<Moments> {
        Some(Moments::of(self.over(values, window)?.iter().copied()))
    }

    /// The values in a window; none if it has no samples.
    pub fn over<'a, T>(&self, values: &'a [T], window: Window) -> Option<&'a [T]> {
        values.get(self.samples(window)).filter(|values| !values.is_empty())
    }

    /// Values with the times of their samples.
    pub fn timed(&self, values: &[f64]) -> Vec<(f64, f64)> {
        self.series.time_s.iter().copied().zip(values.iter().copied()).collect()
    }

    /// The interval between samples, in seconds.
    pub fn interval(&self) -> Option<f64> {
        self.series.time_s.first().copied()
    }

    /// The time from an instant until values satisfy a test and continue to satisfy it for `stay` seconds of the full
    /// version; none if they never do.
    pub fn settling(
        &self,
        values: &[f64],
        from: Moment,
        stay: f64,
        test: impl Fn(f64) -> bool,
    ) -> Option<f64> {
        let from = self.timeline.time(from);
        let later = self.timed(values).into_iter().filter(|(time, _)| *time > from);
        Some(lasting(later, self.timeline.scaled(stay), test)? - from)
    }

    /// The summary of a flow.
    pub fn flow(&self, name: &str) -> Option<&FlowSummary> {
        self.summary.flows.iter().find(|flow| flow.name == name)
    }

    /// The curves of a flow.
    pub fn flow_series(&self, name: &str) -> Option<&FlowSeries> {
        self.series.flows.iter().find(|series| series.name == name)
    }

    /// The curves of a port.
    pub fn port_series(&self, name: &str) -> Option<&PortSeries> {
        self.series.ports.iter().find(|series| series.name == name)
    }

    /// The summary of a port.
    pub fn port(&self, name: &str) -> Option<&PortSummary> {
        self.summary.ports.iter().find(|port| port.name == name)
    }

    /// The summary of a queue.
    pub fn queue_summary(&self, name: &str) -> Option<&QueueSummary> {
        self.summary.queues.iter().find(|queue| queue.name == name)
    }

    fn queue_series(&self, name: &str) -> Option<&QueueSeries> {
        self.series.queues.iter().find(|series| series.name == name)
    }
}

/// The first time from which values satisfy a test for at least `stay` seconds.
fn lasting(samples: impl Iterator<Item = (f64, f64)>, stay: f64, test: impl Fn(f64) -> bool) -> Option<f64> {
    let mut since = None;
    for (time, value) in samples {
        since = if test(value) { since.or(Some(time)) } else { None };
        if since.is_some_and(|since| time - since >= stay) {
            return since;
        }
    }
    None
}

/// The range from the 5th to the 95th percentile; none if there are no values.
fn middle_range(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    Some(quantile(&sorted, 0.95)? - quantile(&sorted, 0.05)?)
}

/// The mean of the values; none if there are no values.
pub(crate) fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| Moments::of(values.iter().copied()).mean)
}

pub(crate) fn smallest(values: &[f64]) -> Option<f64> {
    values.iter().copied().reduce(f64::min)
}

pub(crate) fn largest(values: &[f64]) -> Option<f64> {
    values.iter().copied().reduce(f64::max)
}

/// The smallest of several measurements; none if one is missing.
pub(crate) fn least(values: impl IntoIterator<Item = Option<f64>>) -> Option<f64> {
    smallest(&all(values)?)
}

/// The largest of several measurements; none if one is missing.
pub(crate) fn most(values: impl IntoIterator<Item = Option<f64>>) -> Option<f64> {
    largest(&all(values)?)
}

/// All of the given measurements; none if one is missing.
pub(crate) fn all(values: impl IntoIterator<Item = Option<f64>>) -> Option<Vec<f64>> {
    values.into_iter().collect()
}

/// The largest value divided by the smallest.
pub(crate) fn max_over_min(values: &[f64]) -> Option<f64> {
    Some(largest(values)? / smallest(values)?)
}

/// The largest relative deviation of a value from its share.
pub(crate) fn farthest(values: &[f64], shares: impl IntoIterator<Item = f64>) -> Option<f64> {
    values.iter().zip(shares).map(|(value, share)| (value / share - 1.0).abs()).reduce(f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_settled_where_they_stay_for_long_enough() {
        // The values are at or below 5 from 2 s to 3 s, and again from 5 s to the end.
        let values = [9.0, 8.0, 5.0, 4.0, 6.0, 5.0, 1.0, 2.0, 3.0];
        let samples = || values.iter().enumerate().map(|(time, value)| (time as f64, *value));
        let since = |stay| lasting(samples(), stay, |value| value <= 5.0);
        assert_eq!([0.0, 1.0, 3.0, 4.0].map(since), [Some(2.0), Some(2.0), Some(5.0), None]);
    }

    #[test]
    fn the_middle_range_leaves_out_a_twentieth_on_either_side() {
        // Of 0, 1, …, 100, the 5th percentile is 5 and the 95th is 95.
        let values: Vec<f64> = (0..=100).rev().map(f64::from).collect();
        assert!((middle_range(&values).unwrap() - 90.0).abs() < 1e-9);
        assert_eq!((middle_range(&[7.0]), middle_range(&[])), (Some(0.0), None));
    }

    #[test]
    fn distances() {
        assert_eq!(max_over_min(&[2.0, 3.0, 1.5]), Some(2.0));
        assert_eq!(farthest(&[2.0, 3.0, 1.5], [2.0; 3]), Some(0.5));
        assert_eq!((max_over_min(&[]), farthest(&[], [1.0])), (None, None));
        assert_eq!((least([Some(2.0), Some(1.0)]), most([Some(2.0), None])), (Some(1.0), None));
    }
}
