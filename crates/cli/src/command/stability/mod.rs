//! `setpoint stability`: stability margins of a scenario's control loop, and maps of the margins.

mod shards;
mod text;

use std::num::NonZeroUsize;
use std::time::Instant;

use clap::Args;
use setpoint_lab::theory::{Finding, MOST_CELLS, Points, StabilityOptions, StabilityRecord, stability};
use setpoint_scenario::Axis;

use super::shards::{Part, Shards, Source};
use super::sweep::threads;
use super::theory::{CommonOptions, Completed, Readings, Subject, failure};
use crate::failure::Failure;
use crate::progress::SweepProgress;

/// Analyse the stability of a scenario's control loop and map its stable region
///
/// The fluid model is linearised around equal rates at the set point. The delay margin is the longest loop delay at
/// which this loop is stable, computed exactly; a scenario with a shorter delay is stable according to the model.
/// --x and --y map the ratio of margin to delay over any two keys of the scenario, on all cores. With --packets,
/// some points of the map are also simulated, and the deviation of their queues is shown on the map; with --shard, several
/// processes or machines share these runs.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Stability {
    #[command(flatten)]
    common: CommonOptions,

    /// Horizontal axis of the map: a key and FROM..TO, FROM..TO:log or comma-separated values
    #[arg(long, value_name = "KEY=VALUES", requires = "y")]
    x: Option<String>,

    /// Vertical axis of the map, in the same format
    #[arg(long, value_name = "KEY=VALUES", requires = "x")]
    y: Option<String>,

    /// Number of values along each axis
    #[arg(long, value_name = "WxH", default_value = "100x100", value_parser = size)]
    size: (usize, usize),

    /// Simulate packets at this many evenly spaced columns and rows of the map, or at `all` of its points
    #[arg(long, value_name = "WxH|all", value_parser = points, requires = "x")]
    packets: Option<Points>,

    /// Threads to use [default: one per core]
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<NonZeroUsize>,

    #[command(flatten)]
    shards: Shards,

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

/// Parses `100x100`.
fn size(text: &str) -> Result<(usize, usize), String> {
    let sides = text
        .split_once(['x', '×'])
        .and_then(|(width, height)| Some((width.trim().parse().ok()?, height.trim().parse().ok()?)));
    let sides: Option<(usize, usize)> = sides.filter(|(width, height)| *width > 0 && *height > 0);
    let (width, height) = sides.ok_or_else(|| "expected two positive numbers, as in 100x100".to_owned())?;
    // The values of a range are generated before duplicates are removed.
    if width.max(height) > MOST_CELLS {
        return Err(format!("{} values on one side; at most {MOST_CELLS} are allowed", width.max(height)));
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
        let axes = match (&self.x, &self.y) {
            (Some(x), Some(y)) => {
                Some((Axis::read_range("--x", x, self.size.0)?, Axis::read_range("--y", y, self.size.1)?))
            }
            _ => None,
        };
        let options = StabilityOptions {
            seed: None,
            reading: self.readings.reading(),
            dcqcn: self.readings.dcqcn(),
            axes,
            packets: self.packets.unwrap_or_default(),
            threads: self.threads,
        };
        match self.shards.part() {
            Part::Whole(Source::Runs) => self.whole(&options),
            Part::Whole(Source::Shards) => self.collect(&options),
            Part::Shard(shard) => self.shard(&options, shard),
        }
    }

    /// Analyses the loop and simulates all packet runs.
    fn whole(&self, options: &StabilityOptions) -> Result<(), Failure> {
        let subject = self.common.read("-stability")?;
        let options = StabilityOptions { seed: Some(subject.prepared.spec.seed), ..options.clone() };
        let began = Instant::now();
        let progress = self.progress(options.axes.as_ref().map_or(0, |axes| self.runs(axes)));
        let found = stability(&subject.scenario, &options, &progress);
        progress.finish();
        let record = found.map_err(|error| failure(error, subject.scenario.name()))?;
        self.store(&record, subject, began)
    }

    fn progress(&self, runs: usize) -> SweepProgress {
        SweepProgress::new(runs, self.common.output.visibility())
    }

    fn store(&self, record: &StabilityRecord, subject: Subject, began: Instant) -> Result<(), Failure> {
        self.common.store(Completed {
            finding: Finding::Stability(record),
            subject,
            options: self.options(),
            work: "found",
            took: began.elapsed(),
            text: &|screen| text::render(record, screen),
        })
    }

    fn runs(&self, axes: &(Axis, Axis)) -> usize {
        match self.packets {
            None | Some(Points::None) => 0,
            Some(Points::All) => axes.0.settings().len() * axes.1.settings().len(),
            Some(Points::Grid(columns, rows)) => columns.saturating_mul(rows),
        }
    }

    /// The options as given on the command line, except those that do not affect the result.
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
