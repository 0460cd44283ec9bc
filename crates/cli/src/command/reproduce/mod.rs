//! `setpoint reproduce`: reproduces experiments from published papers and judges the papers' claims.

mod claims;
mod search;
mod shards;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use clap::Args;
use setpoint_papers::{
    ClaimRecord, Depth, Entry, Experiment, Finished, Folder, FolderError, Origin, Paper, ReproduceError,
    Reproduction, VerdictKind, papers, select,
};

use super::plots::Plots;
use super::shards::{Part, Shards, Source};
use super::sweep::threads;
use crate::failure::{Failure, Kind};
use crate::interrupt;
use crate::progress::{SweepProgress, Visibility};
use crate::terminal::{self, Facts, Screen, Unit, count, quantity};

/// Reproduce experiments from published papers and judge the papers' claims
///
/// Runs every experiment with several seeds and gives verdicts on claims of its paper and on our own checks: `holds`,
/// which is robust or depends on the reading; `within spread` (a single run could give this result); `holds if` (with
/// another reading of the paper); `differs` (with the likely cause); or `cannot be judged` (with the reason). A quick
/// run gives no verdicts: it counts the seeds for which the rule of each claim holds. Writes a page for each experiment
/// and an index. The figures do not depend on the number of threads. A claim that differs is a finding, not a failure:
/// the exit code is 0.
///
/// With `--shard`, several processes or machines share the experiments, or the set-ups of a search. `--collect` makes the
/// pages; for a search, it also confirms the best set-up.
#[derive(Debug, Args)]
pub(crate) struct Reproduce {
    /// Experiments, such as `smcc/fig05`, or whole papers, such as `smcc` [default: all]
    #[arg(value_name = "ID|PAPER")]
    names: Vec<String>,

    /// Run a short version for a first look, with less simulated time and without verdicts
    #[arg(long)]
    quick: bool,

    /// Run experiments as long as in the paper, even if runs are costly
    ///
    /// The scenarios of a few experiments, such as hpcc/fig11a, are shorter than in the paper.
    #[arg(long, conflicts_with_all = ["quick", "search"])]
    full_size: bool,

    /// Combine the readings of a paper, and show which combination explains the most claims
    ///
    /// Each set-up is scored by the number of the paper's claims that hold with some of the seeds. The best set-up and
    /// the leading one are then run with the remaining seeds. Options that affect no claim are not combined. A search
    /// that was stopped continues where it left off.
    #[arg(long, conflicts_with = "quick")]
    search: bool,

    /// Number of concurrent runs [default: one per core]
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<NonZeroUsize>,

    /// Folder for the pages
    #[arg(long, short, value_name = "DIR", default_value = "results/reproduce")]
    out: PathBuf,

    #[command(flatten)]
    shards: Shards,

    #[command(flatten)]
    plots: Plots,

    /// Print only one line of JSON per claim to standard output
    #[arg(long)]
    json: bool,

    /// Print only errors, and the JSON with `--json`
    #[arg(long, short)]
    quiet: bool,

    /// List the experiments and the number of claims in each, without running them
    #[arg(long)]
    list: bool,
}

impl Reproduce {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        self.plots.check()?;
        let papers = papers();
        let chosen = select(&papers, &self.names).map_err(|unknown| Failure::Usage(unknown.to_string()))?;
        if self.list {
            return Ok(terminal::print(&listed(&papers, &chosen, Screen::of_stdout()))?);
        }
        if self.search {
            return search::search(&self, &papers);
        }
        let source = match self.shards.part() {
            Part::Shard(shard) => return self.run_shard(&papers, &chosen, shard),
            Part::Whole(source) => source,
        };
        let folder = Folder::open(&self.out, &papers, &chosen)?;
        interrupt::set_stop_message("stopped; the pages of finished experiments are kept".to_owned());
        let ended = match source {
            Source::Runs => self.run(&chosen, &folder),
            Source::Shards => self.collect(&chosen, &folder)?,
        };
        self.print(&ended, &chosen, &folder)?;
        ended.outcome()
    }

    fn depth(&self) -> Depth {
        match (self.quick, self.full_size) {
            (true, _) => Depth::Quick,
            (false, true) => Depth::FullSize,
            (false, false) => Depth::Full,
        }
    }

    /// Runs the experiments and writes each page as soon as its experiment is finished.
    fn run(&self, chosen: &[&Experiment], folder: &Folder<'_>) -> Ended {
        let reproduction = Reproduction::new(chosen, self.depth());
        let progress = SweepProgress::new(reproduction.runs(), Visibility::unless_quiet(self.quiet));
        let collected = Mutex::new((vec![Vec::new(); chosen.len()], Vec::new()));
        let finished = |finished: Finished<'_>| {
            let written = self.write(&finished, folder);
            let place = chosen.iter().position(|experiment| experiment.id == finished.experiment.id);
            let mut collected = collected.lock().unwrap_or_else(PoisonError::into_inner);
            collected.0[place.expect("it was chosen")] = ClaimRecord::all(&finished);
            collected.1.extend(written.err());
        };
        let stopped = reproduction.run(self.threads, &progress, &finished).err();
        let (records, errors) = collected.into_inner().unwrap_or_else(PoisonError::into_inner);
        let (took, _) = progress.finish();
        Ended { records: records.concat(), errors, stopped, took }
    }

    /// Writes the page of an experiment and, next to it, its plots under the name of the experiment.
    fn write(&self, finished: &Finished<'_>, folder: &Folder<'_>) -> Result<(), Failure> {
        let page = folder.add(finished)?;
        let draw = |style| Entry::new(finished, &page).with_plots(&page, style).plots;
        Ok(folder.add_plots(finished.experiment, &self.plots.files(draw)?)?)
    }

    fn print(&self, ended: &Ended, chosen: &[&Experiment], folder: &Folder<'_>) -> Result<(), Failure> {
        if self.json {
            let lines: String = ended.records.iter().map(|record| record.json() + "\n").collect();
            terminal::print(&lines)?;
        } else if !self.quiet && !ended.records.is_empty() {
            terminal::print(&ended.render(chosen, folder, Screen::of_stdout()))?;
        }
        Ok(())
    }
}

