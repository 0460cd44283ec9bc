//! `setpoint report`: the report of a stored result, made anew.

use std::path::PathBuf;

use clap::Args;
use setpoint_lab::results::RunRecord;
use setpoint_lab::store::{self, Derived, PLOTS, REPORT};

use crate::failure::Failure;
use crate::terminal::{self, Facts, Screen};

/// Make the report of a stored result anew
#[derive(Debug, Args)]
pub(crate) struct Report {
    /// Folders that hold results; those in the folder of a sweep too
    #[arg(value_name = "DIR", required = true)]
    folders: Vec<PathBuf>,

    /// Also write every plot as SVG, into the folder `plots` of the result
    #[arg(long)]
    svg: bool,

    /// Print nothing but errors
    #[arg(long, short)]
    quiet: bool,
}

impl Report {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        let screen = Screen::of_stdout();
        for folder in &self.folders {
            let record = store::read(folder)?;
            let plots = if self.svg { Plots::Drawn } else { Plots::LeftOut };
            store::add(&derived(&record, plots), folder)?;
            let mut facts = Facts::new();
            facts.say("report", screen.paint.link(&folder.join(REPORT).display().to_string()));
            if self.svg {
                facts.say("plots", screen.paint.link(&folder.join(PLOTS).display().to_string()));
            }
            if !self.quiet {
                terminal::print(&facts.render(screen))?;
            }
        }
        Ok(())
    }
}

/// Whether plots are wanted as files of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Plots {
    Drawn,
    LeftOut,
}

/// What is made from a result.
pub(super) fn derived(record: &RunRecord, plots: Plots) -> Vec<Derived> {
    let report = Derived::report(setpoint_report::html(record));
    std::iter::once(report).chain(drawings(record, plots)).collect()
}

/// The plots of a result as files.
pub(super) fn drawings(record: &RunRecord, plots: Plots) -> Vec<Derived> {
    match plots {
        Plots::LeftOut => Vec::new(),
        Plots::Drawn => {
            let plots = setpoint_report::plots(record).into_iter();
            plots.map(|plot| Derived::plot(&plot.name, plot.svg)).collect()
        }
    }
}
