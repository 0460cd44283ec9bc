//! Intervals of equal length, one after the other, ended by whoever comes after their end.

use setpoint_units::{Time, TimeDelta};

/// The clock of a point that measures by intervals and has no timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Intervals {
    /// When the present one ends; zero before the first.
    end: Time,
    length: TimeDelta,
}

impl Intervals {
    /// The first one begins with the first arrival.
    pub(crate) const fn new(length: TimeDelta) -> Self {
        Self { end: Time::ZERO, length }
    }

    /// Whether the present interval, or the time before the first, is over.
    #[inline]
    pub(crate) fn are_over(&self, now: Time) -> bool {
        now >= self.end
    }

    /// How many have ended by `now`, which is not before the end of the present one; goes on to the one that
    /// `now` lies in. Zero for the first arrival of all.
    pub(crate) fn advance(&mut self, now: Time) -> u64 {
        let length = self.length.as_picos().max(1);
        let late = now.saturating_since(self.end).as_picos();
        let (ended, into_present) = match self.end {
            Time::ZERO => (0, 0),
            _ => (late / length + 1, late % length),
        };
        self.end = Time::from_picos((now.as_picos() - into_present).saturating_add(length));
        ended
    }

    /// Length of an interval.
    #[inline]
    pub(crate) fn length(&self) -> TimeDelta {
        self.length
    }

    /// When the present interval ends, if there is one.
    pub(crate) fn end(&self) -> Option<Time> {
        (self.end != Time::ZERO).then_some(self.end)
    }
}
