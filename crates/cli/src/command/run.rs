//! `setpoint run`: runs one scenario and writes a result and a report.

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use setpoint_lab::run::{run, run_captured};
use setpoint_lab::store::{self, CAPTURE, CaptureFile, Derived, Destination, PLOTS, REPORT, SWEEP_PAGE};
use setpoint_record::results::RunRecord;
use setpoint_record::run::RunError;
use setpoint_scenario::{Capture, Prepared, Scenario, Variant};
use setpoint_sim::Threads;

use super::plots::Plots;
use super::report;
use super::shards::{Part, Source};
use super::sweep::{self, Plan};
use super::tables::Tables;
use crate::browser;
use crate::failure::{Failure, print_line};
use crate::interrupt;
use crate::memory::MemoryLimit;
use crate::progress::{RunProgress, Visibility};
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

    /// Print only the summary as JSON, with the digest of the run, on standard output
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    memory: MemoryLimit,

    #[command(flatten)]
    plots: Plots,

    #[command(flatten)]
    tables: Tables,

    /// Do not write report.html or, with --seeds, sweep.html
    #[arg(long)]
    no_report: bool,

    /// Open the report in a browser
    #[arg(long, conflicts_with = "no_report")]
    open: bool,

    /// Print only errors, and the JSON with --json
    #[arg(long, short)]
    quiet: bool,
}

impl Run {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        self.plots.check()?;
        let name = self.scenario.clone().unwrap_or_else(default_name);
        match self.seeds {
            Some(seeds) => self.run_seeds(&name, seeds),
            None => self.run_once(&name),
        }
    }

    fn run_once(&self, name: &Path) -> Result<(), Failure> {
        let scenario = self.settings.load(name)?;
        let prepared = scenario.prepare(self.settings.seed().unwrap_or(scenario.seed()))?;
        let folder = self.out.clone().unwrap_or_else(|| self.settings.folder(scenario.name(), ""));
        if !self.quiet {
            Warnings::of(&prepared).print();
        }
        self.memory.admit(&prepared.spec)?;
        // Checked before the run, which may take hours.
        let place = Destination::open(&folder)?;
        interrupt::set_stop_message("stopped; nothing was stored".to_owned());
        let capture = self.capture_file(&prepared, &place)?;
        let Simulated { record, took, frames } = self.simulate(&prepared, capture)?;
        store::write_to(&record, place, &self.derived(&record)?)?;
        let captured =
            frames.map(|frames| (self.capture.clone().unwrap_or_else(|| folder.join(CAPTURE)), frames));
        let page = folder.join(REPORT);
        self.report(&scenario, name, &Done { record, took, folder, captured })?;
        if self.open {
            browser::open_file(&page);
        }
        Ok(())
    }

    /// The frames to capture, and the file for them.
    fn capture_file(
        &self,
        prepared: &Prepared,
        place: &Destination,
    ) -> Result<Option<(Capture, CaptureFile)>, Failure> {
        let file = match (&self.capture, &prepared.capture) {
            (Some(path), _) => CaptureFile::at(path, place)?,
            (None, Some(_)) => CaptureFile::inside(place)?,
            (None, None) => return Ok(None),
        };
        let capture = prepared.capture.clone();
        let capture = capture.unwrap_or_else(|| Capture::everything(&prepared.spec, prepared.conventions));
        Ok(Some((capture, file)))
    }

    fn simulate(
        &self,
        prepared: &Prepared,
        capture: Option<(Capture, CaptureFile)>,
    ) -> Result<Simulated, Failure> {
        let visibility = Visibility::unless_quiet(self.quiet);
        let threads = self.threads.unwrap_or(NonZeroUsize::MIN);
        let mut progress = RunProgress::new(prepared.spec.duration, visibility)
            .within(self.memory.bytes())
            .on(Threads::up_to(threads));
        let (ended, captured) = match capture {
            Some((capture, file)) => {
                let (ended, captured) = run_captured(prepared, &capture, file, &mut progress);
                (ended, captured.map(Some))
            }
            None => (run(prepared, &mut progress), Ok(None)),
        };
        let took = progress.finish();
        let frames = captured?;
        let record = ended.map_err(|error| self.stopped(&error, prepared))?;
        Ok(Simulated { record, took, frames })
    }

    fn stopped(&self, error: &RunError, prepared: &Prepared) -> Failure {
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
        let mut files =
            if self.no_report { self.plots.of_run(record) } else { report::derived(record, self.plots) }?;
        files.extend(self.tables.of_run(record));
        Ok(files)
    }

    fn report(&self, scenario: &Scenario, name: &Path, done: &Done) -> Result<(), Failure> {
        if self.json {
            terminal::print(&done.record.to_json())?;
        } else if !self.quiet {
            let screen = Screen::of_stdout();
            let places = done.places(self, screen);
            terminal::print(&format!("{}\n{places}", summary::render(&done.record, screen)))?;
        }
        let variants = scenario.axes().count();
        if variants > 0 && !self.quiet {
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
            json: self.json,
            no_report: self.no_report,
            quiet: self.quiet,
            plots: self.plots,
            tables: self.tables,
        };
        sweep::execute(&[variant], &plan)?;
        if self.open {
            browser::open_file(&page);
        }
        Ok(())
    }
}

/// A complete run.
struct Simulated {
    record: RunRecord,
    took: Duration,
    /// The number of captured frames, if there is a capture.
    frames: Option<u64>,
}

/// A stored run.
struct Done {
    record: RunRecord,
    took: Duration,
    folder: PathBuf,
    /// The capture and the number of its frames.
    captured: Option<(PathBuf, u64)>,
}

impl Done {
    /// The duration of the run, and the locations of the files.
    fn places(&self, command: &Run, screen: Screen) -> String {
        let (summary, took) = (&self.record.summary, self.took.as_secs_f64());
        let mut facts = Facts::new();
        let simulated = quantity(Unit::Seconds, summary.duration_s);
        let speed = format!("{:.1} million events/s", summary.events as f64 / took / 1e6);
        facts.add("simulated", [format!("{simulated} in {}", quantity(Unit::Seconds, took)), speed]);
        facts.add("result", [screen.paint.link(&self.folder.display().to_string())]);
        if !command.no_report {
            facts.add("report", [screen.paint.link(&self.folder.join(REPORT).display().to_string())]);
        }
        if let Some((file, frames)) = &self.captured {
            let frames = things(*frames, "frame");
            facts.add("capture", [screen.paint.link(&file.display().to_string()), frames]);
        }
        if command.plots.wanted() {
            facts.add("plots", [screen.paint.link(&self.folder.join(PLOTS).display().to_string())]);
        }
        let tables = command.tables.folder(&self.folder);
        facts.add("tables", tables.map(|folder| screen.paint.link(&folder.display().to_string())));
        facts.render(screen)
    }
}
