//! What all live commands have in common: the scenario, the table, the result.

use std::path::{Path, PathBuf};

use setpoint_lab::results::RunRecord;
use setpoint_lab::run;
use setpoint_lab::scenario::Prepared;
use setpoint_lab::store::{self, Destination, REPORT};
use setpoint_sim::{NodeId, Outcome};
use setpoint_suggest::did_you_mean;

use crate::command::report;
use crate::failure::Failure;
use crate::terminal::{self, Facts, Screen};

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
    let mut prepared = prepared.clone();
    prepared.description = format!("{} Measured on real frames.", prepared.description).trim().to_owned();
    run::record(&prepared, outcome)
}

/// Stores a result with its report.
pub(super) fn store(record: &RunRecord, place: Destination) -> Result<(), Failure> {
    Ok(store::write_to(record, place, &report::derived(record, Default::default())?)?)
}

/// Prints where a result is.
pub(super) fn print_places(folders: &[PathBuf]) -> Result<(), Failure> {
    let screen = Screen::of_stdout();
    let mut facts = Facts::new();
    for folder in folders {
        facts.add("report", [screen.paint.link(&report_of(folder))]);
    }
    Ok(terminal::print(&facts.render(screen))?)
}

fn report_of(folder: &Path) -> String {
    folder.join(REPORT).display().to_string()
}
