//! `setpoint sweep`: all variants of a scenario with several seeds each, on all cores.

mod closing;
mod shared;
mod table;

use std::collections::BTreeSet;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::{Path, PathBuf};

use clap::Args;
use setpoint_lab::shard::Shard;
use setpoint_lab::store::SWEEP_PAGE;
use setpoint_lab::sweep::{Batch, SweepSummary, check_seeds, open};
use setpoint_record::json;
use setpoint_scenario::Variant;

use self::closing::Closing;
use self::table::{certainty, compared, table};
use super::output::Output;
use super::shards::{self, Part, ShardRuns, Shards, Source};
use super::slurm::{Progress, Slurm};
use super::stopping::{kept, stopped};
use super::tables::Tables;
use crate::failure::{Failure, Kind, print_line};
use crate::interrupt;
use crate::memory::MemoryLimit;
use crate::progress::SweepProgress;
use crate::scenario::{Axes, Settings};
use crate::terminal::{self, Screen, count};
use crate::warnings::Warnings;

/// Run all variants of a scenario's sweep, on all cores
///
/// The variants are all combinations of the values in the scenario's `[sweep]` and in `--axis`. Every run is stored as
/// soon as it is done: an interrupted sweep resumes when the same command is run again, and repeats
/// runs whose files are damaged. The results do not depend on the number of threads. Only one
/// process can work in a folder at a time. sweep.html compares the variants in a browser, with
/// plots over up to three axes; sweep.json and sweep.csv hold the metrics of all variants.
///
/// With `--shard`, several processes or machines share a sweep: each runs a part into the same folder, and `--collect` makes
/// the same files from all parts as one process would. With `--slurm`, a Slurm job array runs the parts.
#[derive(Debug, Args)]
pub(crate) struct Sweep {
    /// A scenario file, or the name of a built-in scenario if there is no such file
    #[arg(value_name = "FILE|NAME")]
    scenario: PathBuf,

    #[command(flatten)]
    settings: Settings,

    #[command(flatten)]
    axes: Axes,

    /// Number of consecutive seeds for each variant
    #[arg(long, value_name = "N", default_value = "1", value_parser = seeds)]
    seeds: NonZeroU32,

    /// Number of threads: one for each concurrent run, or several if there are fewer runs [default: one per core]
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<NonZeroUsize>,

    #[command(flatten)]
    shards: Shards,

    #[command(flatten)]
    slurm: Slurm,

    #[command(flatten)]
    memory: MemoryLimit,

    /// Folder for the results [default: results/NAME-sweep, where NAME is the scenario's name, with the values of --set
    /// and --axis appended]
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,

    #[command(flatten)]
    tables: Tables,

    #[command(flatten)]
    output: Output,
}

impl Sweep {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        self.output.plots.check()?;
        let scenario = self.axes.add_to(self.settings.load_for_seeds(&self.scenario)?)?;
        if scenario.axes().next().is_none() {
            return Err(nothing_to_sweep(&self.scenario));
        }
        if scenario.variant_count() >= MANY_VARIANTS && !self.output.quiet {
            print_line(&format!("checking {} variants", count(scenario.variant_count() as u64)));
        }
        let variants = scenario.variants()?;
        let default = || self.settings.folder_for_sweep(scenario.name(), &self.axes);
        let mut plan = Plan {
            seeds: self.seeds,
            threads: self.threads,
            part: self.shards.part(),
            memory: self.memory,
            folder: self.out.clone().unwrap_or_else(default),
            output: self.output,
            tables: self.tables,
        };
        plan.announce(&variants)?;
        if self.slurm.is_wanted() {
            match self.slurm.execute(&self.work(&variants, &plan)?)? {
                Progress::Printed => return Ok(()),
                Progress::Complete => plan.part = Part::Whole(Source::Shards),
            }
        }
        execute_announced(&variants, &plan)
    }
}

/// The error for a scenario without axes: it has a single variant, which is a run, not a sweep.
fn nothing_to_sweep(scenario: &Path) -> Failure {
    let name = scenario.display();
    Failure::Usage(format!(
        "{name} has nothing to sweep: it has no `[sweep]`, or `--set` gives a value to each of its axes; add an axis, as in \
         `--axis network.buffer=100kB,200kB`, or run it with `setpoint run {name}`, with `--seeds N` for several seeds"
    ))
}

/// Number of variants above which the check may take seconds.
const MANY_VARIANTS: usize = 2_000;
/// Maximum number of threads: more than any machine has cores.
const MOST_THREADS: usize = 1_024;
/// Maximum number of runs: more than anyone would wait for, yet few enough to fit in memory.
const MOST_RUNS: usize = 1_000_000;

/// Parses the number of seeds.
pub(super) fn seeds(text: &str) -> Result<NonZeroU32, String> {
    let seeds = text.parse().ok().filter(|seeds: &NonZeroU32| seeds.get() as usize <= MOST_RUNS);
    seeds.ok_or_else(|| format!("expected a number from 1 to {MOST_RUNS}"))
}

