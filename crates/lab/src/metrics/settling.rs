//! Settling time: how long after an event the bottleneck was steady again.
//!
//! Watched are the length `q` of the busiest queue ([`Summary::watched_queue`](crate::results::Summary::watched_queue))
//! and the throughput `x` of its port, both as means over a sliding window of `W` (ten sample intervals, at least
//! 10 ms), since a queue under quantised feedback never stands still. An event at `t₀` is followed
//! by the segment `[t₀, t₁[`, with `t₁` the next event or the end of the run. The run has
//! **settled at `t`** if every window that begins at or after `t` and ends within the segment has
//!
//! * its mean of `q` within 50 % of the reference, or within two full frames of it where that is
//!   more;
//! * its mean of `x` within 5 % of the mean of `x` in the last quarter of the segment (at least one
//!   window).
//!
//! The reference is the set point of the queue's congestion point, if that sent a notification in the
//! last quarter. If not, the loop is open (there is nothing to slow down: a
//! port with room to spare keeps its queue empty), and the reference is the mean of `q` in the last
//! quarter. A queue whose congestion point sent no notification in the whole run is not watched at all, and
//! the run has no settling times: nothing was there to settle.
//!
//! The settling time is `t - t₀` for the earliest such `t`, at the resolution of the sample
//! interval. There is none if less than `2 W` of the segment is left after `t`: a queue that
//! crosses its band just before the end has not settled. Windows look forward from `t`, so that the
//! window's own length does not count as settling, and never reach back before the event.
//!
//! The definition is that of control engineering (enter a band and stay in it), with a band in
//! proportion to the set point rather than to a step, because the events (more senders, another
//! port rate) do not change the set point. It is wide because the queue is noisy: its lengths are
//! sampled, and under QCN they deviate by some quarter of the set point in the steady state, so that a
//! mean of ten samples leaves the band only when the queue has moved. The disturbances are much
//! larger (a full buffer, an empty queue). A steady offset of more than the band means "never".

use std::ops::Range;

/// Half the width of the band of the queue, relative to its reference.
pub const QUEUE_BAND: f64 = 0.5;
/// Half the width of the band of the throughput, relative to its final mean.
pub const THROUGHPUT_BAND: f64 = 0.05;
/// The band of the queue is never narrower than this many frames to either side.
pub const QUEUE_BAND_FRAMES: f64 = 2.0;

/// The signals of the bottleneck: one entry per sample interval, equally long.
#[derive(Clone, Copy, Debug)]
pub struct Bottleneck<'a> {
    /// Length of the queue in bytes.
    pub queue: &'a [f64],
    /// Throughput of its port, in any unit.
    pub throughput: &'a [f64],
    /// Notifications of its congestion point.
    pub notifications: &'a [u32],
    /// Set point in bytes, if there is one.
    pub set_point: Option<f64>,
    /// Length of the longest frame in bytes.
    pub frame: f64,
    /// Length of the sliding window in samples, at least one.
    pub window: usize,
}

impl Bottleneck<'_> {
    /// The samples from the beginning of a segment until it has settled; none where it never does.
    #[must_use]
    pub fn settling(&self, segment: Range<usize>) -> Option<usize> {
        let length = segment.len();
        if length < 2 * self.window {
            return None;
        }
        let tail = segment.end - (length / 4).max(self.window)..segment.end;
        let queue_band = self.queue_band(tail.clone());
        let throughput_band = Band::relative(mean(&self.throughput[tail]), THROUGHPUT_BAND);
        let settled = last_outside(&self.queue[segment.clone()], self.window, queue_band)
            .max(last_outside(&self.throughput[segment], self.window, throughput_band))
            .map_or(0, |window| window + 1);
        (length - settled >= 2 * self.window).then_some(settled)
    }

    fn queue_band(&self, tail: Range<usize>) -> Band {
        let closed_loop = self.notifications[tail.clone()].iter().any(|&sent| sent > 0);
        let set_point = self.set_point.filter(|_| closed_loop);
        let centre = set_point.unwrap_or_else(|| mean(&self.queue[tail]));
        let reach = (QUEUE_BAND * centre).max(QUEUE_BAND_FRAMES * self.frame);
        Band { centre, reach }
    }
}

#[derive(Clone, Copy, Debug)]
struct Band {
    centre: f64,
    reach: f64,
}

impl Band {
    fn relative(centre: f64, share: f64) -> Self {
        Self { centre, reach: centre.abs() * share }
    }

    /// Sums of floats are not exact: a mean on the edge is inside.
    fn holds(self, value: f64) -> bool {
        (value - self.centre).abs() <= self.reach + 1e-9 * self.centre.abs()
    }
}

