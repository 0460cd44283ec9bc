//! The windows in which partitions are processed.
//!
//! Within a window, no partition can affect another. A window begins when the next event in any partition is due, and is as
//! long as the lookahead. Under flow control, no window crosses a tick, at which observers read the traces of all
//! partitions. The windows between two observations form a [stage](crate::network::parallel::stage), which may run on several threads.

use setpoint_units::{Time, TimeDelta};

use crate::network::node::partition::Partition;
use crate::network::node::traces::tick_after;

/// The rules by which windows follow each other.
pub(in crate::network) struct Windows {
    /// The end of the last window.
    pub(in crate::network) time: Time,
    pub(in crate::network) lookahead: TimeDelta,
    /// Whether windows end at ticks.
    pub(in crate::network) ticks: bool,
    /// The largest number of windows in a stage.
    pub(in crate::network) most: u64,
}

/// The report of partitions after a window.
#[derive(Clone, Copy)]
pub(in crate::network) struct Report {
    /// The next time at which a partition has an event.
    pub(in crate::network) next: Time,
    /// The time at which the first recorded trace must be read.
    pub(in crate::network) tick: Time,
    /// Whether the run must end.
    pub(in crate::network) violated: bool,
}

impl Report {
    pub(in crate::network) const NOTHING: Self = Self { next: Time::MAX, tick: Time::MAX, violated: false };

    pub(in crate::network) fn of(part: &mut Partition) -> Self {
        Self {
            next: part.next_time().unwrap_or(Time::MAX),
            tick: part.cx.tick().unwrap_or(Time::MAX),
            violated: part.cx.violation.is_some(),
        }
    }

    pub(in crate::network) fn with(self, other: Self) -> Self {
        Self {
            next: self.next.min(other.next),
            tick: self.tick.min(other.tick),
            violated: self.violated || other.violated,
        }
    }
}

/// The next step after a window.
pub(in crate::network) enum Next {
    /// A window that ends at this time.
    Window(Time),
    /// This time has been reached, and observers must run.
    Reached(Time),
}

impl Windows {
    /// The next step, given the report of all partitions and the number of windows so far.
    pub(in crate::network) fn next(&self, report: Report, count: u64) -> Next {
        let stop = report.tick.min(self.time);
        if report.violated || report.next >= stop {
            return Next::Reached(stop);
        }
        if count == self.most {
            return Next::Reached(report.next);
        }
        let end = report.next.saturating_add(self.lookahead).min(self.time);
        Next::Window(if self.ticks { end.min(tick_after(report.next)) } else { end })
    }
}
