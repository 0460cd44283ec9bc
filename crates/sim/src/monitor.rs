//! Watching a run from outside.

use setpoint_units::{Bytes, Time};

/// Hears from a run at the end of every sample interval and may stop it.
pub trait Monitor {
    /// The run has reached `now` and processed `events` so far.
    fn progress(&mut self, now: Time, events: u64) -> Decision;

    /// The most memory that the run may take. It is looked at at the end of every sample interval.
    fn memory_limit(&self) -> Option<Bytes> {
        None
    }
}

/// What a [`Monitor`] decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Go on.
    Continue,
    /// End the run with [`crate::SimError::Stopped`].
    Stop,
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Monitor for Unwatched {
    fn progress(&mut self, _now: Time, _events: u64) -> Decision {
        Decision::Continue
    }
}
