//! `setpoint live demo`: a paper's hardware run, or four flows under DCQCN, on this machine.

mod done;
mod experiment;
mod judged;
mod reason;

use std::path::PathBuf;
use std::sync::Mutex;

use clap::Args;
use setpoint_lab::run;
use setpoint_lab::session::Request;
use setpoint_lab::store::{Collection, Destination, Kind};
use setpoint_live::bridge::Snapshot;
use setpoint_live::testbed::{self, Measured, TestbedError, Watch};
use setpoint_record::results::{Frames, RunRecord};
use setpoint_report::LivePart;
use setpoint_scenario::{Prepared, Source};
use setpoint_sim::Decision;
use setpoint_units::{Time, TimeDelta};

use done::Done;
use experiment::{Experiment, Part};

use super::options::LiveOptions;
use super::{session, table};
use crate::failure::{Failure, print_line};
use crate::interrupt;
use crate::progress::{RunProgress, Visibility};
use crate::terminal::{self, Facts, Screen};

/// Repeat a paper's hardware run, or run DCQCN, on this machine
///
/// Builds a network of one bridge and its stations in namespaces, drives it with real UDP traffic, and prints the
/// shares next to the claims and next to a simulation of the same scenario. Namespaces and interfaces disappear
/// with the program, however it ends. Needs CAP_SYS_ADMIN for namespaces; without it, run `unshare --user
/// --map-root-user --net setpoint live demo`.
#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// The demonstration
    #[arg(value_enum, default_value = "fig13")]
    experiment: Experiment,

    /// Use this algorithm, with its default parameters, instead of the experiment's
    #[arg(long, value_name = "NAME")]
    control: Option<String>,

    /// Set a key of the scenario, as in `--set duration=20s`. Can be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,

    /// Folder for the page of the experiment and the results of its parts
    #[arg(long, short, value_name = "DIR", default_value = "results/live-demo")]
    out: PathBuf,

    #[command(flatten)]
    options: LiveOptions,

    /// Print only the table
    #[arg(long, short)]
    quiet: bool,
}

/// The page of the experiment.
const PAGE: &str = "index.html";

impl Demo {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        let folder = Collection::open(&self.out, Kind::Live, &[PAGE])?;
        let mut done = Vec::new();
        for part in self.experiment.parts() {
            let prepared = self.prepare(&part)?;
            let place = Destination::inside(folder.place(), part.name)?;
            let measured = self.run(&prepared, part.title)?;
            let simulated = self.simulate(&prepared)?;
            let live = session::record(&prepared, measured.outcome.clone(), Frames::Real);
            session::store(&live, place)?;
            let mut ended = Done::new(part, &prepared, measured, (live, simulated));
            // The claims do not apply to another algorithm.
            if self.control.is_none() {
                ended.judge();
            }
            ended.print()?;
            done.push(ended);
        }
        folder.put(PAGE, self.page(&done).as_bytes())?;
        let instead = self.control.iter().map(|control| format!(" This run used {control} instead."));
        terminal::print(&format!("{}{}\n\n", self.experiment.paper_says(), instead.collect::<String>()))?;
        print_differences(&done)?;
        session::print_page(&self.out.join(PAGE))
    }

    fn page(&self, done: &[Done]) -> String {
        let parts: Vec<LivePart<'_>> = done.iter().map(Done::as_part).collect();
        let title = match &self.control {
            Some(control) => format!("{}, with `{control}` instead", self.experiment.title()),
            None => self.experiment.title().to_owned(),
        };
        setpoint_report::live(&title, self.experiment.paper_says(), &parts).html()
    }

    fn prepare(&self, part: &Part) -> Result<Prepared, Failure> {
        let control = self.control.iter().map(|name| format!("control={name}"));
        let settings = part.settings.iter().map(|setting| (*setting).to_owned());
        let given = settings.chain(control).chain(self.set.iter().cloned());
        Ok(Request::new(Source::builtin(part.scenario)?, given, None)?.prepare()?.1)
    }

    fn run(&self, prepared: &Prepared, title: &str) -> Result<Measured, Failure> {
        if !self.quiet {
            print_line(&format!("{title}: {} of real traffic", prepared.spec.duration));
        }
        let watch = Progress { quiet: self.quiet, next: Mutex::new(Time::ZERO) };
        testbed::run(&prepared.spec, self.options.of(prepared), &watch).map_err(failure)
    }

    fn simulate(&self, prepared: &Prepared) -> Result<RunRecord, Failure> {
        let mut progress = RunProgress::new(prepared.spec.duration, Visibility::unless_quiet(self.quiet));
        let ended = run::run(prepared, &mut progress);
        progress.finish();
        ended.map_err(|error| Failure::Run(error.to_string()))
    }
}

/// Prints which claims differ on real frames, and why.
fn print_differences(done: &[Done]) -> Result<(), Failure> {
    let mut facts = Facts::new();
    let differences: Vec<String> = done.iter().flat_map(Done::differences).collect();
    if differences.is_empty() {
        return Ok(());
    }
    differences.into_iter().for_each(|difference| facts.add_text("differs", difference));
    Ok(terminal::print(&format!("{}\n", facts.render(Screen::of_stdout())))?)
}

/// Prints the state once a second, and stops the run on Ctrl-C.
struct Progress {
    quiet: bool,
    next: Mutex<Time>,
}

impl Watch for Progress {
    fn look(&self, snapshot: &Snapshot) -> Decision {
        if let Ok(mut next) = self.next.lock()
            && !self.quiet
            && snapshot.now >= *next
        {
            *next = snapshot.now + TimeDelta::from_secs(1);
            print_line(&table::bridge(snapshot));
        }
        interrupt::verdict()
    }
}

fn failure(error: TestbedError) -> Failure {
    match error {
        TestbedError::Stopped => Failure::Interrupted("stopped; nothing was stored".to_owned()),
        TestbedError::Shape(_) | TestbedError::Plan(_) => Failure::Usage(error.to_string()),
        error => Failure::Run(error.to_string()),
    }
}
