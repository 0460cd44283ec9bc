//! The pace of a source: when its limiter allows the next frame.

use setpoint_units::{Bytes, Rate, Time, TimeDelta};

use crate::limit::Limit;

/// A typical frame length.
const FRAME: Bytes = Bytes::new(1_000);

/// The time at which a source may send its next frame.
///
/// Gaps are rounded down and the remainder is carried over, so that the mean rate is exact.
///
/// ```
/// use setpoint_control::{Limit, Pace};
/// use setpoint_units::{Rate, Time, TimeDelta};
///
/// let after = |micros| Time::ZERO + TimeDelta::from_micros(micros);
/// let limit = Some(Limit::Rate(Rate::from_gbps(1)));
///
/// let mut pace = Pace::new(Some(Rate::from_gbps(1)));
/// pace.charge(1_000, Time::ZERO);
/// assert_eq!(pace.eligible(), Some(after(8)));
///
/// // When a free source is first limited, the gap counts from its last frame.
/// let mut free = Pace::new(None);
/// free.charge(1_000, Time::ZERO);
/// free.set_limit(limit, after(3));
/// assert_eq!(free.eligible(), Some(after(8)));
///
/// // After a silence, the source waits for the transmission time of one frame.
/// free.set_limit(Some(Limit::Silent), after(4));
/// assert_eq!(free.eligible(), None);
/// free.set_limit(limit, after(100));
/// assert_eq!(free.eligible(), Some(after(108)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// The source sends at the rate of its port.
    Free {
        /// The time at which it sent its last frame, or at which it became free.
        last: Time,
        /// The length of that frame, including overhead; zero if it has sent nothing since it became free.
        bytes: u64,
    },
    /// The source sends at the rate of a limiter.
    Limited {
        /// The time at which it may send the next frame.
        eligible: Time,
        /// The rate.
        rate: Rate,
        /// Remainder from rounding down the last gap.
        remainder: Remainder,
    },
    /// The source does not send until its limiter sets a rate or is released.
    Silent {
        /// The length of a frame. Once the source has a rate again, it first waits for the transmission time of
        /// this frame, so that sources silenced together do not all send at once.
        frame: Bytes,
    },
}

/// The remainder of a division by a rate, in bits times picoseconds per second. It takes seven bytes, so that
/// [`Pace`] fits into three words together with its tag. This is enough up to 72 Pb/s, at which a frame takes less
/// than a picosecond.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Remainder([u8; 7]);

impl Remainder {
    #[inline]
    const fn new(value: u64) -> Self {
        let [low @ .., _] = value.to_le_bytes();
        Self(low)
    }

    /// The remainder.
    #[inline]
    pub const fn get(self) -> u64 {
        let [a, b, c, d, e, f, g] = self.0;
        u64::from_le_bytes([a, b, c, d, e, f, g, 0])
    }
}

impl Pace {
    /// A pace at the given rate; `None` for the port's own rate.
    pub const fn new(rate: Option<Rate>) -> Self {
        match rate {
            None => Self::Free { last: Time::ZERO, bytes: 0 },
            Some(rate) => Self::Limited { eligible: Time::ZERO, rate, remainder: Remainder::new(0) },
        }
    }

    /// The time at which the next frame may be sent; this is in the past for a source that may send at any time, and
    /// `None` while the source is silent.
    #[inline]
    pub const fn eligible(&self) -> Option<Time> {
        match *self {
            Self::Free { last, .. } => Some(last),
            Self::Limited { eligible, .. } => Some(eligible),
            Self::Silent { .. } => None,
        }
    }

    /// The limit; `None` for a free source.
    #[inline]
    pub const fn limit(&self) -> Option<Limit> {
        match *self {
            Self::Free { .. } => None,
            Self::Limited { rate, .. } => Some(Limit::Rate(rate)),
            Self::Silent { .. } => Some(Limit::Silent),
        }
    }

