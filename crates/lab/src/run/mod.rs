//! One run: simulates, measures, and records the origin of the result.

mod error;
mod events;

use setpoint_sim::{Monitor, Outcome, simulate};

use crate::metrics::{Context, Measured, measure};
use crate::results::{Manifest, RunRecord, digest};
use crate::scenario::Prepared;

pub use error::RunError;

/// The version of this program, which is recorded in results.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Runs a scenario to its end, with the seed it was prepared with, since destinations may depend on it.
///
/// # Errors
/// If the simulation stops before its end: a lossless network lost a frame, the byte counts did not balance, or the
/// monitor stopped it.
pub fn run(prepared: &Prepared, monitor: &mut dyn Monitor) -> Result<RunRecord, RunError> {
    Ok(record(prepared, outcome(prepared, monitor)?))
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
    let events = events::events(prepared);
    let Prepared { spec, set_point, groups, entries, .. } = prepared;
    let context = Context { spec, set_point: *set_point, events: &events, groups, entries };
    let Measured { summary, series, topology, messages } = measure(&context, outcome);
    let digest = digest(&summary, &series, &messages);
    RunRecord { manifest: manifest(prepared, digest), summary, series, topology, messages }
}

fn manifest(prepared: &Prepared, digest: String) -> Manifest {
    Manifest {
        version: VERSION.to_owned(),
        scenario: prepared.name.clone(),
        description: prepared.description.clone(),
        scenario_text: prepared.text.clone(),
        overrides: prepared.overrides.clone(),
        seed: prepared.spec.seed,
        digest,
        parameters: prepared.parameters.clone(),
    }
}