/// Parses the number of threads.
pub(super) fn threads(text: &str) -> Result<NonZeroUsize, String> {
    let threads = text.parse().ok().filter(|threads: &NonZeroUsize| threads.get() <= MOST_THREADS);
    threads.ok_or_else(|| format!("expected a number from 1 to {MOST_THREADS}"))
}

/// Settings for running a sweep or several seeds, and for the output.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) seeds: NonZeroU32,
    pub(super) threads: Option<NonZeroUsize>,
    pub(super) part: Part,
    pub(super) memory: MemoryLimit,
    pub(super) folder: PathBuf,
    pub(super) output: Output,
    pub(super) tables: Tables,
}

impl Plan {
    /// Refuses too many runs, and prints the warnings about them.
    fn announce(&self, variants: &[Variant]) -> Result<(), Failure> {
        let runs = variants.len() * self.seeds.get() as usize;
        if runs > MOST_RUNS {
            let given = format!("{} variants with {} seeds each", variants.len(), self.seeds);
            return Err(Failure::Usage(format!("{given} are {runs} runs; at most {MOST_RUNS} are allowed")));
        }
        (variants.iter().try_for_each(|variant| check_seeds(variant.scenario.seed(), self.seeds)))
            .map_err(|error| Failure::Usage(error.to_string()))?;
        if !self.output.quiet {
            Warnings::of_variants(variants, None).print();
        }
        Ok(())
    }

    /// Executes one part of the runs. There is no page until all parts are complete, so options for pages are refused.
    fn run_shard(&self, shard: Shard, variants: &[Variant], batch: Batch) -> Result<(), Failure> {
        if self.output.concerns_page() || self.tables.wanted() {
            let options = "`--svg`, `--png`, `--pdf`, `--format` and `--no-report`";
            return Err(Failure::Usage(format!(
                "a shard makes no pages or tables: use {options} with `--collect`"
            )));
        }
        let (folder, memory, quiet) = (self.folder.as_path(), Some(self.memory), self.output.quiet);
        ShardRuns { variants, batch, folder, memory, quiet }.execute(shard)
    }
}

/// Runs all variants with all seeds and prints their figures.
pub(super) fn execute(variants: &[Variant], plan: &Plan) -> Result<(), Failure> {
    plan.announce(variants)?;
    execute_announced(variants, plan)
}

fn execute_announced(variants: &[Variant], plan: &Plan) -> Result<(), Failure> {
    let runs = variants.len() * plan.seeds.get() as usize;
    let batch = Batch { seeds: plan.seeds, threads: plan.threads };
    let source = match plan.part {
        Part::Shard(shard) => return plan.run_shard(shard, variants, batch),
        Part::Whole(source) => source,
    };
    let folder = open(&plan.folder)?;
    let earlier = setpoint_lab::sweep::read(&plan.folder).ok();
    interrupt::set_stop_message(kept(&plan.folder));
    let progress = SweepProgress::new(runs, plan.output.visibility()).within(plan.memory.bytes());
    let ended = shards::summary(source, &folder, variants, batch, &progress);
    let (took, found) = progress.finish();
    let summary = ended.map_err(|error| stopped(error, &plan.folder))?;
    let page = setpoint_report::sweep(&summary);
    plan.output.put(&folder, SWEEP_PAGE, &page)?;
    plan.tables.put(&folder, &summary)?;
    if plan.output.json {
        terminal::print(&json::text(&summary))?;
    } else if !plan.output.quiet {
        let screen = Screen::of_stdout();
        let others = setpoint_lab::sweep::other_results(&plan.folder, &summary)?.len();
        let closing = Closing {
            runs,
            found,
            failed: summary.failures().count(),
            others,
            replaced: earlier.as_ref().is_some_and(|earlier| replaces(&summary, earlier)),
            took,
            compared: compared(&summary),
            certainty: certainty(&summary),
            warnings: summary.warnings_of_runs().map(|one| one.text(variants.len(), "variants")).collect(),
        };
        let table = if closing.failed < runs { table(&summary, screen) + "\n" } else { String::new() };
        terminal::print(&format!("{table}{}", closing.render(plan, screen)))?;
    }
    // Each failure was printed when it happened.
    if summary.failures().next().is_some() { Err(Failure::Reported(Kind::Run)) } else { Ok(()) }
}

/// Whether an earlier sweep in the same folder has runs that do not belong to this sweep, whose page and tables have
/// replaced the earlier ones.
fn replaces(summary: &SweepSummary, earlier: &SweepSummary) -> bool {
    let folders = |summary: &SweepSummary| -> BTreeSet<String> {
        let runs = summary.variants.iter().flat_map(|variant| &variant.runs);
        runs.map(|run| run.folder.clone()).collect()
    };
    !folders(earlier).is_subset(&folders(summary))
}
