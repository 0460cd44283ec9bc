//! Slowdowns of messages as the authors define them: the time until the last acknowledgement, divided by the same time on an
//! empty network with frames that have only basic headers.
//!
//! This is not the quantity of the metrics `hpcc_slowdown_…`, which use the formula of the simulator: it counts 1000 B on every link in
//! addition to the whole message on the slowest one. Here, the standalone time is the exact one, with other headers.

use setpoint_record::results::MessageRecord;
use setpoint_record::statistics::quantile::quantile;

use super::choices::{ACKNOWLEDGED, SLOWDOWN};
use crate::prelude::*;

/// The data of a frame.
const DATA: f64 = 1_000.0;
/// The headers of a frame.
const HEADERS: f64 = 48.0;
/// Bits per byte.
const BITS: f64 = 8.0;

/// The frames of a case.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frames {
    /// The rate of the stations, in b/s.
    pub(super) rate: f64,
    /// The length of the reports in a frame.
    pub(super) reports: f64,
}

/// A message with its slowdown.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slowdown {
    pub(super) bytes: f64,
    pub(super) factor: f64,
}

/// The messages of a case that the measurement covers, except those of incasts, in order of size. The slowdown of a message
/// that was not completed is a lower bound.
pub(super) fn slowdowns(seed: &Seed<'_>, case: &str, frames: Frames) -> Option<Vec<Slowdown>> {
    let run = seed.run(case);
    let until_acknowledged = seed.reads(&SLOWDOWN, ACKNOWLEDGED);
    let is_measured = |message: &&MessageRecord| {
        run.summary.measures_message(message.offered_s)
            && run.summary.flows.get(message.flow).is_some_and(|flow| !flow.name.starts_with("incast"))
    };
    let slowdown = |message: &MessageRecord| {
        let fct = message.fct_s.unwrap_or(run.summary.duration_s - message.offered_s);
        let bytes = message.size_bytes as f64;
        Slowdown { bytes, factor: frames.slowdown(bytes, fct, message.ideal_s, until_acknowledged) }
    };
    let mut all: Vec<Slowdown> = run.messages.iter().filter(is_measured).map(slowdown).collect();
    all.sort_by(|one, other| one.bytes.total_cmp(&other.bytes));
    (!all.is_empty()).then_some(all)
}

impl Frames {
    /// The slowdown of a message with a completion time and one on an empty network, both until its last byte is delivered.
    /// The return path takes as long as the forward path without the transmission at the station.
    pub(super) fn slowdown(self, bytes: f64, fct: f64, ideal: f64, until_acknowledged: bool) -> f64 {
        let frames = (bytes / DATA).ceil();
        let sent = |per_frame: f64| (bytes + frames * per_frame) * BITS / self.rate;
        let with_reports = sent(HEADERS + self.reports);
        let way = (ideal - with_reports).max(0.0);
        let back = if until_acknowledged { way } else { 0.0 };
        ((fct + back) / (sent(HEADERS) + way + back)).max(1.0)
    }
}

/// The 95th percentile of the slowdowns of messages within a range of sizes; none if there are fewer than 20.
pub(super) fn percentile<'a>(
    messages: impl IntoIterator<Item = &'a Slowdown>,
    sizes: std::ops::Range<f64>,
) -> Option<f64> {
    let within = messages.into_iter().filter(|message| sizes.contains(&message.bytes));
    let mut factors: Vec<f64> = within.map(|message| message.factor).collect();
    factors.sort_unstable_by(f64::total_cmp);
    if factors.len() < 20 { None } else { quantile(&factors, 0.95) }
}

/// 95th percentiles by size, for a figure: messages in order of size, in groups of equal number, each at its largest size.
pub(super) fn curve(messages: &[Slowdown]) -> Vec<(f64, f64)> {
    const GROUPS: usize = 20;
    let group = messages.len().div_ceil(GROUPS).max(20);
    let point = |group: &[Slowdown]| Some((group.last()?.bytes, percentile(group, 0.0..f64::INFINITY)?));
    messages.chunks(group).filter_map(point).collect()
}

/// A figure of 95th percentiles by size for several cases.
pub(super) fn figure(seed: Seed<'_>, (name, title): (&str, &str), cases: &[(&str, &str, Frames)]) -> Figure {
    let curves: Vec<(&str, Vec<(f64, f64)>)> = cases
        .iter()
        .filter_map(|(case, label, frames)| Some((*label, curve(&slowdowns(&seed, case, *frames)?))))
        .filter(|(_, points)| !points.is_empty())
        .collect();
    let points = || curves.iter().flat_map(|(_, points)| points);
    let range = |of: fn(&(f64, f64)) -> f64, usual: (f64, f64)| {
        let values: Vec<f64> = points().map(of).collect();
        smallest(&values).zip(largest(&values)).filter(|(low, high)| low < high).unwrap_or(usual)
    };
    let x = Axis::logarithmic("Size", Unit::Bytes, range(|point| point.0, (100.0, 1e7)));
    let y = Axis::logarithmic("Slowdown, 95th percentile", Unit::Ratio, range(|point| point.1, (1.0, 10.0)));
    let mut figure = Figure::new(name, title, x, y);
    for (index, (label, points)) in curves.into_iter().enumerate() {
        figure.marks.push(line(label, Colour::Series(index), Shape::Straight, points));
    }
    figure.alternative = format!("{title}: 95th percentiles of the slowdown by message size.");
    figure
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2000 B in two frames of 1090 B take 174.4 ns at 100 Gb/s, and 167.68 ns without reports; the path adds 6 us.
    #[test]
    fn slowdowns_by_hand() {
        let frames = Frames { rate: 100e9, reports: 42.0 };
        let ideal = 174.4e-9 + 6e-6;
        let near = |one: f64, other: f64| (one / other - 1.0).abs() < 1e-9;
        let basic = 167.68e-9;
        assert!(near(frames.slowdown(2_000.0, 12e-6, ideal, false), 12e-6 / (basic + 6e-6)));
        assert!(near(frames.slowdown(2_000.0, 12e-6, ideal, true), 18e-6 / (basic + 12e-6)));
        assert!(near(frames.slowdown(2_000.0, 0.0, ideal, false), 1.0), "never below one");
    }

    #[test]
    fn percentiles_need_twenty_messages_in_the_range() {
        let messages: Vec<Slowdown> =
            (1..=40).map(|n| Slowdown { bytes: f64::from(n), factor: f64::from(n) }).collect();
        assert_eq!(percentile(&messages, 1.0..20.0), None);
        assert_eq!(percentile(&messages, 1.0..22.0), Some(20.0));
        // Two groups of 20, each at its largest size.
        assert_eq!(curve(&messages), [(20.0, 19.05), (40.0, 39.05)]);
    }
}
