//! Pause, step, speed and stop of a run.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use setpoint_page::run::{Next, Order, Pace};
use setpoint_sim::Decision;
use setpoint_units::Time;

/// Interval at which a waiting run checks whether it is still being watched.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Controls how a run proceeds. The page changes it, and the thread of the run follows at its next sample.
#[derive(Debug)]
pub(crate) struct Control {
    pace: Mutex<Pace>,
    changed: Condvar,
    /// The moment from which the pace measures real time.
    began: Instant,
}

/// The reason why a run waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wait {
    /// The run is paused.
    Paused,
    /// The run is ahead of its pace.
    Pace,
}

impl Control {
    pub(crate) fn new(pace: Pace) -> Self {
        Self { pace: Mutex::new(pace), changed: Condvar::new(), began: Instant::now() }
    }

    /// Applies a command from the page.
    pub(crate) fn order(&self, order: Order) {
        self.lock().order(order);
        self.changed.notify_all();
    }

    /// After a sample at `now`, waits until the run may continue. `waits` is called once before the first wait; the run
    /// ends when it is no longer being watched.
    pub(super) fn pace(
        &self,
        now: Time,
        watched: impl Fn() -> bool,
        mut waits: impl FnMut(Wait),
    ) -> Decision {
        let mut pace = self.lock();
        let mut told = None;
        loop {
            let (reason, span) = match pace.next(now, self.began.elapsed()) {
                Next::Go => return Decision::Continue,
                Next::End => return Decision::Stop,
                Next::Paused => (Wait::Paused, LOOK_EVERY),
                Next::Early(span) => (Wait::Pace, span),
            };
            if told != Some(reason) {
                told = Some(reason);
                drop(pace);
                waits(reason);
                pace = self.lock();
                continue;
            }
            if !watched() {
                return Decision::Stop;
            }
            let waited = self.changed.wait_timeout(pace, span.min(LOOK_EVERY));
            pace = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Pace> {
        self.pace.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::thread;

    use setpoint_units::TimeDelta;

    use super::*;

    fn at(millis: u64) -> Time {
        Time::ZERO + TimeDelta::from_millis(millis)
    }

    #[test]
    fn a_paused_run_goes_on_when_it_is_told_to() {
        let control = Arc::new(Control::new(Pace::new(None, true)));
        let worker = {
            let control = control.clone();
            thread::spawn(move || {
                let mut waited = Vec::new();
                for millis in 1..=4 {
                    assert_eq!(
                        control.pace(at(millis), || true, |wait| waited.push((millis, wait))),
                        Decision::Continue
                    );
                }
                waited
            })
        };
        thread::sleep(Duration::from_millis(30));
        assert!(!worker.is_finished());
        control.order(Order::Step { samples: 2 });
        thread::sleep(Duration::from_millis(150));
        assert!(!worker.is_finished(), "two samples, and a pause");
        control.order(Order::Resume);
        assert_eq!(worker.join().unwrap(), [(1, Wait::Paused), (3, Wait::Paused)]);
    }

    #[test]
    fn a_run_that_nobody_watches_ends() {
        let control = Control::new(Pace::new(None, true));
        assert_eq!(control.pace(at(1), || false, |_| {}), Decision::Stop);
        let control = Control::new(Pace::new(Some(1e-6), false));
        assert_eq!(
            control.pace(at(1), || false, |_| {}),
            Decision::Continue,
            "the first sample sets the pace"
        );
        assert_eq!(control.pace(at(2), || false, |_| {}), Decision::Stop);
        control.order(Order::Stop);
        control.order(Order::Resume);
        assert_eq!(control.pace(at(3), || true, |_| {}), Decision::Stop, "an ended run stays ended");
    }

    #[test]
    fn speed_is_simulated_time_per_second() {
        let control = Control::new(Pace::new(Some(0.1), false));
        let begin = Instant::now();
        for millis in 0..=10 {
            assert_eq!(control.pace(at(millis), || true, |_| {}), Decision::Continue);
        }
        let took = begin.elapsed();
        assert!(took >= Duration::from_millis(99), "{took:?} for 10 ms at a tenth");
    }
}
