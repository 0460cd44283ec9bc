//! Messages to the user about submissions.

use std::path::Path;

use super::jobs::{Jobs, ranges};
use super::place::Place;
use crate::terminal::things;

/// The number of times that shards are submitted before missing results become an error.
pub(super) const SUBMISSIONS: u32 = 4;
/// The maximum number of logs that a message names.
const NAMED: usize = 5;

/// The message after a submission.
pub(super) fn submitted(jobs: &Jobs) -> String {
    let tasks = things(jobs.shards.len() as u64, "task");
    format!("submitted {tasks} as job {}, and job {} to collect the results", jobs.array, jobs.collecting)
}

/// The message before shards are submitted again.
pub(super) fn again(jobs: &Jobs, failed: &[u32], place: &Place) -> String {
    let (next, shards) = (jobs.submission + 1, shards(jobs, failed));
    format!(
        "results of {shards} are missing; submission {next} of at most {SUBMISSIONS}\n{}",
        logs(jobs, failed, place)
    )
}

/// The message when shards are not submitted again.
pub(super) fn given_up(jobs: &Jobs, failed: &[u32], place: &Place) -> String {
    let shards = shards(jobs, failed);
    format!(
        "results of {shards} are still missing after {SUBMISSIONS} submissions\n{}\n\
         when the cause is removed, the same command submits what is missing",
        logs(jobs, failed, place)
    )
}

/// The message if this process is stopped while it submits jobs.
pub(super) const WHILE_SUBMITTING: &str = "stopped while submitting jobs; `squeue --me` shows whether they were submitted, and `scancel` cancels them";

/// The message when this process stops waiting.
pub(super) fn left(jobs: &Jobs) -> String {
    let (array, collecting) = (jobs.array, jobs.collecting);
    format!(
        "stopped waiting; jobs {array} and {collecting} continue: {}\nthe same command waits for them again",
        jobs.commands()
    )
}

fn shards(jobs: &Jobs, failed: &[u32]) -> String {
    let word = if failed.len() == 1 { "shard" } else { "shards" };
    format!("{word} {} of {}", ranges(failed), jobs.tasks)
}

/// The logs of shards, each with its last line.
fn logs(jobs: &Jobs, failed: &[u32], place: &Place) -> String {
    let one = |shard: &u32| {
        let path = place.log(jobs.array, *shard);
        format!("  {}: {}", path.display(), last_line(&path))
    };
    let mut lines: Vec<String> = failed.iter().take(NAMED).map(one).collect();
    if failed.len() > NAMED {
        lines.push(format!("  and {} more", failed.len() - NAMED));
    }
    lines.join("\n")
}

fn last_line(log: &Path) -> String {
    let Ok(text) = std::fs::read(log) else { return "not there; the task did not begin".to_owned() };
    let text = String::from_utf8_lossy(&text);
    text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("empty").to_owned()
}
