//! The commands of Slurm: `sbatch`, `squeue` and `scancel`.

use std::ffi::OsString;
use std::io;
use std::process::{Command, Output, Stdio};

use crate::failure::Failure;

/// The number of a job, or of a whole job array.
pub(super) type JobId = u64;

/// A job or a task of a job array that has not ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Active {
    /// Its number, which is the same for all tasks of an array.
    pub(super) job: JobId,
    /// Its state, such as `RUNNING`.
    pub(super) state: String,
    /// The reason why it has not started, such as `Priority`; the text `None` if it has.
    pub(super) reason: String,
    /// The path of its script, and the arguments.
    pub(super) command: String,
}

/// Fails if Slurm is not installed.
pub(super) fn check_installed() -> Result<(), Failure> {
    match call("sbatch", ["--version".into()]) {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(Failure::Run(format!("`sbatch --version` failed: {}", said(&output)))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(Failure::Run(ABSENT.to_owned())),
        Err(error) => Err(Failure::Run(format!("cannot run `sbatch`: {error}"))),
    }
}

/// The message if there is no `sbatch`.
const ABSENT: &str = "there is no `sbatch` on the PATH, so Slurm is not available here\n\
    on a login node of a cluster, load it (often `module load slurm`); on Debian and Ubuntu, the package `slurm-client` has \
    the commands\n\
    without Slurm, leave out `--slurm` to use the cores of this machine, or run shards with another scheduler (`--shard`, \
    docs/clusters.md)";

/// Submits a job and returns its number.
pub(super) fn submit(arguments: impl IntoIterator<Item = OsString>) -> Result<JobId, Failure> {
    let arguments = std::iter::once("--parsable".into()).chain(arguments);
    let output =
        call("sbatch", arguments).map_err(|error| Failure::Run(format!("cannot run `sbatch`: {error}")))?;
    if !output.status.success() {
        return Err(Failure::Run(format!("Slurm refused the job: {}", said(&output))));
    }
    let printed = String::from_utf8_lossy(&output.stdout);
    job_id(&printed).ok_or_else(|| Failure::Run(format!("`sbatch` printed no job number, but {printed:?}")))
}

/// The user's jobs that have not ended.
pub(super) fn active() -> Result<Vec<Active>, String> {
    let options = ["--me", "--noheader", "--array", "--format=%F|%T|%r|%o"].map(OsString::from);
    let output = call("squeue", options).map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(said(&output));
    }
    Ok(String::from_utf8_lossy(&output.stdout).lines().filter_map(job).collect())
}

/// Cancels a job. A job that has ended is not an error, and any other problem becomes visible in the queue.
pub(super) fn cancel(job: JobId) {
    let _ = call("scancel", [job.to_string().into()]);
}

/// Runs a command in a separate process group, so that Ctrl-C does not reach it.
fn call(program: &str, arguments: impl IntoIterator<Item = OsString>) -> io::Result<Output> {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.output()
}

/// The error messages of a command.
fn said(output: &Output) -> String {
    match String::from_utf8_lossy(&output.stderr).trim() {
        "" => format!("it ended with {} and printed no message", output.status),
        text => text.to_owned(),
    }
}

/// `12`, or `12;cluster`.
fn job_id(printed: &str) -> Option<JobId> {
    printed.lines().last()?.split(';').next()?.trim().parse().ok()
}

fn job(line: &str) -> Option<Active> {
    let mut parts = line.splitn(4, '|');
    let (job, mut text) = (parts.next()?.parse().ok()?, || parts.next().map(str::to_owned));
    Some(Active { job, state: text()?, reason: text()?, command: text()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read() {
        assert_eq!(
            [job_id("12\n"), job_id("note\n12;north\n"), job_id(""), job_id("no")],
            [Some(12), Some(12), None, None]
        );
        let pending = job("12|PENDING|Nodes required for job are DOWN|/lab/a|b/job.sh collect").unwrap();
        assert_eq!((pending.job, pending.state.as_str()), (12, "PENDING"));
        assert_eq!(pending.reason, "Nodes required for job are DOWN");
        assert_eq!(pending.command, "/lab/a|b/job.sh collect");
        assert_eq!(job("slurm is busy"), None);
    }
}
