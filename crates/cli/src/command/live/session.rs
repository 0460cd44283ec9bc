//! What all live commands have in common: the scenario, the table, the result.

use std::path::Path;

use setpoint_lab::results::{Frames, RunRecord};
use setpoint_lab::run;
use setpoint_lab::scenario::Prepared;
use setpoint_lab::store::{self, Destination};
use setpoint_live::sys::SysError;
use setpoint_sim::topology::NodeKind;
use setpoint_sim::{NodeId, Outcome};
use setpoint_suggest::did_you_mean;
use setpoint_units::{Time, TimeDelta};

use crate::command::report;
use crate::failure::Failure;
use crate::interrupt;
use crate::terminal::{self, Facts, Screen};

/// A node of the network by its name, which must be of a kind.
pub(super) fn node_of_kind(prepared: &Prepared, name: &str, kind: NodeKind) -> Result<NodeId, Failure> {
    let found = node(prepared, name)?;
    let wanted = if kind == NodeKind::Station { "an end station" } else { "a bridge" };
    match prepared.spec.topology.node_at(found).kind == kind {
        true => Ok(found),
        false => Err(Failure::Usage(format!("{name} is not {wanted} of the scenario"))),
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

/// Makes a result of an outcome on real frames.
pub(super) fn record(prepared: &Prepared, outcome: Outcome) -> RunRecord {
    let mut record = run::record(prepared, outcome);
    record.manifest.frames = Frames::Real;
    record
}

/// Stores a result with its report.
pub(super) fn store(record: &RunRecord, place: Destination) -> Result<(), Failure> {
    Ok(store::write_to(record, place, &report::derived(record, Default::default())?)?)
}

/// Prints where a page is.
pub(super) fn print_page(page: &Path) -> Result<(), Failure> {
    let screen = Screen::of_stdout();
    let mut facts = Facts::new();
    facts.add("report", [screen.paint.link(&page.display().to_string())]);
    Ok(terminal::print(&facts.render(screen))?)
}

/// The failure that a refusal of the system is.
pub(super) fn refused(error: SysError) -> Failure {
    match error {
        SysError::NoInterface { .. } | SysError::InvalidName { .. } => Failure::Usage(error.to_string()),
        error => Failure::Run(error.to_string()),
    }
}

/// A scenario as long as its outcome: a live node runs until it is stopped.
pub(super) fn lasting(prepared: &Prepared, outcome: &Outcome) -> Prepared {
    let mut prepared = prepared.clone();
    prepared.spec.duration = outcome.end.since_start();
    prepared.spec.measure_from = outcome.measure_from;
    prepared
}

/// The times at which a live node is sampled and shown, until it ends.
pub(super) struct Pulse {
    interval: TimeDelta,
    measure_from: Time,
    end: Time,
    next: Time,
    measuring: Measuring,
    shown: Time,
}

/// Whether the measurement has begun.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Measuring {
    NotYet,
    Begun,
}

/// The time between two lines about a node.
const SHOW_EVERY: TimeDelta = TimeDelta::from_secs(1);

impl Pulse {
    /// The samples of a scenario, for a time or until the program is stopped.
    pub(super) fn new(prepared: &Prepared, duration: Option<TimeDelta>) -> Self {
        let spec = &prepared.spec;
        Self {
            interval: spec.sample_interval,
            measure_from: spec.measure_from,
            end: duration.map_or(Time::MAX, |duration| Time::ZERO + duration),
            next: Time::ZERO,
            measuring: Measuring::NotYet,
            shown: Time::ZERO,
        }
    }

    /// The time of the next sample; none at the end.
    pub(super) fn next(&mut self) -> Option<Time> {
        if self.next >= self.end || interrupt::requested() {
            return None;
        }
        self.next = self.next.saturating_add(self.interval).min(self.end);
        Some(self.next)
    }

    /// Whether measurement begins with the last sample.
    pub(super) fn begins_measurement(&mut self) -> bool {
        let begins = self.measuring == Measuring::NotYet && self.next >= self.measure_from;
        if begins {
            self.measuring = Measuring::Begun;
        }
        begins
    }

    /// Whether the last sample is to be shown.
    pub(super) fn shows(&mut self) -> bool {
        let shows = self.next >= self.shown + SHOW_EVERY;
        if shows {
            self.shown = self.next;
        }
        shows
    }
}
