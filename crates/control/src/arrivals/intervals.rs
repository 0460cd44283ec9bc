//! Consecutive intervals of equal length, each closed by the first arrival after its end.

use setpoint_units::{Time, TimeDelta};

/// The clock of a point that measures in intervals without a timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Intervals {
    /// The end of the current interval; zero before the first.
    end: Time,
    length: TimeDelta,
}

impl Intervals {
    /// Creates intervals that start with the first arrival.
    pub(crate) const fn new(length: TimeDelta) -> Self {
        Self { end: Time::ZERO, length }
    }

    /// Whether the current interval, or the time before the first, is over.
    #[inline]
    pub(crate) fn are_over(&self, now: Time) -> bool {
        now >= self.end
    }

    /// Advances to the interval that contains `now`, which must not be before the end of the current one. Returns how
    /// many intervals have ended; zero at the first arrival.
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

    /// The length of an interval.
    #[inline]
    pub(crate) fn length(&self) -> TimeDelta {
        self.length
    }

    /// The end of the current interval, if there is one.
    pub(crate) fn end(&self) -> Option<Time> {
        (self.end != Time::ZERO).then_some(self.end)
    }
}
