//! The batch script.

use super::Work;
use super::quote::{self, line, quoted};
use super::request::Request;
use crate::failure::Failure;

/// The argument that makes the script collect the results.
pub(super) const COLLECT: &str = "collect";

/// A script that runs a shard in a task of a job array, or collects the results of all shards.
#[derive(Clone, Debug)]
pub(super) struct Script {
    text: String,
}

/// The commands in a script.
struct Commands<'a> {
    program: &'a str,
    folder: &'a str,
    work: &'a Work<'a>,
}

impl Script {
    /// A script that runs this program in the current folder.
    pub(super) fn new(request: &Request, work: &Work<'_>) -> Result<Self, Failure> {
        let unknown = |what: &str, error| Failure::Run(format!("cannot find the path of {what}: {error}"));
        let program = std::env::current_exe().map_err(|error| unknown("this program", error))?;
        let folder = std::env::current_dir().map_err(|error| unknown("the current folder", error))?;
        let commands = Commands { program: quote::text(&program)?, folder: quote::text(&folder)?, work };
        Ok(Self { text: commands.script(request) })
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }
}

impl Commands<'_> {
    fn script(&self, request: &Request) -> String {
        let tasks = request.tasks;
        let options: String =
            options(request).iter().map(|option| format!("#SBATCH {}\n", quoted(option))).collect();
        let (folder, shard, collect) = (quoted(self.folder), self.shard(), self.collect());
        format!(
            r#"#!/bin/sh
# Runs one of {tasks} shards or, with the argument `{COLLECT}`, makes the tables and pages from their results.
# `setpoint --slurm` submits it. To submit it by hand as FILE:
#   shards=$(sbatch --parsable --array=1-{tasks} FILE)
#   sbatch --dependency=afterany:"$shards" FILE {COLLECT}
{options}cd {folder} || exit
if [ "${{1-}}" = {COLLECT} ]; then
    exec {collect}
fi
exec {shard} --threads "$SLURM_CPUS_PER_TASK" --shard "$SLURM_ARRAY_TASK_ID/{tasks}"
"#
        )
    }

    fn shard(&self) -> String {
        line(
            [self.program]
                .into_iter()
                .chain(self.work.arguments.iter().map(String::as_str))
                .chain(["--quiet"]),
        )
    }

    fn collect(&self) -> String {
        let pages = self.work.page_arguments.iter().map(String::as_str);
        format!("{} {}", self.shard(), line(pages.chain(["--collect"])))
    }
}

/// The options of `sbatch`. Those that the user passes come last and take precedence.
fn options(request: &Request) -> Vec<String> {
    let mut options = vec![
        "--job-name=setpoint".to_owned(),
        format!("--cpus-per-task={}", request.cores),
        format!("--time={}", request.time),
        format!("--mem={}", request.memory),
    ];
    options.extend(request.partition.iter().map(|partition| format!("--partition={partition}")));
    options.extend(request.others.iter().cloned());
    options
}

#[cfg(test)]
mod tests {
    use std::num::{NonZeroU32, NonZeroUsize};
    use std::path::Path;

    use super::*;

    #[test]
    fn the_script_is_complete() {
        let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
        let work = Work {
            variants: &[],
            seeds: NonZeroU32::MIN,
            threads: None,
            folder: Path::new("results/it's"),
            arguments: words(&["sweep", "my lab.toml", "--set=network.buffer=200 kB", "--out=results/it's"]),
            page_arguments: words(&["--svg"]),
            quiet: false,
        };
        let request = Request {
            tasks: NonZeroU32::new(16).unwrap(),
            cores: NonZeroUsize::new(2).unwrap(),
            time: "2:00:00".to_owned(),
            memory: "4G".to_owned(),
            partition: Some("short".to_owned()),
            others: words(&["--comment=two words"]),
        };
        let commands =
            Commands { program: "/opt/set point/setpoint", folder: "/home/ada/lab $1", work: &work };
        insta::assert_snapshot!(commands.script(&request));
    }
}
