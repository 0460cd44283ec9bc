//! Parts shared by all live commands: the scenario, the table, the result.

use std::path::Path;

use setpoint_lab::build;
use setpoint_lab::store::{self, Destination};
use setpoint_live::drive::{Driver, Samples};
use setpoint_live::node::Node;
use setpoint_live::plan;
use setpoint_live::sys::SysError;
use setpoint_record::results::{Frames, RunRecord};
use setpoint_record::run;
use setpoint_scenario::{Check, Prepared};
use setpoint_sim::topology::NodeKind;
use setpoint_sim::{NodeId, Outcome};
use setpoint_suggest::did_you_mean;
use setpoint_units::{Time, TimeDelta};

use super::offload::Offloads;
use crate::command::report;
use crate::failure::Failure;
use crate::interrupt;
use crate::terminal::{self, Facts, Screen};

/// The node with this name, which must be of the given kind.
pub(super) fn node_of_kind(prepared: &Prepared, name: &str, kind: NodeKind) -> Result<NodeId, Failure> {
    let found = node(prepared, name)?;
    let wanted = if kind == NodeKind::Station { "an end station" } else { "a bridge" };
    match prepared.spec.topology.node_at(found).kind == kind {
        true => Ok(found),
        false => Err(Failure::Usage(format!("{name} is not {wanted}"))),
    }
}

/// A node of the network by its name.
pub(super) fn node(prepared: &Prepared, name: &str) -> Result<NodeId, Failure> {
    let topology = &prepared.spec.topology;
    topology.find(name).ok_or_else(|| {
        let names = topology.nodes().iter().map(|node| node.name.as_str());
        let known = || format!("the nodes are {}", names.clone().collect::<Vec<_>>().join(", "));
        let remedy = did_you_mean(name, names.clone()).unwrap_or_else(known);
        Failure::Usage(format!("the scenario has no node {name:?}; {remedy}"))
    })
}

/// The network, which must be able to run on real frames.
pub(super) fn runnable(prepared: Prepared) -> Result<Prepared, Failure> {
    plan::check(&prepared.spec).map_err(|error| Failure::Usage(error.to_string()))?;
    Ok(prepared)
}

/// Creates a result from an outcome on real frames. The outcome of a single node does not show whether other nodes
/// were active.
pub(super) fn record(prepared: &Prepared, outcome: Outcome, frames: Frames) -> RunRecord {
    let mut record = run::record(prepared, build::current(), outcome);
    record.manifest.frames = frames;
    if frames != Frames::Real {
        let is_of_run = |code: &str| Check::OF_RUNS.iter().any(|check| check.code == code);
        record.manifest.warnings.retain(|warning| !is_of_run(&warning.check));
    }
    record
}

/// Stores a result with its report.
pub(super) fn store(record: &RunRecord, place: Destination) -> Result<(), Failure> {
    Ok(store::write_to(record, place, &report::derived(record, Default::default())?)?)
}

/// Prints the location of a page.
pub(super) fn print_page(page: &Path) -> Result<(), Failure> {
    let screen = Screen::of_stdout();
    let mut facts = Facts::new();
    facts.add("report", [screen.paint.link(&page.display().to_string())]);
    Ok(terminal::print(&facts.render(screen))?)
}

/// Converts an error from the system into a failure.
pub(super) fn refused(error: SysError) -> Failure {
    match error {
        SysError::NoInterface { .. } | SysError::InvalidName { .. } => Failure::Usage(error.to_string()),
        error => Failure::Run(error.to_string()),
    }
}

/// The scenario with the duration that the run actually had: a live node runs until it is stopped.
pub(super) fn lasting(prepared: &Prepared, outcome: &Outcome) -> Prepared {
    let mut prepared = prepared.clone();
    prepared.spec.duration = outcome.end.since_start();
    prepared.spec.measure_from = outcome.measure_from;
    prepared
}

/// The time between two status lines about a node.
const SHOW_EVERY: TimeDelta = TimeDelta::from_secs(1);

/// A running node: when it is sampled and shown, and when it ends.
pub(super) struct Session {
    pub(super) samples: Samples,
    shown: Time,
    offloads: Offloads,
}

/// The next step after a sample.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// Show the state.
    Show,
    /// Do nothing.
    Continue,
}

impl Session {
    /// A session for the given duration, or until the program is stopped.
    pub(super) fn new(prepared: &Prepared, duration: Option<TimeDelta>) -> Self {
        let end = duration.map_or(Time::MAX, |duration| Time::ZERO + duration);
        let samples = Samples::new(&prepared.spec, end);
        Self { samples, shown: Time::ZERO, offloads: Offloads::default() }
    }

    /// Runs a node until its next sample; returns `None` if the session has ended.
    pub(super) fn next(
        &mut self,
        driver: &mut Driver,
        node: &mut impl Node,
    ) -> Result<Option<Next>, Failure> {
        if interrupt::requested() || !driver.run_to_sample(node, &mut self.samples)? {
            self.offloads.look(driver)?;
            return Ok(None);
        }
        let shows = self.samples.last() >= self.shown + SHOW_EVERY;
        if shows {
            self.shown = self.samples.last();
            self.offloads.look(driver)?;
        }
        Ok(Some(if shows { Next::Show } else { Next::Continue }))
    }
}
