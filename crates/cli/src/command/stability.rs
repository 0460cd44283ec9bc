//! `setpoint stability`: margins of a scenario's loop, and maps of them.

use std::num::NonZeroUsize;
use std::time::Instant;

use clap::Args;
use setpoint_lab::scenario::Span;
use setpoint_lab::theory::{
    Finding, LoopRecord, MapRecord, Points, StabilityOptions, StabilityRecord, stability,
};

use super::sweep::threads;
use super::theory::{Asked, Readings, Told, failure};
use crate::failure::Failure;
use crate::progress::{SweepProgress, Visibility};
use crate::terminal::{Column, Facts, Paint, Screen, Table, Unit, count, quantity, things};

/// Say whether a scenario's loop is stable, and map where it is
///
/// The fluid model is linearised around equal shares at the set point. The delay margin is the longest loop delay at which
/// that loop is stable, found exactly; a scenario whose own delay is below it is stable. With --x and --y the margin over
/// the delay is mapped over any two keys of the scenario, on all cores, and with --packets the simulator runs some of the
/// map's points: how far its queue swings is put over the map.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Stability {
    #[command(flatten)]
    asked: Asked,

    /// The map's horizontal axis: a key and FROM..TO, FROM..TO:log or values with commas between them
    #[arg(long, value_name = "KEY=VALUES", requires = "y")]
    x: Option<String>,

    /// The map's vertical axis, written the same way
    #[arg(long, value_name = "KEY=VALUES", requires = "x")]
    y: Option<String>,

    /// How many values a range of each axis has
    #[arg(long, value_name = "WxH", default_value = "100x100", value_parser = size)]
    size: (usize, usize),

    /// Simulate packets at so many columns and rows of the map, evenly spread, or at `all` of its points
    #[arg(long, value_name = "WxH|all", value_parser = points, requires = "x")]
    packets: Option<Points>,

    /// Threads to use [default: one for each core]
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<NonZeroUsize>,

    #[command(flatten)]
    readings: Readings,
}

const EXAMPLES: &str = "\
Examples:
  setpoint stability
  setpoint stability stability --x topology.dumbbell.rtt=20us..400us --y topology.dumbbell.senders=1..50
  setpoint stability stability --x control.qcn.rp.gain=2^-10..2^-5 --y control.qcn.cp.weight=2^0,2^1,2^2
  setpoint stability stability --x topology.dumbbell.rtt=20us..400us:log --y topology.dumbbell.senders=1..50 \\
      --size 20x20 --packets 5x5";

/// Reads `100x100`.
fn size(text: &str) -> Result<(usize, usize), String> {
    let sides = text
        .split_once(['x', '×'])
        .and_then(|(width, height)| Some((width.trim().parse().ok()?, height.trim().parse().ok()?)));
    let sides: Option<(usize, usize)> = sides.filter(|(width, height)| *width > 0 && *height > 0);
    sides.ok_or_else(|| "expected two numbers above zero, as in 100x100".to_owned())
}

fn points(text: &str) -> Result<Points, String> {
    if text == "all" {
        return Ok(Points::All);
    }
    let (columns, rows) = size(text).map_err(|error| format!("{error}, or `all`"))?;
    Ok(Points::Grid(columns, rows))
}

impl Stability {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        let subject = self.asked.read("-stability")?;
        let axes = match (&self.x, &self.y) {
            (Some(x), Some(y)) => {
                Some((Span::read("--x", x, self.size.0)?, Span::read("--y", y, self.size.1)?))
            }
            _ => None,
        };
        let runs = axes.as_ref().map_or(0, |axes| self.runs(axes));
        let options = StabilityOptions {
            seed: Some(subject.prepared.spec.seed),
            reading: self.readings.reading(),
            axes,
            packets: self.packets.unwrap_or_default(),
            threads: self.threads,
        };
        let began = Instant::now();
        let progress = SweepProgress::new(runs, Visibility::unless_quiet(self.asked.quiet));
        let found = stability(&subject.scenario, &options, &progress);
        progress.finish();
        let record = found.map_err(|error| failure(error, subject.scenario.name()))?;
        self.asked.store(&Told {
            finding: Finding::Stability(&record),
            subject: &subject,
            options: self.options(),
            work: "found",
            took: began.elapsed(),
            text: &|screen| render(&record, screen),
        })
    }

    fn runs(&self, axes: &(Span, Span)) -> usize {
        match self.packets {
            None | Some(Points::None) => 0,
            Some(Points::All) => axes.0.settings().len() * axes.1.settings().len(),
            Some(Points::Grid(columns, rows)) => columns * rows,
        }
    }

    /// As they would be given; threads make no difference.
    fn options(&self) -> Vec<(String, String)> {
        let mut options = self.readings.options();
        let mut add = |name: &str, value: Option<String>| {
            options.extend(value.map(|value| (name.to_owned(), value)));
        };
        add("x", self.x.clone());
        add("y", self.y.clone());
        add("size", self.x.as_ref().map(|_| format!("{}x{}", self.size.0, self.size.1)));
        add(
            "packets",
            self.packets.map(|points| match points {
                Points::All => "all".to_owned(),
                Points::Grid(columns, rows) => format!("{columns}x{rows}"),
                Points::None => "none".to_owned(),
            }),
        );
        options
    }
}