    /// Sets the time of the next frame, given that a frame of `bytes` (including overhead) has just been sent. A source
    /// delayed by its port or by a pause may catch up by at most one frame.
    #[inline]
    pub fn charge(&mut self, bytes: u64, now: Time) {
        match self {
            Self::Free { .. } => *self = Self::Free { last: now, bytes },
            Self::Limited { eligible, rate, remainder } => {
                let work = bytes * Rate::BYTE_PICOS + remainder.get();
                let gap = TimeDelta::from_picos(work / rate.bits_per_second());
                *remainder = Remainder::new(work % rate.bits_per_second());
                let earliest = Time::from_picos(now.as_picos().saturating_sub(gap.as_picos()));
                *eligible = (*eligible).max(earliest) + gap;
            }
            Self::Silent { frame } => *frame = Bytes::new(bytes),
        }
    }

    /// Changes the limit and reschedules the pending departure; `None` releases the source, which may then send at
    /// once. For a window, only the rate matters here: the caller counts the bytes in flight.
    ///
    /// * From one rate to another, the rest of the gap is scaled by their ratio (rounded up).
    /// * From free to a rate, the gap counts from the last frame.
    /// * From silence to a rate, the gap is the transmission time of one frame, starting now, however long the silence
    ///   was. The frame is the last one sent if the source was free and has sent one, otherwise a typical frame of
    ///   1000 bytes.
    pub fn set_limit(&mut self, limit: Option<Limit>, now: Time) {
        if limit.map(Limit::rate) == self.limit().map(Limit::rate) {
            return;
        }
        *self = match limit {
            None => Self::Free { last: now, bytes: 0 },
            Some(Limit::Rate(rate) | Limit::Window { rate, .. }) => {
                let eligible = self.eligible_at(rate, now);
                Self::Limited { eligible, rate, remainder: Remainder::default() }
            }
            Some(Limit::Silent) => Self::Silent { frame: self.frame_after_silence() },
        };
    }

    /// The time at which the next frame may be sent if the rate is `new` from now on.
    fn eligible_at(&self, new: Rate, now: Time) -> Time {
        match *self {
            Self::Free { last, bytes } => now.max(last + new.time_to_send(Bytes::new(bytes))),
            Self::Limited { eligible, rate: old, .. } => {
                let left = eligible.saturating_since(now);
                now + left.scaled(old.bits_per_second(), new.bits_per_second())
            }
            Self::Silent { frame } => now + new.time_to_send(frame),
        }
    }

