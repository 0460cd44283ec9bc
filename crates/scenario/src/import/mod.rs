//! Networks and traffic of other simulators: their files become a scenario and a table of messages.
//!
//! | program | files |
//! |---|---|
//! | [HPCC](https://github.com/alibaba-edu/High-Precision-Congestion-Control) | topology.txt, flow.txt, trace.txt |
//! | [htsim](https://github.com/Broadcom/csg-htsim) | connection matrices (`.cm`), topologies (`.topo`) |
//! | [LogGOPSim](https://github.com/spcl/LogGOPSim) and [ATLAHS](https://github.com/spcl/atlahs) | GOAL, as text |
//!
//! The parsers follow those of the programs, not descriptions of the formats. Nothing is dropped silently: content that has no counterpart
//! is refused with its line and a remedy, and content that the other program ignores is mentioned in a note.
//!
//! Each format is parsed into the same two structures: a `Network` and a `Workload`. They refer to hosts by their
//! numbers in the file.

mod goal;
mod hpcc;
mod htsim;
mod kind;
mod network;
mod times;
mod words;
mod workload;
mod write;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Scenario;
use super::diagnostics::{Diagnostics, Place, Problem};
use super::source::{Files, Source};
use kind::Kind;
use network::Network;
use workload::Workload;

/// The name of the table of messages, which is stored next to the scenario.
pub const TABLE: &str = "flows.csv";

/// A scenario that was created from the files of another program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// The name of the scenario, which is that of the first file with traffic.
    pub name: String,
    /// The text of the scenario.
    pub scenario: String,
    /// The table of messages; none if the files contain none.
    pub table: Option<String>,
    /// The size of the network.
    pub stations: usize,
    /// The number of bridges.
    pub bridges: usize,
    /// The number of links.
    pub links: usize,
    /// The number of messages.
    pub messages: usize,
    /// Decisions that the files leave open, and content that their own program ignores, in sentences.
    pub notes: Vec<String>,
}

/// Creates a scenario from the files of another program: a topology, traffic or both. The order of the files does not matter.
///
/// ```
/// use setpoint_scenario::{Source, import::import};
///
/// let topology = Source::new("topology.txt", "3 1 2\n0\n1 0 100Gbps 1us 0\n2 0 100Gbps 1us 0\n");
/// let flows = Source::new("flow.txt", "1\n1 2 3 100 5000 2.000001\n");
/// let imported = import(&[topology, flows])?;
/// assert_eq!((imported.stations, imported.bridges, imported.messages), (2, 1, 1));
/// assert_eq!(
///     imported.table.unwrap().lines().last(),
///     Some("1000,h1,h2,5000,3,background") // one microsecond after 2 s, at which HPCC's traffic begins
/// );
/// # Ok::<(), setpoint_scenario::Diagnostics>(())
/// ```
///
/// # Errors
/// If a file is malformed, contains something that has no counterpart, or does not fit the others.
pub fn import(files: &[Source]) -> Result<Imported, Diagnostics> {
    let files = Sorted::of(files)?;
    let workload = files.workload()?;
    let mut network = files.network(workload.as_ref())?;
    let mut notes = network.notes.clone();
    if let Some(workload) = &workload {
        network.fail(&workload.failures)?;
        workload.check(&network)?;
        notes.extend(workload.notes.iter().cloned());
    }
    let traced = files.trace.as_ref().map(|source| hpcc::trace(source, &network)).transpose()?;
    let name = files.name();
    let from = files.names();
    let content = write::Content {
        name: &name,
        from: &from,
        network: &network,
        workload: workload.as_ref(),
        traced,
        notes: &notes,
    };
    let (scenario, table) = (content.scenario(), content.table());
    check(&name, &scenario, table.as_deref())?;
    Ok(Imported {
        scenario,
        table,
        stations: network.stations.len(),
        bridges: network.bridges.len(),
        links: network.links.len(),
        messages: workload.map_or(0, |workload| {
            workload.messages.iter().filter(|message| !message.is_computation()).count()
        }),
        notes,
        name,
    })
}

