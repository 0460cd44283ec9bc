//! The solution of a system.

use std::fmt;

use super::track::Track;

/// A solution from time zero on, defined at every time.
#[derive(Clone)]
pub struct Solution {
    pub(super) track: Track,
    pub(super) events: Vec<Event>,
    pub(super) rejected: usize,
}

impl Solution {
    /// The value of a component at an instant: its initial value before the start, and its last value after the end.
    pub fn at(&self, time: f64, component: usize) -> f64 {
        let time = self.within(time);
        self.track.value(&self.track.place(self.track.locate(time), time), component)
    }

    /// The slope of a component at an instant; at a jump, the slope after it.
    pub fn slope_at(&self, time: f64, component: usize) -> f64 {
        let time = self.within(time);
        self.track.slope(self.track.locate(time), time, component)
    }

    /// The times at which steps begin and end, ascending.
    pub fn times(&self) -> &[f64] {
        self.track.times()
    }

    /// The state at one of [`times`](Self::times).
    pub fn state(&self, step: usize) -> &[f64] {
        self.track.state(step)
    }

    /// The end time: the requested one, or very slightly later if an event occurs there.
    pub fn end(&self) -> f64 {
        self.times()[self.times().len() - 1]
    }

    /// The number of Runge-Kutta steps, which come in pairs.
    pub fn steps(&self) -> usize {
        self.times().len() - 1
    }

    /// The number of pairs of steps that were rejected as too inaccurate and repeated.
    pub fn rejected(&self) -> usize {
        self.rejected
    }

    /// The events along the way, in chronological order.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    fn within(&self, time: f64) -> f64 {
        time.clamp(0.0, self.end())
    }
}

/// Prints a summary, since there are too many steps to print.
impl fmt::Debug for Solution {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut summary = formatter.debug_struct("Solution");
        summary.field("end", &self.end()).field("steps", &self.steps()).field("rejected", &self.rejected);
        summary.field("events", &self.events.len()).finish_non_exhaustive()
    }
}

/// An event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// The time in seconds.
    pub time: f64,
    /// Its kind.
    pub kind: EventKind,
}

/// The kind of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// A component reached a bound and stays there. A component that starts on a bound does not count.
    Reached {
        /// The component.
        component: usize,
        /// The bound.
        bound: Bound,
    },
    /// A component left a bound it was held at.
    Released {
        /// The component.
        component: usize,
        /// The bound.
        bound: Bound,
    },
    /// A switching function changed sign.
    Switched {
        /// The index of the function.
        index: usize,
    },
    /// The right-hand side jumped at an instant known in advance.
    Jump,
}

/// One of the two bounds of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The minimum.
    Least,
    /// The maximum.
    Most,
}
