//! Settling time: how long after an event a queue takes to reach its set point and stay there.
//!
//! An event at `t₀` is followed by the segment `[t₀, t₁[`, with `t₁` the next event or the end of the run. A window is
//! [`WINDOW`] long, but no longer than a tenth of the segment, in whole sample intervals. The queue has **settled at
//! `t`** if in every window that begins at or after `t` and ends within the segment
//!
//! * the time-weighted mean of its length is within [`BAND`] of the set point, or within one frame of it, if that is
//!   more;
//! * its port is loaded: it transmits for at least [`LOADED`] of the time during which it is not paused, so that
//!   congestion control, not a lack of traffic, determines the queue (not required for an input buffer, which is
//!   drained by the links behind it);
//! * the buffer is not full: the queue stays at least one frame below its limit, if it has one.
//!
//! The settling time is `t - t₀` for the earliest such `t`, to within one sample interval, provided
//! that at least a quarter of the segment and two windows remain after it: a queue that wanders
//! through its band and happens to be in it at the end has not settled. Otherwise the queue has
//! **not settled**, and [`Unsettled`] is the first of these reasons that applies: no set point,
//! segment too short (fewer than [`SHORTEST`] intervals), buffer full (in the last two windows), port
//! not loaded (on average over the last two windows), left the band again, never within the band.
//!
//! This is the usual definition in control engineering (enter a band and stay in it), with a band in proportion to the
//! set point rather than to a step, because the events (more senders, another port rate) do not change the set point.
//! Windows look forward from `t`, so that the length of a window does not count as settling, and never reach back
//! before the event.

use std::ops::Range;

use setpoint_units::TimeDelta;

use super::axis::Axis;
use crate::results::Unsettled;

/// Half the width of the band, relative to the set point.
pub const BAND: f64 = 0.1;
/// The length of a window in long segments.
pub const WINDOW: TimeDelta = TimeDelta::from_millis(10);
/// The minimum share of the time for which a port must transmit to count as loaded.
pub const LOADED: f64 = 0.95;
/// The smallest number of sample intervals in which settling can be observed.
pub const SHORTEST: usize = 10;

/// The signals of a queue and its port: one entry per sample interval, equally long.
#[derive(Clone, Debug)]
pub struct Watched {
    /// Mean length of the queue in each interval, in bytes.
    pub mean: Vec<f64>,
    /// Largest length in each interval, in bytes.
    pub largest: Vec<f64>,
    /// The limit of the queue in bytes, if frames beyond it are dropped.
    pub limit: Option<f64>,
    /// The share of each interval for which its port transmits, and for which it may transmit; none for an input
    /// buffer.
    pub port: Option<(Vec<f64>, Vec<f64>)>,
    /// Set point in bytes, if there is one.
    pub set_point: Option<f64>,
    /// Length of the longest frame in bytes.
    pub frame: f64,
}

impl Watched {
    /// The number of samples from the beginning of a segment until the queue has settled.
    ///
    /// # Errors
    /// If it has not settled: the reason.
    pub fn settling(&self, segment: Range<usize>, axis: &Axis) -> Result<usize, Unsettled> {
        let set_point = self.set_point.ok_or(Unsettled::NoSetPoint)?;
        let length = segment.len();
        if length < SHORTEST {
            return Err(Unsettled::SegmentTooShort);
        }
        let window = window(axis.interval, length);
        let means: Vec<f64> = sliding(&self.mean[segment.clone()], window);
        let reach = (BAND * set_point).max(self.frame);
        // Sums of floats are not exact: a mean on the edge counts as inside.
        let inside = |mean: f64| (mean - set_point).abs() <= reach + 1e-9 * set_point;
        let steady = |begin: usize| {
            let place = segment.start + begin..segment.start + begin + window;
            inside(means[begin]) && !self.is_full(place.clone()) && self.is_loaded(place)
        };
        let settled = (0..means.len()).rev().find(|&begin| !steady(begin)).map_or(0, |begin| begin + 1);
        let proof = (length / 4).max(2 * window);
        if length - settled >= proof {
            return Ok(settled);
        }
        let tail = segment.end - 2 * window..segment.end;
        let was_inside = means.iter().any(|&mean| inside(mean));
        Err(match (self.is_full(tail.clone()), self.is_loaded(tail), was_inside) {
            (true, ..) => Unsettled::BufferFull,
            (_, false, _) => Unsettled::PortNotLoaded,
            (.., true) => Unsettled::LeftBand,
            (.., false) => Unsettled::OutsideBand,
        })
    }

