//! Whether a queue settled, as it is stored. What it means stands in [`crate::metrics::settling`].

use serde::{Deserialize, Serialize};

/// Whether a queue settled at its set point after an event.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Settling {
    /// It did, after so many seconds.
    AfterS(f64),
    /// It did not, or there is nothing to settle at.
    NotSettled(Unsettled),
}

impl Settling {
    /// The settling time in seconds; none if it did not settle.
    #[must_use]
    pub const fn seconds(self) -> Option<f64> {
        match self {
            Self::AfterS(seconds) => Some(seconds),
            Self::NotSettled(_) => None,
        }
    }
}

/// Why there is no settling time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unsettled {
    /// The run has no queue.
    NoQueue,
    /// The queue has no congestion point with a set point.
    NoSetPoint,
    /// The next event, or the end, comes within a few sample intervals.
    SegmentTooShort,
    /// The queue reached its limit.
    BufferFull,
    /// The port did not have enough to send: the queue is short for want of traffic.
    PortNotLoaded,
    /// The queue was inside the band and left it again, or entered it too late.
    LeftBand,
    /// The queue was never inside the band.
    OutsideBand,
}

impl Unsettled {
    /// The reason in a few words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::NoQueue => "no queue",
            Self::NoSetPoint => "no set point",
            Self::SegmentTooShort => "too little time",
            Self::BufferFull => "buffer full",
            Self::PortNotLoaded => "port not loaded",
            Self::LeftBand => "left the band again",
            Self::OutsideBand => "never within the band",
        }
    }
}
