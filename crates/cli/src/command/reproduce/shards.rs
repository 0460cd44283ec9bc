//! Experiments shared by several processes or machines.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use setpoint_lab::shard::Shard;
use setpoint_papers::{
    ClaimRecord, Experiment, Finished, Folder, FolderError, Paper, ReproduceError, Reproduction, ShardFolder,
    of_shard,
};

use super::{Ended, Reproduce, failed_run};
use crate::command::shards::{COLLECT, ShardFacts};
use crate::command::stopping::{BY_SHARDS, missing};
use crate::failure::Failure;
use crate::interrupt;
use crate::progress::{SweepProgress, Visibility};

impl Reproduce {
    /// Refuses options that only matter when pages are written.
    pub(super) fn check_shard(&self) -> Result<(), Failure> {
        if self.plots.wanted() {
            let message = "a shard makes no pages: use `--svg`, `--png` and `--pdf` with `--collect`";
            return Err(Failure::Usage(message.to_owned()));
        }
        Ok(())
    }

    /// Runs the experiments of a shard, and stores the result of each as soon as it is finished.
    pub(super) fn run_shard(
        &self,
        papers: &[Paper],
        chosen: &[&Experiment],
        shard: Shard,
    ) -> Result<(), Failure> {
        self.check_shard()?;
        let folder = ShardFolder::join(&self.out, papers, chosen, shard)?;
        let own = of_shard(chosen, shard);
        let (found, todo): (Vec<&Experiment>, Vec<&Experiment>) =
            own.iter().partition(|experiment| folder.has(experiment, self.depth()));
        interrupt::set_stop_message("stopped; finished experiments are kept".to_owned());
        let reproduction = Reproduction::new(&todo, self.depth());
        let progress = SweepProgress::new(reproduction.runs(), Visibility::unless_quiet(self.quiet));
        let noted: Mutex<Vec<Result<Vec<ClaimRecord>, FolderError>>> = Mutex::default();
        let finished = |finished: Finished<'_>| {
            let end = folder.add(&finished).map(|entry| entry.records);
            noted.lock().unwrap_or_else(PoisonError::into_inner).push(end);
        };
        let stopped = reproduction.run(self.threads, &progress, &finished);
        let (took, _) = progress.finish();
        stopped.map_err(interrupted)?;
        let noted: Result<Vec<_>, FolderError> =
            noted.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().collect();
        let records = noted?;
        let failed = records.iter().filter(|records| records.iter().any(ClaimRecord::has_failed_run)).count();
        if !self.quiet {
            let (done, found) = ((own.len(), chosen.len()), found.len());
            ShardFacts {
                shard,
                what: "experiments",
                done,
                found,
                failed,
                took,
                folder: &self.out,
                next: COLLECT,
            }
            .print()?;
        }
        failed_run(&records.concat())
    }

    /// Creates the pages from the results that shards have stored.
    pub(super) fn collect(&self, chosen: &[&Experiment], folder: &Folder<'_>) -> Result<Ended, Failure> {
        self.plots.check_drawn()?;
        let began = Instant::now();
        let depth = self.depth();
        let is_missing = |experiment: &&&Experiment| folder.noted(experiment, depth).is_none();
        let names: Vec<(String, Option<String>)> =
            chosen.iter().filter(is_missing).map(|experiment| (experiment.id.to_owned(), None)).collect();
        if !names.is_empty() {
            return Err(Failure::Run(missing("experiments", &names, chosen.len(), &self.out) + BY_SHARDS));
        }
        let mut records = Vec::new();
        for experiment in chosen {
            let Some(entry) = folder.noted(experiment, depth) else { continue };
            folder.put(&entry)?;
            folder.add_plots(experiment, &self.plots.files(|_| entry.plots.clone())?)?;
            records.extend(entry.records);
        }
        chosen.iter().for_each(|experiment| folder.forget(experiment));
        Ok(Ended { records, errors: Vec::new(), stopped: None, took: began.elapsed() })
    }
}

fn interrupted(error: ReproduceError) -> Failure {
    match error {
        ReproduceError::Threads(error) => Failure::Run(error.to_string()),
        stopped @ ReproduceError::Stopped { .. } => Failure::Interrupted(format!(
            "{stopped}; completed ones are kept, and the same command resumes from there"
        )),
    }
}
