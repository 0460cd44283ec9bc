//! One run: simulates, measures, and records the origin of the result.

mod error;
mod events;
mod inputs;
pub(crate) mod note;

use setpoint_sim::{Monitor, Outcome, SimError, simulate};
use setpoint_units::Time;

use crate::VERSION;
use crate::build;
use crate::capture::Capturing;
use crate::metrics::{Context, Measured, measure};
use crate::results::{ControllerRecord, Frames, Manifest, RunRecord, WarningRecord, digest};
use crate::store::{CaptureFile, StoreError};
use setpoint_scenario::{Capture, Prepared};

pub use error::RunError;
pub use events::events;
pub(crate) use inputs::Inputs;

/// Runs a scenario to its end, with the seed it was prepared with, since destinations may depend on it.
///
/// # Errors
/// If the simulation stops before its end: a lossless network lost a frame, the byte counts did not balance, or the
/// monitor stopped it.
pub fn run(prepared: &Prepared, monitor: &mut dyn Monitor) -> Result<RunRecord, RunError> {
    let controllers = monitor.controllers();
    let mut record = record(prepared, outcome(prepared, monitor)?);
    record.manifest.controllers = (!controllers.is_empty()).then_some(ControllerRecord {
        congestion_point: controllers.names.congestion_point,
        reaction_point: controllers.names.reaction_point,
    });
    Ok(record)
}

/// Like [`run`], and writes frames to a capture. Returns the number of frames in it. The capture is complete even if the
/// run fails, since its frames explain the failure; if the run was stopped, it is removed.
///
/// # Errors
/// As [`run`] for the run, which also stops if the capture cannot be written.
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

/// Runs a scenario to its end and returns the raw outcome, which holds more than the record.
///
/// # Errors
/// As [`run`].
pub fn outcome(prepared: &Prepared, monitor: &mut dyn Monitor) -> Result<Outcome, RunError> {
    simulate(&prepared.spec, monitor).map_err(|cause| RunError::new(cause, &prepared.spec))
}

/// Creates the record of a run from the outcome of the simulator.
#[must_use]
pub fn record(prepared: &Prepared, outcome: Outcome) -> RunRecord {
    let events = events(prepared);
    let Prepared { spec, set_point, groups, entries, .. } = prepared;
    let context = Context { spec, set_point: *set_point, events: &events, groups, entries };
    let Measured { summary, series, topology, messages } = measure(&context, outcome);
    let digest = digest(&summary, &series, &messages);
    RunRecord { manifest: manifest(prepared, digest), summary, series, topology, messages }
}

fn manifest(prepared: &Prepared, digest: String) -> Manifest {
    Manifest {
        version: VERSION.to_owned(),
        build: build::current(),
        scenario: prepared.name.clone(),
        description: prepared.description.clone(),
        scenario_text: prepared.text.clone(),
        overrides: prepared.overrides.clone(),
        seed: prepared.spec.seed,
        frames: Frames::Simulated,
        controllers: None,
        digest,
        parameters: prepared.parameters.clone(),
        warnings: prepared.warnings().iter().map(WarningRecord::from).collect(),
    }
}
