//! Batches of runs as jobs in the Slurm scheduler: `--slurm`.
//!
//! * A job array runs the shards of a batch, and a job that depends on it collects their results. Both are ordinary commands
//!   in one batch script, and continue when this process ends.
//! * This process waits for them. Whether a shard is complete depends only on the results in the folder, not on exit codes,
//!   nor on accounting, which not every cluster has. Shards with missing results are submitted again, a few times.
//! * The script, the job numbers and the logs are in a hidden folder among the results, which is removed when the batch
//!   is complete.

mod campaign;
mod jobs;
mod messages;
mod place;
mod quote;
mod request;
mod scheduler;
mod script;
mod watch;

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::Path;

use clap::Args;
use setpoint_scenario::Variant;

pub(super) use self::quote::text;

use self::campaign::Campaign;
use self::request::Request;
use self::script::Script;
use crate::failure::Failure;
use crate::terminal;

/// Options of batches that Slurm can run.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct Slurm {
    /// Run the shards as Slurm jobs, wait for them, and resubmit those that fail
    ///
    /// Ctrl-C leaves the jobs running; the same command then waits for them again. Each task executes `--threads` runs at
    /// the same time (default: one).
    #[arg(long, help_heading = HEADING, conflicts_with_all = ["shard", "collect"])]
    slurm: bool,

    /// Number of tasks, which is the number of shards [default: enough for about ten minutes each, from 8 to 256]
    #[arg(long, help_heading = HEADING, value_name = "N", requires = "slurm", value_parser = tasks)]
    tasks: Option<NonZeroU32>,

    /// Partition for the jobs [default: that of the cluster]
    #[arg(long, help_heading = HEADING, value_name = "NAME", requires = "slurm", value_parser = line)]
    partition: Option<String>,

    /// Time limit of a task, such as 2:00:00 for two hours [default: five minutes plus, for each run in sequence, one second and three times the longest estimate]
    #[arg(long, help_heading = HEADING, value_name = "TIME", requires = "slurm", value_parser = line)]
    time: Option<String>,

    /// Memory of a task, such as 4G [default: 200 MiB plus 1.25 times the most that its concurrent runs may need]
    #[arg(long, help_heading = HEADING, value_name = "SIZE", requires = "slurm", value_parser = line)]
    mem: Option<String>,

    /// Pass an option to `sbatch`, as in `--sbatch=--account=physics`. Can be given several times
    #[arg(long, help_heading = HEADING, value_name = "OPTION", requires = "slurm", value_parser = line)]
    #[arg(allow_hyphen_values = true)]
    sbatch: Vec<String>,

    /// Print the batch script with the commands that submit it, and submit nothing
    #[arg(long, help_heading = HEADING, requires = "slurm")]
    print_script: bool,
}

const HEADING: &str = "Slurm";

/// A batch of runs, and the commands that run it.
pub(super) struct Work<'a> {
    pub(super) variants: &'a [Variant],
    pub(super) seeds: NonZeroU32,
    /// The number of concurrent runs in a task.
    pub(super) threads: Option<NonZeroUsize>,
    pub(super) folder: &'a Path,
    /// The arguments of the program, without `--shard`.
    pub(super) arguments: Vec<String>,
    /// Additional arguments for the collecting process, without `--collect`.
    pub(super) page_arguments: Vec<String>,
    pub(super) quiet: bool,
}

/// The progress of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// The script was printed.
    Printed,
    /// All results exist.
    Complete,
}

impl Slurm {
    /// Whether Slurm runs the batch.
    pub(super) fn is_wanted(&self) -> bool {
        self.slurm
    }

    /// Prints the script, or submits it and waits for all results.
    pub(super) fn execute(&self, work: &Work<'_>) -> Result<Progress, Failure> {
        if !self.print_script {
            scheduler::check_installed()?;
        }
        let request = Request::new(self, work);
        let script = Script::new(&request, work)?;
        if self.print_script {
            terminal::print(script.text())?;
            return Ok(Progress::Printed);
        }
        Campaign::begin(work, &request, &script)?.run()?;
        Ok(Progress::Complete)
    }
}

/// Maximum number of tasks, above Slurm's default limit on the size of a job array.
const MOST_TASKS: u32 = 1_000_000;

fn tasks(text: &str) -> Result<NonZeroU32, String> {
    let tasks = text.parse().ok().filter(|tasks: &NonZeroU32| tasks.get() <= MOST_TASKS);
    tasks.ok_or_else(|| format!("expected a number from 1 to {MOST_TASKS}"))
}

/// Parses a value for a line of the script.
fn line(text: &str) -> Result<String, String> {
    match text.is_empty() || text.contains(['\n', '\r', '\0']) {
        true => Err("expected one line of text".to_owned()),
        false => Ok(text.to_owned()),
    }
}