/// The outcome of the command.
struct Ended {
    /// The claims of finished experiments, in the order of the experiments.
    records: Vec<ClaimRecord>,
    errors: Vec<Failure>,
    stopped: Option<ReproduceError>,
    took: Duration,
}

impl Ended {
    fn outcome(self) -> Result<(), Failure> {
        match self.stopped {
            Some(error @ ReproduceError::Threads(_)) => return Err(Failure::Run(error.to_string())),
            Some(stopped @ ReproduceError::Stopped { .. }) => {
                let message = format!("{stopped}; the pages of finished experiments are kept");
                return Err(Failure::Interrupted(message));
            }
            None => {}
        }
        if let Some(error) = self.errors.into_iter().next() {
            return Err(error);
        }
        failed_run(&self.records)
    }

    fn render(&self, chosen: &[&Experiment], folder: &Folder<'_>, screen: Screen) -> String {
        let mut facts = Facts::new();
        for (name, of_paper) in [("papers' claims", true), ("our checks", false)] {
            facts.add(name, counts(&self.records, of_paper));
        }
        for record in &self.records {
            let name = format!("{} {}", record.experiment, record.claim);
            let others = record.holds_with().join(", or with ");
            facts.add("holds if", (!others.is_empty()).then(|| format!("{name}: with {others}")));
        }
        if self.records.iter().any(|record| record.kind() == Some(VerdictKind::Quick)) {
            let text =
                "no verdicts, only the number of seeds for which each rule holds; omit --quick for verdicts";
            facts.add_text("quick run", text.to_owned());
        }
        facts.add_text("took", quantity(Unit::Seconds, self.took.as_secs_f64()));
        facts.add_text("pages", screen.paint.link(&folder.index().display().to_string()));
        claims::render(&self.records, chosen, screen) + &facts.render(screen)
    }
}

/// Returns a failure if a run of an experiment failed; it was reported when it occurred.
fn failed_run(records: &[ClaimRecord]) -> Result<(), Failure> {
    let failed = records.iter().any(ClaimRecord::has_failed_run);
    if failed { Err(Failure::Reported(Kind::Run)) } else { Ok(()) }
}

/// The verdicts on the papers' claims or on our checks: "3 hold", "1 differs".
fn counts(records: &[ClaimRecord], of_paper: bool) -> Vec<String> {
    let count = |kind: VerdictKind| {
        let counted = |record: &&ClaimRecord| record.kind() == Some(kind) && record.is_of_paper() == of_paper;
        let number = records.iter().filter(counted).count();
        (number > 0).then(|| format!("{} {}", count(number as u64), kind.predicate(number)))
    };
    VerdictKind::ALL.into_iter().filter_map(count).collect()
}

/// The papers with their experiments and claims.
fn listed(papers: &[Paper], chosen: &[&Experiment], screen: Screen) -> String {
    let mut text = String::new();
    for paper in papers {
        let of_paper = chosen.iter().filter(|experiment| experiment.paper() == paper.id);
        let mut facts = Facts::of_names();
        for experiment in of_paper {
            let checks = experiment.claims.iter().filter(|claim| claim.origin == Origin::Ours).count();
            let claims = experiment.claims.len() - checks;
            let claims = (claims > 0).then(|| terminal::things(claims as u64, "claim"));
            let checks = (checks > 0).then(|| terminal::things(checks as u64, "check") + " of our own");
            facts.add(experiment.id, [experiment.title.to_owned()].into_iter().chain(claims).chain(checks));
        }
        let facts = facts.render(screen);
        if !facts.is_empty() {
            let gap = if text.is_empty() { "" } else { "\n" };
            text += &format!("{gap}{}\n{facts}", screen.paint.faint(paper.title));
        }
    }
    text
}

impl From<FolderError> for Failure {
    fn from(error: FolderError) -> Self {
        Self::Run(error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A claim whose rule holds for three of eight seeds.
    fn line(origin: &str, verdict: &str) -> ClaimRecord {
        serde_json::from_value(serde_json::json!({
            "experiment": "small/sharing", "claim": "one", "origin": origin, "place": "", "inputs": "",
            "verdict": verdict, "measured": 1.0, "published": null, "expected": "at least 1", "spread": null,
            "interval": null, "values": [], "seeds": 8, "seeds_following": 3, "unit": "ratio", "why": "",
            "beside": [], "depth": "full",
        }))
        .unwrap()
    }

    #[test]
    fn claims_and_checks_are_counted_apart() {
        let lines = [
            line("paper", "holds (robust)"),
            line("paper", "holds (depends on the reading)"),
            line("paper", "holds if"),
            line("ours", "differs"),
            line("paper", "within spread"),
        ];
        assert_eq!(
            counts(&lines, true),
            [
                "1 holds (robust)",
                "1 holds (depends on the reading)",
                "1 is within spread",
                "1 holds with another reading"
            ]
        );
        assert_eq!(counts(&lines, false), ["1 differs"]);
    }
}
