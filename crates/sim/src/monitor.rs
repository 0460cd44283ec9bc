//! Progress reports, observation and cancellation of a run.

use std::num::NonZeroUsize;

use setpoint_units::{Bytes, Time};

use crate::ids::PortId;
use crate::passing::PassingFrame;
use crate::sample::Sample;

/// Receives a progress report at the end of every sample interval and may stop the run. It may also observe
/// the frames on links.
///
/// ```
/// use setpoint_sim::{Decision, Monitor};
/// use setpoint_units::{Time, TimeDelta};
///
/// /// Stops a run at a given time.
/// struct Until(Time);
///
/// impl Monitor for Until {
///     fn progress(&mut self, now: Time, _events: u64) -> Decision {
///         if now >= self.0 { Decision::Stop } else { Decision::Continue }
///     }
/// }
///
/// let mut monitor = Until(Time::ZERO + TimeDelta::from_millis(1));
/// assert_eq!(monitor.progress(Time::ZERO, 0), Decision::Continue);
/// assert_eq!(monitor.progress(Time::ZERO + TimeDelta::from_millis(2), 9), Decision::Stop);
/// ```
pub trait Monitor {
    /// Called when the run has reached `now` after processing `events` events.
    fn progress(&mut self, now: Time, events: u64) -> Decision;

    /// Whether to show every sample to [`Monitor::sampled`]. Asked once, before the run.
    fn wants_samples(&self) -> bool {
        false
    }

    /// Shows what has just been recorded, before [`Monitor::progress`].
    fn sampled(&mut self, sample: &Sample) {
        let _ = sample;
    }

    /// The maximum memory that the run may use, checked at the end of every sample interval.
    fn memory_limit(&self) -> Option<Bytes> {
        None
    }

    /// The largest number of threads on which to run. Results do not depend on it. Asked once, before the run.
    fn threads(&self) -> NonZeroUsize {
        NonZeroUsize::MIN
    }

    /// Whether to pass the frames that a port transmits to [`Monitor::passes`]. Asked once for every port, before
    /// the run, except for the links between leaves and spines of a distributed bridge, which carry cells.
    fn observes(&self, port: PortId) -> bool {
        let _ = port;
        false
    }

    /// An observed port begins to transmit a frame. Called in order of time, but not at once: at the end of
    /// every sample interval at the latest, before [`Monitor::progress`].
    fn passes(&mut self, frame: &PassingFrame) {
        let _ = frame;
    }
}

/// A [`Monitor`]'s decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Continue the run.
    Continue,
    /// End the run with [`crate::SimError::Stopped`].
    Stop,
}

/// A monitor that never stops the run and sets no memory limit.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Monitor for Unwatched {
    fn progress(&mut self, _now: Time, _events: u64) -> Decision {
        Decision::Continue
    }
}
