//! `setpoint sweep`: all variants of a scenario with several seeds each, on all cores.

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use setpoint_lab::catalogue::{self, Metric};
use setpoint_lab::scenario::Variant;
use setpoint_lab::store::{PLOTS, SWEEP_PAGE, json_text};
use setpoint_lab::sweep::{Batch, SweepError, SweepSummary, VariantSummary, open, sweep_into};

use super::plots::Plots;
use crate::failure::{Failure, Kind};
use crate::interrupt;
use crate::memory::MemoryLimit;
use crate::progress::{SweepProgress, Visibility};
use crate::scenario::{Axes, Settings};
use crate::terminal::{
    self, Column, Facts, Screen, Table, Unit, bounded, count, mean_and_spread, quantity, things,
};
use crate::warnings::Warnings;

/// Run all variants of a scenario's sweep, on all cores
///
/// The variants are all combinations of the values in the scenario's `[sweep]` and of those given with `--axis`. Every run is stored as soon as it is done: a
/// sweep that was cut off resumes when the same command is given again, and repeats runs whose files are damaged. The
/// figures do not depend on the number of threads. One process works in a folder at a time. sweep.html compares the variants in a browser, over up to three axes as drawings; sweep.json and
/// sweep.csv hold the figures of all variants.
#[derive(Debug, Args)]
pub(crate) struct Sweep {
    /// A scenario file, or the name of a built-in scenario if there is no such file
    #[arg(value_name = "FILE|NAME")]
    scenario: PathBuf,

    #[command(flatten)]
    settings: Settings,

    #[command(flatten)]
    axes: Axes,

    /// Seeds for each variant, counting up
    #[arg(long, value_name = "N", default_value = "1", value_parser = seeds)]
    seeds: NonZeroU32,

    /// Runs that go on at once [default: one for each core]
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<NonZeroUsize>,

    #[command(flatten)]
    memory: MemoryLimit,

    /// Folder for the results [default: results/NAME-sweep, by the name of the scenario, with what --set and --axis say appended]
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Print the figures as JSON, and nothing else, on standard output
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    plots: Plots,

    /// Leave out sweep.html
    #[arg(long)]
    no_report: bool,

    /// Print nothing but errors, and the JSON if that is asked for
    #[arg(long, short)]
    quiet: bool,
}

impl Sweep {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        self.plots.check()?;
        let scenario = self.axes.add_to(self.settings.load_for_seeds(&self.scenario)?)?;
        if scenario.axes().next().is_none() {
            return Err(nothing_to_sweep(&self.scenario));
        }
        let folder = self.out.unwrap_or_else(|| self.settings.folder_for_sweep(scenario.name(), &self.axes));
        let many = Many {
            seeds: self.seeds,
            threads: self.threads,
            memory: self.memory,
            folder,
            json: self.json,
            no_report: self.no_report,
            quiet: self.quiet,
            plots: self.plots,
        };
        execute(&scenario.variants()?, &many)
    }
}

/// Without axes there is one variant, which is a run and not a sweep.
fn nothing_to_sweep(scenario: &Path) -> Failure {
    let name = scenario.display();
    Failure::Usage(format!(
        "{name} has nothing to sweep: it has no `[sweep]`, or `--set` gives a value to each of its axes; add an axis, as in \
         `--axis network.buffer=100kB,200kB`, or run it with `setpoint run {name}`, with `--seeds N` for several seeds"
    ))
}

/// More threads than any machine has cores.
const MOST_THREADS: usize = 1_024;
/// More runs than anyone waits for, and few enough for the memory.
const MOST_RUNS: usize = 1_000_000;

/// Reads a number of seeds.
pub(super) fn seeds(text: &str) -> Result<NonZeroU32, String> {
    let seeds = text.parse().ok().filter(|seeds: &NonZeroU32| seeds.get() as usize <= MOST_RUNS);
    seeds.ok_or_else(|| format!("expected a number from 1 to {MOST_RUNS}"))
}

/// Reads a number of threads.
pub(super) fn threads(text: &str) -> Result<NonZeroUsize, String> {
    let threads = text.parse().ok().filter(|threads: &NonZeroUsize| threads.get() <= MOST_THREADS);
    threads.ok_or_else(|| format!("expected a number from 1 to {MOST_THREADS}"))
}

/// Many runs and what to say about them.
#[derive(Debug)]
pub(super) struct Many {
    pub(super) seeds: NonZeroU32,
    pub(super) threads: Option<NonZeroUsize>,
    pub(super) memory: MemoryLimit,
    pub(super) folder: PathBuf,
    pub(super) json: bool,
    pub(super) no_report: bool,
    pub(super) quiet: bool,
    pub(super) plots: Plots,
}

/// Runs all variants with all seeds and prints their figures.
pub(super) fn execute(variants: &[Variant], many: &Many) -> Result<(), Failure> {
    let runs = variants.len() * many.seeds.get() as usize;
    if runs > MOST_RUNS {
        let given = format!("{} variants with {} seeds each", variants.len(), many.seeds);
        return Err(Failure::Usage(format!("{given} are {runs} runs; at most {MOST_RUNS} are allowed")));
    }
    let folder = open(&many.folder)?;
    interrupt::say_when_stopped(kept(&many.folder));
    if !many.quiet {
        Warnings::of_variants(variants, None).tell();
    }
    let progress = SweepProgress::new(runs, Visibility::unless_quiet(many.quiet)).within(many.memory.bytes());
    let batch = Batch { seeds: many.seeds, threads: many.threads };
    let ended = sweep_into(&folder, variants, batch, &progress);
    let (took, found) = progress.finish();
    let summary = ended.map_err(|error| stopped(error, &many.folder))?;
    let page = setpoint_report::sweep(&summary);
    match many.no_report {
        false => folder.put(SWEEP_PAGE, page.html().as_bytes())?,
        // An older page would tell of another sweep.
        true => folder.remove(SWEEP_PAGE)?,
    }
    many.plots.put(&folder, || page.plots())?;
    if many.json {
        terminal::print(&json_text(&summary))?;
    } else if !many.quiet {
        let screen = Screen::of_stdout();
        let others = setpoint_lab::sweep::other_results(&many.folder, &summary)?.len();
        let closing = Closing {
            runs,
            found,
            failed: summary.failures().count(),
            others,
            took,
            compared: compared(&summary),
        };
        let table = if closing.failed < runs { table(&summary, screen) + "\n" } else { String::new() };
        terminal::print(&format!("{table}{}", closing.render(many, screen)))?;
    }
    // What went wrong was said when it happened.
    if summary.failures().next().is_some() { Err(Failure::Told(Kind::Run)) } else { Ok(()) }
}

