//! Runs of this build, with captures in files.

mod inputs;
pub(crate) mod note;

use setpoint_record::capture::Capturing;
use setpoint_record::results::RunRecord;
use setpoint_record::run::{self, RunError};
use setpoint_scenario::{Capture, Prepared};
use setpoint_sim::{Monitor, SimError};
use setpoint_units::Time;

use crate::build;
use crate::store::{CaptureFile, StoreError};

pub(crate) use inputs::Inputs;

/// Runs a scenario to its end with this build.
///
/// # Errors
/// As [`setpoint_record::run::run`].
pub fn run(prepared: &Prepared, monitor: &mut dyn Monitor) -> Result<RunRecord, RunError> {
    run::run(prepared, build::current(), monitor)
}

/// Like [`run()`], but also writes frames to a capture. Returns the number of frames in it. The capture is complete
/// even if the run fails, since its frames explain the failure; if the run was stopped, it is removed.
///
/// # Errors
/// As [`run()`]; the run also stops if the capture cannot be written.
pub fn run_captured(
    prepared: &Prepared,
    capture: &Capture,
    mut file: CaptureFile,
    monitor: &mut dyn Monitor,
) -> (Result<RunRecord, RunError>, Result<u64, StoreError>) {
    let named = file.error();
    let (ended, frames) = match Capturing::begin(prepared, capture, &mut file, monitor) {
        Ok(mut capturing) => (run(prepared, &mut capturing), capturing.finish()),
        Err(error) => (Err(RunError::new(SimError::Stopped { at: Time::ZERO }, &prepared.spec)), Err(error)),
    };
    let keep = ended.as_ref().err().is_none_or(|error| !error.is_stopped());
    let captured = frames.map_err(named).and_then(|frames| {
        if keep { file.finish() } else { Ok(()) }?;
        Ok(frames)
    });
    (ended, captured)
}
