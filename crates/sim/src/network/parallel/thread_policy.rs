//! The number of threads that run a network: all available threads, or one if that is faster.
//!
//! Several threads bring no benefit where little happens in a window, or where other programs use the cores, because the
//! threads wait for each other. Both speeds are therefore measured from time to time, and the faster alternative is used the
//! rest of the time. The choice does not affect results.

use std::num::NonZeroUsize;
use std::time::Duration;

use crate::monitor::Threads;

/// Number of windows after which the number of threads may change, so that the speeds can be compared. Small in debug
/// builds, because tests would otherwise hardly ever reach it.
const STAGE: u64 = if cfg!(debug_assertions) { 40 } else { 500 };
/// The number of windows in a trial of the apparently slower number of threads.
const TRIAL: u64 = STAGE / 10;
/// The slower number of threads is tried once in this many stages.
const STAGES_PER_TRIAL: u64 = 64;
/// Maximum weight of all earlier stages relative to the last one: however short the last stage was, it has at least a
/// quarter of the total weight.
const MEMORY: f64 = 3.0;

/// The threads of a run.
#[derive(Clone, Debug)]
pub(in crate::network) struct ThreadPolicy {
    threads: Threads,
    /// The speed of one thread, and of all threads.
    alone: Speed,
    together: Speed,
    stages: u64,
}

/// An average speed, in which recent stages have the most weight.
#[derive(Clone, Copy, Debug, Default)]
struct Speed {
    events: f64,
    seconds: f64,
}

impl Speed {
    fn was_measured(self) -> bool {
        self.events > 0.0
    }

    fn is_slower_than(self, other: Self) -> bool {
        self.events * other.seconds < other.events * self.seconds
    }

    fn learn(&mut self, events: u64, took: Duration) {
        let events = events as f64;
        let kept = if self.was_measured() { (MEMORY * events / self.events).min(1.0) } else { 0.0 };
        self.events = self.events * kept + events;
        self.seconds = self.seconds * kept + took.as_secs_f64();
    }
}

impl ThreadPolicy {
    pub(in crate::network) fn new(threads: Threads) -> Self {
        Self { threads, alone: Speed::default(), together: Speed::default(), stages: 0 }
    }

    /// The largest number of threads.
    pub(in crate::network) fn most(&self) -> usize {
        self.threads.most.get()
    }

    /// The next stage of the run: its number of threads, and its largest number of windows.
    pub(in crate::network) fn next_stage(&self) -> (usize, u64) {
        let most = self.threads.most.get();
        if !self.threads.adapt() || !self.together.was_measured() {
            return (most, STAGE);
        }
        if !self.alone.was_measured() {
            return (1, TRIAL);
        }
        let (faster, slower) = if self.together.is_slower_than(self.alone) { (1, most) } else { (most, 1) };
        if self.stages.is_multiple_of(STAGES_PER_TRIAL) { (slower, TRIAL) } else { (faster, STAGE) }
    }

    /// Records how long a given number of threads took to process a given number of events.
    pub(in crate::network) fn learn(&mut self, threads: usize, events: u64, took: Duration) {
        if events == 0 {
            return;
        }
        self.stages += 1;
        let speed = if threads == NonZeroUsize::MIN.get() { &mut self.alone } else { &mut self.together };
        speed.learn(events, took);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOUR: NonZeroUsize = NonZeroUsize::new(4).unwrap();

    /// The share of stages on one thread, given how long a window takes on one thread and on four.
    fn alone(policy: &mut ThreadPolicy, one: u64, four: u64) -> f64 {
        const STAGES: u64 = 10 * STAGES_PER_TRIAL;
        let mut alone = 0;
        for _ in 0..STAGES {
            let (threads, windows) = policy.next_stage();
            alone += u64::from(threads == 1);
            let took = windows * if threads == 1 { one } else { four };
            policy.learn(threads, 1_000 * windows, Duration::from_micros(took));
        }
        alone as f64 / STAGES as f64
    }

    #[test]
    fn the_faster_way_is_used_and_the_other_one_tried() {
        let new = || ThreadPolicy::new(Threads::up_to(FOUR));
        assert!((0.01..0.03).contains(&alone(&mut new(), 100, 40)));
        assert!((0.97..0.99).contains(&alone(&mut new(), 100, 140)));
    }

    /// The other number of threads can become faster, for example after other programs have used the cores for a
    /// while.
    #[test]
    fn a_way_that_becomes_faster_is_used_again_after_a_few_trials() {
        let mut policy = ThreadPolicy::new(Threads::up_to(FOUR));
        alone(&mut policy, 100, 140);
        let share = alone(&mut policy, 100, 70);
        assert!(share < 0.35, "{share} of the stages were on one thread");
    }

    #[test]
    fn a_trial_is_short() {
        let mut policy = ThreadPolicy::new(Threads::up_to(FOUR));
        assert_eq!(policy.next_stage(), (4, STAGE));
        policy.learn(4, 1_000, Duration::from_millis(1));
        assert_eq!(policy.next_stage(), (1, TRIAL));
        policy.learn(1, 100, Duration::from_millis(1));
        assert_eq!(policy.next_stage(), (4, STAGE));
        policy.learn(4, 0, Duration::from_millis(1));
        for _ in 2..STAGES_PER_TRIAL {
            assert_eq!(policy.next_stage(), (4, STAGE));
            policy.learn(4, 1_000, Duration::from_millis(1));
        }
        assert_eq!(policy.next_stage(), (1, TRIAL));
    }

    #[test]
    fn a_number_that_is_asked_for_is_used() {
        let mut policy = ThreadPolicy::new(Threads::exactly(FOUR));
        for _ in 0..3 {
            assert_eq!(policy.next_stage(), (4, STAGE));
            policy.learn(4, 1_000, Duration::from_secs(1));
        }
    }
}
