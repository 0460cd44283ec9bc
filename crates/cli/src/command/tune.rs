//! `setpoint tune`: finds parameters that give better figures.

mod shards;
mod text;

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use setpoint_lab::store::{Collection, Kind};
use setpoint_lab::sweep::{Batch, SweepError, collect_batch, run_batch};
use setpoint_lab::tune::{
    FEWEST_UNSEEN, LEVELS, Objective, Stage, StageEnd, TuneOptions, TuneRecord, TuneRefusal, Tuning,
};
use setpoint_record::json;
use setpoint_scenario::{Axis, Scenario};

use super::output::Output;
use super::shards::{Part, Shards, Source};
use super::stopping::{RESUMABLE, kept, missing, stopped};
use super::sweep::{seeds, threads};
use crate::failure::{Failure, print_line};
use crate::interrupt;
use crate::memory::MemoryLimit;
use crate::progress::{SweepProgress, Visibility};
use crate::scenario::Settings;
use crate::terminal::{self, Screen};

const FIGURES: &str = "tune.json";
const PAGE: &str = "tune.html";

/// Find parameters of a scenario that give better figures
///
/// Candidates fill the space of the parameters evenly. All of them are run for a short time, the best third longer and
/// with more seeds, and the best third of these for the whole duration (multi-objective successive halving). The
/// candidates that no other candidate beats form the Pareto front; they are checked against the scenario's own values
/// with seeds that played no part in the selection. tune.html shows the front, tune.json holds all figures. A tuning
/// that was stopped continues when the same command is run again.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Tune {
    /// A scenario file, or the name of a built-in scenario if there is no such file
    #[arg(value_name = "FILE|NAME")]
    scenario: PathBuf,

    #[command(flatten)]
    settings: Settings,

    /// A parameter and its range: a key and FROM..TO, FROM..TO:log or comma-separated values. May be given several times
    #[arg(long = "parameter", short, value_name = "KEY=VALUES", required = true)]
    parameters: Vec<String>,

    /// A metric to improve, such as settling_s, with :min or :max if the metric has no preferred direction. May be given
    /// twice [default: queue_error_bytes and settling_s]
    #[arg(long = "objective", value_name = "METRIC")]
    objectives: Vec<Objective>,

    /// Number of candidates
    #[arg(long, value_name = "N", default_value = "81", value_parser = seeds)]
    candidates: NonZeroU32,

    /// Seeds for each candidate in the last rung
    #[arg(long, value_name = "N", default_value = "4", value_parser = seeds)]
    seeds: NonZeroU32,

    /// Unseen seeds with which the front is checked
    #[arg(long, value_name = "N", default_value = "10", value_parser = unseen)]
    unseen: NonZeroU32,

    /// Number of threads: one for each concurrent run, or several if there are fewer runs [default: one per core]
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<NonZeroUsize>,

    #[command(flatten)]
    shards: Shards,

    #[command(flatten)]
    memory: MemoryLimit,

    /// Folder for the results [default: results/NAME-tune, where NAME is the scenario's name, with the values of --set
    /// appended]
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,

    #[command(flatten)]
    output: Output,
}

const EXAMPLES: &str = "\
Examples:
  setpoint tune qcn-dumbbell --parameter control.qcn.rp.gain=2^-10..2^-5 \\
      --parameter control.qcn.cp.weight=2^-2..2^3
  setpoint tune lab.toml -p control.qcn.cp.set_point=10kB..60kB \\
      --objective fct_p99_s --objective utilisation_share";

/// Parses the number of unseen seeds.
fn unseen(text: &str) -> Result<NonZeroU32, String> {
    let few = || format!("expected at least {FEWEST_UNSEEN}: with fewer seeds, nothing can be confirmed");
    seeds(text).and_then(|number| if number.get() < FEWEST_UNSEEN { Err(few()) } else { Ok(number) })
}

