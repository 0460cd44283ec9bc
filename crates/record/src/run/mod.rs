//! One run: simulates, measures, and records the origin of the result.

mod error;
mod events;
mod inactive;

use setpoint_scenario::Prepared;
use setpoint_sim::{Monitor, Outcome, simulate};

use self::inactive::Finished;
use crate::VERSION;
use crate::metrics::{Context, Measured, measure};
use crate::results::{
    Build, ControllerRecord, Frames, Manifest, PauseRecord, RunRecord, WarningRecord, digest,
};

pub use error::RunError;
pub use events::events;

/// Runs a scenario to its end, with the seed it was prepared with, since destinations may depend on it. The record names
/// the build that computed it.
///
/// # Errors
/// If the simulation stops before its end: a lossless network lost a frame, the byte counts did not balance, or the
/// monitor stopped it.
pub fn run(prepared: &Prepared, build: Build, monitor: &mut dyn Monitor) -> Result<RunRecord, RunError> {
    let controllers = monitor.controllers();
    let mut record = record(prepared, build, outcome(prepared, monitor)?);
    record.manifest.controllers = (!controllers.is_empty()).then_some(ControllerRecord {
        congestion_point: controllers.names.congestion_point,
        reaction_point: controllers.names.reaction_point,
    });
    Ok(record)
}

/// Runs a scenario to its end and returns the raw outcome, which holds more than the record.
///
/// # Errors
/// As [`run`].
pub fn outcome(prepared: &Prepared, monitor: &mut dyn Monitor) -> Result<Outcome, RunError> {
    simulate(&prepared.spec, monitor).map_err(|cause| RunError::new(cause, &prepared.spec))
}

/// Creates the record of a run from the outcome of the simulator.
pub fn record(prepared: &Prepared, build: Build, outcome: Outcome) -> RunRecord {
    let events = events(prepared);
    let Prepared { spec, set_point, groups, entries, jobs, .. } = prepared;
    let context = Context { spec, set_point: *set_point, events: &events, groups, entries, jobs };
    let pauses = PauseRecord::all(&outcome);
    let first_lowered = inactive::first_lowered(&outcome);
    let Measured { summary, series, topology, messages } = measure(&context, outcome);
    let digest = digest(&summary, &series, &messages);
    let mut manifest = manifest(prepared, build, digest);
    let finished = Finished { prepared, summary: &summary, series: &series, first_lowered };
    manifest.warnings.extend(finished.warnings());
    RunRecord { manifest, summary, series, topology, messages, pauses }
}

fn manifest(prepared: &Prepared, build: Build, digest: String) -> Manifest {
    Manifest {
        version: VERSION.to_owned(),
        build,
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
