//! How fast a network would run on more cores than there are.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::network::Barrier;

/// How the work of a run was divided into windows and threads, measured by one thread that did all of it
/// ([`Threads::rehearsed`](crate::Threads::rehearsed)).
///
/// With a core for each thread, a window takes as long as the thread with the most work, and two barriers. Everything else is
/// assumed to take as long as on one core: set-up, samples, and reading the notes about pauses. The prediction ignores
/// that more cores have more cache and share the memory.
///
/// ```
/// use std::time::Duration;
/// use setpoint_sim::Rehearsal;
///
/// let rehearsal = Rehearsal {
///     threads: 4,
///     windows: 1_000,
///     events: 400_000,
///     work: Duration::from_millis(40),
///     longest: Duration::from_millis(12),
/// };
/// assert_eq!(rehearsal.imbalance(), 1.2);
/// let (whole, barrier) = (Duration::from_millis(45), Duration::from_micros(1));
/// assert_eq!(rehearsal.predicted(whole, barrier), Duration::from_millis(5 + 12 + 2));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rehearsal {
    /// The number of threads for which the work was divided; one if it cannot be divided.
    pub threads: usize,
    /// The number of windows.
    pub windows: u64,
    /// The events in these windows.
    pub events: u64,
    /// The time that all threads would take together.
    pub work: Duration,
    /// The time of the thread that would take longest in each window, added up over all windows.
    pub longest: Duration,
}

impl Rehearsal {
    /// The factor by which windows take longer than if all threads had the same work; at least 1.
    #[must_use]
    pub fn imbalance(&self) -> f64 {
        let even = self.work.as_secs_f64() / self.threads.max(1) as f64;
        if even > 0.0 { self.longest.as_secs_f64() / even } else { 1.0 }
    }

    /// The mean number of events of a thread in a window.
    #[must_use]
    pub fn events_per_window(&self) -> f64 {
        self.events as f64 / (self.windows.max(1) * self.threads.max(1) as u64) as f64
    }

    /// How long the run would take with a core for each thread, given how long all of the rehearsal and one barrier took.
    #[must_use]
    pub fn predicted(&self, whole: Duration, barrier: Duration) -> Duration {
        let barriers = Duration::from_secs_f64(barrier.as_secs_f64() * 2.0 * self.windows as f64);
        whole.saturating_sub(self.work) + self.longest + barriers
    }

    /// Adds another stage of the same run.
    pub(crate) fn add(&mut self, stage: &Self) {
        self.windows += stage.windows;
        self.events += stage.events;
        self.work += stage.work;
        self.longest += stage.longest;
    }
}

/// Measures how long a barrier takes for a number of threads. For more threads than there are cores, the figure grows in
/// proportion, since all threads change the same counter one after another.
#[must_use]
pub fn barrier_time(threads: NonZeroUsize) -> Duration {
    const ROUNDS: u32 = 20_000;
    let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let measured = threads.get().min(cores);
    let barrier = Barrier::new(measured);
    let slowest = AtomicU64::new(0);
    thread::scope(|scope| {
        // If a thread cannot be started, those that were must not wait for it.
        let _attendance = barrier.attend();
        for _ in 0..measured {
            scope.spawn(|| {
                let _attendance = barrier.attend();
                barrier.wait();
                let began = Instant::now();
                (0..ROUNDS).for_each(|_| barrier.wait());
                slowest.fetch_max(began.elapsed().as_nanos() as u64, Ordering::Relaxed);
            });
        }
    });
    Duration::from_nanos(slowest.into_inner()).mul_f64(threads.get() as f64 / measured as f64) / ROUNDS
}
