//! The last lines of a sweep on the terminal.

use std::time::Duration;

use setpoint_lab::store::SWEEP_PAGE;

use super::Plan;
use crate::command::shards::{Part, Source};
use crate::terminal::{Facts, Screen, Unit, count, quantity, things};

/// How a sweep ended, and where its results are.
pub(super) struct Closing {
    pub(super) runs: usize,
    /// The number of runs that were already stored.
    pub(super) found: usize,
    pub(super) failed: usize,
    /// Results in the same folder that belong to other sweeps.
    pub(super) others: usize,
    /// Whether the files of an earlier sweep were replaced.
    pub(super) replaced: bool,
    pub(super) took: Duration,
    /// The queue used to compare variants.
    pub(super) compared: String,
    /// The uncertainty of the figures, in words.
    pub(super) certainty: String,
    /// Warnings about finished runs.
    pub(super) warnings: Vec<String>,
}

impl Closing {
    pub(super) fn render(&self, plan: &Plan, screen: Screen) -> String {
        let mut facts = Facts::new();
        let took = quantity(Unit::Seconds, self.took.as_secs_f64());
        let failed = match self.failed {
            0 => String::new(),
            failed if failed == self.runs => "all of them failed".to_owned(),
            failed => format!("{} failed", count(failed as u64)),
        };
        let found = match self.found {
            0 if self.failed == self.runs => String::new(),
            0 => format!("all run in {took}"),
            _ if plan.part == Part::Whole(Source::Shards) => "collected from all shards".to_owned(),
            found if found == self.runs => "all were already stored, nothing was run".to_owned(),
            found => format!("{} were already stored, the others run in {took}", count(found as u64)),
        };
        facts.add("runs", [count(self.runs as u64), found, failed]);
        facts.add("queue", [self.compared.clone()]);
        facts.add("means", [self.certainty.clone()]);
        for warning in &self.warnings {
            facts.add("note", [warning.clone()]);
        }
        facts.add("results", [screen.paint.link(&plan.folder.display().to_string())]);
        plan.output.add_places(&mut facts, &plan.folder, SWEEP_PAGE, screen);
        let tables = plan.tables.folder(&plan.folder);
        facts.add("tables", tables.map(|folder| screen.paint.link(&folder.display().to_string())));
        if self.replaced {
            let files = if plan.output.no_report { "tables" } else { "page and tables" };
            facts.add_text(
                "replaced",
                format!("the {files} of an earlier sweep in this folder; its runs are kept"),
            );
        }
        if self.others > 0 {
            let others = things(self.others as u64, "result");
            facts.add_text("also there", format!("{others} of other runs, kept"));
        }
        facts.render(screen)
    }
}
