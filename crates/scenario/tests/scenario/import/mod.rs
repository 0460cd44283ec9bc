//! Files of other simulators.

mod goal;
mod hpcc;
mod htsim;
mod malformed;
mod public;
mod robust;

use std::path::{Path, PathBuf};

use setpoint_scenario::import::{Imported, TABLE, import};
use setpoint_scenario::{Diagnostics, Files, Prepared, Scenario, Source};
use setpoint_sim::{MessageOutcome, NodeId, Outcome, Unwatched, paths, simulate};

/// Imports texts with these names.
fn try_import(files: &[(&str, &str)]) -> Result<Imported, Diagnostics> {
    let sources: Vec<Source> = files.iter().map(|(name, text)| Source::new(*name, *text)).collect();
    import(&sources)
}

fn imported(files: &[(&str, &str)]) -> Imported {
    try_import(files).unwrap_or_else(|errors| panic!("{errors}"))
}

/// The number of stations, bridges, links and messages.
fn counts(imported: &Imported) -> [usize; 4] {
    [imported.stations, imported.bridges, imported.links, imported.messages]
}

/// An import as a folder.
struct Folder<'a>(&'a Imported);

impl Files for Folder<'_> {
    fn open(&self, _: &Path, target: &str) -> Result<Source, String> {
        assert_eq!(target, TABLE);
        Ok(Source::new(target, self.0.table.clone().ok_or("there is no table")?))
    }

    fn canonical(&self, path: PathBuf) -> PathBuf {
        path
    }
}

/// The scenario of an import, as `setpoint run` reads it.
fn prepared(imported: &Imported) -> Prepared {
    let source = Source::of_file("imported.toml", imported.scenario.as_str(), PathBuf::new());
    let scenario = Scenario::load_with(&source, &[], &Folder(imported));
    scenario.and_then(|scenario| scenario.prepare(1)).unwrap_or_else(|errors| panic!("{errors}"))
}

/// The nodes on the path of each flow.
fn routes(prepared: &Prepared) -> Vec<Vec<String>> {
    let topology = &prepared.spec.topology;
    let name = |node: NodeId| topology.node_at(node).name.clone();
    let route = |ports: Vec<setpoint_sim::PortId>| {
        let first = ports.first().map(|port| name(topology.source(*port)));
        first.into_iter().chain(ports.iter().map(|port| name(topology.target(*port)))).collect()
    };
    paths(&prepared.spec).unwrap().into_iter().map(route).collect()
}

fn run(prepared: &Prepared) -> Outcome {
    simulate(&prepared.spec, &mut Unwatched).unwrap_or_else(|error| panic!("{error}"))
}

/// The completion time of each message on an empty network, in picoseconds, by size.
fn ideal_times(outcome: &Outcome) -> Vec<(u64, u64)> {
    let time = |message: &MessageOutcome| (message.size.get(), message.ideal.as_picos());
    let mut times: Vec<(u64, u64)> = outcome.messages.iter().map(time).collect();
    times.sort_unstable();
    times
}
