//! `setpoint reproduce`: reproduces experiments from published papers and judges the papers' claims.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use clap::Args;
use setpoint_papers::{
    Agreement, ClaimRecord, Depth, Experiment, Finished, Folder, FolderError, Options, Paper, ReproduceError,
    papers, reproduce, select,
};

use setpoint_report::Plot;

use super::plots::Plots;
use super::sweep::threads;
use crate::failure::{Failure, Kind};
use crate::interrupt;
use crate::progress::{SweepProgress, Visibility};
use crate::terminal::{self, Column, Facts, Paint, Screen, Table, Unit, count, mean_and_spread, quantity};

/// Reproduce experiments from published papers and judge the papers' claims
///
/// Runs every experiment with several seeds and gives each claim of its paper a verdict: `holds`, `differs` (with the
/// measured figure, its spread over seeds and the likely cause) or `cannot be judged` (with the reason). A quick run
/// gives no verdicts: it counts the seeds for which the rule of each claim holds. Writes a page for each experiment
/// and an index. The figures do not depend on the number of threads. A claim that differs is a finding, not a
/// failure: the exit code is 0.
#[derive(Debug, Args)]
pub(crate) struct Reproduce {
    /// Experiments, such as `smcc/fig05`, or whole papers, such as `smcc` [default: all]
    #[arg(value_name = "ID|PAPER")]
    names: Vec<String>,

    /// Run a short version for a first look, with less simulated time and without verdicts
    #[arg(long)]
    quick: bool,

    /// Number of concurrent runs [default: one per core]
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<NonZeroUsize>,

    /// Folder for the pages
    #[arg(long, short, value_name = "DIR", default_value = "results/reproduce")]
    out: PathBuf,

    #[command(flatten)]
    plots: Plots,

    /// Print only a line of JSON for each claim on standard output
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
        let folder = Folder::open(&self.out, &papers, &chosen)?;
        interrupt::set_stop_message("stopped; the pages of finished experiments are kept".to_owned());
        let ended = self.run(&chosen, &folder);
        self.print(&ended, &folder)?;
        ended.outcome()
    }

    /// Runs the experiments and writes each page as soon as its experiment is finished.
    fn run(&self, chosen: &[&Experiment], folder: &Folder<'_>) -> Ended {
        let runs = chosen.iter().map(|experiment| experiment.runs()).sum();
        let progress = SweepProgress::new(runs, Visibility::unless_quiet(self.quiet));
        let depth = if self.quick { Depth::Quick } else { Depth::Full };
        let collected = Mutex::new((vec![Vec::new(); chosen.len()], Vec::new()));
        let finished = |finished: Finished<'_>| {
            let written = self.write(&finished, folder);
            let place = chosen.iter().position(|experiment| experiment.id == finished.experiment.id);
            let mut collected = collected.lock().unwrap_or_else(PoisonError::into_inner);
            collected.0[place.expect("it was chosen")] = ClaimRecord::all(&finished);
            collected.1.extend(written.err());
        };
        let options = Options { depth, threads: self.threads };
        let stopped = reproduce(chosen, options, &progress, &finished).err();
        let (records, errors) = collected.into_inner().unwrap_or_else(PoisonError::into_inner);
        let (took, _) = progress.finish();
        Ended { records: records.concat(), errors, stopped, took }
    }

    /// Writes the page of an experiment and, beside it, its plots under the name of the experiment.
    fn write(&self, finished: &Finished<'_>, folder: &Folder<'_>) -> Result<(), Failure> {
        let page = folder.add(finished)?;
        let named =
            |plot: Plot| Plot { name: format!("{}-{}", finished.experiment.name(), plot.name), ..plot };
        let draw = || page.plots().into_iter().map(named).collect();
        Ok(folder.add_plots(finished.experiment, &self.plots.files(draw)?)?)
    }

    fn print(&self, ended: &Ended, folder: &Folder<'_>) -> Result<(), Failure> {
        if self.json {
            let lines: String = ended.records.iter().map(|record| record.json() + "\n").collect();
            terminal::print(&lines)?;
        } else if !self.quiet && !ended.records.is_empty() {
            terminal::print(&ended.render(folder, Screen::of_stdout()))?;
        }
        Ok(())
    }
}

