//! `setpoint bench`: measures the speed of the simulator, and of the live bridge.

mod growth;
#[cfg(target_os = "linux")]
mod live;
mod predict;

use std::num::NonZeroUsize;
use std::process::Command;
use std::time::Instant;

use clap::Args;
use serde_json::{Value, json};
use setpoint_control::Algorithm;
use setpoint_lab::bench::{Shape, all_shapes, shapes};
use setpoint_sim::{Outcome, Rehearsal, SimError, Spec, Threads, simulate};
use setpoint_units::TimeDelta;

use super::sweep::threads;
use crate::failure::{Failure, print_line};
use crate::interrupt;
use crate::named::Named;
use crate::progress::{RunProgress, Visibility};
use crate::terminal::{self, Column, Screen, Table, Unit, count, quantity};

/// Measure the speed of the simulator, or of the live bridge
///
/// A packet-hop is one data frame crossing one link; inside a fabric, one cell. All shapes together take a few
/// minutes, nearly all of it for fabric-640. Every shape runs in its own process, so that its peak memory is
/// measured separately. Build with `--release` for meaningful figures.
///
/// On Linux, `live` searches for the highest rate of 1500-byte frames that the live bridge forwards on one core without
/// loss, in network namespaces, beside the kernel's bridge and a link without a bridge. It takes half a minute, needs
/// CAP_SYS_ADMIN, and is measured only if it is named; without the capability, run
/// `unshare --user --map-root-user --net setpoint bench live`.
#[derive(Debug, Args)]
pub(crate) struct Bench {
    /// The shapes to measure [default: all except live and those of --growth]
    #[arg(value_name = "SHAPE", value_parser = Named::new("shape", names()))]
    shapes: Vec<String>,

    /// Print one line of JSON per shape, with the keys shape, threads, packet_hops, events, seconds,
    /// packet_hops_per_second and peak_memory_bytes (null if the system does not report it). With --predict: shape, cores, windows,
    /// events_per_window, imbalance, barrier_seconds, seconds, rehearsal_seconds, predicted_seconds and predicted_speed_up. For
    /// live, print one line per bridge
    #[arg(long)]
    json: bool,

    /// Measure N times and report the fastest
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,

    /// Run every shape on this many threads
    #[arg(long, value_name = "N", default_value = "1", value_parser = threads)]
    threads: NonZeroUsize,

    /// Predict the speed-up with N cores: one thread does the work of N threads and measures it, window by window. Below 1,
    /// a run would stay on one thread
    #[arg(long, value_name = "N", value_parser = threads, conflicts_with = "threads")]
    predict: Option<NonZeroUsize>,

    /// Measure how cost grows with ports, flows, hosts and threads, and print it as a page in Markdown
    #[arg(long, conflicts_with_all = ["shapes", "json", "threads", "predict", "simulated", "control"])]
    growth: bool,

    /// Simulate this long, as in `50ms` [default: see `setpoint explain SHAPE`]
    #[arg(long, value_name = "TIME")]
    simulated: Option<TimeDelta>,

    /// The algorithm to use instead of QCN, in shapes with congestion control
    #[arg(long, value_name = "ALGORITHM", default_value = "qcn", value_parser = Named::new("algorithm", Algorithm::ALL.map(Algorithm::name)))]
    control: String,

    /// Send this long at each rate, in live
    #[cfg(target_os = "linux")]
    #[arg(long, value_name = "TIME", default_value = "500ms", value_parser = step)]
    step: TimeDelta,
}

