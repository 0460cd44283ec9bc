//! The pace of a source: when a rate limiter allows the next frame.

use setpoint_units::{Bytes, Rate, Time, TimeDelta};

/// A typical frame length.
const FRAME: Bytes = Bytes::new(1_000);

/// When a rate limiter allows the next frame.
///
/// Gaps are rounded down and the remainder is carried over, so that the mean rate is exact.
///
/// ```
/// use setpoint_control::{LastFrame, Pace};
/// use setpoint_units::{Rate, Time, TimeDelta};
///
/// let (mut pace, mut last) = (Pace::default(), LastFrame::default());
/// pace.set_rate(Some(Rate::from_gbps(1)), Time::ZERO, &last);
/// pace.charge(1_000, Time::ZERO, &mut last);
/// assert_eq!(pace.eligible(), Time::ZERO + TimeDelta::from_micros(8));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pace {
    eligible: Time,
    rate: Option<Rate>,
    /// The remainder from rounding down the last gap, in bits times picoseconds per second.
    remainder: u64,
}

/// The last frame that a source sent without a limiter.
///
/// ```
/// use setpoint_control::{LastFrame, Pace};
/// use setpoint_units::{Rate, Time, TimeDelta};
///
/// let (mut pace, mut last) = (Pace::default(), LastFrame::default());
/// pace.charge(1_000, Time::ZERO, &mut last);
/// // The first limit counts from the last frame.
/// pace.set_rate(Some(Rate::from_gbps(1)), Time::ZERO + TimeDelta::from_micros(3), &last);
/// assert_eq!(pace.eligible(), Time::ZERO + TimeDelta::from_micros(8));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LastFrame {
    at: Time,
    bytes: u64,
}

impl Pace {
    /// A pace at the given rate; `None` for the port's own rate.
    #[must_use]
    pub const fn new(rate: Option<Rate>) -> Self {
        Self { eligible: Time::ZERO, rate, remainder: 0 }
    }

    /// When the next frame may be sent.
    #[must_use]
    #[inline]
    pub const fn eligible(&self) -> Time {
        self.eligible
    }

    /// The rate; `None` for the port's own rate.
    #[must_use]
    #[inline]
    pub const fn rate(&self) -> Option<Rate> {
        self.rate
    }

    /// Sets the time of the next frame, given that a frame of `bytes` (including overhead) has just been sent. A source
    /// that its port or a pause has delayed may catch up by at most one frame.
    #[inline]
    pub fn charge(&mut self, bytes: u64, now: Time, last: &mut LastFrame) {
        let Some(rate) = self.rate else {
            self.eligible = now;
            *last = LastFrame { at: now, bytes };
            return;
        };
        let work = bytes * Rate::BYTE_PICOS + self.remainder;
        let gap = TimeDelta::from_picos(work / rate.bits_per_second());
        self.remainder = work % rate.bits_per_second();
        let earliest = Time::from_picos(now.as_picos().saturating_sub(gap.as_picos()));
        self.eligible = self.eligible.max(earliest) + gap;
    }

    /// Changes the rate and reschedules the pending departure: the rest of the gap is scaled by the ratio of the rates
    /// (rounded up); for a source without a limiter, the gap counts from its last frame.
    pub fn set_rate(&mut self, rate: Option<Rate>, now: Time, last: &LastFrame) {
        if rate == self.rate {
            return;
        }
        self.eligible = match (self.rate, rate) {
            (_, None) => now,
            (None, Some(rate)) => now.max(last.at + rate.time_to_send(Bytes::new(last.bytes))),
            // Silence: a source that could have sent at once also waits, for one frame time after it may send again.
            (Some(_), Some(Rate::MIN)) => now + Rate::MIN.time_to_send(FRAME),
            (Some(old), Some(new)) => {
                let left = self.eligible.saturating_since(now);
                now + left.scaled(old.bits_per_second(), new.bits_per_second())
            }
        };
        self.remainder = 0;
        self.rate = rate;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(nanos: u64) -> Time {
        Time::ZERO + TimeDelta::from_nanos(nanos)
    }

    #[test]
    fn a_pace_that_does_not_divide_evenly_keeps_its_mean() {
        let (mut pace, mut last) = (Pace::default(), LastFrame::default());
        pace.set_rate(Some(Rate::from_gbps(3)), Time::ZERO, &last);
        for _ in 0..3_000 {
            pace.charge(1_000, pace.eligible(), &mut last);
        }
        assert_eq!(pace.eligible(), at(8_000_000));
    }

    #[test]
    fn a_change_of_rate_moves_the_pending_departure() {
        let (mut pace, mut last) = (Pace::default(), LastFrame::default());
        pace.set_rate(Some(Rate::from_gbps(10)), Time::ZERO, &last);
        pace.charge(1_000, at(0), &mut last);
        assert_eq!(pace.eligible(), at(800));
        pace.set_rate(Some(Rate::from_gbps(5)), at(400), &last);
        assert_eq!(pace.eligible(), at(1_200));
        pace.set_rate(Some(Rate::from_gbps(10)), at(400), &last);
        assert_eq!(pace.eligible(), at(800));
    }

    #[test]
    fn silence_also_holds_a_source_that_was_free_to_send() {
        let (mut pace, last) = (Pace::default(), LastFrame::default());
        pace.set_rate(Some(Rate::from_gbps(1)), Time::ZERO, &last);
        pace.set_rate(Some(Rate::MIN), at(1_000), &last);
        assert_eq!(pace.eligible(), at(1_000) + TimeDelta::from_secs(8_000));
        pace.set_rate(Some(Rate::from_gbps(1)), at(5_000), &last);
        assert!(pace.eligible() > at(12_900) && pace.eligible() < at(13_100), "{}", pace.eligible());
    }

    #[test]
    fn the_first_limit_counts_from_the_last_frame() {
        let (mut pace, mut last) = (Pace::default(), LastFrame::default());
        pace.charge(1_000, at(0), &mut last);
        pace.set_rate(Some(Rate::from_gbps(1)), at(500), &last);
        assert_eq!(pace.eligible(), at(8_000));
    }

    #[test]
    fn a_source_that_was_held_up_catches_up_by_one_frame() {
        let (mut pace, mut last) = (Pace::default(), LastFrame::default());
        pace.set_rate(Some(Rate::from_gbps(1)), Time::ZERO, &last);
        pace.charge(1_000, at(0), &mut last);
        pace.charge(1_000, at(100_000), &mut last);
        assert_eq!(pace.eligible(), at(100_000));
        pace.charge(1_000, at(100_000), &mut last);
        assert_eq!(pace.eligible(), at(108_000));
    }
}