    /// Whether the queue came within a frame of its limit.
    fn is_full(&self, intervals: Range<usize>) -> bool {
        let Some(limit) = self.limit else { return false };
        self.largest[intervals].iter().any(|largest| largest + self.frame > limit)
    }

    fn is_loaded(&self, intervals: Range<usize>) -> bool {
        let Some((busy, free)) = &self.port else { return true };
        let sum = |shares: &[f64]| shares[intervals.clone()].iter().sum::<f64>();
        sum(busy) >= LOADED * sum(free) - 1e-9
    }
}

/// The length of a window in samples, in a segment of `segment` samples.
fn window(interval: TimeDelta, segment: usize) -> usize {
    let wanted = WINDOW.as_picos().div_ceil(interval.as_picos().max(1)) as usize;
    wanted.min(segment / SHORTEST).max(1)
}

/// The mean of each window, by its first sample.
fn sliding(signal: &[f64], window: usize) -> Vec<f64> {
    signal.windows(window).map(|values| values.iter().sum::<f64>() / window as f64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use setpoint_units::Time;

    const SAMPLES: usize = 200;

    /// An axis with samples of 1 ms, so that a window has ten samples.
    const AXIS: Axis = Axis {
        interval: TimeDelta::from_millis(1),
        end: Time::from_picos(SAMPLES as u64 * 1_000_000_000),
        samples: SAMPLES,
    };

    /// A queue with a set point of 26 kB and a limit of 150 kB, on a port that always sends.
    fn watched(mean: Vec<f64>) -> Watched {
        Watched {
            largest: mean.clone(),
            mean,
            limit: Some(150e3),
            port: Some((vec![1.0; SAMPLES], vec![1.0; SAMPLES])),
            set_point: Some(26e3),
            frame: 1_500.0,
        }
    }

    /// `before` samples of one value, followed by samples of another.
    fn step(before: usize, from: f64, to: f64) -> Vec<f64> {
        (0..SAMPLES).map(|sample| if sample < before { from } else { to }).collect()
    }

    fn settling(watched: &Watched) -> Result<usize, Unsettled> {
        watched.settling(0..SAMPLES, &AXIS)
    }

    #[test]
    fn a_queue_at_its_set_point_has_settled_at_once() {
        assert_eq!(settling(&watched(vec![26e3; SAMPLES])), Ok(0));
        assert_eq!(watched(vec![26e3; SAMPLES]).settling(50..SAMPLES, &AXIS), Ok(0));
    }

    #[test]
    fn the_band_is_a_tenth_of_the_set_point_or_one_frame() {
        assert_eq!(settling(&watched(vec![28.6e3; SAMPLES])), Ok(0));
        assert_eq!(settling(&watched(vec![28.7e3; SAMPLES])), Err(Unsettled::OutsideBand));
        let low = |mean: f64| Watched { set_point: Some(5e3), ..watched(vec![mean; SAMPLES]) };
        assert_eq!(settling(&low(6_500.0)), Ok(0));
        assert_eq!(settling(&low(6_501.0)), Err(Unsettled::OutsideBand));
    }

    #[test]
    fn a_step_settles_when_the_window_is_past_it() {
        // A window with one of ten samples at 60 kB has a mean of 29.4 kB, outside the limit of 28.6 kB.
        let queue = watched(step(80, 60e3, 26e3));
        assert_eq!(settling(&queue), Ok(80));
        assert_eq!(queue.settling(60..SAMPLES, &AXIS), Ok(20));
    }

    #[test]
    fn an_exponential_approach_settles_when_it_enters_the_band() {
        // Decay from 126 kB with a time constant of 20 samples: the mean of a window of 10 that begins
        // at t is 26 + 0.807 · 100 exp(-t/20) kB, which is 28.6 at t = 68.7.
        let queue = (0..SAMPLES).map(|t| 26e3 + 100e3 * (-(t as f64) / 20.0).exp()).collect();
        assert_eq!(settling(&watched(queue)), Ok(69));
    }

    #[test]
    fn an_oscillation_within_the_window_is_averaged_and_a_slow_one_is_not() {
        let square = |period: usize| -> Vec<f64> {
            (0..SAMPLES).map(|t| if t % period < period / 2 { 0.0 } else { 52e3 }).collect()
        };
        assert_eq!(settling(&watched(square(10))), Ok(0));
        assert_eq!(settling(&watched(square(80))), Err(Unsettled::LeftBand));
    }

    #[test]
    fn a_full_buffer_is_not_settled_even_near_the_set_point() {
        // The set point is 140 kB; a full buffer of 150 kB is within a tenth of it.
        let full = Watched { set_point: Some(140e3), ..watched(vec![149e3; SAMPLES]) };
        assert_eq!(settling(&full), Err(Unsettled::BufferFull));
        // Far from the set point the reason is the same; without a limit, "buffer full" is never the reason.
        assert_eq!(settling(&watched(vec![149e3; SAMPLES])), Err(Unsettled::BufferFull));
        let endless = Watched { limit: None, ..watched(vec![149e3; SAMPLES]) };
        assert_eq!(settling(&endless), Err(Unsettled::OutsideBand));
    }

    #[test]
    fn it_settles_after_the_last_time_at_the_limit() {
        let mut queue = watched(vec![26e3; SAMPLES]);
        queue.largest[42] = 149_500.0;
        assert_eq!(settling(&queue), Ok(43));
    }

    #[test]
    fn a_port_without_enough_to_send_holds_nothing_at_a_set_point() {
        let light = |busy: f64, free: f64, mean: f64| Watched {
            port: Some((vec![busy; SAMPLES], vec![free; SAMPLES])),
            ..watched(vec![mean; SAMPLES])
        };
        assert_eq!(settling(&light(0.4, 1.0, 0.0)), Err(Unsettled::PortNotLoaded));
        assert_eq!(settling(&light(0.94, 1.0, 26e3)), Err(Unsettled::PortNotLoaded));
        assert_eq!(settling(&light(0.4, 0.41, 26e3)), Ok(0), "the port is paused for the rest of the time");
        let input = Watched { port: None, ..watched(vec![26e3; SAMPLES]) };
        assert_eq!(settling(&input), Ok(0));
    }

    #[test]
    fn without_a_set_point_there_is_nothing_to_settle_at() {
        let none = Watched { set_point: None, ..watched(vec![26e3; SAMPLES]) };
        assert_eq!(settling(&none), Err(Unsettled::NoSetPoint));
    }

    #[test]
    fn a_late_arrival_or_a_short_segment_proves_nothing() {
        let late = watched(step(151, 100e3, 26e3));
        assert_eq!(settling(&late), Err(Unsettled::LeftBand));
        assert_eq!(settling(&watched(step(150, 100e3, 26e3))), Ok(150), "a quarter of the segment is left");
        let queue = watched(vec![26e3; SAMPLES]);
        assert_eq!(queue.settling(0..9, &AXIS), Err(Unsettled::SegmentTooShort));
        assert_eq!(queue.settling(100..100, &AXIS), Err(Unsettled::SegmentTooShort));
        assert_eq!(queue.settling(0..10, &AXIS), Ok(0));
    }

    #[test]
    fn windows_are_ten_milliseconds_or_a_tenth_of_a_short_segment() {
        assert_eq!(window(TimeDelta::from_millis(1), 200), 10);
        assert_eq!(window(TimeDelta::from_millis(1), 50), 5);
        assert_eq!(window(TimeDelta::from_micros(10), 100_000), 1_000);
        assert_eq!(window(TimeDelta::from_millis(25), 400), 1);
    }
}
