//! Pause, step, speed and stop of a run.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use setpoint_sim::Decision;
use setpoint_units::Time;

/// Interval at which a waiting run checks whether it is still being watched.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Controls how a run proceeds. The page changes it, and the thread of the run follows at its next sample.
#[derive(Debug)]
pub(crate) struct Control {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Clone, Copy, Debug)]
struct State {
    going: Going,
    /// Simulated seconds per second; if `None`, the run is as fast as possible.
    speed: Option<f64>,
    /// The real time and the simulated time at which the current pace began.
    since: Option<(Instant, Time)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Going {
    On,
    /// Paused after this many further samples.
    Paused {
        after: u64,
    },
    Ended,
}

/// A command from the page.
#[derive(Clone, Copy, Debug, PartialEq, serde::Deserialize)]
#[serde(tag = "action", rename_all = "lowercase")]
pub(crate) enum Order {
    /// Stop at the next sample.
    Pause,
    /// Continue.
    Resume,
    /// Continue for the given number of samples, then pause again.
    Step {
        /// The number of samples.
        #[serde(default = "one")]
        samples: u64,
    },
    /// End the run.
    Stop,
    /// Change the speed.
    Speed {
        /// Simulated seconds per second; `None` for as fast as possible.
        speed: Option<f64>,
    },
}

fn one() -> u64 {
    1
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
    pub(crate) fn new(speed: Option<f64>, paused: bool) -> Self {
        let going = if paused { Going::Paused { after: 0 } } else { Going::On };
        Self { state: Mutex::new(State { going, speed: valid(speed), since: None }), changed: Condvar::new() }
    }

    /// Applies a command from the page.
    pub(crate) fn order(&self, order: Order) {
        let mut state = self.lock();
        if state.going == Going::Ended {
            return;
        }
        state.since = None;
        match order {
            Order::Pause => state.going = Going::Paused { after: 0 },
            Order::Resume => state.going = Going::On,
            Order::Step { samples } => state.going = Going::Paused { after: samples },
            Order::Stop => state.going = Going::Ended,
            Order::Speed { speed } => state.speed = valid(speed),
        }
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
        let mut state = self.lock();
        let mut told = None;
        loop {
            let wait = match state.next(now) {
                Next::Go => return Decision::Continue,
                Next::End => return Decision::Stop,
                Next::Wait(reason, span) => {
                    if told != Some(reason) {
                        told = Some(reason);
                        drop(state);
                        waits(reason);
                        state = self.lock();
                        continue;
                    }
                    span
                }
            };
            if !watched() {
                return Decision::Stop;
            }
            let waited = self.changed.wait_timeout(state, wait.min(LOOK_EVERY));
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

enum Next {
    Go,
    End,
    Wait(Wait, Duration),
}

impl State {
    fn next(&mut self, now: Time) -> Next {
        match self.going {
            Going::Ended => return Next::End,
            Going::Paused { after: 0 } => return Next::Wait(Wait::Paused, LOOK_EVERY),
            Going::Paused { after } => {
                self.going = Going::Paused { after: after - 1 };
                return Next::Go;
            }
            Going::On => {}
        }
        let Some(speed) = self.speed else { return Next::Go };
        let (began, from) = *self.since.get_or_insert((Instant::now(), now));
        let ahead = now.saturating_since(from).as_picos() as f64 / 1e12 / speed;
        match Duration::from_secs_f64(ahead.min(1e6)).checked_sub(began.elapsed()) {
            Some(early) if !early.is_zero() => Next::Wait(Wait::Pace, early),
            _ => Next::Go,
        }
    }
}

/// A valid speed: positive and finite.
fn valid(speed: Option<f64>) -> Option<f64> {
    speed.filter(|speed| speed.is_finite() && *speed > 0.0).map(|speed| speed.clamp(1e-9, 1e6))
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
        let control = Arc::new(Control::new(None, true));
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
        let control = Control::new(None, true);
        assert_eq!(control.pace(at(1), || false, |_| {}), Decision::Stop);
        let control = Control::new(Some(1e-6), false);
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
        let control = Control::new(Some(0.1), false);
        let begin = Instant::now();
        for millis in 0..=10 {
            assert_eq!(control.pace(at(millis), || true, |_| {}), Decision::Continue);
        }
        let took = begin.elapsed();
        assert!(took >= Duration::from_millis(99), "{took:?} for 10 ms at a tenth");
        assert_eq!([f64::NAN, -1.0, 0.0, f64::INFINITY].map(|speed| valid(Some(speed))), [None; 4]);
    }

    #[test]
    fn orders_are_objects_with_an_action() {
        let read = |text: &str| serde_json::from_str::<Order>(text).ok();
        assert_eq!(read(r#"{"action":"step"}"#), Some(Order::Step { samples: 1 }));
        assert_eq!(read(r#"{"action":"speed","speed":null}"#), Some(Order::Speed { speed: None }));
        assert_eq!(read(r#"{"action":"fly"}"#), None);
    }
}