    /// The frame whose transmission time the source waits for after a silence that begins now.
    const fn frame_after_silence(&self) -> Bytes {
        match *self {
            Self::Free { bytes: 0, .. } | Self::Limited { .. } => FRAME,
            Self::Free { bytes, .. } => Bytes::new(bytes),
            Self::Silent { frame } => frame,
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

    const SILENT: Option<Limit> = Some(Limit::Silent);

    fn at(nanos: u64) -> Time {
        Time::ZERO + TimeDelta::from_nanos(nanos)
    }

    fn gbps(gigabits: u64) -> Option<Limit> {
        Some(Limit::Rate(Rate::from_gbps(gigabits)))
    }

    #[test]
    fn a_pace_that_does_not_divide_evenly_keeps_its_mean() {
        let mut pace = Pace::default();
        pace.set_limit(gbps(3), Time::ZERO);
        for _ in 0..3_000 {
            pace.charge(1_000, pace.eligible().unwrap());
        }
        assert_eq!(pace.eligible(), Some(at(8_000_000)));
    }

    #[test]
    fn a_remainder_keeps_seven_bytes() {
        for value in [0, 1, 255, 256, 9_999_999_999, (1 << 56) - 1] {
            assert_eq!(Remainder::new(value).get(), value);
        }
        assert_eq!(Remainder::new(u64::MAX).get(), (1 << 56) - 1);
    }

    #[test]
    fn a_change_of_rate_moves_the_pending_departure() {
        let mut pace = Pace::default();
        pace.set_limit(gbps(10), Time::ZERO);
        pace.charge(1_000, at(0));
        assert_eq!(pace.eligible(), Some(at(800)));
        pace.set_limit(gbps(5), at(400));
        assert_eq!(pace.eligible(), Some(at(1_200)));
        pace.set_limit(gbps(10), at(400));
        assert_eq!(pace.eligible(), Some(at(800)));
    }

    #[test]
    fn the_first_limit_counts_from_the_last_frame() {
        let mut pace = Pace::default();
        pace.charge(1_000, at(0));
        pace.set_limit(gbps(1), at(500));
        assert_eq!(pace.eligible(), Some(at(8_000)));
    }

    #[test]
    fn a_source_that_was_held_up_catches_up_by_one_frame() {
        let mut pace = Pace::default();
        pace.set_limit(gbps(1), Time::ZERO);
        pace.charge(1_000, at(0));
        pace.charge(1_000, at(100_000));
        assert_eq!(pace.eligible(), Some(at(100_000)));
        pace.charge(1_000, at(100_000));
        assert_eq!(pace.eligible(), Some(at(108_000)));
    }

    #[test]
    fn after_silence_a_limited_source_waits_for_a_typical_frame() {
        for sent in [None, Some(64), Some(9_000)] {
            let mut pace = Pace::new(Some(Rate::from_gbps(1)));
            if let Some(bytes) = sent {
                pace.charge(bytes, at(900));
            }
            pace.set_limit(SILENT, at(1_000));
            assert_eq!((pace.eligible(), pace.limit()), (None, SILENT));
            pace.set_limit(gbps(2), at(5_000));
            assert_eq!(pace.eligible(), Some(at(9_000)), "{sent:?}");
        }
    }

    #[test]
    fn after_silence_a_source_that_was_free_waits_for_its_last_frame() {
        let mut pace = Pace::default();
        pace.charge(500, at(0));
        pace.set_limit(SILENT, at(1_000));
        assert_eq!(pace.eligible(), None);
        pace.set_limit(gbps(1), at(5_000));
        assert_eq!(pace.eligible(), Some(at(9_000)));
    }

    #[test]
    fn after_silence_a_source_that_was_released_and_has_sent_nothing_since_waits_for_a_typical_frame() {
        let mut pace = Pace::new(Some(Rate::from_gbps(1)));
        pace.charge(500, at(0));
        pace.set_limit(None, at(100));
        pace.set_limit(SILENT, at(200));
        assert_eq!(pace.eligible(), None);
        pace.set_limit(gbps(1), at(1_000));
        assert_eq!(pace.eligible(), Some(at(9_000)));
    }

    #[test]
    fn a_source_released_from_silence_sends_at_once() {
        let mut pace = Pace::new(Some(Rate::from_gbps(1)));
        pace.charge(1_000, at(0));
        pace.set_limit(SILENT, at(100));
        pace.set_limit(None, at(200));
        assert_eq!((pace.eligible(), pace.limit()), (Some(at(200)), None));
    }

    #[test]
    fn a_silence_within_a_silence_changes_nothing() {
        let mut pace = Pace::default();
        pace.charge(500, at(0));
        pace.set_limit(SILENT, at(100));
        let before = pace;
        pace.set_limit(SILENT, at(200));
        assert_eq!(pace, before);
    }

    #[test]
    fn a_frame_sent_as_silence_begins_counts_after_it() {
        let mut pace = Pace::new(Some(Rate::from_gbps(1)));
        pace.set_limit(SILENT, at(100));
        pace.charge(2_000, at(100));
        assert_eq!(pace.eligible(), None);
        pace.set_limit(gbps(1), at(1_000));
        assert_eq!(pace.eligible(), Some(at(17_000)));
    }

    #[test]
    fn the_smallest_rate_is_a_rate_like_any_other() {
        let smallest = Some(Limit::Rate(Rate::MIN));
        let mut pace = Pace::new(Some(Rate::from_gbps(1)));
        pace.set_limit(smallest, at(100));
        assert_eq!(pace.eligible(), Some(at(100)), "the source was free to send");
        pace.charge(1_000, at(100));
        assert_eq!(pace.eligible(), Some(at(100) + TimeDelta::from_secs(8_000)));
        pace.set_limit(gbps(1), at(100));
        assert_eq!(pace.eligible(), Some(at(8_100)));
    }

    #[test]
    fn it_takes_three_words() {
        assert_eq!(size_of::<Pace>(), 24);
    }
}
