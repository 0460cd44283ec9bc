//! Pausing, stepping, speed and stopping of a run.

use std::time::Duration;

use setpoint_units::Time;

/// The state of a run that determines how it proceeds. It does not read a clock: its caller passes the time.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    going: Going,
    /// Simulated seconds per second; if `None`, the run is as fast as possible.
    speed: Option<f64>,
    /// The real time and the simulated time at which the current pace began.
    since: Option<(Duration, Time)>,
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
pub enum Order {
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

/// How a run proceeds after a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// To the next sample.
    Go,
    /// Not at all: the page has stopped it.
    End,
    /// After the next command, since it is paused.
    Paused,
    /// After this time, since it is ahead of its pace.
    Early(Duration),
}

impl Pace {
    /// The pace of a run that has not begun: a speed in simulated seconds per second, or as fast as possible.
    #[must_use]
    pub fn new(speed: Option<f64>, paused: bool) -> Self {
        let going = if paused { Going::Paused { after: 0 } } else { Going::On };
        Self { going, speed: valid(speed), since: None }
    }

    /// Applies a command from the page.
    pub fn order(&mut self, order: Order) {
        if self.going == Going::Ended {
            return;
        }
        self.since = None;
        match order {
            Order::Pause => self.going = Going::Paused { after: 0 },
            Order::Resume => self.going = Going::On,
            Order::Step { samples } => self.going = Going::Paused { after: samples },
            Order::Stop => self.going = Going::Ended,
            Order::Speed { speed } => self.speed = valid(speed),
        }
    }

    /// How the run proceeds after its sample at `now`. `clock` is the real time since any fixed moment. After [`Next::Paused`]
    /// and [`Next::Early`], the caller asks again.
    pub fn next(&mut self, now: Time, clock: Duration) -> Next {
        match self.going {
            Going::Ended => return Next::End,
            Going::Paused { after: 0 } => return Next::Paused,
            Going::Paused { after } => {
                self.going = Going::Paused { after: after - 1 };
                return Next::Go;
            }
            Going::On => {}
        }
        let Some(speed) = self.speed else { return Next::Go };
        let (began, from) = *self.since.get_or_insert((clock, now));
        let ahead = now.saturating_since(from).as_picos() as f64 / 1e12 / speed;
        let ahead = Duration::from_secs_f64(ahead.min(1e6));
        match ahead.checked_sub(clock.saturating_sub(began)) {
            Some(early) if !early.is_zero() => Next::Early(early),
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
    use setpoint_units::TimeDelta;

    use super::*;

    #[test]
    fn orders_are_objects_with_an_action() {
        let read = |text: &str| serde_json::from_str::<Order>(text).ok();
        assert_eq!(read(r#"{"action":"step"}"#), Some(Order::Step { samples: 1 }));
        assert_eq!(read(r#"{"action":"speed","speed":null}"#), Some(Order::Speed { speed: None }));
        assert_eq!(read(r#"{"action":"fly"}"#), None);
    }

    #[test]
    fn a_speed_is_positive_and_finite() {
        assert_eq!([f64::NAN, -1.0, 0.0, f64::INFINITY].map(|speed| valid(Some(speed))), [None; 4]);
    }

    #[test]
    fn a_run_that_is_early_waits_for_the_rest() {
        let mut pace = Pace::new(Some(0.1), false);
        let mut next = |millis, clock| {
            pace.next(Time::ZERO + TimeDelta::from_millis(millis), Duration::from_millis(clock))
        };
        assert_eq!(next(1, 500), Next::Go, "the first sample sets the pace");
        assert_eq!(next(2, 504), Next::Early(Duration::from_millis(6)));
        assert_eq!(next(2, 510), Next::Go);
    }
}
