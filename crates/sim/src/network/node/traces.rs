//! Traces that components record for observers.
//!
//! Congestion trees and victims involve several components. Components do not examine each other when something happens:
//! they record a trace, and observers read the traces at the next tick, in chronological order. Among traces with the same
//! time, those about flows come first, followed by those about ports in the order of their ids. For each port, the traces
//! recorded by the input that it feeds come before the port's own traces.

use setpoint_units::{Time, TimeDelta};

use crate::ids::{FlowId, PortId};

/// The time between two ticks.
const TICK: TimeDelta = TimeDelta::from_micros(1);

/// An observation with its time.
#[derive(Clone, Copy, Debug)]
pub(in crate::network) struct Trace {
    pub(in crate::network) at: Time,
    pub(in crate::network) content: Content,
}

#[derive(Clone, Copy, Debug)]
pub(in crate::network) enum Content {
    /// A flow stops.
    FlowStops(FlowId),
    /// An input has asked the port that feeds it to pause.
    PauseBegins {
        paused: PortId,
        counter: usize,
        /// The output for which the input holds the most bytes.
        cause: PortId,
    },
    /// An input has released the port that feeds it.
    PauseEnds { paused: PortId, counter: usize },
    /// The classes for which pauses are in effect at a port have changed.
    Held { port: PortId, classes: u8 },
}

impl Trace {
    /// The time, the port that the trace is about, and whether that port recorded it. Each component records its traces in
    /// order.
    pub(in crate::network) fn order(&self) -> (Time, Option<PortId>, bool) {
        let (port, own) = match self.content {
            Content::FlowStops(_) => (None, true),
            Content::PauseBegins { paused, .. } | Content::PauseEnds { paused, .. } => (Some(paused), false),
            Content::Held { port, .. } => (Some(port), true),
        };
        (self.at, port, own)
    }
}

/// The first tick after the given time.
pub(in crate::network) fn tick_after(time: Time) -> Time {
    let last = time.as_picos() / TICK.as_picos() * TICK.as_picos();
    Time::from_picos(last).saturating_add(TICK)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tick_is_later_than_what_it_follows() {
        let at = Time::from_picos;
        assert_eq!(tick_after(at(0)), at(1_000_000));
        assert_eq!(tick_after(at(999_999)), at(1_000_000));
        assert_eq!(tick_after(at(1_000_000)), at(2_000_000));
        assert_eq!(tick_after(at(u64::MAX)), at(u64::MAX));
    }
}
