//! The duration and sampling of a run.

use setpoint_units::{Time, TimeDelta};

use crate::diagnostics::{Problem, Problems};
use crate::format::{Placed, Root};

/// Maximum number of samples in a series.
const MAX_SAMPLES: u64 = 10_000_000;

/// Duration, start of measurement, and sampling.
#[derive(Clone, Copy, Debug)]
pub(super) struct Schedule {
    pub(super) duration: TimeDelta,
    pub(super) measure_from: Time,
    pub(super) measure_messages_until: Option<Time>,
    pub(super) sample_interval: TimeDelta,
}

pub(super) fn schedule(root: &Root, problems: &mut Problems) -> Option<Schedule> {
    let duration = problems.take(duration(&root.duration))?;
    let measure_from = problems.take(measure_from(&root.measure_from, duration));
    let sample_interval = problems.take(sample_interval(&root.sample_interval, duration));
    let measure_from = measure_from?;
    let until =
        problems.take(measure_messages_until(&root.measure_messages_until, measure_from, duration))?;
    Some(Schedule {
        duration,
        measure_from,
        measure_messages_until: until,
        sample_interval: sample_interval?,
    })
}

fn duration(key: &Placed<TimeDelta>) -> Result<TimeDelta, Problem> {
    match **key {
        TimeDelta::ZERO => {
            Err(Problem::at(key.place(), "`duration` is 0 s, but must be longer", "nothing would happen"))
        }
        duration => Ok(duration),
    }
}

fn measure_from(key: &Placed<Option<TimeDelta>>, duration: TimeDelta) -> Result<Time, Problem> {
    let from = key.unwrap_or(duration / 4);
    if from >= duration {
        let message = format!("`measure_from` is {from}, but the run ends at {duration}");
        return Err(Problem::at(key.place(), message, "nothing would be measured")
            .help("write an earlier time, or increase `duration`"));
    }
    Ok(Time::ZERO + from)
}

fn measure_messages_until(
    key: &Placed<Option<TimeDelta>>,
    from: Time,
    duration: TimeDelta,
) -> Result<Option<Time>, Problem> {
    let Some(until) = **key else { return Ok(None) };
    if until <= from.since_start() {
        let message =
            format!("`measure_messages_until` is {until}, but measurement begins at {}", from.since_start());
        return Err(Problem::at(key.place(), message, "no message would be measured")
            .help("write a later time, or an earlier `measure_from`"));
    }
    // A run that was shortened measures all messages until its end.
    Ok((until < duration).then_some(Time::ZERO + until))
}

fn sample_interval(key: &Placed<Option<TimeDelta>>, duration: TimeDelta) -> Result<TimeDelta, Problem> {
    let usual = (duration / 1_000).max(TimeDelta::from_micros(1)).min(duration);
    let interval = key.unwrap_or(usual);
    if interval.is_zero() || interval > duration {
        let message =
            format!("`sample_interval` is {interval}, but must be above 0 s and at most {duration}");
        return Err(Problem::at(key.place(), message, "no sample would be taken"));
    }
    let samples = duration / interval;
    if samples > MAX_SAMPLES {
        let message = format!(
            "{duration} at intervals of {interval} gives {samples} samples; at most {MAX_SAMPLES} are supported"
        );
        return Err(Problem::at(key.place(), message, "too short")
            .help(format!("sample every {usual}, or shorten the run")));
    }
    Ok(interval)
}
