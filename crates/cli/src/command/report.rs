//! `setpoint report`: the report of a stored result, made anew.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use clap::Args;
use setpoint_lab::results::RunRecord;
use setpoint_lab::store::{self, Derived, MANIFEST, PLOTS, REPORT, SWEEP, SWEEP_PAGE};
use setpoint_lab::sweep::SweepSummary;

use super::plots::Plots;
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
        interrupt::say_when_stopped("stopped; the reports that were written are kept".to_owned());
        for folder in &self.folders {
            self.compare(folder)?;
        }
        for folder in self.folders.iter().flat_map(|folder| results(folder)) {
            if interrupt::pressed() {
                return Err(Failure::Interrupted(format!("stopped before {}", folder.display())));
            }
            let record = store::read(&folder)?;
            store::add(&derived(&record, self.plots)?, &record.manifest, &folder)?;
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
        let sweep = setpoint_lab::sweep::open(folder)?;
        let unreadable =
            |error: &dyn Display| Failure::Run(format!("cannot read {}: {error}", figures.display()));
        let text = std::fs::read_to_string(&figures).map_err(|error| unreadable(&error))?;
        let summary: SweepSummary = serde_json::from_str(&text).map_err(|error| unreadable(&error))?;
        let document = setpoint_report::sweep(&summary);
        sweep.put(SWEEP_PAGE, document.html().as_bytes())?;
        self.plots.put(&sweep, || document.plots())?;
        let page = folder.join(SWEEP_PAGE);
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
    // Hidden folders are temporary.
    let is_hidden =
        |path: &Path| path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
    let mut inside: Vec<PathBuf> = inside.filter(|path| is_result(path) && !is_hidden(path)).collect();
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
