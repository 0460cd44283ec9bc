//! `setpoint stability`: margins of a scenario's loop, and maps of them.

mod tell;

use std::num::NonZeroUsize;
use std::time::Instant;

use clap::Args;
use setpoint_lab::scenario::Axis;
use setpoint_lab::theory::{Finding, MOST_CELLS, Points, StabilityOptions, stability};

use super::sweep::threads;
use super::theory::{Asked, Readings, Told, failure};
use crate::failure::Failure;
use crate::progress::{SweepProgress, Visibility};

/// Say whether a scenario's loop is stable, and map where it is
///
/// The fluid model is linearised around equal shares at the set point. The delay margin is the longest loop delay at which
/// that loop is stable, found exactly; a scenario whose own delay is below it is stable, as far as the model goes. With --x and --y the margin over
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
  setpoint stability qcn-loop --set topology.dumbbell.senders=50
  setpoint stability qcn-loop --x topology.dumbbell.rtt=20us..400us \\
      --y topology.dumbbell.senders=1..50
  setpoint stability qcn-loop --x control.qcn.rp.gain=2^-10..2^-5 \\
      --y control.qcn.cp.weight=2^0,2^1,2^2
  setpoint stability qcn-loop --x topology.dumbbell.rtt=20us..2ms:log \\
      --y topology.dumbbell.senders=1..50 --size 20x20 --packets 5x5";

/// Reads `100x100`.
fn size(text: &str) -> Result<(usize, usize), String> {
    let sides = text
        .split_once(['x', '×'])
        .and_then(|(width, height)| Some((width.trim().parse().ok()?, height.trim().parse().ok()?)));
    let sides: Option<(usize, usize)> = sides.filter(|(width, height)| *width > 0 && *height > 0);
    let (width, height) = sides.ok_or_else(|| "expected two numbers above zero, as in 100x100".to_owned())?;
    // Values of a range are made before it is known how many are alike.
    if width.max(height) > MOST_CELLS {
        return Err(format!("{} values on one side; at most {MOST_CELLS}", width.max(height)));
    }
    Ok((width, height))
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
                Some((Axis::read_range("--x", x, self.size.0)?, Axis::read_range("--y", y, self.size.1)?))
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
        self.asked.store(Told {
            finding: Finding::Stability(&record),
            subject,
            options: self.options(),
            work: "found",
            took: began.elapsed(),
            text: &|screen| tell::render(&record, screen),
        })
    }

    fn runs(&self, axes: &(Axis, Axis)) -> usize {
        match self.packets {
            None | Some(Points::None) => 0,
            Some(Points::All) => axes.0.settings().len() * axes.1.settings().len(),
            Some(Points::Grid(columns, rows)) => columns.saturating_mul(rows),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_two_numbers_that_a_map_can_have() {
        assert_eq!(size("100x50"), Ok((100, 50)));
        assert!(size("0x3").is_err() && size("3").is_err() && size("-1x2").is_err());
        assert!(size("4000000000x1").unwrap_err().contains("at most 1000000"));
        assert!(points("5000000000x5000000000").unwrap_err().contains("at most 1000000"));
        assert_eq!(points("all"), Ok(Points::All));
    }
}
