//! The distribution of a queue's length over time.

use setpoint_units::{Bytes, Time, TimeDelta};

use crate::outcome::DwellStatistics;
use crate::prefetch::prefetch;

/// The distribution of the queue length over time.
///
/// Lengths are grouped into steps whose width in bytes is a power of two. The width doubles when
/// a length does not fit, so that a histogram has between 512 and 1024 steps up to
/// the largest length.
#[derive(Clone, Debug)]
pub struct Dwell {
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

impl Default for Dwell {
    fn default() -> Self {
        Self::new()
    }
}

impl Dwell {
    /// The maximum number of heap bytes.
    pub(crate) const MOST_HEAP_BYTES: usize = SPANS * size_of::<u64>();

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.spans.capacity() * size_of::<u64>()
    }

    /// An empty histogram.
    pub fn new() -> Self {
        let (begin, since) = (Time::ZERO, Time::ZERO);
        Self { begin, since, empty: 0, area: 0, square: 0, spans: Vec::new(), shift: 0 }
    }

    /// Records the time spent at `length`, which ends now.
    #[inline]
    pub fn leave(&mut self, length: u64, now: Time) {
        let span = (now - self.since).as_picos();
        self.since = now;
        if length == 0 {
            self.empty += span;
            return;
        }
        if cfg!(target_family = "wasm") && (length | span) >> 32 == 0 {
            self.add_in_halves(length, span);
        } else {
            self.add(length, span);
        }
        match self.spans.get_mut((length >> self.shift) as usize) {
            Some(entry) => *entry += span,
            None => self.extend(length, span),
        }
    }

    /// Adds the time spent at a length to the sums.
    #[cfg_attr(target_family = "wasm", cold, inline(never))]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn add(&mut self, length: u64, span: u64) {
        let area = u128::from(length) * u128::from(span);
        self.area += area;
        self.square += area * u128::from(length);
    }

    /// The same for a length and a span of 32 bits, without products of more than 64 bits, which WebAssembly does not have.
    #[inline(always)]
    fn add_in_halves(&mut self, length: u64, span: u64) {
        let area = length * span;
        self.area += u128::from(area);
        self.square += u128::from((area >> 32) * length) << 32;
        self.square += u128::from((area & u64::from(u32::MAX)) * length);
    }

    /// Prefetches the step of a length that is about to change.
    #[inline]
    pub(crate) fn prefetch(&self, length: u64) {
        if let Some(entry) = self.spans.get((length >> self.shift) as usize) {
            prefetch(entry);
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
                // Reserved exactly, since doubling would reserve more than the histogram can ever need.
                self.spans.reserve_exact((2 * place + 1).min(SPANS) - self.spans.len());
            }
            self.spans.resize(place + 1, 0);
        }
        self.spans[place] += span;
    }

    /// The integral of the length over time since measurement began, in bytes times picoseconds, given that
    /// the queue has had length `length` since its last change.
    pub fn area_until(&self, length: u64, now: Time) -> u128 {
        self.area + u128::from(length) * u128::from((now - self.since).as_picos())
    }

    /// Discards everything before now.
    pub fn restart(&mut self, now: Time) {
        *self = Self { begin: now, since: now, ..Self::new() };
    }

    /// The distribution up to the last change.
    pub fn statistics(&self) -> DwellStatistics {
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

    /// The time per step; times at length zero count towards the first step.
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
    fn halves_give_the_same_sums() {
        let largest = u64::from(u32::MAX);
        for (length, span) in
            [(1, 1), (1_500, 1_200_000), (150_000, largest), (largest, 3), (largest, largest)]
        {
            let (mut whole, mut halves) = (Dwell::new(), Dwell::new());
            for _ in 0..3 {
                whole.add(length, span);
                halves.add_in_halves(length, span);
            }
            assert_eq!((halves.area, halves.square), (whole.area, whole.square));
        }
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
