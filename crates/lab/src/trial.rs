//! The time that a run will take, estimated from its beginning.

use std::time::Duration;

use setpoint_record::run::outcome;
use setpoint_scenario::Prepared;
use setpoint_sim::{Decision, Monitor, Recording};
use setpoint_units::{Time, TimeDelta};

/// Duration of a trial, if it has covered enough of the run by then.
const TRIAL: Duration = Duration::from_millis(40);
/// Maximum duration of a trial.
const LONGEST: Duration = Duration::from_millis(200);
/// The number of parts of a run that a trial should cover.
const ENOUGH: usize = 9;

/// The beginning of a run, in parts of equal simulated time.
struct Trial<'a> {
    /// The time since any fixed moment.
    clock: &'a dyn Fn() -> Duration,
    began: Duration,
    part_began: Duration,
    /// The time that each part took.
    parts: Vec<Duration>,
}

impl Monitor for Trial<'_> {
    fn progress(&mut self, _now: Time, _events: u64) -> Decision {
        let now = (self.clock)();
        self.parts.push(now.saturating_sub(self.part_began));
        self.part_began = now;
        let (elapsed, enough) = (now.saturating_sub(self.began), self.parts.len() >= ENOUGH);
        if elapsed >= LONGEST || elapsed >= TRIAL && enough { Decision::Stop } else { Decision::Continue }
    }
}

/// The duration of a run in seconds, extrapolated from its beginning; `clock` is the time since any fixed moment. None if the
/// trial did not reach the first sample.
pub fn seconds(prepared: &Prepared, clock: &dyn Fn() -> Duration) -> Option<f64> {
    let mut short = prepared.clone();
    // Samples are needed only as points at which the run can be stopped, not for their values.
    short.spec.recording = Recording::LastSample;
    let (duration, thousandth) = (short.spec.duration, short.spec.duration / 1_000);
    short.spec.sample_interval = short.spec.sample_interval.min(thousandth).max(TimeDelta::from_picos(1));
    let now = clock();
    let mut trial = Trial { clock, began: now, part_began: now, parts: Vec::new() };
    // If the run fails, only the parts before the failure count.
    let _ = outcome(&short, &mut trial);
    let parts = duration.as_picos() as f64 / short.spec.sample_interval.as_picos() as f64;
    typical(trial.parts).map(|typical| typical.as_secs_f64() * parts)
}

/// The median: on a busy machine, some parts take much longer than their computation alone.
fn typical(mut parts: Vec<Duration>) -> Option<Duration> {
    parts.sort_unstable();
    parts.get(parts.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_slow_part_does_not_count() {
        let parts = [2, 2, 3, 500, 2].map(Duration::from_millis);
        assert_eq!(typical(parts.into()), Some(Duration::from_millis(2)));
        assert_eq!(typical(Vec::new()), None);
    }
}
