//! Submitted jobs.

use std::fmt::Write;
use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

use super::scheduler::{Active, JobId};
use crate::terminal::count;

/// The jobs of one submission, as stored for the next process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Jobs {
    /// The arguments of the program.
    pub(super) arguments: Vec<String>,
    /// The number of submissions so far, including this one.
    pub(super) submission: u32,
    pub(super) tasks: NonZeroU32,
    /// The numbers of the shards that were submitted.
    pub(super) shards: Vec<u32>,
    pub(super) array: JobId,
    /// The job that collects the results.
    pub(super) collecting: JobId,
    /// The script that the jobs run.
    pub(super) script: String,
}

impl Jobs {
    /// Whether a job belongs to this submission.
    pub(super) fn contain(&self, job: &Active) -> bool {
        [self.array, self.collecting].iter().any(|id| self.is(*id, job))
    }

    /// Whether a job is the job of this submission with the given number. The number alone is not enough: a scheduler
    /// that was reinstalled gives the same numbers to other jobs.
    pub(super) fn is(&self, id: JobId, job: &Active) -> bool {
        job.job == id && job.command.starts_with(&self.script)
    }

    /// The commands that show and cancel these jobs.
    pub(super) fn commands(&self) -> String {
        let Self { array, collecting, .. } = self;
        format!(
            "`squeue --jobs={array},{collecting}` shows them, and `scancel {array} {collecting}` cancels them"
        )
    }
}

/// Numbers in Slurm's notation, such as `1-3,7`. They must be in ascending order.
pub(super) fn ranges(numbers: &[u32]) -> String {
    let mut text = String::new();
    for range in numbers.chunk_by(|one, next| one + 1 == *next) {
        let comma = if text.is_empty() { "" } else { "," };
        let _ = match range {
            [first, .., last] => write!(text, "{comma}{first}-{last}"),
            _ => write!(text, "{comma}{}", range[0]),
        };
    }
    text
}

/// The states of jobs, such as `4 running, 12 pending (Resources)`, in the order of the queue.
pub(super) fn states(jobs: &[&Active]) -> String {
    let mut states: Vec<(&Active, u64)> = Vec::new();
    for job in jobs {
        match states.iter_mut().find(|(known, _)| known.state == job.state) {
            Some((_, number)) => *number += 1,
            None => states.push((job, 1)),
        }
    }
    let state = |(job, number): &(&Active, u64)| {
        let reason = match job.reason.as_str() {
            "" | "None" => String::new(),
            reason => format!(" ({reason})"),
        };
        format!("{} {}{reason}", count(*number), job.state.to_lowercase())
    };
    states.iter().map(state).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_short() {
        assert_eq!(ranges(&[1, 2, 3, 7, 9, 10]), "1-3,7,9-10");
        assert_eq!([ranges(&[]), ranges(&[4])], ["", "4"]);
    }

    #[test]
    fn states_are_counted() {
        let job = |state: &str, reason: &str| Active {
            job: 1,
            state: state.to_owned(),
            reason: reason.to_owned(),
            command: String::new(),
        };
        let (running, pending) = (job("RUNNING", "None"), job("PENDING", "Resources"));
        assert_eq!(states(&[&pending, &running, &pending]), "2 pending (Resources), 1 running");
        assert_eq!(states(&[]), "");
    }
}
