//! Progress reports, observation and cancellation of a run.

use std::num::NonZeroUsize;

use setpoint_units::{Bytes, Time};

use crate::controllers::Controllers;
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

    /// Whether to pass every sample to [`Monitor::sampled`]. Called once, before the run.
    fn wants_samples(&self) -> bool {
        false
    }

    /// Receives the sample that has just been recorded, before [`Monitor::progress`] is called.
    fn sampled(&mut self, sample: &Sample) {
        let _ = sample;
    }

    /// The maximum memory that the run may use, checked at the end of every sample interval.
    fn memory_limit(&self) -> Option<Bytes> {
        None
    }

    /// The threads to run on. Results do not depend on them, but several threads use a little more memory. Called once,
    /// before the run.
    fn threads(&self) -> Threads {
        Threads::ONE
    }

    /// Points defined outside the simulator, which replace those of the spec. Called once, before the run.
    fn controllers(&self) -> Controllers {
        Controllers::default()
    }

    /// Whether bridges may decide departures in advance, so that they need no events. Results do not depend on it; it exists
    /// for the tests that show this. Called once, before the run.
    fn decides_in_advance(&self) -> bool {
        true
    }

    /// Whether to pass the frames that a port transmits to [`Monitor::passes`]. Called once for every port, before the run,
    /// except for the links between leaves and spines of a distributed bridge, which carry cells.
    fn observes(&self, port: PortId) -> bool {
        let _ = port;
        false
    }

    /// Called when an observed port begins to transmit a frame. Calls are in chronological order, but may be
    /// delayed until the end of the sample interval, just before [`Monitor::progress`] is called.
    fn passes(&mut self, frame: &PassingFrame) {
        let _ = frame;
    }
}

/// The number of threads for a run, and how they are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threads {
    pub(crate) most: NonZeroUsize,
    pub(crate) use_of_them: UseOfThreads,
}

/// How threads are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UseOfThreads {
    /// Use fewer threads than available where that is likely to be faster.
    Adapt,
    /// Use all threads.
    All,
}

impl Threads {
    /// One thread.
    pub const ONE: Self = Self::up_to(NonZeroUsize::MIN);

    /// At most `most` threads, and fewer where threads would wait for each other for longer than they work.
    pub const fn up_to(most: NonZeroUsize) -> Self {
        Self { most, use_of_them: UseOfThreads::Adapt }
    }

    /// Exactly `most` threads, if the network can be divided at all. Usually slower than [`Threads::up_to`]; intended
    /// for tests.
    pub const fn exactly(most: NonZeroUsize) -> Self {
        Self { most, use_of_them: UseOfThreads::All }
    }

    /// Whether to use fewer threads where that is likely to be faster.
    pub(crate) fn adapt(self) -> bool {
        self.use_of_them == UseOfThreads::Adapt
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
