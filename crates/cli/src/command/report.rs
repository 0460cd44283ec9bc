//! `setpoint report`: regenerates the report of a stored result.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use clap::Args;
use setpoint_lab::league::Standing;
use setpoint_lab::store::{self, Derived, Kind, MANIFEST, PLOTS, REPORT, SWEEP, SWEEP_PAGE};
use setpoint_record::results::RunRecord;

use super::league;
use super::plots::Plots;
use crate::browser;
use crate::failure::Failure;
use crate::interrupt;
use crate::terminal::{self, Facts, Screen};

/// Regenerate reports from stored results
///
/// Runs get a new report.html, sweeps a new sweep.html and leagues a new league.html. The pages of `fluid`,
/// `stability`, `phase` and `reproduce` are regenerated only by those commands.
#[derive(Debug, Args)]
pub(crate) struct Report {
    /// Folders that hold a run, a sweep or a league
    #[arg(value_name = "DIR", required = true)]
    folders: Vec<PathBuf>,

    #[command(flatten)]
    plots: Plots,

    /// Open the pages in a browser
    #[arg(long)]
    open: bool,

    /// Print only errors
    #[arg(long, short)]
    quiet: bool,
}

impl Report {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        self.plots.check()?;
        interrupt::set_stop_message("stopped; reports already written are kept".to_owned());
        for folder in &self.folders {
            check_kind(folder)?;
            self.compare(folder)?;
        }
        for folder in self.folders.iter().flat_map(|folder| results(folder)) {
            if interrupt::requested() {
                return Err(Failure::Interrupted(format!("stopped before {}", folder.display())));
            }
            let record = store::read(&folder)?;
            store::add(&derived(&record, self.plots)?, &record.manifest, &folder)?;
            if !self.quiet {
                terminal::print(&places(&folder, self.plots, Screen::of_stdout()))?;
            }
        }
        if self.open {
            let pages = [REPORT, SWEEP_PAGE, league::PAGE];
            let first =
                |folder: &PathBuf| pages.iter().map(|page| folder.join(page)).find(|page| page.is_file());
            self.folders.iter().filter_map(first).for_each(|page| browser::open_file(&page));
        }
        Ok(())
    }
}

impl Report {
    /// Regenerates the page of a league or a sweep, if the folder holds one.
    fn compare(&self, folder: &Path) -> Result<(), Failure> {
        if folder.join(MANIFEST).is_file() || !folder.join(SWEEP).is_file() {
            return Ok(());
        }
        let files = setpoint_lab::sweep::open(folder)?;
        let (kind, page) = if folder.join(league::FIGURES).is_file() {
            let standings = read(&folder.join(league::FIGURES))?;
            files.put(league::PAGE, setpoint_report::league(&standings).html().as_bytes())?;
            ("league", league::PAGE)
        } else {
            let summary = setpoint_lab::sweep::read(folder)?;
            let document = setpoint_report::sweep(&summary);
            files.put(SWEEP_PAGE, document.html().as_bytes())?;
            if self.plots.wanted() {
                self.plots.put(&files, |style| document.plots(style))?;
            }
            ("sweep", SWEEP_PAGE)
        };
        if !self.quiet {
            let screen = Screen::of_stdout();
            let mut facts = Facts::new();
            facts.add_text(kind, screen.paint.link(&folder.join(page).display().to_string()));
            terminal::print(&facts.render(screen))?;
        }
        Ok(())
    }
}

/// Refuses folders whose pages only another command can generate.
fn check_kind(folder: &Path) -> Result<(), Failure> {
    let command = match store::kind_of(folder) {
        Some(Kind::Theory) => "`setpoint fluid`, `stability` or `phase`",
        Some(Kind::Papers) => "`setpoint reproduce`",
        Some(Kind::Live) => "`setpoint live demo`",
        Some(Kind::Comparison) => "`setpoint compare`",
        Some(Kind::Site) => "`setpoint site`",
        Some(Kind::Tuning) => "`setpoint tune`",
        Some(Kind::Run | Kind::Sweep) | None => return Ok(()),
    };
    let place = folder.display();
    Err(Failure::Run(format!("{place} holds pages of {command}; run that command again to regenerate them")))
}

/// Reads the stored data of a league.
fn read(path: &Path) -> Result<Vec<Standing>, Failure> {
    let unreadable = |error: &dyn Display| Failure::Run(format!("cannot read {}: {error}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| unreadable(&error))?;
    serde_json::from_str(&text).map_err(|error| unreadable(&error))
}

/// The folder itself or, for a sweep, the folders of its runs.
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
    facts.add_text("report", screen.paint.link(&folder.join(REPORT).display().to_string()));
    if plots.wanted() {
        facts.add_text("plots", screen.paint.link(&folder.join(PLOTS).display().to_string()));
    }
    facts.render(screen)
}

/// The files derived from a result: its report and the requested plots.
pub(super) fn derived(record: &RunRecord, plots: Plots) -> Result<Vec<Derived>, Failure> {
    let report = Derived::report(setpoint_report::html(record));
    Ok(std::iter::once(report).chain(plots.of_run(record)?).collect())
}
