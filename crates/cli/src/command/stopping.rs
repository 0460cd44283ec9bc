//! Messages about incomplete batches of runs.

use std::path::Path;

use setpoint_lab::sweep::SweepError;

use crate::failure::Failure;
use crate::terminal::count;

/// The maximum number of missing runs that a message names.
const NAMED: usize = 10;

/// The message for an interrupted sweep.
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
        SweepError::Missing { missing, runs } => {
            Failure::Run(self::missing("runs", &missing, runs, folder) + RESUMABLE)
        }
        other => Failure::Run(other.to_string()),
    }
}

/// The end of the message if any process can execute the missing runs.
pub(super) const RESUMABLE: &str =
    "\nrun their shards, or run everything that is missing with the same command without `--collect`";
/// The end of the message if only shards can execute the missing runs.
pub(super) const BY_SHARDS: &str = "\nrun their shards; if their results have been collected before, the pages are \
complete, because collecting removes the files of shards";

/// The message for a batch in which some runs, points or experiments are missing.
pub(super) fn missing(what: &str, missing: &[(String, Option<String>)], all: usize, folder: &Path) -> String {
    let one = |(name, instead): &(String, Option<String>)| match instead {
        Some(reason) => format!("\n  {name}: cannot be used: {reason}"),
        None => format!("\n  {name}"),
    };
    let named: String = missing.iter().take(NAMED).map(one).collect();
    let more = match missing.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!("\n  and {} more", count(more as u64)),
    };
    format!(
        "{} of {} {what} are missing in {}:{named}{more}",
        count(missing.len() as u64),
        count(all as u64),
        folder.display(),
    )
}
