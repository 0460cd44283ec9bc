//! How long a run will take.

use std::time::{Duration, Instant};

use setpoint_lab::run::outcome;
use setpoint_lab::scenario::Prepared;
use setpoint_sim::{Decision, Monitor, Recording};
use setpoint_units::Time;

/// How long to try.
const TRIAL: Duration = Duration::from_millis(40);

/// Stops a run after a while.
struct Trial {
    began: Instant,
    reached: Time,
}

impl Monitor for Trial {
    fn progress(&mut self, now: Time, _events: u64) -> Decision {
        self.reached = now;
        if self.began.elapsed() >= TRIAL { Decision::Stop } else { Decision::Continue }
    }
}

/// The seconds that a run will take, extrapolated from its beginning. None if the trial did not reach the first sample.
pub(super) fn seconds(prepared: &Prepared) -> Option<f64> {
    let mut short = prepared.clone();
    // Samples are where a run can be stopped; their values are not wanted.
    short.spec.recording = Recording::LastSample;
    let thousandth = short.spec.duration / 1_000;
    short.spec.sample_interval =
        short.spec.sample_interval.min(thousandth).max(setpoint_units::TimeDelta::from_picos(1));
    let mut trial = Trial { began: Instant::now(), reached: Time::ZERO };
    // A run that fails takes as long as it took.
    let _ = outcome(&short, &mut trial);
    let took = trial.began.elapsed().as_secs_f64();
    let share = trial.reached.as_secs_f64() / (Time::ZERO + prepared.spec.duration).as_secs_f64();
    (share > 0.0).then(|| took / share.min(1.0))
}
