//! An output queue or input buffer of a bridge, with its congestion point and statistics.

use setpoint_control::CongestionPoint;
use setpoint_units::{Bytes, Time, TimeDelta};

use crate::frame::Frame;
use crate::outcome::DwellStatistics;
use crate::random::RandomStream;
use crate::ring::Ring;

/// The fields accessed for every frame come first, in whole cache lines: with many queues,
/// fetching them dominates the run time.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct Queue {
    /// Bytes of frames whose transmission has not begun.
    pub(super) length: u64,
    pub(super) limit: u64,
    /// Largest length since the last sample.
    pub(super) largest: u64,
    /// Frames on the link whose transmission has not begun: start time and length.
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

    /// Adds a frame whose transmission begins at a known time.
    #[inline]
    pub(super) fn commit(&mut self, start: Time, bytes: u16, now: Time) {
        self.lengthen(bytes, now);
        self.committed.push_back((start, bytes));
    }

    #[inline]
    fn lengthen(&mut self, bytes: u16, now: Time) {
        self.dwell.leave(self.length, now);
        self.length += u64::from(bytes);
        self.largest = self.largest.max(self.length);
    }

    /// Removes the first committed frame when its transmission begins.
    #[inline]
    pub(super) fn depart(&mut self, start: Time, bytes: u16) {
        self.dwell.leave(self.length, start);
        self.length -= u64::from(bytes);
        self.committed.pop_front();
    }

    /// Adds the length of a frame that an input buffer stores elsewhere.
    #[inline]
    pub(super) fn hold(&mut self, bytes: u16, now: Time) {
        self.lengthen(bytes, now);
    }

    /// Removes the length of a frame from an input buffer.
    #[inline]
    pub(super) fn release(&mut self, bytes: u16, now: Time) {
        self.dwell.leave(self.length, now);
        self.length -= u64::from(bytes);
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
    /// Whether its length equals the total length of its waiting and committed frames.
    pub(super) fn adds_up(&self) -> bool {
        let waiting: u64 = self.frames.iter().map(|frame| u64::from(frame.bytes)).sum();
        let committed: u64 = self.committed.iter().map(|&(_, bytes)| u64::from(bytes)).sum();
        self.length == waiting + committed
    }
}

/// The distribution of the queue length over time.
///
/// Lengths are grouped into steps whose width in bytes is a power of two. The width doubles when
/// a length does not fit, so that a histogram has between [`SPANS`] / 2 and [`SPANS`] steps up to
/// the largest length.
#[derive(Clone, Debug)]
pub(super) struct Dwell {
    begin: Time,
    since: Time,
    empty: u64,
    area: u128,
    square: u128,
    spans: Vec<u64>,
    /// A step covers 2^shift bytes.
    shift: u32,
}

const SPANS: usize = 1024;

impl Dwell {
    /// The maximum number of heap bytes.
    pub(super) const MOST_HEAP_BYTES: usize = SPANS * size_of::<u64>();

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        self.spans.capacity() * size_of::<u64>()
    }

    pub(super) fn new() -> Self {
        let (begin, since) = (Time::ZERO, Time::ZERO);
        Self { begin, since, empty: 0, area: 0, square: 0, spans: Vec::new(), shift: 0 }
    }

    /// Records the time spent at `length`, which ends now.
    #[inline]
    pub(super) fn leave(&mut self, length: u64, now: Time) {
        let span = (now - self.since).as_picos();
        self.since = now;
        if length == 0 {
            self.empty += span;
            return;
        }
        let area = u128::from(length) * u128::from(span);
        self.area += area;
        self.square += area * u128::from(length);
        match self.spans.get_mut((length >> self.shift) as usize) {
            Some(entry) => *entry += span,
            None => self.extend(length, span),
        }
    }

    #[cold]
    fn extend(&mut self, length: u64, span: u64) {
        while length >> self.shift >= SPANS as u64 {
            self.shift += 1;
            self.spans = self.spans.chunks(2).map(|pair| pair.iter().sum()).collect();
        }
        let place = (length >> self.shift) as usize;
        if self.spans.len() <= place {
            if self.spans.capacity() <= place {
                // Reserved exactly, since doubling would reserve more than all steps need.
                self.spans.reserve_exact((2 * place + 1).min(SPANS) - self.spans.len());
            }
            self.spans.resize(place + 1, 0);
        }
        self.spans[place] += span;
    }

    /// The integral of the length over time since measurement began, in bytes times picoseconds, given that
    /// the queue has had `length` since its last change.
    pub(super) fn area_until(&self, length: u64, now: Time) -> u128 {
        self.area + u128::from(length) * u128::from((now - self.since).as_picos())
    }

    /// Discards everything before now.
    pub(super) fn restart(&mut self, now: Time) {
        *self = Self { begin: now, since: now, ..Self::new() };
    }

    pub(super) fn statistics(&self) -> DwellStatistics {
        let total = (self.since - self.begin).as_picos() as f64;
        let per_time = |sum: u128| if total > 0.0 { sum as f64 / total } else { 0.0 };
        let mean = per_time(self.area);
        let variance = (per_time(self.square) - mean * mean).max(0.0);
        DwellStatistics {
            mean,
            deviation: libm::sqrt(variance),
            empty: if total > 0.0 { self.empty as f64 / total } else { 1.0 },
            dwell: self.histogram(),
            step: Bytes::new(1 << self.shift),
        }
    }

    /// Time per step; a length of zero counts towards the first step.
    fn histogram(&self) -> Vec<TimeDelta> {
        let mut spans = self.spans.clone();
        if self.empty > 0 {
            spans.resize(spans.len().max(1), 0);
            spans[0] += self.empty;
        }
        spans.into_iter().map(TimeDelta::from_picos).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dwell_is_weighted_by_time() {
        let mut dwell = Dwell::new();
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

    #[test]
    fn steps_follow_the_largest_length() {
        let at = |micros| Time::ZERO + TimeDelta::from_micros(micros);
        let mut dwell = Dwell::new();
        dwell.leave(0, at(10));
        dwell.leave(1, at(20));
        dwell.leave(3_000_000, at(30));
        dwell.leave(1_000, at(40));
        let statistics = dwell.statistics();
        assert_eq!(statistics.empty, 0.25);
        assert_eq!(statistics.step, Bytes::new(4_096));
        assert!(statistics.dwell.len() <= SPANS);
        assert_eq!(statistics.dwell.iter().copied().sum::<TimeDelta>(), TimeDelta::from_micros(40));
        assert!((statistics.quantile(0.99) - 3_000_000.0).abs() < 4_096.0);
        dwell.restart(at(40));
        dwell.leave(1_000, at(50));
        assert_eq!(dwell.statistics().step, Bytes::new(1));
    }
}
