//! Batches of runs shared by several processes or machines.

use std::path::Path;
use std::time::Duration;

use clap::Args;
use setpoint_lab::shard::Shard;
use setpoint_lab::store::Collection;
use setpoint_lab::sweep::{
    Batch, SweepError, SweepMonitor, SweepSummary, collect_into, join, run_shard, runs_of_shard, sweep_into,
};
use setpoint_scenario::Variant;

use super::stopping::{kept, stopped};
use crate::failure::{Failure, Kind};
use crate::interrupt;
use crate::memory::MemoryLimit;
use crate::progress::{SweepProgress, Visibility};
use crate::terminal::{self, Facts, Screen, Unit, count, quantity};

/// Options of batches that several processes can share.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(super) struct Shards {
    /// Run only part of the batch, such as 3/8. Other processes, on this machine or on others with the same file system, run
    /// the other parts into the same folder
    #[arg(long, value_name = "I/N", conflicts_with_all = ["collect", "json"])]
    shard: Option<Shard>,

    /// Make the tables and pages from the results of all shards, without running anything
    #[arg(long)]
    collect: bool,
}

/// The part of a batch that a process handles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// The process creates the tables and pages for all runs.
    Whole(Source),
    /// The process executes only the runs of a shard.
    Shard(Shard),
}

/// The source of the results of a whole batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// This process executes missing runs.
    Runs,
    /// Shards have run everything.
    Shards,
}

impl Shards {
    pub(super) fn part(self) -> Part {
        match self.shard {
            Some(shard) => Part::Shard(shard),
            None if self.collect => Part::Whole(Source::Shards),
            None => Part::Whole(Source::Runs),
        }
    }
}

/// The summary printed at the end of a shard: counts, time, folder and next step.
pub(super) struct ShardFacts<'a> {
    pub(super) shard: Shard,
    /// The name of the items that shards divide among themselves: `runs`, `points` or `experiments`.
    pub(super) what: &'static str,
    /// The number of items in the shard, and in the whole batch.
    pub(super) done: (usize, usize),
    /// The number of items that were already stored.
    pub(super) found: usize,
    pub(super) failed: usize,
    pub(super) took: Duration,
    pub(super) folder: &'a Path,
    /// The next step for the user.
    pub(super) next: &'static str,
}

/// The next step for the user if other shards may still be running.
pub(super) const COLLECT: &str =
    "when all shards have ended, run the same command with `--collect` instead of `--shard`";

impl ShardFacts<'_> {
    pub(super) fn print(&self) -> Result<(), Failure> {
        let screen = Screen::of_stdout();
        let some = |number: usize, what: &str| match number {
            0 => String::new(),
            number => format!("{} {what}", count(number as u64)),
        };
        let took = format!("in {}", quantity(Unit::Seconds, self.took.as_secs_f64()));
        let done = format!("{} of {}", count(self.done.0 as u64), count(self.done.1 as u64));
        let mut facts = Facts::new();
        facts.add("shard", [self.shard.to_string()]);
        let (found, failed) = (some(self.found, "were already stored"), some(self.failed, "failed"));
        facts.add(self.what, [done, took, found, failed]);
        facts.add("results", [screen.paint.link(&self.folder.display().to_string())]);
        facts.add_text("next", self.next);
        Ok(terminal::print(&facts.render(screen))?)
    }
}

pub(super) struct ShardRuns<'a> {
    pub(super) variants: &'a [Variant],
    pub(super) batch: Batch,
    pub(super) folder: &'a Path,
    pub(super) memory: Option<MemoryLimit>,
    pub(super) quiet: bool,
}

impl ShardRuns<'_> {
    /// Runs a shard, and prints what remains to be done.
    pub(super) fn execute(&self, shard: Shard) -> Result<(), Failure> {
        let place = join(self.folder, shard)?;
        interrupt::set_stop_message(kept(self.folder));
        let runs = runs_of_shard(self.variants, self.batch.seeds, shard);
        let progress = SweepProgress::new(runs, Visibility::unless_quiet(self.quiet));
        let progress = match self.memory {
            Some(memory) => progress.within(memory.bytes()),
            None => progress,
        };
        let ended = run_shard(&place, self.variants, self.batch, shard, &progress);
        let (took, found) = progress.finish();
        let end = ended.map_err(|error| stopped(error, self.folder))?;
        if !self.quiet {
            let (done, failed, folder) = ((end.runs, self.runs()), end.failed, self.folder);
            ShardFacts { shard, what: "runs", done, found, failed, took, folder, next: COLLECT }.print()?;
        }
        // Each failure was printed when it happened.
        if end.failed > 0 { Err(Failure::Reported(Kind::Run)) } else { Ok(()) }
    }

    fn runs(&self) -> usize {
        self.variants.len() * self.batch.seeds.get() as usize
    }
}

/// Runs a whole batch, or collects the results of its shards.
pub(super) fn summary(
    source: Source,
    folder: &Collection,
    variants: &[Variant],
    batch: Batch,
    monitor: &dyn SweepMonitor,
) -> Result<SweepSummary, SweepError> {
    match source {
        Source::Shards => collect_into(folder, variants, batch, monitor),
        Source::Runs => sweep_into(folder, variants, batch, monitor),
    }
}
