//! `setpoint run`: runs one scenario and writes a result and a report.

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::{Path, PathBuf};

use clap::Args;
use setpoint_lab::session::{self, Ended, Job, JobError};
use setpoint_lab::store::{CAPTURE, Derived, Destination, PLOTS, REPORT, SWEEP_PAGE};
use setpoint_record::results::RunRecord;
use setpoint_scenario::{Prepared, Scenario, Variant};
use setpoint_sim::Threads;

use super::output::Output;
use super::report;
use super::shards::{Part, Source};
use super::sweep::{self, Plan};
use super::tables::Tables;
use crate::browser;
use crate::failure::{Failure, print_line};
use crate::interrupt;
use crate::memory::MemoryLimit;
use crate::progress::RunProgress;
use crate::scenario::{Settings, default_name};
use crate::summary;
use crate::terminal::{self, Facts, Screen, Unit, quantity, things};
use crate::warnings::Warnings;

/// Run a scenario and write a report
///
/// The result is a folder with the figures (summary.json), the curves (CSV), their origin (manifest.json) and a report
/// to open in a browser (report.html). An older result in the same folder is replaced in one step; a folder that
/// contains anything else, or an edited report, is refused before the run starts. Several runs may use one folder at
/// the same time: each prints its own figures, and the result of the last one to finish remains.
#[derive(Debug, Args)]
pub(crate) struct Run {
    /// A scenario file, or the name of a built-in scenario if there is no such file [default: the built-in `default`]
    #[arg(value_name = "FILE|NAME")]
    scenario: Option<PathBuf>,

    #[command(flatten)]
    settings: Settings,

    /// Run N consecutive seeds on all cores, and print the mean of each metric with its 95 % confidence interval and standard
    /// deviation
    #[arg(long, value_name = "N", value_parser = sweep::seeds)]
    seeds: Option<NonZeroU32>,

    /// Number of threads for a run; results do not depend on it. Worthwhile for large networks of several bridges.
    /// With --seeds, the number of concurrent runs [default: one; with --seeds, one per core]
    #[arg(long, value_name = "N", value_parser = sweep::threads)]
    threads: Option<NonZeroUsize>,

    /// Folder for the result [default: results/NAME, where NAME is the scenario's name, with the values of --set and
    /// --seed appended, as in results/NAME_control=smcc_seed=7; with --seeds, results/NAME-seeds]
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Write every frame of the run to this file in the pcapng format, for Wireshark (docs/captures.md). `[capture]` in
    /// the scenario selects ports, priorities, a time window and the snap length
    #[arg(long, value_name = "FILE", conflicts_with = "seeds")]
    capture: Option<PathBuf>,

    #[command(flatten)]
    memory: MemoryLimit,

    #[command(flatten)]
    tables: Tables,

    #[command(flatten)]
    output: Output,

    /// Open the report in a browser
    #[arg(long, conflicts_with = "no_report")]
    open: bool,
}