impl Tune {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        self.output.plots.check()?;
        let scenario = self.settings.load_for_seeds(&self.scenario)?;
        let options = self.options(&scenario)?;
        let tuning = Tuning::new(&scenario, &options);
        let folder =
            self.out.clone().unwrap_or_else(|| self.settings.folder_for_seeds(scenario.name(), "-tune"));
        match self.shards.part() {
            Part::Shard(shard) => self.run_shard(&tuning, shard, &folder),
            Part::Whole(source) => self.whole(&tuning, source, &folder),
        }
    }

    fn options(&self, scenario: &Scenario) -> Result<TuneOptions, Failure> {
        let objectives = if self.objectives.is_empty() {
            TuneOptions::usual_objectives()
        } else {
            self.objectives.clone()
        };
        let axis = |text: &String| Axis::read_range("--parameter", text, LEVELS);
        let parameters = self.parameters.iter().map(axis).collect::<Result<Vec<Axis>, _>>()?;
        let (candidates, seeds, unseen) = (self.candidates, self.seeds, self.unseen);
        let options = TuneOptions { parameters, objectives, candidates, seeds, unseen };
        match options.check(scenario) {
            Ok(()) => Ok(options),
            Err(TuneRefusal::Options(message)) => Err(Failure::Usage(message)),
            Err(TuneRefusal::Scenario(diagnostics)) => Err(diagnostics.into()),
        }
    }

    /// Runs all stages, or collects the results of shards, and writes the page.
    fn whole(&self, tuning: &Tuning<'_>, source: Source, folder: &Path) -> Result<(), Failure> {
        let files = Collection::open(folder, Kind::Tuning, &[FIGURES, PAGE])?;
        interrupt::set_stop_message(kept(folder));
        let mut ended: Vec<StageEnd> = Vec::new();
        let mut took = Duration::ZERO;
        while let Some(stage) = tuning.stage(&ended)? {
            self.announce(&stage);
            let progress = self.progress(stage.runs());
            let batch = self.batch(&stage);
            let summary = match source {
                Source::Runs => run_batch(files.place(), &stage.variants, batch, &progress),
                Source::Shards => collect_batch(files.place(), &stage.variants, batch, &progress),
            };
            took += progress.finish().0;
            let summary = summary.map_err(|error| Self::failure(error, &stage, folder))?;
            ended.push(stage.end(summary));
        }
        let record = tuning.record(&ended).ok_or_else(|| Failure::Run("nothing could be run".to_owned()))?;
        self.store(&record, &files)?;
        self.print(&record, took, folder)?;
        match setpoint_report::nothing_compared(&record) {
            Some(problem) => Err(Failure::Run(problem)),
            None => Ok(()),
        }
    }

    fn store(&self, record: &TuneRecord, files: &Collection) -> Result<(), Failure> {
        files.put(FIGURES, json::text(record).as_bytes())?;
        self.output.put(files, PAGE, &setpoint_report::tune(record))
    }

    fn print(&self, record: &TuneRecord, took: Duration, folder: &Path) -> Result<(), Failure> {
        if self.output.json {
            terminal::print(&json::text(record))?;
        } else if !self.output.quiet {
            let page = (!self.output.no_report).then(|| folder.join(PAGE));
            terminal::print(&text::render(record, took, folder, page.as_deref(), Screen::of_stdout()))?;
        }
        Ok(())
    }

    fn batch(&self, stage: &Stage) -> Batch {
        Batch { seeds: stage.seeds, threads: self.threads }
    }

    fn progress(&self, runs: usize) -> SweepProgress {
        SweepProgress::new(runs, self.output.visibility()).within(self.memory.bytes())
    }

    /// Prints which stage begins, if progress is shown.
    fn announce(&self, stage: &Stage) {
        if self.output.visibility() == Visibility::Shown {
            print_line(&text::stage(stage));
        }
    }

    fn failure(error: SweepError, stage: &Stage, folder: &Path) -> Failure {
        match error {
            SweepError::Missing { missing: names, runs } => {
                let stage = format!("runs of stage {} of {}", stage.number + 1, Tuning::stages());
                Failure::Run(missing(&stage, &names, runs, folder) + RESUMABLE)
            }
            error => stopped(error, folder),
        }
    }
}
