//! `setpoint live demo`: a paper's hardware run on this machine.

use std::path::PathBuf;
use std::sync::Mutex;

use clap::{Args, ValueEnum};
use setpoint_lab::results::RunRecord;
use setpoint_lab::run;
use setpoint_lab::scenario::{Override, Prepared, Scenario, Source};
use setpoint_lab::store::{Collection, Destination, Kind};
use setpoint_live::bridge::Snapshot;
use setpoint_live::testbed::{self, Measured, TestbedError, Watch};
use setpoint_report::LivePart;
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

    /// Folder for the page of the experiment and the results of its parts
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

/// The page of the experiment.
const PAGE: &str = "index.html";

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

    fn title(self) -> &'static str {
        match self {
            Self::Fig13 => "Shares by weight under AF-QCN (af-qcn/fig13)",
            Self::Smcc => "Three sources under SMCC and QCN (smcc/fig15 to fig17)",
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
        let folder = Collection::open(&self.out, Kind::Live, &[PAGE])?;
        let mut done = Vec::new();
        for part in self.experiment.parts() {
            let prepared = self.prepare(&part)?;
            let place = Destination::inside(&folder, part.name)?;
            let measured = self.run(&prepared, part.title)?;
            let simulated = self.simulate(&prepared)?;
            let live = session::record(&prepared, measured.outcome.clone());
            session::store(&live, place)?;
            let done_part = Done { part, prepared, measured, live, simulated };
            done_part.print()?;
            done.push(done_part);
        }
        folder.put(PAGE, self.page(&done).as_bytes())?;
        let instead = self.control.iter().map(|control| format!(" This run used {control} instead."));
        terminal::print(&format!("{}{}\n\n", self.experiment.claim(), instead.collect::<String>()))?;
        session::print_page(&self.out.join(PAGE))
    }

    fn page(&self, done: &[Done]) -> String {
        let weights: Vec<Vec<u32>> = done.iter().map(Done::weights).collect();
        let parts: Vec<LivePart<'_>> =
            done.iter().zip(&weights).map(|(done, weights)| done.as_part(weights)).collect();
        // Another algorithm is not what the paper speaks of.
        let title = match &self.control {
            Some(control) => format!("{}, with `{control}` instead", self.experiment.title()),
            None => self.experiment.title().to_owned(),
        };
        setpoint_report::live(&title, self.experiment.claim(), &parts).html()
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
}

/// A part that has run.
struct Done {
    part: Part,
    prepared: Prepared,
    measured: Measured,
    live: RunRecord,
    simulated: RunRecord,
}

impl Done {
    fn weights(&self) -> Vec<u32> {
        self.prepared.spec.flows.iter().map(|flow| flow.weight).collect()
    }

    fn as_part<'a>(&'a self, weights: &'a [u32]) -> LivePart<'a> {
        LivePart {
            name: self.part.name,
            title: self.part.title,
            weights,
            live: &self.live,
            simulated: &self.simulated,
            remarks: vec![
                format!("Frames lost: {}.", self.lost()),
                format!("Longest delay with which the machine woke the program: {}.", self.stall()),
            ],
        }
    }

    /// Frames lost anywhere between the stations' limiters.
    fn lost(&self) -> u64 {
        self.measured.bridge.lost + self.measured.bridge.dropped + self.measured.losses.total()
    }

    fn stall(&self) -> String {
        quantity(Unit::Seconds, self.measured.stall.as_picos() as f64 / 1e12)
    }

    fn print(&self) -> Result<(), Failure> {
        let columns = ["weighted share", "real frames", "simulated"].map(|name| Column::figures(name, 0));
        let first = vec![Column::words("flow", 0), Column::figures("weight", 1)];
        let mut table = Table::new([first, columns.into()].concat());
        let weights = self.weights();
        let total: f64 = self.live.summary.flows.iter().map(|flow| flow.rate_bps).sum();
        let all: f64 = weights.iter().map(|weight| f64::from(*weight)).sum();
        let rows = self.live.summary.flows.iter().zip(&self.simulated.summary.flows).zip(&weights);
        for ((live, simulated), weight) in rows {
            let share = total * f64::from(*weight) / all;
            let rates =
                [share, live.rate_bps, simulated.rate_bps].map(|rate| quantity(Unit::BitsPerSecond, rate));
            table.row([live.name.clone(), weight.to_string()].into_iter().chain(rates));
        }
        let (rendered, _) = table.render(Screen::of_stdout());
        Ok(terminal::print(&format!("\n{}\n{rendered}\n{}\n", self.part.title, self.facts()))?)
    }

    fn facts(&self) -> String {
        let queue = |record: &RunRecord| {
            let longest = record.summary.queues.iter().max_by(|a, b| a.mean_bytes.total_cmp(&b.mean_bytes));
            longest.map_or_else(String::new, |queue| {
                let mean = quantity(Unit::Bytes, queue.mean_bytes);
                format!("{mean} ± {}", quantity(Unit::Bytes, queue.deviation_bytes))
            })
        };
        let mut facts = terminal::Facts::new();
        facts.add("mean queue", [format!("{}, simulated {}", queue(&self.live), queue(&self.simulated))]);
        facts.add("frames lost", [self.lost().to_string()]);
        facts.add("notifications", [self.measured.bridge.notifications.to_string()]);
        facts.add("longest stall", [format!("{}, by which the machine woke the program late", self.stall())]);
        facts.render(Screen::of_stdout())
    }
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
