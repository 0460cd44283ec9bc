//! `setpoint compare`: one page about several stored results.

use std::path::{Path, PathBuf};

use clap::Args;
use setpoint_lab::results::RunRecord;
use setpoint_lab::store::{self, Collection, Kind, REPORT};
use setpoint_report::ComparedRun;

use crate::browser;
use crate::failure::Failure;
use crate::terminal::{self, Facts, Screen};

/// The page.
const PAGE: &str = "compare.html";

/// Compare stored results on one page
///
/// Reads two to four results of `run` and draws their queues, throughput and completion times on common axes, their rates
/// side by side, and a table of all metrics with the differences from the first. The results stay as they are.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Compare {
    /// Folders that hold a result
    #[arg(value_name = "RESULT", num_args = 2..=4, required = true)]
    results: Vec<PathBuf>,

    /// Folder for the page
    #[arg(long, short, value_name = "DIR", default_value = "results/compare")]
    out: PathBuf,

    /// Open the page in a browser
    #[arg(long)]
    open: bool,

    /// Print only errors
    #[arg(long, short)]
    quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  setpoint run -q && setpoint run -q --set control=smcc
  setpoint compare results/qcn-dumbbell results/qcn-dumbbell_control=smcc --open";

impl Compare {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        let records: Vec<RunRecord> =
            self.results.iter().map(|folder| store::read(folder)).collect::<Result<_, _>>()?;
        let names = names(&self.results, &records);
        let place = Collection::open(&self.out, Kind::Comparison, &[PAGE])?;
        let report = |folder: &Path| {
            let page = folder.join(REPORT).canonicalize().ok()?;
            Some(format!("file://{}", page.display()))
        };
        let runs: Vec<ComparedRun<'_>> = (self.results.iter().zip(&records).zip(names))
            .map(|((folder, record), name)| ComparedRun { name, record, report: report(folder) })
            .collect();
        place.put(PAGE, setpoint_report::compare(&runs).html().as_bytes())?;
        let page = self.out.join(PAGE);
        if !self.quiet {
            let screen = Screen::of_stdout();
            let mut facts = Facts::new();
            facts.add("page", [screen.paint.link(&page.display().to_string())]);
            terminal::print(&facts.render(screen))?;
        }
        if self.open {
            browser::open_file(&page);
        }
        Ok(())
    }
}

/// Short names that differ: the settings of runs of one scenario, or the names of the folders.
fn names(folders: &[PathBuf], records: &[RunRecord]) -> Vec<String> {
    let settings = |record: &RunRecord| {
        let pairs = record.manifest.overrides.iter().map(|(key, value)| format!("{key}={value}"));
        let text = pairs.collect::<Vec<_>>().join(" ");
        if text.is_empty() { "as written".to_owned() } else { text }
    };
    let folder =
        |folder: &PathBuf| folder.file_name().map_or_else(String::new, |name| name.display().to_string());
    let by_setting: Vec<String> = records.iter().map(settings).collect();
    let by_folder: Vec<String> = folders.iter().map(folder).collect();
    let differ =
        |names: &[String]| names.iter().enumerate().all(|(index, name)| !names[..index].contains(name));
    let one_scenario = records.iter().all(|record| record.manifest.scenario == records[0].manifest.scenario);
    match () {
        () if one_scenario && differ(&by_setting) => by_setting,
        () if differ(&by_folder) => by_folder,
        () => folders.iter().map(|folder| folder.display().to_string()).collect(),
    }
}
