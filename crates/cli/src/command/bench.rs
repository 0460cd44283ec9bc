//! `setpoint bench`: measures the speed of the simulator.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use clap::Args;
use serde_json::{Value, json};
use setpoint_scenario::{Purpose, builtin};
use setpoint_sim::{Outcome, Recording, SimError, Spec, Threads, simulate};

use super::sweep::threads;
use crate::failure::{Failure, print_line};
use crate::interrupt;
use crate::progress::{RunProgress, Visibility};
use crate::scenario::Settings;
use crate::terminal::{self, Column, Screen, Table, Unit, count, quantity};

/// Measure the speed of the simulator
///
/// A packet-hop is one data frame crossing one link; inside a fabric, one cell. The built-in benchmark scenarios take a
/// few minutes in all, most of it for bench-fabric-640. Every scenario runs in its own process, so that its peak memory is
/// measured separately. Build with `--release` for meaningful figures.
#[derive(Debug, Args)]
pub(crate) struct Bench {
    /// Scenario files, or names of built-in scenarios [default: all whose names begin with `bench-`]
    #[arg(value_name = "FILE|NAME")]
    scenarios: Vec<PathBuf>,

    #[command(flatten)]
    settings: Settings,

    /// Print one line of JSON per scenario, with the keys scenario, threads, packet_hops, events, seconds,
    /// packet_hops_per_second and peak_memory_bytes (null if the system does not report it)
    #[arg(long)]
    json: bool,

    /// Measure N times and report the fastest
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,

    /// Run every scenario on this many threads
    #[arg(long, value_name = "N", default_value = "1", value_parser = threads)]
    threads: NonZeroUsize,
}

impl Bench {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        if cfg!(debug_assertions) {
            print_line("note: this is a slow debug build; measure with `cargo run --release -- bench`");
        }
        let chosen = if self.scenarios.is_empty() { usual() } else { self.scenarios.clone() };
        let mut lines = Vec::new();
        for scenario in &chosen {
            if chosen.len() > 1 && Visibility::unless_quiet(self.json) == Visibility::Shown {
                print_line(&format!("measuring {}", scenario.display()));
            }
            let line =
                if chosen.len() == 1 { self.measure(scenario)? } else { self.measure_apart(scenario)? };
            if self.json {
                terminal::print(&format!("{line}\n"))?;
            }
            lines.push(line);
        }
        if !self.json {
            terminal::print(&table(&lines, Screen::of_stdout()))?;
        }
        Ok(())
    }

    /// Measures a scenario in this process.
    fn measure(&self, scenario: &Path) -> Result<Value, Failure> {
        let (scenario, prepared) = self.settings.prepare(scenario)?;
        let mut spec = prepared.spec;
        spec.recording = Recording::LastSample;
        let mut best: Option<Timed> = None;
        for _ in 0..self.repeat {
            let timed = self.timed(scenario.name(), &spec)?;
            if best.as_ref().is_none_or(|best| timed.seconds < best.seconds) {
                best = Some(timed);
            }
        }
        let Timed { packet_hops, events, seconds } = best.expect("there is at least one measurement");
        Ok(json!({
            "scenario": scenario.name(),
            "threads": self.threads,
            "packet_hops": packet_hops,
            "events": events,
            "seconds": seconds,
            "packet_hops_per_second": packet_hops as f64 / seconds,
            "peak_memory_bytes": peak_memory(),
        }))
    }

    fn timed(&self, name: &str, spec: &Spec) -> Result<Timed, Failure> {
        let began = Instant::now();
        let mut progress = RunProgress::new(spec.duration, Visibility::unless_quiet(self.json))
            .on(Threads::up_to(self.threads));
        let outcome = simulate(spec, &mut progress);
        let seconds = began.elapsed().as_secs_f64();
        progress.finish();
        match outcome {
            Ok(Outcome { packet_hops, events, .. }) => Ok(Timed { packet_hops, events, seconds }),
            Err(error @ SimError::Stopped { .. }) => {
                Err(Failure::Interrupted(format!("{name}: {error} of {}", spec.duration)))
            }
            Err(error) => Err(Failure::Run(format!("{name}: {error}"))),
        }
    }

    /// Measures a scenario in its own process, because peak memory is measured only per process.
    fn measure_apart(&self, scenario: &Path) -> Result<Value, Failure> {
        let name = scenario.display();
        let failed = |problem: String| Failure::Run(format!("cannot measure {name}: {problem}"));
        let program = std::env::current_exe().map_err(|error| failed(error.to_string()))?;
        let mut command = Command::new(program);
        command.arg("bench").arg(scenario).args(self.settings.arguments());
        command.args([
            "--json",
            "--repeat",
            &self.repeat.to_string(),
            "--threads",
            &self.threads.to_string(),
        ]);
        let output = command.output().map_err(|error| failed(error.to_string()))?;
        if interrupt::requested() {
            return Err(Failure::Interrupted(format!("stopped while measuring {name}")));
        }
        serde_json::from_slice(&output.stdout).map_err(|_| {
            let message = String::from_utf8_lossy(&output.stderr);
            failed(message.lines().last().unwrap_or("no message").to_owned())
        })
    }
}

/// A run and how long it took. It does not keep the outcome, whose memory would be counted in the next measurement.
struct Timed {
    packet_hops: u64,
    events: u64,
    seconds: f64,
}

/// The built-in benchmark scenarios.
fn usual() -> Vec<PathBuf> {
    let fitting = builtin().iter().filter(|builtin| builtin.purpose() == Purpose::Bench);
    fitting.map(|builtin| PathBuf::from(builtin.name)).collect()
}

/// Peak memory of this process, if the system reports it.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

fn table(lines: &[Value], screen: Screen) -> String {
    let mut table = Table::new(vec![
        Column::words("scenario", 0),
        Column::figures("threads", 5),
        Column::figures("packet-hops/s", 0),
        Column::figures("packet-hops", 3),
        Column::figures("events", 4),
        Column::figures("time", 1),
        Column::figures("peak memory", 2),
    ]);
    for line in lines {
        let figure = |key: &str| line[key].as_f64();
        let whole = |key: &str| line[key].as_u64().map_or_else(|| "-".to_owned(), count);
        table.row([
            line["scenario"].as_str().unwrap_or_default().to_owned(),
            whole("threads"),
            figure("packet_hops_per_second")
                .map_or_else(String::new, |speed| format!("{:.2} M", speed / 1e6)),
            whole("packet_hops"),
            whole("events"),
            figure("seconds").map_or_else(String::new, |span| quantity(Unit::Seconds, span)),
            figure("peak_memory_bytes").map_or_else(|| "-".to_owned(), |peak| quantity(Unit::Bytes, peak)),
        ]);
    }
    table.render(screen).0
}
