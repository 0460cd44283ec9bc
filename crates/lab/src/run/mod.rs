//! One run: simulate, measure, say where the result comes from.

mod error;

use setpoint_sim::{FlowId, Monitor, Outcome, Spec, simulate};
use setpoint_units::Time;

use crate::metrics::{Context, Event, Measured, measure};
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
    let events = events(prepared);
    let context = Context { spec: &prepared.spec, set_point: prepared.set_point, events: &events };
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

/// Most starts and stops of flows that are told apart: where flows come and go all the time, none
/// of them is an event.
const MAX_SWITCHES: usize = 16;

/// What happens in a run, in words: what the scenario changes, and flows that start and stop.
fn events(prepared: &Prepared) -> Vec<Event> {
    let spec = &prepared.spec;
    let end = Time::ZERO + spec.duration;
    let mut switches = switches(spec);
    switches.retain(|event| event.at < end);
    if switches.len() > MAX_SWITCHES {
        switches.truncate(1);
    }
    let named = prepared.event_labels.iter().map(|(at, label)| Event { at: *at, label: label.clone() });
    let mut events: Vec<Event> = switches.into_iter().chain(named).collect();
    events.sort_by_key(|event| event.at);
    events
}

/// The instants at which flows start or stop by themselves, in order of time.
fn switches(spec: &Spec) -> Vec<Event> {
    let starts = spec.flows.iter().enumerate().map(|(flow, spec)| (spec.start, Switch::Start, flow));
    let stops =
        spec.flows.iter().enumerate().filter_map(|(flow, spec)| Some((spec.stop?, Switch::Stop, flow)));
    let mut switches: Vec<(Time, Switch, usize)> = starts.chain(stops).collect();
    switches.sort_unstable();
    let together = switches.chunk_by(|first, second| (first.0, first.1) == (second.0, second.1));
    together.map(|group| Event { at: group[0].0, label: group[0].1.label(group, spec) }).collect()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Switch {
    Start,
    Stop,
}

impl Switch {
    fn label(self, group: &[(Time, Self, usize)], spec: &Spec) -> String {
        let (one, many) = match self {
            Self::Start => ("starts", "start"),
            Self::Stop => ("stops", "stop"),
        };
        match group {
            [(_, _, flow)] => format!("{} {one}", error::flow_name(spec, FlowId(*flow as u32))),
            _ => format!("{} flows {many}", group.len()),
        }
    }
}