impl Bench {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        if cfg!(debug_assertions) {
            print_line("note: this is a slow debug build; measure with `cargo run --release -- bench`");
        }
        if self.growth {
            return growth::print(&self);
        }
        let chosen: Vec<&Shape> = if self.shapes.is_empty() {
            shapes().iter().collect()
        } else {
            all_shapes().filter(|shape| self.shapes.iter().any(|name| name == shape.name)).collect()
        };
        let mut lines = Vec::new();
        for shape in &chosen {
            if chosen.len() > 1 && Visibility::unless_quiet(self.json) == Visibility::Shown {
                print_line(&format!("measuring {}", shape.name));
            }
            let line = match (self.predict, chosen.len()) {
                (Some(cores), _) => predict::measure(&self, shape, cores)?,
                (None, 1) => self.measure(shape)?,
                (None, _) => self.measure_apart(shape, self.threads)?,
            };
            if self.json {
                terminal::print(&format!("{line}\n"))?;
            }
            lines.push(line);
        }
        if !self.json && !lines.is_empty() {
            let table = if self.predict.is_some() { predict::table } else { table };
            terminal::print(&table(&lines, Screen::of_stdout()))?;
        }
        self.measure_live()
    }

    /// Measures the live bridge, if it is named.
    #[cfg(target_os = "linux")]
    fn measure_live(&self) -> Result<(), Failure> {
        if !self.shapes.iter().any(|name| name == live::NAME) {
            return Ok(());
        }
        let progress = Visibility::unless_quiet(self.json);
        let rows = live::Live { step: self.step, progress }.measure()?;
        if !self.json {
            return Ok(terminal::print(&live::table(&rows, Screen::of_stdout()))?);
        }
        for row in rows {
            terminal::print(&format!("{}\n", row.json()))?;
        }
        Ok(())
    }

    #[cfg(not(target_os = "linux"))]
    fn measure_live(&self) -> Result<(), Failure> {
        Ok(())
    }

    /// Measures a shape in this process.
    fn measure(&self, shape: &Shape) -> Result<Value, Failure> {
        let Timed { packet_hops, events, seconds, .. } = self.fastest(shape, Threads::up_to(self.threads))?;
        Ok(json!({
            "shape": shape.name,
            "threads": self.threads,
            "packet_hops": packet_hops,
            "events": events,
            "seconds": seconds,
            "packet_hops_per_second": packet_hops as f64 / seconds,
            "peak_memory_bytes": peak_memory(),
        }))
    }

    /// The fastest of several runs of a shape.
    fn fastest(&self, shape: &Shape, threads: Threads) -> Result<Timed, Failure> {
        let algorithm = Algorithm::from_name(&self.control).unwrap_or(Algorithm::Qcn);
        let mut spec = shape.spec(algorithm);
        spec.duration = self.simulated.unwrap_or(spec.duration);
        let mut best: Option<Timed> = None;
        for _ in 0..self.repeat {
            let timed = self.timed(shape, &spec, threads)?;
            if best.as_ref().is_none_or(|best| timed.seconds < best.seconds) {
                best = Some(timed);
            }
        }
        Ok(best.expect("there is at least one measurement"))
    }

    fn timed(&self, shape: &Shape, spec: &Spec, threads: Threads) -> Result<Timed, Failure> {
        let began = Instant::now();
        let mut progress = RunProgress::new(spec.duration, Visibility::unless_quiet(self.json)).on(threads);
        let outcome = simulate(spec, &mut progress);
        let seconds = began.elapsed().as_secs_f64();
        let rehearsal = progress.rehearsal();
        progress.finish();
        match outcome {
            Ok(Outcome { packet_hops, events, .. }) => Ok(Timed { packet_hops, events, seconds, rehearsal }),
            Err(error @ SimError::Stopped { .. }) => {
                Err(Failure::Interrupted(format!("{}: {error} of {}", shape.name, spec.duration)))
            }
            Err(error) => Err(Failure::Run(format!("{}: {error}", shape.name))),
        }
    }

    /// Measures a shape in its own process, because peak memory is known only per process.
    fn measure_apart(&self, shape: &Shape, threads: NonZeroUsize) -> Result<Value, Failure> {
        let failed = |problem: String| Failure::Run(format!("cannot measure {}: {problem}", shape.name));
        let program = std::env::current_exe().map_err(|error| failed(error.to_string()))?;
        let mut command = Command::new(program);
        command.args(["bench", shape.name, "--json", "--repeat", &self.repeat.to_string()]);
        command.args(["--control", &self.control, "--threads", &threads.to_string()]);
        if let Some(simulated) = self.simulated {
            command.args(["--simulated", &simulated.to_string()]);
        }
        let output = command.output().map_err(|error| failed(error.to_string()))?;
        if interrupt::requested() {
            return Err(Failure::Interrupted(format!("stopped while measuring {}", shape.name)));
        }
        serde_json::from_slice(&output.stdout).map_err(|_| {
            let message = String::from_utf8_lossy(&output.stderr);
            failed(message.lines().last().unwrap_or("no message").to_owned())
        })
    }
}

/// A run and how long it took. Without its outcome, whose memory would be measured with the next run.
struct Timed {
    packet_hops: u64,
    events: u64,
    seconds: f64,
    rehearsal: Option<Rehearsal>,
}

/// The names of all shapes.
fn names() -> impl Iterator<Item = &'static str> {
    let live: &[&str] = if cfg!(target_os = "linux") { &["live"] } else { &[] };
    all_shapes().map(|shape| shape.name).chain(live.iter().copied())
}

/// Shorter steps would measure single stalls of the machine.
#[cfg(target_os = "linux")]
fn step(text: &str) -> Result<TimeDelta, String> {
    let step: TimeDelta = text.parse().map_err(|error| format!("{error}"))?;
    let allowed = TimeDelta::from_millis(50)..=TimeDelta::from_secs(60);
    if allowed.contains(&step) { Ok(step) } else { Err("expected a time from 50 ms to 60 s".to_owned()) }
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
        Column::words("shape", 0),
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
            line["shape"].as_str().unwrap_or_default().to_owned(),
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
