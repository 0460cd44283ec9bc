//! `setpoint report`: the report of a stored result, made anew.

use std::path::{Path, PathBuf};

use clap::Args;
use setpoint_lab::results::RunRecord;
use setpoint_lab::store::{self, Derived, MANIFEST, PLOTS, REPORT, SWEEP, SWEEP_PAGE};
use setpoint_lab::sweep::SweepSummary;

use super::plots::Plots;
use super::run::json;
use crate::failure::Failure;
use crate::interrupt;
use crate::terminal::{self, Facts, Screen};

/// Make the reports of stored results anew
#[derive(Debug, Args)]
pub(crate) struct Report {
    /// Folders that hold a result, or the results of a sweep
    #[arg(value_name = "DIR", required = true)]
    folders: Vec<PathBuf>,

    #[command(flatten)]
    plots: Plots,

    /// Print nothing but errors
    #[arg(long, short)]
    quiet: bool,
}

impl Report {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        self.plots.check()?;
        for folder in &self.folders {
            self.compare(folder)?;
        }
        for folder in self.folders.iter().flat_map(|folder| results(folder)) {
            if interrupt::pressed() {
                return Err(Failure::Interrupted(format!("stopped before {}", folder.display())));
            }
            let record = store::read(&folder)?;
            store::add(&derived(&record, self.plots)?, &folder)?;
            if !self.quiet {
                terminal::print(&places(&folder, self.plots, Screen::of_stdout()))?;
            }
        }
        Ok(())
    }
}

impl Report {
    /// Makes the page of a sweep anew, if the folder holds one.
    fn compare(&self, folder: &Path) -> Result<(), Failure> {
        let figures = folder.join(SWEEP);
        if folder.join(MANIFEST).is_file() || !figures.is_file() {
            return Ok(());
        }
        let summary: SweepSummary = serde_json::from_str(&json(&figures)?)
            .map_err(|error| Failure::Run(format!("cannot read {}: {error}", figures.display())))?;
        let page = folder.join(SWEEP_PAGE);
        let document = setpoint_report::sweep(&summary);
        store::write_file(&page, document.html().as_bytes())?;
        self.plots.put(folder, || document.plots())?;
        if !self.quiet {
            let screen = Screen::of_stdout();
            let mut facts = Facts::new();
            facts.say("sweep", screen.paint.link(&page.display().to_string()));
            terminal::print(&facts.render(screen))?;
        }
        Ok(())
    }
}

/// The folder itself or, if it is that of a sweep, those of its runs.
fn results(folder: &Path) -> Vec<PathBuf> {
    let is_result = |path: &Path| path.join(MANIFEST).is_file();
    let entries = if is_result(folder) { None } else { std::fs::read_dir(folder).ok() };
    let inside = entries.into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let mut inside: Vec<PathBuf> = inside.filter(|path| is_result(path)).collect();
    inside.sort();
    if inside.is_empty() { vec![folder.to_owned()] } else { inside }
}

fn places(folder: &Path, plots: Plots, screen: Screen) -> String {
    let mut facts = Facts::new();
    facts.say("report", screen.paint.link(&folder.join(REPORT).display().to_string()));
    if plots.wanted() {
        facts.say("plots", screen.paint.link(&folder.join(PLOTS).display().to_string()));
    }
    facts.render(screen)
}

/// What is made from a result: its report and the plots that are wanted.
pub(super) fn derived(record: &RunRecord, plots: Plots) -> Result<Vec<Derived>, Failure> {
    let report = Derived::report(setpoint_report::html(record));
    Ok(std::iter::once(report).chain(plots.of_run(record)?).collect())
}