/// The outcome of the command.
struct Ended {
    /// The claims of finished experiments, in their order.
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
        // A failed run was reported when it failed; it is the reason given for every claim of its experiment.
        let failed = self.records.iter().any(|record| record.why.starts_with(setpoint_papers::RUN_FAILED));
        if failed { Err(Failure::Reported(Kind::Run)) } else { Ok(()) }
    }

    fn render(&self, folder: &Folder<'_>, screen: Screen) -> String {
        let mut table = Table::new(vec![
            Column::words("verdict", 0),
            Column::words("experiment", 0),
            Column::words("claim", 0),
            Column::figures("measured", 0),
            Column::words("expected", 2),
        ]);
        for record in &self.records {
            let cells = [verdict(record), record.experiment.clone(), record.claim.clone()];
            table.row(cells.into_iter().chain([measured(record), record.expected.clone()]));
        }
        let count_of =
            |verdict: &str| self.records.iter().filter(|record| record.verdict == verdict).count() as u64;
        let mut facts = Facts::new();
        let verdicts = ["holds", "differs", "cannot be judged", "not judged in a quick run"]
            .map(|verdict| (count_of(verdict), verdict));
        let verdicts = verdicts.into_iter().filter(|(count, _)| *count > 0);
        facts.add(
            "claims",
            verdicts.map(|(number, verdict)| format!("{} {}", count(number), plural(verdict, number))),
        );
        if count_of("quick run") > 0 {
            facts.add_text(
                "quick run",
                format!("{} claims without a verdict, with the number of seeds for which their rules hold; omit --quick for verdicts", count(count_of("quick run"))),
            );
        }
        let few = with_too_few_seeds(&self.records);
        if !few.is_empty() {
            facts.add_text("too few seeds", format!("{}: {few}", Agreement::TooFewSeeds.words()));
        }
        facts.add_text("took", quantity(Unit::Seconds, self.took.as_secs_f64()));
        facts.add_text("pages", screen.paint.link(&folder.index().display().to_string()));
        format!("{}\n{}", painted(&table.render(screen).0, screen.paint), facts.render(screen))
    }
}

/// The verdict in a word or two; for a quick run, the number of seeds for which the rule holds.
fn verdict(record: &ClaimRecord) -> String {
    match record.verdict.as_str() {
        "quick run" => format!("quick run: {} of {}", record.seeds_following, record.seeds),
        "not judged in a quick run" => "not judged".to_owned(),
        other => other.to_owned(),
    }
}

/// The claims whose rule holds for the mean, but for too few seeds.
fn with_too_few_seeds(records: &[ClaimRecord]) -> String {
    let few = records.iter().filter(|record| record.why.starts_with(Agreement::TooFewSeeds.words()));
    few.map(|record| format!("{} {}", record.experiment, record.claim)).collect::<Vec<_>>().join(", ")
}

/// "3 hold", "1 differs".
fn plural(verdict: &str, number: u64) -> &str {
    match verdict {
        "holds" if number > 1 => "hold",
        "differs" if number > 1 => "differ",
        other => other,
    }
}

/// Mean and deviation over seeds.
fn measured(record: &ClaimRecord) -> String {
    let (Some(mean), Some(spread)) = (record.measured, record.spread) else { return "-".to_owned() };
    let spread = setpoint_lab::sweep::Spread {
        count: record.seeds,
        mean,
        deviation: spread.deviation,
        min: spread.min,
        max: spread.max,
        is_lower_bound: false,
    };
    mean_and_spread(record.quantity(), &spread)
}

/// The table with coloured verdicts; each line begins with one.
fn painted(table: &str, paint: Paint) -> String {
    let line = |line: &str| match line {
        _ if line.starts_with("holds") => paint.good("holds") + &line["holds".len()..],
        _ if line.starts_with("differs") => paint.bad("differs") + &line["differs".len()..],
        other => other.to_owned(),
    };
    table.lines().map(|text| line(text) + "\n").collect()
}

/// The papers with their experiments and claims.
fn listed(papers: &[Paper], chosen: &[&Experiment], screen: Screen) -> String {
    let mut text = String::new();
    for paper in papers {
        let of_paper = chosen.iter().filter(|experiment| experiment.paper() == paper.id);
        let mut facts = Facts::of_names();
        for experiment in of_paper {
            let claims = terminal::things(experiment.claims.len() as u64, "claim");
            facts.add(experiment.id, [experiment.title.to_owned(), claims]);
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
    fn line(claim: &str, verdict: &str, why: &str) -> ClaimRecord {
        serde_json::from_value(serde_json::json!({
            "experiment": "small/sharing", "claim": claim, "inputs": "", "verdict": verdict, "measured": 1.0,
            "expected": "at least 1",
            "spread": null, "values": [], "seeds": 8, "seeds_following": 3, "unit": "ratio", "why": why, "depth": "quick",
        }))
        .unwrap()
    }

    #[test]
    fn claims_with_too_few_seeds_are_named() {
        let few = format!("{}; full run: chance", Agreement::TooFewSeeds.words());
        let mean = Agreement::MeanDiffers.words();
        let lines =
            [line("one", "quick run", &few), line("two", "quick run", mean), line("three", "differs", &few)];
        assert_eq!(with_too_few_seeds(&lines), "small/sharing one, small/sharing three");
        assert_eq!(lines.each_ref().map(verdict), ["quick run: 3 of 8", "quick run: 3 of 8", "differs"]);
        assert_eq!(verdict(&line("four", "not judged in a quick run", "")), "not judged");
    }
}
