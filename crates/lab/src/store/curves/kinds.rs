//! The curves of flows, queues and ports.

use super::Curves;
use crate::results::{FlowSeries, PortSeries, QueueSeries};

impl Curves for FlowSeries {
    const HEADER: &'static [&'static str] = &["time_s", "flow", "rate_bps", "limit_bps", "notifications"];

    fn name(&self) -> &str {
        &self.name
    }

    fn set_name(&mut self, name: &str) {
        name.clone_into(&mut self.name);
    }

    fn lengths(&self) -> [usize; 3] {
        [self.rate_bps.len(), self.limit_bps.len(), self.notifications.len()]
    }

    fn changes(&self, sample: usize) -> bool {
        let limit = |sample: usize| self.limit_bps[sample].map(f64::to_bits);
        differs(&self.rate_bps, sample)
            || limit(sample) != limit(sample - 1)
            || self.notifications[sample] != self.notifications[sample - 1]
    }

    fn cells(&self, sample: usize, row: &mut Vec<String>) {
        row.push(self.rate_bps[sample].to_string());
        row.push(self.limit_bps[sample].map_or_else(String::new, |limit| limit.to_string()));
        row.push(self.notifications[sample].to_string());
    }

    fn push(&mut self, cells: &[&str]) -> Option<()> {
        let [rate, limit, notifications] = cells else { return None };
        self.rate_bps.push(rate.parse().ok()?);
        self.limit_bps.push(if limit.is_empty() { None } else { Some(limit.parse().ok()?) });
        self.notifications.push(notifications.parse().ok()?);
        Some(())
    }

    fn hold(&mut self, samples: usize) {
        hold(&mut self.rate_bps, samples);
        hold(&mut self.limit_bps, samples);
        hold(&mut self.notifications, samples);
    }
}

impl Curves for QueueSeries {
    const HEADER: &'static [&'static str] =
        &["time_s", "queue", "length_bytes", "largest_bytes", "notifications"];

    fn name(&self) -> &str {
        &self.name
    }

    fn set_name(&mut self, name: &str) {
        name.clone_into(&mut self.name);
    }

    fn lengths(&self) -> [usize; 3] {
        [self.length_bytes.len(), self.largest_bytes.len(), self.notifications.len()]
    }

    fn changes(&self, sample: usize) -> bool {
        differs(&self.length_bytes, sample)
            || differs(&self.largest_bytes, sample)
            || self.notifications[sample] != self.notifications[sample - 1]
    }

    fn cells(&self, sample: usize, row: &mut Vec<String>) {
        row.push(self.length_bytes[sample].to_string());
        row.push(self.largest_bytes[sample].to_string());
        row.push(self.notifications[sample].to_string());
    }

    fn push(&mut self, cells: &[&str]) -> Option<()> {
        let [length, largest, notifications] = cells else { return None };
        self.length_bytes.push(length.parse().ok()?);
        self.largest_bytes.push(largest.parse().ok()?);
        self.notifications.push(notifications.parse().ok()?);
        Some(())
    }

    fn hold(&mut self, samples: usize) {
        hold(&mut self.length_bytes, samples);
        hold(&mut self.largest_bytes, samples);
        hold(&mut self.notifications, samples);
    }
}

impl Curves for PortSeries {
    const HEADER: &'static [&'static str] = &["time_s", "port", "utilisation_share", "paused_share"];

    fn name(&self) -> &str {
        &self.name
    }

    fn set_name(&mut self, name: &str) {
        name.clone_into(&mut self.name);
    }

    fn lengths(&self) -> [usize; 3] {
        let (utilisation, paused) = (self.utilisation_share.len(), self.paused_share.len());
        [utilisation, paused, utilisation]
    }

    fn changes(&self, sample: usize) -> bool {
        differs(&self.utilisation_share, sample) || differs(&self.paused_share, sample)
    }

    fn cells(&self, sample: usize, row: &mut Vec<String>) {
        row.push(self.utilisation_share[sample].to_string());
        row.push(self.paused_share[sample].to_string());
    }

    fn push(&mut self, cells: &[&str]) -> Option<()> {
        let [utilisation, paused] = cells else { return None };
        self.utilisation_share.push(utilisation.parse().ok()?);
        self.paused_share.push(paused.parse().ok()?);
        Some(())
    }

    fn hold(&mut self, samples: usize) {
        hold(&mut self.utilisation_share, samples);
        hold(&mut self.paused_share, samples);
    }
}

/// Whether a value differs from the previous one in any bit: 0 and -0 differ.
fn differs(curve: &[f64], sample: usize) -> bool {
    curve[sample].to_bits() != curve[sample - 1].to_bits()
}

/// Repeats the last value, if there is one.
fn hold<T: Clone>(curve: &mut Vec<T>, samples: usize) {
    if let Some(last) = curve.last().cloned() {
        curve.resize(samples.max(curve.len()), last);
    }
}
