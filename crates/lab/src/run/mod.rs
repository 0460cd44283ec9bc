//! One run: simulate, measure, say where the result comes from.

mod error;
mod events;

use setpoint_sim::{Monitor, Outcome, simulate};

use crate::metrics::{Context, Measured, measure};
use crate::results::{Manifest, RunRecord, digest};
use crate::scenario::Prepared;

pub use error::RunError;

/// The version that results carry: that of this program.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Runs a scenario to its end. The seed is the one it was prepared with, since who sends to whom
/// may depend on it too.
///
/// # Errors
/// If the simulation stops before its end: a frame was lost where none may be, the books did not
/// balance, or the monitor stopped it.
pub fn run(prepared: &Prepared, monitor: &mut dyn Monitor) -> Result<RunRecord, RunError> {
    Ok(record(prepared, outcome(prepared, monitor)?))
}

/// Runs a scenario to its end, for those who want more of the outcome than the record holds.
///
/// # Errors
/// As [`run`].
pub fn outcome(prepared: &Prepared, monitor: &mut dyn Monitor) -> Result<Outcome, RunError> {
    simulate(&prepared.spec, monitor).map_err(|cause| RunError::new(cause, &prepared.spec))
}

/// The record of a run from what the simulator measured.
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
