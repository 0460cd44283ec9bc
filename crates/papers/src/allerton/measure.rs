//! What the claims measure.

use setpoint_lab::theory::oscillation;

use super::{BUFFER, PORT, Phase, QUEUE, TARGET};
use crate::runs::{Run, mean};

/// The largest length of a queue in a phase, between samples too.
pub(super) fn peak(run: &Run, queue: &str, phase: Phase) -> Option<f64> {
    let series = run.series.queues.iter().find(|series| series.name == queue)?;
    series.largest_bytes.get(run.window_between(phase.0, phase.1))?.iter().copied().reduce(f64::max)
}

/// The largest length of the bottleneck's queue in a phase, as a share of its buffer. Where it is less than one by more
/// than a frame, nothing was dropped.
pub(super) fn filled(run: &Run, phase: Phase) -> Option<f64> {
    Some(peak(run, QUEUE, phase)? / BUFFER)
}

/// Mean length of the bottleneck's queue in a phase.
pub(super) fn level(run: &Run, phase: Phase) -> Option<f64> {
    run.queue_mean_between(QUEUE, phase.0, phase.1)
}

/// Standard deviation of the bottleneck's queue in a phase.
pub(super) fn swing(run: &Run, phase: Phase) -> Option<f64> {
    run.queue_deviation_between(QUEUE, phase.0, phase.1)
}

/// Share of the samples of the bottleneck's queue in a phase that are zero.
pub(super) fn empty(run: &Run, phase: Phase) -> Option<f64> {
    run.queue_empty_between(QUEUE, phase.0, phase.1)
}

/// Share of a phase in which the bottleneck is busy.
pub(super) fn used(run: &Run, phase: Phase) -> Option<f64> {
    run.utilisation_between(PORT, phase.0, phase.1)
}

/// The least swing that counts as an oscillation: a hundredth of the set point.
const LEAST_SWING: f64 = TARGET / 100.0;

/// The period with which samples of a queue oscillate; none where they do not.
pub(super) fn period(samples: &[f64], interval_s: f64) -> Option<f64> {
    oscillation::period(samples, interval_s, LEAST_SWING)
}

/// The sum of the rate limits of all flows at each sample; a flow without a limiter counts with its line.
pub(super) fn limits(run: &Run, line: f64) -> Vec<f64> {
    let flow = |series: &setpoint_lab::results::FlowSeries, index: usize| {
        series.limit_bps.get(index).copied().flatten().unwrap_or(line)
    };
    let sum = |index| run.series.flows.iter().map(|series| flow(series, index)).sum();
    (0..run.series.time_s.len()).map(sum).collect()
}

/// What all flows deliver together at each sample.
pub(super) fn delivered(run: &Run) -> Vec<f64> {
    let sum = |index: usize| run.series.flows.iter().map(|series| series.rate_bps[index]).sum();
    (0..run.series.time_s.len()).map(sum).collect()
}

/// The mean of some values of a run in a phase.
pub(super) fn mean_in(run: &Run, values: &[f64], phase: Phase) -> Option<f64> {
    mean(values.get(run.window_between(phase.0, phase.1))?)
}

/// A band that values are to come to and stay in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Band {
    pub(super) low: f64,
    pub(super) high: f64,
}

/// The time after which the running mean of values over a window is in a band, until the end: in samples from the
/// first. As many as there are where it is not at the end.
pub(super) fn settled(values: &[f64], window: usize, band: Band) -> usize {
    let inside = |mean: f64| (band.low..=band.high).contains(&mean);
    let windows: Vec<bool> =
        values.windows(window.max(1)).map(|part| inside(mean(part).unwrap_or(f64::NAN))).collect();
    match windows.iter().rposition(|inside| !inside) {
        _ if windows.is_empty() => values.len(),
        None => 0,
        Some(last) if last + 1 == windows.len() => values.len(),
        Some(last) => last + 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_settled_where_their_running_mean_stays() {
        let band = Band { low: 4.0, high: 6.0 };
        let values = [9.0, 5.0, 1.0, 9.0, 5.0, 5.0, 3.0, 7.0];
        assert_eq!(settled(&values, 2, band), 4, "of 7, 3, 5, 7, 5, 4, 5");
        assert_eq!(settled(&values, 1, band), 8, "7 is outside");
        assert_eq!(settled(&values[4..6], 1, band), 0);
        assert_eq!(settled(&values[..1], 2, band), 1, "nothing to look at");
    }
}
