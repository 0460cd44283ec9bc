//! Packet runs of a map, shared by several processes or machines.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use setpoint_lab::shard::Shard;
use setpoint_lab::store::{Collection, Kind};
use setpoint_lab::theory::{
    StabilityOptions, TheoryError, collect_points, forget_points, join, points_of_shard, run_points,
};

use super::Stability;
use crate::command::shards::{COLLECT, ShardFacts};
use crate::command::stopping::{BY_SHARDS, missing};
use crate::command::theory::failure;
use crate::failure::Failure;
use crate::folder::beside;
use crate::interrupt;

impl Stability {
    /// Simulates the packet runs of a shard, and stores them next to the folder of the result.
    pub(super) fn shard(&self, options: &StabilityOptions, shard: Shard) -> Result<(), Failure> {
        if self.packets.is_none() {
            let message = "there are no runs to share: shards only simulate packets, which needs `--packets`";
            return Err(Failure::Usage(message.to_owned()));
        }
        self.common.output.check_shard()?;
        let (scenario, folder) = self.common.scenario_and_folder("-stability")?;
        let options =
            StabilityOptions { seed: Some(self.common.settings.seed_for(&scenario)), ..options.clone() };
        let folder = notes(&folder);
        let failed = |error| failure(error, scenario.name());
        let runs = points_of_shard(&scenario, &options, shard).map_err(failed)?;
        let place = join(&folder, shard)?;
        interrupt::set_stop_message("stopped; the points that are done are kept".to_owned());
        let progress = self.progress(runs);
        let ended = run_points(&scenario, &options, shard, &place, &progress);
        let (took, found) = progress.finish();
        let end = ended.map_err(|error| match error {
            TheoryError::Stopped { .. } => Failure::Interrupted(format!(
                "{error}; completed ones are kept, and the same command resumes from there"
            )),
            error => failure(error, scenario.name()),
        })?;
        if self.common.output.quiet {
            return Ok(());
        }
        let all = options.axes.as_ref().map_or(0, |axes| self.runs(axes));
        let (done, failed) = ((end.runs, all), end.failed);
        ShardFacts { shard, what: "points", done, found, failed, took, folder: &folder, next: COLLECT }
            .print()
    }

    /// Draws the map with the points that shards have stored.
    pub(super) fn collect(&self, options: &StabilityOptions) -> Result<(), Failure> {
        let subject = self.common.read("-stability")?;
        let options = StabilityOptions { seed: Some(subject.prepared.spec.seed), ..options.clone() };
        let folder = notes(&subject.folder);
        let began = Instant::now();
        let noted = Collection::open(&folder, Kind::Theory, &[])?;
        let progress = self.progress(options.axes.as_ref().map_or(0, |axes| self.runs(axes)));
        let found = collect_points(&subject.scenario, &options, noted.place(), &progress);
        progress.finish();
        let record = found.map_err(|error| match error {
            TheoryError::Missing { missing: names, runs } => {
                let names: Vec<_> = names.into_iter().map(|name| (name, None)).collect();
                Failure::Run(missing("points", &names, runs, &folder) + BY_SHARDS)
            }
            error => failure(error, subject.scenario.name()),
        })?;
        self.store(&record, subject, began)?;
        forget_points(noted.place());
        drop(noted);
        // Files that this program did not write are kept.
        let _ = fs::remove_dir(&folder);
        Ok(())
    }
}

/// The folder in which shards store their points. It is separate because the folder of a result is replaced as a whole.
fn notes(folder: &Path) -> PathBuf {
    beside(folder, "-shards")
}
