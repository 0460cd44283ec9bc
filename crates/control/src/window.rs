//! The window of sources whose algorithm sets a rate, not a window.

use setpoint_units::{Bytes, Rate, TimeDelta};

use crate::limit::Limit;
use crate::parameter::choice;

choice! {
    /// The bound on the bytes that a source has in flight. T is the base round-trip time.
    Window {
        None = "none", "None: only the rate limits the source.";
        Fixed = "fixed", "The line rate times T.";
        Rate = "rate", "The current rate times T, so that the window follows the rate (HPCC, attribute VarWin).";
    }
}

impl Window {
    /// The limit of a source with the given rate. A window is rounded down to whole bytes, but is never zero, so that a frame
    /// is always in flight.
    #[must_use]
    pub fn limit(self, rate: Rate, line_rate: Rate, base_rtt: TimeDelta) -> Limit {
        let bytes = match self {
            Self::None => return Limit::Rate(rate),
            Self::Fixed => line_rate * base_rtt,
            Self::Rate => rate * base_rtt,
        };
        Limit::Window { bytes: bytes.max(Bytes::new(1)), rate }
    }
}