/// Says what is left of a sweep that was interrupted.
pub(super) fn kept(folder: &Path) -> String {
    format!(
        "stopped; finished runs are kept in {}, and the same command resumes from there",
        folder.display()
    )
}

pub(super) fn stopped(error: SweepError, folder: &Path) -> Failure {
    match error {
        SweepError::Stopped { done: 0, runs } => Failure::Interrupted(format!(
            "stopped before the first of {runs} runs was done; nothing was stored"
        )),
        SweepError::Stopped { done, runs } => Failure::Interrupted(format!(
            "stopped after {done} of {runs} runs; finished runs are kept in {}, and the same command resumes from there",
            folder.display()
        )),
        other => Failure::Run(other.to_string()),
    }
}

/// A line for each variant; of a single variant, a line for each figure.
fn table(summary: &SweepSummary, screen: Screen) -> String {
    match &summary.variants[..] {
        [variant] if summary.axes.is_empty() => figures(summary, variant, screen),
        variants => {
            let mut table = Table::new(columns(summary));
            variants.iter().for_each(|variant| table.row(cells(summary, variant)));
            table.render_folded(screen)
        }
    }
}

/// The metrics with a column; sweep.csv has all of them.
fn shown(summary: &SweepSummary) -> impl Iterator<Item = (&'static Metric, u8)> {
    let has = |metric: &Metric| summary.variants.iter().any(|variant| variant.spread(metric).is_some());
    catalogue::all()
        .filter_map(|metric| Some((metric, metric.terminal?)))
        .filter(move |(metric, _)| has(metric))
}

fn columns(summary: &SweepSummary) -> Vec<Column> {
    let last = |key: &String| key.rsplit('.').next().unwrap_or(key).to_owned();
    let axes = summary.axes.iter().map(|key| Column::words(last(key), 0));
    axes.chain(shown(summary).map(|(metric, rank)| Column::figures(metric.header, rank))).collect()
}

fn cells(summary: &SweepSummary, variant: &VariantSummary) -> Vec<String> {
    let values = variant.values.iter().map(|value| value.trim_matches('"').to_owned());
    let failed = variant.runs.iter().all(|run| run.error.is_some());
    let figure = |(metric, _): (&Metric, u8)| match variant.spread(metric) {
        Some(spread) => mean_and_spread(metric.unit, spread),
        None if failed => "failed".to_owned(),
        None => "-".to_owned(),
    };
    values.chain(shown(summary).map(figure)).collect()
}

fn figures(summary: &SweepSummary, variant: &VariantSummary, screen: Screen) -> String {
    let mut table = Table::new(vec![
        Column::words("figure", 0),
        Column::figures("mean", 0),
        Column::figures("deviation", 1),
        Column::figures("least", 2),
        Column::figures("most", 3),
    ]);
    for (metric, _) in shown(summary) {
        let Some(spread) = variant.spread(metric) else { continue };
        let text = |value| quantity(metric.unit, value);
        let deviation = spread.deviation.map_or_else(|| "-".to_owned(), text);
        let mean = bounded(metric.unit, spread.bounded_mean());
        table.row([metric.header.to_owned(), mean, deviation, text(spread.min), text(spread.max)]);
    }
    table.render(screen).0
}

/// Which queue and port the figures are of.
fn compared(summary: &SweepSummary) -> String {
    match &summary.watched[..] {
        [watched] => match &watched.queue {
            Some(queue) => format!("figures of queues and utilisation are those of {queue} in every run"),
            None => "the runs have no queue in common: each is judged by its own longest".to_owned(),
        },
        _ => String::new(),
    }
}

/// What is said at the end.
struct Closing {
    runs: usize,
    found: usize,
    failed: usize,
    /// Results in the same folder that are not of this sweep.
    others: usize,
    took: Duration,
    /// The queue by which variants are compared.
    compared: String,
}

impl Closing {
    fn render(&self, many: &Many, screen: Screen) -> String {
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
            found if found == self.runs => "all were there already, nothing was run".to_owned(),
            found => format!("{} were there already, the others run in {took}", count(found as u64)),
        };
        facts.add("runs", [count(self.runs as u64), found, failed]);
        facts.add("queue", [self.compared.clone()]);
        facts.add("results", [screen.paint.link(&many.folder.display().to_string())]);
        if !many.no_report {
            facts.add("report", [screen.paint.link(&many.folder.join(SWEEP_PAGE).display().to_string())]);
        }
        if many.plots.wanted() {
            facts.add("plots", [screen.paint.link(&many.folder.join(PLOTS).display().to_string())]);
        }
        if self.others > 0 {
            let others = things(self.others as u64, "result");
            facts.say("beside them", format!("{others} of other runs, which were left as they are"));
        }
        facts.render(screen)
    }
}
