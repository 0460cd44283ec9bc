//! How many threads run a network: all of them, or one if that is faster.
//!
//! Threads that wait for each other gain nothing where little happens in a window, or where other programs use the cores. Both
//! are therefore measured from time to time, and the faster one is used otherwise. Results do not depend on it.

use std::num::NonZeroUsize;
use std::time::Duration;

use crate::monitor::Threads;

/// How often the slower way is tried: once in so many stages.
const TRIAL: u64 = 64;
/// The weight of a new measurement in its mean.
const WEIGHT: f64 = 0.25;

/// The threads of a run.
#[derive(Clone, Debug)]
pub(super) struct Crew {
    threads: Threads,
    /// Seconds per event on one thread, and on all, if they were measured.
    alone: Option<f64>,
    together: Option<f64>,
    stages: u64,
}

impl Crew {
    pub(super) fn new(threads: Threads) -> Self {
        Self { threads, alone: None, together: None, stages: 0 }
    }

    /// The largest number of threads.
    pub(super) fn most(&self) -> usize {
        self.threads.most.get()
    }

    /// Whether one thread does the work of all.
    pub(super) fn rehearses(&self) -> bool {
        self.threads.rehearse()
    }

    /// The number of threads for the next stage of the run.
    pub(super) fn size(&self) -> usize {
        let most = self.threads.most.get();
        if self.threads.rehearse() {
            return 1;
        }
        if !self.threads.adapt() {
            return most;
        }
        let (Some(alone), Some(together)) = (self.alone, self.together) else {
            return if self.together.is_none() { most } else { 1 };
        };
        let trial = self.stages.is_multiple_of(TRIAL);
        if (together <= alone) == trial { 1 } else { most }
    }

    /// Learns how long a number of threads took for a number of events.
    pub(super) fn learn(&mut self, threads: usize, events: u64, took: Duration) {
        if events == 0 {
            return;
        }
        self.stages += 1;
        let measured = took.as_secs_f64() / events as f64;
        let mean = if threads == NonZeroUsize::MIN.get() { &mut self.alone } else { &mut self.together };
        *mean = Some(mean.map_or(measured, |mean| mean + WEIGHT * (measured - mean)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOUR: NonZeroUsize = NonZeroUsize::new(4).unwrap();

    /// The share of stages on one thread, given how long an event takes on one and on four.
    fn alone(one: u64, four: u64) -> f64 {
        let mut crew = Crew::new(Threads::up_to(FOUR));
        let mut alone = 0;
        for _ in 0..10 * TRIAL {
            let threads = crew.size();
            alone += u64::from(threads == 1);
            crew.learn(threads, 1_000, Duration::from_micros(if threads == 1 { one } else { four }));
        }
        alone as f64 / (10 * TRIAL) as f64
    }

    #[test]
    fn the_faster_way_is_used_and_the_other_one_tried() {
        assert!((0.01..0.03).contains(&alone(100, 40)));
        assert!((0.97..0.99).contains(&alone(100, 140)));
    }

    #[test]
    fn a_number_that_is_asked_for_is_used() {
        let mut crew = Crew::new(Threads::exactly(FOUR));
        for _ in 0..3 {
            assert_eq!(crew.size(), 4);
            crew.learn(4, 1_000, Duration::from_secs(1));
        }
    }
}
