//! What the claims measure.

use setpoint_lab::metrics::moments::Moments;

use super::Phase;
use crate::runs::{Run, mean};

/// A flow that has an input to itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sender {
    pub(super) flow: &'static str,
    /// The port of its station.
    pub(super) port: &'static str,
}

/// The senders of figure 2, in the order of the paper's numbers.
pub(super) const SENDERS: [Sender; 5] = [
    Sender { flow: "f1", port: "h1->leaf1.1" },
    Sender { flow: "f2", port: "h6->leaf1.2" },
    Sender { flow: "f3", port: "h11->leaf1.3" },
    Sender { flow: "f4", port: "h16->leaf1.4" },
    Sender { flow: "f5", port: "h21->leaf1.5" },
];

/// Length of a frame with preamble and gap, over its length.
const RAW: f64 = 1542.0 / 1522.0;

/// What a flow delivers in each sample, with preamble and gap.
pub(super) fn delivered(run: &Run, flow: &str) -> Option<Vec<f64>> {
    Some(run.rates(flow)?.iter().map(|rate| rate * RAW).collect())
}

/// The mean of what a flow delivers in a phase, with preamble and gap.
pub(super) fn rate(run: &Run, flow: &str, phase: Phase) -> Option<f64> {
    Some(run.rate_between(flow, phase.0, phase.1)? * RAW)
}

/// What arrives at the input of a sender in each sample: how busy its link is, preamble and gap included.
pub(super) fn arrivals(run: &Run, port: &str, line: f64) -> Option<Vec<f64>> {
    let series = run.series.ports.iter().find(|series| series.name == port)?;
    Some(series.utilisation_share.iter().map(|share| share * line).collect())
}

/// The mean of what arrives at the input of each sender in a phase.
pub(super) fn arriving(run: &Run, senders: &[Sender], line: f64, phase: Phase) -> Option<Vec<f64>> {
    let of =
        |sender: &Sender| mean(arrivals(run, sender.port, line)?.get(run.window_between(phase.0, phase.1))?);
    senders.iter().map(of).collect()
}

/// The largest over the smallest.
pub(super) fn spread(rates: &[f64]) -> Option<f64> {
    let largest = rates.iter().copied().reduce(f64::max)?;
    Some(largest / rates.iter().copied().reduce(f64::min)?)
}

/// How far any is from a share, as a part of the share: the farthest.
pub(super) fn farthest(rates: &[f64], share: f64) -> Option<f64> {
    rates.iter().map(|rate| (rate / share - 1.0).abs()).reduce(f64::max)
}

/// The standard deviation of samples in a phase, as a part of their mean.
pub(super) fn fluctuation(run: &Run, samples: &[f64], phase: Phase) -> Option<f64> {
    let samples = samples.get(run.window_between(phase.0, phase.1)).filter(|samples| !samples.is_empty())?;
    let moments = Moments::of(samples.iter().copied());
    Some(moments.deviation() / moments.mean)
}

/// The rate limit of a flow at each sample; without a limiter, the rate of its line.
pub(super) fn limits(run: &Run, flow: &str, line: f64) -> Option<Vec<f64>> {
    let series = run.series.flows.iter().find(|series| series.name == flow)?;
    Some(series.limit_bps.iter().map(|limit| limit.unwrap_or(line)).collect())
}

/// The distance from the lowest to the highest sample of a queue in a phase.
pub(super) fn amplitude(run: &Run, queue: &str, phase: Phase) -> Option<f64> {
    let samples = run.queue(queue)?.get(run.window_between(phase.0, phase.1))?;
    let highest = samples.iter().copied().reduce(f64::max)?;
    Some(highest - samples.iter().copied().reduce(f64::min)?)
}

/// The notifications that a flow has had.
pub(super) fn notifications(run: &Run, flow: &str) -> Option<f64> {
    let summary = run.summary.flows.iter().find(|summary| summary.name == flow)?;
    Some(summary.notifications as f64)
}

/// When values, from an instant on, are at or below a bound for so long: the time since the instant, in the first place
/// where they stay.
pub(super) fn stays_below(
    samples: impl Iterator<Item = (f64, f64)>,
    from: f64,
    bound: f64,
    stay: f64,
) -> Option<f64> {
    let mut since = None;
    for (time, value) in samples.filter(|(time, _)| *time > from) {
        since = if value <= bound { since.or(Some(time)) } else { None };
        if since.is_some_and(|since| time - since >= stay) {
            return since.map(|since| since - from);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_has_settled_where_it_stays_for_long_enough() {
        // At or below 5 from 2 s for one second only, and from 5 s on.
        let values = [9.0, 8.0, 5.0, 4.0, 6.0, 5.0, 1.0, 2.0, 3.0];
        let samples = || values.iter().enumerate().map(|(time, value)| (time as f64, *value));
        assert_eq!(stays_below(samples(), 0.5, 5.0, 0.0), Some(1.5));
        assert_eq!(stays_below(samples(), 0.5, 5.0, 1.0), Some(1.5));
        assert_eq!(stays_below(samples(), 0.5, 5.0, 3.0), Some(4.5));
        assert_eq!(stays_below(samples(), 0.5, 5.0, 4.0), None);
    }

    #[test]
    fn distances() {
        assert_eq!(spread(&[2.0, 3.0, 1.5]), Some(2.0));
        assert_eq!(farthest(&[2.0, 3.0, 1.5], 2.0), Some(0.5));
        assert_eq!((spread(&[]), farthest(&[], 1.0)), (None, None));
    }
}