/// The beginning of the last window whose mean lies outside the band.
fn last_outside(signal: &[f64], window: usize, band: Band) -> Option<usize> {
    (0..=signal.len() - window).rev().find(|&begin| !band.holds(mean(&signal[begin..begin + window])))
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOW: usize = 10;

    fn watch<'a>(queue: &'a [f64], throughput: &'a [f64], set_point: Option<f64>) -> Bottleneck<'a> {
        Bottleneck { queue, throughput, notifications: &[1; 200], set_point, frame: 1_500.0, window: WINDOW }
    }

    /// `before` samples of one value, then of another, 200 in all.
    fn step(before: usize, from: f64, to: f64) -> Vec<f64> {
        (0..200).map(|sample| if sample < before { from } else { to }).collect()
    }

    #[test]
    fn a_queue_at_its_set_point_has_settled_at_once() {
        let (queue, full) = (vec![26e3; 200], vec![1.0; 200]);
        assert_eq!(watch(&queue, &full, Some(26e3)).settling(0..200), Some(0));
        assert_eq!(watch(&queue, &full, None).settling(50..200), Some(0));
    }

    #[test]
    fn a_step_settles_when_the_window_is_mostly_past_it() {
        // Band 13 kB to 39 kB. A window with k of 10 samples at 60 kB has the mean 26 + 3.4 k kB,
        // which is inside for k = 3 and outside for k = 4: the last outside begins 4 before the step.
        let (queue, full) = (step(80, 60e3, 26e3), vec![1.0; 200]);
        assert_eq!(watch(&queue, &full, Some(26e3)).settling(0..200), Some(77));
        // Seen from an event at sample 60.
        assert_eq!(watch(&queue, &full, Some(26e3)).settling(60..200), Some(17));
    }

    #[test]
    fn throughput_must_settle_too() {
        // 5 % of 1.0; one sample of 0.4 in ten gives 0.94, outside: the last outside begins at 119.
        let (queue, recovering) = (vec![26e3; 200], step(120, 0.4, 1.0));
        assert_eq!(watch(&queue, &recovering, Some(26e3)).settling(0..200), Some(120));
    }

    #[test]
    fn an_exponential_approach_settles_when_it_enters_the_band() {
        // Decay from 126 kB with a time constant of 20 samples: the mean of a window of 10 that begins
        // at t is 26 + 0.807 · 100 exp(-t/20), which is 39 at t = 36.5.
        let queue: Vec<f64> = (0..200).map(|t| 26e3 + 100e3 * (-f64::from(t) / 20.0).exp()).collect();
        assert_eq!(watch(&queue, &[1.0; 200], Some(26e3)).settling(0..200), Some(37));
    }

    #[test]
    fn an_oscillation_within_the_window_is_averaged_and_a_slow_one_is_not() {
        let swing = |period: usize| -> Vec<f64> {
            (0..200).map(|t| if t % period < period / 2 { 0.0 } else { 52e3 }).collect()
        };
        let full = vec![1.0; 200];
        assert_eq!(watch(&swing(10), &full, Some(26e3)).settling(0..200), Some(0));
        assert_eq!(watch(&swing(80), &full, Some(26e3)).settling(0..200), None);
    }

    #[test]
    fn a_steady_offset_from_the_set_point_never_settles() {
        let (queue, full) = (vec![60e3; 200], vec![1.0; 200]);
        assert_eq!(watch(&queue, &full, Some(26e3)).settling(0..200), None);
        assert_eq!(watch(&queue, &full, None).settling(0..200), Some(0), "no set point: its own mean");
    }

    #[test]
    fn a_queue_that_needs_no_control_rests_where_it_likes() {
        let (queue, light) = (step(50, 60e3, 0.0), vec![0.4; 200]);
        let mut notifications = [0; 200];
        notifications[..50].fill(1);
        let quiet = Bottleneck { notifications: &notifications, ..watch(&queue, &light, Some(26e3)) };
        // No notification at the end: the reference is 0, the band two frames, 3 kB. One sample of 60 kB in
        // a window of ten is outside.
        assert_eq!(quiet.settling(0..200), Some(50));
        assert_eq!(watch(&queue, &light, Some(26e3)).settling(0..200), None);
    }

    #[test]
    fn a_short_segment_or_a_late_arrival_proves_nothing() {
        let (queue, full) = (step(185, 100e3, 26e3), vec![1.0; 200]);
        assert_eq!(watch(&queue, &full, Some(26e3)).settling(0..200), None);
        assert_eq!(watch(&queue, &full, Some(26e3)).settling(0..19), None);
        assert_eq!(watch(&queue, &full, Some(26e3)).settling(100..100), None);
    }

    #[test]
    fn an_idle_bottleneck_is_steady() {
        let idle = vec![0.0; 200];
        assert_eq!(watch(&idle, &idle, None).settling(0..200), Some(0));
    }
}
