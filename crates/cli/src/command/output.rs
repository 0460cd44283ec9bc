//! Options of commands that write a page.

use std::path::Path;

use clap::Args;
use setpoint_lab::store::{Collection, Derived, PLOTS};
use setpoint_report::document::Document;

use super::plots::Plots;
use crate::failure::Failure;
use crate::progress::Visibility;
use crate::terminal::{Facts, Screen};

/// Options for the output of a command: text, page and plots.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct Output {
    /// Print only the figures, as JSON, on standard output
    #[arg(long)]
    pub(super) json: bool,

    #[command(flatten)]
    pub(super) plots: Plots,

    /// Do not write a page
    #[arg(long)]
    pub(super) no_report: bool,

    /// Print only errors, and the JSON with --json
    #[arg(long, short)]
    pub(super) quiet: bool,
}

impl Output {
    /// Whether progress is shown.
    pub(super) fn visibility(self) -> Visibility {
        Visibility::unless_quiet(self.quiet)
    }

    /// Whether options are given that only matter when a page is written.
    pub(super) fn concerns_page(self) -> bool {
        self.plots.wanted() || self.no_report
    }

    /// Refuses options for pages in a shard, which writes none.
    pub(super) fn check_shard(self) -> Result<(), Failure> {
        if self.concerns_page() {
            let message = "a shard makes no page: use these options with `--collect`";
            return Err(Failure::Usage(message.to_owned()));
        }
        Ok(())
    }

    /// The page and the plots, if they are requested.
    pub(super) fn files(self, page: &Document) -> Result<(Option<String>, Vec<Derived>), Failure> {
        let html = (!self.no_report).then(|| page.html());
        Ok((html, self.plots.files(|style| page.plots(style))?))
    }

    /// Writes the page and the plots into a folder, and removes older ones, which would describe another result.
    pub(super) fn put(self, folder: &Collection, name: &str, page: &Document) -> Result<(), Failure> {
        if !self.no_report {
            return self.plots.put_page(folder, name, page);
        }
        folder.remove(name)?;
        self.plots.put(folder, |style| page.plots(style))
    }

    /// Adds the paths of the page and the plots, if they are requested.
    pub(super) fn add_places(self, facts: &mut Facts, folder: &Path, page: &str, screen: Screen) {
        let link = |name: &str| [screen.paint.link(&folder.join(name).display().to_string())];
        if !self.no_report {
            facts.add("report", link(page));
        }
        if self.plots.wanted() {
            facts.add("plots", link(PLOTS));
        }
    }
}