/// The files, by their role.
#[derive(Default)]
struct Sorted {
    network: Option<(Kind, Arc<Source>)>,
    traffic: Option<(Kind, Arc<Source>)>,
    trace: Option<Arc<Source>>,
}

impl Sorted {
    fn of(files: &[Source]) -> Result<Self, Diagnostics> {
        let mut sorted = Self::default();
        for file in files {
            let source = Arc::new(file.clone());
            let kind = Kind::of(&source)?;
            let earlier = match kind {
                Kind::HpccTopology | Kind::HtsimTopology => sorted.network.replace((kind, source.clone())),
                Kind::HpccFlows | Kind::HtsimConnections | Kind::Goal => {
                    sorted.traffic.replace((kind, source.clone()))
                }
                Kind::HpccTrace => sorted.trace.replace(source.clone()).map(|earlier| (kind, earlier)),
            };
            if let Some((other, earlier)) = earlier {
                let message = format!("this is {}, and {} is {}", kind.title(), earlier.name, other.title());
                return Err(Problem::at(&Place::whole(&source), message, "")
                    .help("import at most one topology, one file with traffic and one trace.txt together")
                    .into());
            }
        }
        Ok(sorted)
    }

    fn workload(&self) -> Result<Option<Workload>, Diagnostics> {
        let Some((kind, source)) = &self.traffic else { return Ok(None) };
        Ok(Some(match kind {
            Kind::Goal => goal::workload(source)?,
            Kind::HtsimConnections => htsim::connections(source)?,
            _ => hpcc::flows(source)?,
        }))
    }

    /// The network, which some formats of traffic imply.
    fn network(&self, workload: Option<&Workload>) -> Result<Network, Diagnostics> {
        match (&self.network, &self.traffic, workload) {
            (Some((Kind::HtsimTopology, source)), ..) => Ok(htsim::topology(source)?),
            (Some((_, source)), ..) => hpcc::topology(source),
            (None, Some((Kind::HtsimConnections, _)), Some(workload)) => {
                Ok(htsim::default_topology(workload)?)
            }
            (None, Some((Kind::Goal, _)), Some(workload)) => Ok(Network::star(workload.hosts)),
            (None, Some((_, source)), _) => {
                let message = "this file describes flows, but no network";
                Err(Problem::at(&Place::whole(source), message, "")
                    .help("give the topology as well, as in `setpoint import topology.txt flow.txt`")
                    .into())
            }
            (None, None, _) => {
                let name = self.trace.as_ref().map_or("import", |source| &source.name);
                Err(Problem::of_file(name, "there is no file with a network or with traffic")
                    .help("give the topology and the flows, as in `setpoint import topology.txt flow.txt`")
                    .into())
            }
        }
    }

    fn sources(&self) -> impl Iterator<Item = &Source> {
        let traffic = self.traffic.as_ref().map(|(_, source)| &**source);
        let network = self.network.as_ref().map(|(_, source)| &**source);
        traffic.into_iter().chain(network).chain(self.trace.as_deref())
    }

    fn name(&self) -> String {
        self.sources().next().map_or_else(|| String::from("imported"), Source::stem)
    }

    /// The names of the files, without folders.
    fn names(&self) -> Vec<String> {
        let name = |source: &Source| {
            let name = Path::new(&source.name).file_name().map(|name| name.to_string_lossy().into_owned());
            name.unwrap_or_else(|| source.name.clone()).replace(char::is_control, " ")
        };
        self.sources().map(name).collect()
    }
}

/// The table, for the check.
struct Table<'a>(Option<&'a str>);

impl Files for Table<'_> {
    fn open(&self, _: &Path, target: &str) -> Result<Source, String> {
        let text = self.0.filter(|_| target == TABLE).ok_or("there is no such file")?;
        Ok(Source::new(target, text))
    }

    fn canonical(&self, path: PathBuf) -> PathBuf {
        path
    }
}

/// Checks that the scenario can be run: a network may be too large, or a host may be unreachable.
fn check(name: &str, scenario: &str, table: Option<&str>) -> Result<(), Diagnostics> {
    let source = Source::of_file(format!("{name}.toml"), scenario, PathBuf::new());
    Scenario::load_with(&source, &[], &Table(table)).map(drop)
}
