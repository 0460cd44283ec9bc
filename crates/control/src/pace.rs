//! The pace of a source: when a rate limiter allows the next frame.

use setpoint_units::{Bytes, Rate, Time, TimeDelta};

/// A typical frame length.
const FRAME: Bytes = Bytes::new(1_000);

/// When a source may send its next frame.
///
/// Gaps are rounded down and the remainder is carried over, so that the mean rate is exact.
///
/// ```
/// use setpoint_control::Pace;
/// use setpoint_units::{Rate, Time, TimeDelta};
///
/// let mut pace = Pace::new(Some(Rate::from_gbps(1)));
/// pace.charge(1_000, Time::ZERO);
/// assert_eq!(pace.eligible(), Time::ZERO + TimeDelta::from_micros(8));
///
/// // The first limit of a free source counts from its last frame.
/// let mut free = Pace::new(None);
/// free.charge(1_000, Time::ZERO);
/// free.set_rate(Some(Rate::from_gbps(1)), Time::ZERO + TimeDelta::from_micros(3));
/// assert_eq!(free.eligible(), Time::ZERO + TimeDelta::from_micros(8));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// At the rate of its port.
    Free {
        /// When it sent its last frame, or when it became free.
        last: Time,
        /// The length of that frame, including overhead; zero if it has sent nothing since it became free.
        bytes: u64,
    },
    /// At the rate of a limiter.
    Limited {
        /// When it may send the next frame.
        eligible: Time,
        /// The rate.
        rate: Rate,
        /// The remainder from rounding down the last gap, in bits times picoseconds per second.
        remainder: u64,
    },
}

impl Pace {
    /// A pace at the given rate; `None` for the port's own rate.
    #[must_use]
    pub const fn new(rate: Option<Rate>) -> Self {
        match rate {
            None => Self::Free { last: Time::ZERO, bytes: 0 },
            Some(rate) => Self::Limited { eligible: Time::ZERO, rate, remainder: 0 },
        }
    }

    /// When the next frame may be sent, which is in the past for a source that may send at any time.
    #[must_use]
    #[inline]
    pub const fn eligible(&self) -> Time {
        match *self {
            Self::Free { last, .. } => last,
            Self::Limited { eligible, .. } => eligible,
        }
    }

    /// The rate; `None` for the port's own rate.
    #[must_use]
    #[inline]
    pub const fn rate(&self) -> Option<Rate> {
        match *self {
            Self::Free { .. } => None,
            Self::Limited { rate, .. } => Some(rate),
        }
    }

    /// Sets the time of the next frame, given that a frame of `bytes` (including overhead) has just been sent. A source
    /// that its port or a pause has delayed may catch up by at most one frame.
    #[inline]
    pub fn charge(&mut self, bytes: u64, now: Time) {
        match self {
            Self::Free { .. } => *self = Self::Free { last: now, bytes },
            Self::Limited { eligible, rate, remainder } => {
                let work = bytes * Rate::BYTE_PICOS + *remainder;
                let gap = TimeDelta::from_picos(work / rate.bits_per_second());
                *remainder = work % rate.bits_per_second();
                let earliest = Time::from_picos(now.as_picos().saturating_sub(gap.as_picos()));
                *eligible = (*eligible).max(earliest) + gap;
            }
        }
    }

    /// Changes the rate and reschedules the pending departure: the rest of the gap is scaled by the ratio of the rates
    /// (rounded up); for a source that was free, the gap counts from its last frame.
    pub fn set_rate(&mut self, rate: Option<Rate>, now: Time) {
        if rate == self.rate() {
            return;
        }
        let eligible = match (*self, rate) {
            (_, None) => {
                *self = Self::Free { last: now, bytes: 0 };
                return;
            }
            // Silence: a source that could have sent at once also waits, for one frame time after it may send again.
            (Self::Limited { .. } | Self::Free { bytes: 0, .. }, Some(Rate::MIN)) => {
                now + Rate::MIN.time_to_send(FRAME)
            }
            (Self::Free { last, bytes }, Some(rate)) => now.max(last + rate.time_to_send(Bytes::new(bytes))),
            (Self::Limited { eligible, rate: old, .. }, Some(new)) => {
                let left = eligible.saturating_since(now);
                now + left.scaled(old.bits_per_second(), new.bits_per_second())
            }
        };
        if let Some(rate) = rate {
            *self = Self::Limited { eligible, rate, remainder: 0 };
        }
    }
}

impl Default for Pace {
    fn default() -> Self {
        Self::new(None)
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
        let mut pace = Pace::default();
        pace.set_rate(Some(Rate::from_gbps(3)), Time::ZERO);
        for _ in 0..3_000 {
            pace.charge(1_000, pace.eligible());
        }
        assert_eq!(pace.eligible(), at(8_000_000));
    }

    #[test]
    fn a_change_of_rate_moves_the_pending_departure() {
        let mut pace = Pace::default();
        pace.set_rate(Some(Rate::from_gbps(10)), Time::ZERO);
        pace.charge(1_000, at(0));
        assert_eq!(pace.eligible(), at(800));
        pace.set_rate(Some(Rate::from_gbps(5)), at(400));
        assert_eq!(pace.eligible(), at(1_200));
        pace.set_rate(Some(Rate::from_gbps(10)), at(400));
        assert_eq!(pace.eligible(), at(800));
    }

    #[test]
    fn silence_also_holds_a_source_that_was_free_to_send() {
        let mut pace = Pace::default();
        pace.set_rate(Some(Rate::from_gbps(1)), Time::ZERO);
        pace.set_rate(Some(Rate::MIN), at(1_000));
        assert_eq!(pace.eligible(), at(1_000) + TimeDelta::from_secs(8_000));
        pace.set_rate(Some(Rate::from_gbps(1)), at(5_000));
        assert!(pace.eligible() > at(12_900) && pace.eligible() < at(13_100), "{}", pace.eligible());
    }

    #[test]
    fn the_first_limit_counts_from_the_last_frame() {
        let mut pace = Pace::default();
        pace.charge(1_000, at(0));
        pace.set_rate(Some(Rate::from_gbps(1)), at(500));
        assert_eq!(pace.eligible(), at(8_000));
    }

    #[test]
    fn a_source_that_was_held_up_catches_up_by_one_frame() {
        let mut pace = Pace::default();
        pace.set_rate(Some(Rate::from_gbps(1)), Time::ZERO);
        pace.charge(1_000, at(0));
        pace.charge(1_000, at(100_000));
        assert_eq!(pace.eligible(), at(100_000));
        pace.charge(1_000, at(100_000));
        assert_eq!(pace.eligible(), at(108_000));
    }

    #[test]
    fn silence_holds_a_source_that_was_released_and_has_sent_nothing_since() {
        let mut pace = Pace::new(Some(Rate::from_gbps(1)));
        pace.charge(1_000, at(0));
        pace.set_rate(None, at(100));
        pace.set_rate(Some(Rate::MIN), at(200));
        assert_eq!(pace.eligible(), at(200) + TimeDelta::from_secs(8_000));
    }

    #[test]
    fn it_takes_three_words() {
        assert_eq!(size_of::<Pace>(), 24);
    }
}
