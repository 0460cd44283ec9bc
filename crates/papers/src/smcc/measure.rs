//! What the claims measure on a queue.

use super::{Phase, TARGET};
use crate::runs::Run;

/// The standard deviation of a queue's samples in a phase.
pub(super) fn swing(run: &Run, queue: &str, phase: Phase) -> Option<f64> {
    run.queue_deviation_between(queue, phase.0, phase.1)
}

/// The distance from the lowest to the highest sample of a queue in a phase.
pub(super) fn amplitude(run: &Run, queue: &str, phase: Phase) -> Option<f64> {
    let samples = samples(run, queue, phase)?;
    let highest = samples.iter().copied().reduce(f64::max)?;
    Some(highest - samples.iter().copied().reduce(f64::min)?)
}

/// The mean of a queue's samples in a phase.
pub(super) fn level(run: &Run, queue: &str, phase: Phase) -> Option<f64> {
    run.queue_mean_between(queue, phase.0, phase.1)
}

/// The share of a queue's samples in a phase that are within a distance of a value.
pub(super) fn near(run: &Run, queue: &str, phase: Phase, (value, distance): (f64, f64)) -> Option<f64> {
    let samples = samples(run, queue, phase).filter(|samples| !samples.is_empty())?;
    let inside = samples.iter().filter(|sample| (*sample - value).abs() <= distance).count();
    Some(inside as f64 / samples.len() as f64)
}

/// How many samples are zero from the first on that is above the set point.
pub(super) fn emptied(run: &Run, queue: &str) -> Option<f64> {
    let lengths = run.queue(queue)?;
    let filled = lengths.iter().position(|length| *length > TARGET)?;
    Some(lengths[filled..].iter().filter(|length| **length <= 0.0).count() as f64)
}

/// The time in which a queue is empty, until the last frame of all flows is there.
pub(super) fn empty_time(run: &Run, queue: &str) -> Option<f64> {
    let lengths = run.queue(queue)?.get(..sending(run))?;
    Some(lengths.iter().filter(|length| **length <= 0.0).count() as f64 * interval(run)?)
}

/// The time in which a port is idle, until the last frame of all flows is there.
pub(super) fn idle_time(run: &Run, port: &str) -> Option<f64> {
    let series = run.series.ports.iter().find(|series| series.name == port)?;
    let shares = series.utilisation_share.get(..sending(run))?;
    Some(shares.iter().map(|share| 1.0 - share).sum::<f64>() * interval(run)?)
}

/// The number of samples until the last in which a flow delivers.
fn sending(run: &Run) -> usize {
    let last = |rates: &[f64]| rates.iter().rposition(|rate| *rate > 0.0).map_or(0, |place| place + 1);
    run.series.flows.iter().map(|flow| last(&flow.rate_bps)).max().unwrap_or(0)
}

/// The time between two samples.
fn interval(run: &Run) -> Option<f64> {
    run.series.time_s.first().copied()
}

/// How long the queue must stay near its set point to have settled, in the full experiment.
const STAY_S: f64 = 0.1;

/// The time after which a queue stays within half of its set point to either side for a tenth of a second; the
/// whole run if it never does.
pub(super) fn response(run: &Run, queue: &str) -> Option<f64> {
    let samples = run.series.time_s.iter().copied().zip(run.queue(queue)?.iter().copied());
    Some(settled(samples, run.time(STAY_S)).unwrap_or(run.summary.duration_s))
}

/// The time from which the queue stays near its set point for so long.
fn settled(samples: impl Iterator<Item = (f64, f64)>, stay: f64) -> Option<f64> {
    let mut since = None;
    for (time, length) in samples {
        let is_near = (length - TARGET).abs() <= TARGET / 2.0;
        since = if is_near { since.or(Some(time)) } else { None };
        if since.is_some_and(|since| time - since >= stay) {
            return since;
        }
    }
    None
}

fn samples<'a>(run: &'a Run, queue: &str, phase: Phase) -> Option<&'a [f64]> {
    run.queue(queue)?.get(run.window_between(phase.0, phase.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queue_has_settled_where_it_stays_for_long_enough() {
        // Within 32 to 96 kB from 2 s, for one second only, and from 5 s on.
        let lengths = [128e3, 100e3, 96e3, 60e3, 20e3, 32e3, 64e3, 70e3, 64e3];
        let samples = || lengths.iter().enumerate().map(|(time, length)| (time as f64, *length));
        assert_eq!(settled(samples(), 1.0), Some(2.0));
        assert_eq!(settled(samples(), 3.0), Some(5.0));
        assert_eq!(settled(samples(), 4.0), None);
    }
}