impl Run {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        self.output.plots.check()?;
        let name = self.scenario.clone().unwrap_or_else(default_name);
        match self.seeds {
            Some(seeds) => self.run_seeds(&name, seeds),
            None => self.run_once(&name),
        }
    }

    fn run_once(&self, name: &Path) -> Result<(), Failure> {
        let (scenario, prepared) = self.settings.prepare(name)?;
        let folder = self.out.clone().unwrap_or_else(|| self.settings.folder(scenario.name(), ""));
        if !self.output.quiet {
            Warnings::of(&prepared).print();
        }
        let (mut job, _) = Job::admit(prepared, self.memory.bytes())?;
        job.threads = Threads::up_to(self.threads.unwrap_or(NonZeroUsize::MIN));
        // Checked before the run, which may take hours.
        job.output =
            Some(session::Output { folder: Destination::open(&folder)?, capture: self.capture.clone() });
        interrupt::set_stop_message("stopped; nothing was stored".to_owned());
        let mut progress = RunProgress::new(job.prepared.spec.duration, self.output.visibility());
        let ended = job.run(&mut progress);
        progress.finish();
        let ended = ended.map_err(|error| self.stopped(error, &job.prepared))?;
        job.store(&ended.record, &self.derived(&ended.record)?)?;
        let page = folder.join(REPORT);
        self.report(&scenario, name, &Done { ended, folder })?;
        if self.open {
            browser::open_file(&page);
        }
        Ok(())
    }

    fn stopped(&self, error: JobError, prepared: &Prepared) -> Failure {
        let JobError::Run(error) = error else { return error.into() };
        if error.is_stopped() {
            return Failure::Interrupted(format!(
                "{error} of {}; nothing was stored",
                prepared.spec.duration
            ));
        }
        Failure::Run(match (&self.capture, &prepared.capture) {
            (Some(file), _) => format!("{error}; {} contains the frames up to that time", file.display()),
            (None, Some(_)) => format!("{error}; use `--capture FILE` to keep the frames up to that time"),
            (None, None) => error.to_string(),
        })
    }

    fn derived(&self, record: &RunRecord) -> Result<Vec<Derived>, Failure> {
        let mut files = if self.output.no_report {
            self.output.plots.of_run(record)
        } else {
            report::derived(record, self.output.plots)
        }?;
        files.extend(self.tables.of_run(record));
        Ok(files)
    }

    fn report(&self, scenario: &Scenario, name: &Path, done: &Done) -> Result<(), Failure> {
        if self.output.json {
            terminal::print(&done.ended.record.to_json())?;
        } else if !self.output.quiet {
            let screen = Screen::of_stdout();
            let places = done.places(self, screen);
            terminal::print(&format!("{}\n{places}", summary::render(&done.ended.record, screen)))?;
        }
        let variants = scenario.axes().count();
        if variants > 0 && !self.output.quiet {
            print_line(&format!(
                "note: this scenario has a sweep; `setpoint sweep {}` runs all of it",
                name.display()
            ));
        }
        Ok(())
    }

    fn run_seeds(&self, name: &Path, seeds: NonZeroU32) -> Result<(), Failure> {
        let scenario = self.settings.load_for_seeds(name)?;
        let folder =
            self.out.clone().unwrap_or_else(|| self.settings.folder_for_seeds(scenario.name(), "-seeds"));
        let variant = Variant { index: 0, assignments: Vec::new(), scenario };
        let page = folder.join(SWEEP_PAGE);
        let plan = Plan {
            seeds,
            threads: self.threads,
            part: Part::Whole(Source::Runs),
            memory: self.memory,
            folder,
            output: self.output,
            tables: self.tables,
        };
        sweep::execute(&[variant], &plan)?;
        if self.open {
            browser::open_file(&page);
        }
        Ok(())
    }
}

/// A stored run.
struct Done {
    ended: Ended,
    folder: PathBuf,
}

impl Done {
    /// The duration of the run, and the locations of the files.
    fn places(&self, command: &Run, screen: Screen) -> String {
        let (summary, took) = (&self.ended.record.summary, self.ended.took.as_secs_f64());
        let mut facts = Facts::new();
        let simulated = quantity(Unit::Seconds, summary.duration_s);
        let speed = format!("{:.1} million events/s", summary.events as f64 / took / 1e6);
        facts.add("simulated", [format!("{simulated} in {}", quantity(Unit::Seconds, took)), speed]);
        facts.add("result", [screen.paint.link(&self.folder.display().to_string())]);
        if !command.output.no_report {
            facts.add("report", [screen.paint.link(&self.folder.join(REPORT).display().to_string())]);
        }
        if let Some(frames) = self.ended.frames {
            let file = command.capture.clone().unwrap_or_else(|| self.folder.join(CAPTURE));
            let frames = things(frames, "frame");
            facts.add("capture", [screen.paint.link(&file.display().to_string()), frames]);
        }
        if command.output.plots.wanted() {
            facts.add("plots", [screen.paint.link(&self.folder.join(PLOTS).display().to_string())]);
        }
        let tables = command.tables.folder(&self.folder);
        facts.add("tables", tables.map(|folder| screen.paint.link(&folder.display().to_string())));
        facts.render(screen)
    }
}
