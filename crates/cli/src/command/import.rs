//! `setpoint import`: converts files of other simulators.

use std::path::{Path, PathBuf};

use clap::Args;
use setpoint_lab::files::{MAX_BYTES, read_foreign};
use setpoint_lab::store;
use setpoint_scenario::import::{Imported, TABLE, import};

use crate::failure::Failure;
use crate::terminal::{self, Facts, Screen};

/// Convert networks and traffic of other simulators into a scenario
///
/// The formats are recognised by content: HPCC's topology.txt, flow.txt and trace.txt, htsim's topologies (.topo) and
/// connection matrices (.cm), and GOAL schedules as text. A topology and a file with traffic become a scenario and a table of
/// messages (flows.csv), which can be edited; their order on the command line does not matter. Content without a counterpart
/// is refused with its line and a remedy.
#[derive(Debug, Args)]
pub(crate) struct Import {
    /// A topology, a file with traffic, or both
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Folder for the scenario and its table; it must be new or empty [default: the name of the file with traffic]
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Print only errors
    #[arg(long, short)]
    quiet: bool,
}

impl Import {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        let sources = self.files.iter().map(read_foreign).collect::<Result<Vec<_>, _>>()?;
        let imported = import(&sources)?;
        check_length(&imported)?;
        let folder = self.out.clone().unwrap_or_else(|| PathBuf::from(&imported.name));
        let scenario = format!("{}.toml", imported.name);
        let table = imported.table.as_ref().map(|table| (TABLE, table.as_bytes()));
        let files: Vec<(&str, &[u8])> =
            [(&*scenario, imported.scenario.as_bytes())].into_iter().chain(table).collect();
        store::export_files(&files, &folder)?;
        if self.quiet { Ok(()) } else { report(&imported, &folder.join(scenario)) }
    }
}

/// A scenario that cannot be read again would be useless.
fn check_length(imported: &Imported) -> Result<(), Failure> {
    let length = imported.scenario.len();
    if length as u64 <= MAX_BYTES {
        return Ok(());
    }
    Err(Failure::Usage(format!(
        "the network is too large: its scenario would have {length} bytes, and can have at most {MAX_BYTES}; import a smaller \
         topology, or describe this one with a generator such as `[topology.leaf_spine]`"
    )))
}

fn report(imported: &Imported, scenario: &Path) -> Result<(), Failure> {
    let screen = Screen::of_stdout();
    let mut facts = Facts::new();
    let count = |number: usize, what: &str| format!("{number} {what}{}", if number == 1 { "" } else { "s" });
    facts.add(
        "network",
        [
            count(imported.stations, "station"),
            count(imported.bridges, "bridge"),
            count(imported.links, "link"),
        ],
    );
    facts.add_text("traffic", count(imported.messages, "message"));
    for note in &imported.notes {
        facts.add_text("note", note.clone());
    }
    facts.add_text("scenario", screen.paint.link(&scenario.display().to_string()));
    Ok(terminal::print(&facts.render(screen))?)
}
