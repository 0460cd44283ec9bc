//! Tunings shared by several processes or machines.

use std::path::Path;

use setpoint_lab::shard::Shard;
use setpoint_lab::store::{Kind, Workplace};
use setpoint_lab::sweep::{SweepError, Unwatched, collect_batch, run_shard, runs_of_shard};
use setpoint_lab::tune::{StageEnd, Tuning};

use super::Tune;
use crate::command::shards::{COLLECT, ShardFacts};
use crate::failure::{Failure, Kind as FailureKind};
use crate::interrupt;
use crate::terminal;

impl Tune {
    /// Runs a shard's part of the first stage that is not complete. The stages after it depend on the results of all shards.
    pub(super) fn run_shard(&self, tuning: &Tuning<'_>, shard: Shard, folder: &Path) -> Result<(), Failure> {
        self.output.check_shard()?;
        let place = Workplace::join(folder, Kind::Tuning, shard)?;
        interrupt::set_stop_message(crate::command::stopping::kept(folder));
        let mut ended: Vec<StageEnd> = Vec::new();
        while let Some(stage) = tuning.stage(&ended)? {
            let batch = self.batch(&stage);
            match collect_batch(&place, &stage.variants, batch, &Unwatched) {
                Ok(summary) => ended.push(stage.end(summary)),
                Err(SweepError::Missing { .. }) => {
                    self.announce(&stage);
                    let progress = self.progress(runs_of_shard(&stage.variants, batch.seeds, shard));
                    let end = run_shard(&place, &stage.variants, batch, shard, &progress);
                    let (took, found) = progress.finish();
                    let end = end.map_err(|error| Self::failure(error, &stage, folder))?;
                    if !self.output.quiet {
                        let (done, failed) = ((end.runs, stage.runs()), end.failed);
                        ShardFacts { shard, what: "runs", done, found, failed, took, folder, next: COLLECT }
                            .print()?;
                        terminal::print(&format!(
                            "This was stage {} of {}. Run all shards once for each stage.\n",
                            stage.number + 1,
                            Tuning::stages()
                        ))?;
                    }
                    // Each failure was printed when it happened.
                    return if end.failed > 0 { Err(Failure::Reported(FailureKind::Run)) } else { Ok(()) };
                }
                Err(error) => return Err(Self::failure(error, &stage, folder)),
            }
        }
        if !self.output.quiet {
            terminal::print("All stages are complete: the same command with `--collect` makes the page.\n")?;
        }
        Ok(())
    }
}
