//! An output queue of a bridge, with its congestion point and its books.

use setpoint_control::CongestionPoint;
use setpoint_units::{Bytes, Time, TimeDelta};

use crate::frame::Frame;
use crate::outcome::DwellStatistics;
use crate::random::RandomStream;
use crate::ring::Ring;

/// What every frame touches comes first, in whole cache lines: with many queues the time goes into
/// fetching them.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct Queue {
    /// Bytes of frames whose transmission has not begun.
    pub(super) length: u64,
    pub(super) limit: u64,
    pub(super) peak: u64,
    /// Frames on the link whose transmission has not begun: when it does, and how long they are.
    pub(super) committed: Ring<(Time, u16)>,
    pub(super) entropy: RandomStream,
    pub(super) congestion_point: CongestionPoint,
    pub(super) dwell: Dwell,
    pub(super) frames: Ring<Frame>,
    pub(super) dropped_frames: u64,
    pub(super) dropped: u64,
    pub(super) notifications: u64,
}

impl Queue {
    #[inline]
    pub(super) fn push(&mut self, frame: Frame, now: Time) {
        self.lengthen(frame.bytes, now);
        self.frames.push_back(frame);
    }

    /// Adds a frame whose transmission will begin at a known time.
    #[inline]
    pub(super) fn commit(&mut self, start: Time, bytes: u16, now: Time) {
        self.lengthen(bytes, now);
        self.committed.push_back((start, bytes));
    }

    #[inline]
    fn lengthen(&mut self, bytes: u16, now: Time) {
        self.dwell.leave(self.length, now);
        self.length += u64::from(bytes);
        self.peak = self.peak.max(self.length);
    }

    /// The transmission of the first committed frame began.
    #[inline]
    pub(super) fn depart(&mut self, start: Time, bytes: u16) {
        self.dwell.leave(self.length, start);
        self.length -= u64::from(bytes);
        self.committed.pop_front();
    }

    #[inline]
    pub(super) fn pop(&mut self, now: Time) -> Option<Frame> {
        let frame = self.frames.pop_front()?;
        self.dwell.leave(self.length, now);
        self.length -= u64::from(frame.bytes);
        Some(frame)
    }
}

impl Queue {
    /// Whether its length is that of its frames: those that wait and those committed.
    pub(super) fn adds_up(&self) -> bool {
        let waiting: u64 = self.frames.iter().map(|frame| u64::from(frame.bytes)).sum();
        let committed: u64 = self.committed.iter().map(|&(_, bytes)| u64::from(bytes)).sum();
        self.length == waiting + committed
    }
}

/// How long the queue has been at which length.
#[derive(Clone, Debug)]
pub(super) struct Dwell {
    begin: Time,
    since: Time,
    area: u128,
    square: u128,
    spans: Vec<u64>,
    /// An entry of `spans` covers 2^shift bytes.
    shift: u32,
}

/// Entries of a histogram of lengths, at most: beyond it the last takes all.
const MAX_SPANS: usize = 4096;
/// Entries that cover the lengths up to a queue's limit, at least half as many and at most so many.
const SPANS_TO_LIMIT: u64 = 1024;

impl Dwell {
    pub(super) fn new(limit: Bytes) -> Self {
        let shift = (limit.get() / SPANS_TO_LIMIT).checked_ilog2().map_or(0, |bits| bits + 1);
        Self { begin: Time::ZERO, since: Time::ZERO, area: 0, square: 0, spans: Vec::new(), shift }
    }

    /// Accounts for the time spent at `length`, which ends now.
    #[inline]
    pub(super) fn leave(&mut self, length: u64, now: Time) {
        let span = (now - self.since).as_picos();
        self.since = now;
        let area = u128::from(length) * u128::from(span);
        self.area += area;
        self.square += area * u128::from(length);
        let place = (length >> self.shift) as usize;
        match self.spans.get_mut(place) {
            Some(entry) => *entry += span,
            None => self.extend(place, span),
        }
    }

    #[cold]
    fn extend(&mut self, place: usize, span: u64) {
        let place = place.min(MAX_SPANS - 1);
        if self.spans.len() <= place {
            self.spans.resize(place + 1, 0);
        }
        self.spans[place] += span;
    }

    /// Forgets everything before now.
    pub(super) fn restart(&mut self, now: Time) {
        (self.begin, self.since, self.area, self.square) = (now, now, 0, 0);
        self.spans.clear();
    }

    pub(super) fn statistics(&self) -> DwellStatistics {
        let total = (self.since - self.begin).as_picos() as f64;
        let per_time = |sum: u128| if total > 0.0 { sum as f64 / total } else { 0.0 };
        let mean = per_time(self.area);
        let variance = (per_time(self.square) - mean * mean).max(0.0);
        DwellStatistics {
            mean,
            deviation: libm::sqrt(variance),
            empty: self.empty_share(total, mean),
            dwell: self.spans.iter().map(|&span| TimeDelta::from_picos(span)).collect(),
            step: Bytes::new(1 << self.shift),
        }
    }

    /// Frames are longer than a step of the histogram, but for those of a few bytes in a huge
    /// buffer: then the first step is not quite the empty queue, and the share is an upper bound.
    fn empty_share(&self, total: f64, mean: f64) -> f64 {
        match self.spans.first() {
            Some(&empty) if total > 0.0 => empty as f64 / total,
            None if mean == 0.0 => 1.0,
            _ => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dwell_is_weighted_by_time() {
        let mut dwell = Dwell::new(Bytes::new(150_000));
        let at = |micros| Time::ZERO + TimeDelta::from_micros(micros);
        dwell.leave(0, at(10));
        dwell.leave(4_000, at(40));
        dwell.leave(8_000, at(50));
        let statistics = dwell.statistics();
        assert_eq!(statistics.mean, (4_000.0 * 30.0 + 8_000.0 * 10.0) / 50.0);
        assert_eq!(statistics.empty, 0.2);
        let square: f64 = (16e6 * 30.0 + 64e6 * 10.0) / 50.0;
        assert!((statistics.deviation - (square - 4_000.0f64 * 4_000.0).sqrt()).abs() < 1e-6);
        assert!((statistics.quantile(0.5) - 4_000.0).abs() < 256.0);
        assert!((statistics.quantile(0.9) - 8_000.0).abs() < 256.0);
    }
}