fn render(record: &StabilityRecord, screen: Screen) -> String {
    let mut text = loop_facts(&record.here, screen.paint).render(screen);
    if let Some(map) = &record.map {
        text += &format!("\n{}", map_facts(map).render(screen));
        if !map.packets.is_empty() {
            text += &format!("\n{}", packet_table(map).render(screen).0);
        }
    }
    text
}

fn loop_facts(record: &LoopRecord, paint: Paint) -> Facts {
    let seconds = |value| quantity(Unit::Seconds, value);
    let mut facts = Facts::new();
    facts.add("model", [record.model.clone(), things(u64::from(record.sources), "source")]);
    facts.add("loop delay", [seconds(record.delay_s), "without waiting".to_owned()]);
    facts.add("delay margin", margin(record));
    facts.add("bound", bound(record));
    let verdict = match record.unstable_roots {
        0 => paint.good("stable"),
        _ => paint.bad("unstable"),
    };
    let within = record
        .margin_s
        .map(|margin| format!("the margin is {} of the delay", ratio(margin / record.delay_s)));
    facts.add("this loop is", [verdict, within.unwrap_or_default()]);
    facts.add("slowest mode", mode(record));
    facts
}

fn margin(record: &LoopRecord) -> Vec<String> {
    match record.margin_s {
        None => vec!["none: unstable without any delay".to_owned()],
        Some(margin) => {
            let period = record.crossover_rad_per_s.map(|omega| std::f64::consts::TAU / omega);
            let period = period
                .map(|period| format!("at it the queue swings once in {}", quantity(Unit::Seconds, period)));
            vec![quantity(Unit::Seconds, margin), period.unwrap_or_default()]
        }
    }
}

fn bound(record: &LoopRecord) -> Vec<String> {
    let seconds = |value| quantity(Unit::Seconds, value);
    let Some(bound) = record.bound_s else { return Vec::new() };
    let without = record.bound_without_averaging_s.filter(|without| *without != bound);
    let without = without.map(|without| format!("{} without the Averaging Principle", seconds(without)));
    vec![format!("{} is sufficient", seconds(bound)), without.unwrap_or_default()]
}

fn mode(record: &LoopRecord) -> Vec<String> {
    let seconds = |value| quantity(Unit::Seconds, value);
    let fate = match record.growth_per_s {
        growth if growth < 0.0 => format!("dies away with a time constant of {}", seconds(-1.0 / growth)),
        growth if growth > 0.0 => format!("grows with a time constant of {}", seconds(1.0 / growth)),
        _ => return Vec::new(),
    };
    let swings = match record.mode_rad_per_s {
        omega if omega > 0.0 => format!("period {}", seconds(std::f64::consts::TAU / omega)),
        _ => "does not swing".to_owned(),
    };
    vec![fate, swings]
}

fn ratio(value: f64) -> String {
    quantity(Unit::Ratio, value)
}

fn map_facts(map: &MapRecord) -> Facts {
    let cells: Vec<f64> = map.stability.iter().flatten().copied().flatten().collect();
    let all = map.stability.iter().map(Vec::len).sum::<usize>();
    let stable = cells.iter().filter(|ratio| **ratio > 1.0).count();
    let ends = |values: &[String]| match values {
        [first, .., last] => format!("{first} to {last}, {} values", values.len()),
        _ => values.join(", "),
    };
    let mut facts = Facts::new();
    facts.say("x", format!("{}: {}", map.x.key, ends(&map.x.values)));
    facts.say("y", format!("{}: {}", map.y.key, ends(&map.y.values)));
    let stable_cells = format!("{} of {} stable", count(stable as u64), count(all as u64));
    let extremes = cells.iter().copied().reduce(f64::min).zip(cells.iter().copied().reduce(f64::max));
    let extremes =
        extremes.map(|(least, most)| format!("margin over delay from {} to {}", ratio(least), ratio(most)));
    facts.add("cells", [stable_cells, extremes.unwrap_or_default()]);
    if all > cells.len() {
        facts.say(
            "without a value",
            format!("{}: {}", count((all - cells.len()) as u64), map.reasons.join("; ")),
        );
    }
    facts
}

/// What packets do where theory says stable, and where it says unstable.
fn packet_table(map: &MapRecord) -> Table {
    let mut table = Table::new(vec![
        Column::words("packet runs", 0),
        Column::figures("runs", 0),
        Column::figures("swing, mean", 0),
        Column::figures("largest", 1),
        Column::figures("empty, mean", 2),
        Column::figures("oscillate", 1),
    ]);
    let value = |point: &&setpoint_lab::theory::MapPoint| map.stability[point.y][point.x];
    for (name, is) in [
        ("where stable", (|ratio: f64| ratio > 1.0) as fn(f64) -> bool),
        ("where unstable", |ratio| ratio <= 1.0),
    ] {
        let points: Vec<_> = map.packets.iter().filter(|point| value(point).is_some_and(is)).collect();
        if points.is_empty() {
            continue;
        }
        let mean = |sum: f64| sum / points.len() as f64;
        let swing = mean(points.iter().map(|point| point.swing).sum());
        let largest = points.iter().map(|point| point.swing).fold(0.0, f64::max);
        let empty = mean(points.iter().map(|point| point.empty_share).sum());
        let oscillating = points.iter().filter(|point| point.period_s.is_some()).count();
        table.row([
            name.to_owned(),
            count(points.len() as u64),
            quantity(Unit::Share, swing),
            quantity(Unit::Share, largest),
            quantity(Unit::Share, empty),
            count(oscillating as u64),
        ]);
    }
    table
}
