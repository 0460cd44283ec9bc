//! `setpoint live demo`: a paper's hardware run on this machine.

use std::path::PathBuf;
use std::sync::Mutex;

use clap::{Args, ValueEnum};
use setpoint_lab::results::RunRecord;
use setpoint_lab::run;
use setpoint_lab::scenario::{Override, Prepared, Scenario, Source};
use setpoint_lab::store::Destination;
use setpoint_live::bridge::Snapshot;
use setpoint_live::testbed::{self, Measured, TestbedError, Watch};
use setpoint_sim::Decision;
use setpoint_units::{Time, TimeDelta};

use super::options::LiveOptions;
use super::{session, table};
use crate::failure::{Failure, print_line};
use crate::interrupt;
use crate::progress::{RunProgress, Visibility};
use crate::terminal::{self, Column, Screen, Table, Unit, quantity};

/// Repeat a paper's hardware run on this machine
///
/// Builds a network of one bridge and its stations in namespaces, drives it with real UDP traffic, and prints the shares
/// beside the paper's claim and beside a simulation of the same scenario. Namespaces and interfaces disappear with the
/// program, however it ends. Needs CAP_SYS_ADMIN for namespaces; without it, run
/// `unshare --user --map-root-user --net setpoint live demo`.
#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// The experiment
    #[arg(value_enum, default_value = "fig13")]
    experiment: Experiment,

    /// The algorithm, instead of that of the experiment, with its default parameters
    #[arg(long, value_name = "NAME")]
    control: Option<String>,

    /// Set a key of the scenario, as in `--set duration=20s`. Can be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,

    /// Folder for the results, one for each part of the experiment
    #[arg(long, short, value_name = "DIR", default_value = "results/live-demo")]
    out: PathBuf,

    #[command(flatten)]
    options: LiveOptions,

    /// Print only the table
    #[arg(long, short)]
    quiet: bool,
}

/// An experiment.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Experiment {
    /// af-qcn/fig13: four flows under AF-QCN, with equal weights and with weights 1, 2, 3 and 4
    Fig13,
    /// smcc/fig15 to fig17: three flows under SMCC and under QCN
    Smcc,
}

/// A part of an experiment.
struct Part {
    name: &'static str,
    title: &'static str,
    scenario: &'static str,
    settings: &'static [&'static str],
}

const WEIGHTS: &[&str] = &["flows.2.weight=2", "flows.3.weight=3", "flows.4.weight=4"];
const QCN: &[&str] = &["control=qcn", "control.qcn.preset=1G", "control.qcn.cp.set_point=64 kB"];

impl Experiment {
    fn parts(self) -> [Part; 2] {
        let part = |name, title, scenario, settings| Part { name, title, scenario, settings };
        match self {
            Self::Fig13 => [
                part("equal", "Equal weights", "live-shares", &[]),
                part("weighted", "Weights 1, 2, 3 and 4", "live-shares", WEIGHTS),
            ],
            Self::Smcc => [
                part("smcc", "Three sources under SMCC", "live-sources", &[]),
                part("qcn", "Three sources under QCN", "live-sources", QCN),
            ],
        }
    }

    fn claim(self) -> &'static str {
        match self {
            Self::Fig13 => "The paper (section IV-C, figure 13): the rates follow the weights.",
            Self::Smcc => {
                "The paper (figures 15 to 17): SMCC keeps the queue at 64 kB with equal rates; QCN's queue varies."
            }
        }
    }
}

impl Demo {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        let mut folders = Vec::new();
        for part in self.experiment.parts() {
            let prepared = self.prepare(&part)?;
            let folder = self.out.join(part.name);
            let place = Destination::open(&folder)?;
            let measured = self.run(&prepared, part.title)?;
            let simulated = self.simulate(&prepared)?;
            let record = session::record(&prepared, measured.outcome.clone());
            self.print(&part, &prepared, &measured, (&record, &simulated))?;
            session::store(&record, place)?;
            folders.push(folder);
        }
        terminal::print(&format!("{}\n\n", self.experiment.claim()))?;
        session::print_places(&folders)
    }

    fn prepare(&self, part: &Part) -> Result<Prepared, Failure> {
        let control = self.control.iter().map(|name| format!("control={name}"));
        let settings = part.settings.iter().map(|setting| (*setting).to_owned());
        let given = settings.chain(control).chain(self.set.iter().cloned());
        let overrides: Result<Vec<Override>, _> = given.map(|text| text.parse()).collect();
        let scenario = Scenario::load(&Source::builtin(part.scenario)?, &overrides?)?;
        Ok(scenario.prepare(scenario.seed())?)
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

    fn print(
        &self,
        part: &Part,
        prepared: &Prepared,
        measured: &Measured,
        (live, simulated): (&RunRecord, &RunRecord),
    ) -> Result<(), Failure> {
        let columns = ["weighted share", "real frames", "simulated"].map(|name| Column::figures(name, 0));
        let mut table = Table::new(
            [vec![Column::words("flow", 0), Column::figures("weight", 1)], columns.into()].concat(),
        );
        let total: f64 = live.summary.flows.iter().map(|flow| flow.rate_bps).sum();
        let weights: f64 = prepared.spec.flows.iter().map(|flow| f64::from(flow.weight)).sum();
        let rows = prepared.spec.flows.iter().zip(&live.summary.flows).zip(&simulated.summary.flows);
        for ((spec, live), simulated) in rows {
            let share = total * f64::from(spec.weight) / weights;
            let rates =
                [share, live.rate_bps, simulated.rate_bps].map(|rate| quantity(Unit::BitsPerSecond, rate));
            table.row([spec.name.clone(), spec.weight.to_string()].into_iter().chain(rates));
        }
        let (rendered, _) = table.render(Screen::of_stdout());
        let facts = facts(measured, live, simulated);
        Ok(terminal::print(&format!("\n{}\n{rendered}\n{facts}\n", part.title))?)
    }
}

/// The queue and the losses of a run.
fn facts(measured: &Measured, live: &RunRecord, simulated: &RunRecord) -> String {
    let queue = |record: &RunRecord| {
        let longest = record.summary.queues.iter().max_by(|a, b| a.mean_bytes.total_cmp(&b.mean_bytes));
        longest.map_or_else(String::new, |queue| {
            let mean = quantity(Unit::Bytes, queue.mean_bytes);
            format!("{mean} ± {}", quantity(Unit::Bytes, queue.deviation_bytes))
        })
    };
    let mut facts = terminal::Facts::new();
    facts.add("mean queue", [format!("{}, simulated {}", queue(live), queue(simulated))]);
    let lost = measured.bridge.lost + measured.bridge.dropped + measured.losses.total();
    facts.add("frames lost", [lost.to_string()]);
    facts.add("notifications", [measured.bridge.notifications.to_string()]);
    let stall = quantity(Unit::Seconds, measured.stall.as_picos() as f64 / 1e12);
    facts.add("longest stall", [format!("{stall}: the machine woke the program so much too late")]);
    facts.render(Screen::of_stdout())
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
