//! Maps of stability margins over two keys of a scenario, on all cores.
//!
//! Every cell is the scenario with two values set, prepared and linearised separately, so any two keys can be
//! varied. Cells are independent: the map is the same for any number of threads.

mod runs;
mod shards;

use std::num::NonZeroUsize;

use rayon::prelude::*;
use setpoint_fluid::ModelOptions;
use setpoint_scenario::{Axis, Override, Prepared, Scenario};
use setpoint_sim::Decision;

use super::error::TheoryError;
use super::form::DcqcnReading;
use super::record::{MapAxis, MapRecord, StabilityRecord};
use super::stability::{closed_loop_read_as, linear};
use crate::store::Workplace;
use crate::sweep::SweepMonitor;

pub use shards::{forget_points, join, points_of_shard, run_points};

/// Maximum number of cells in a map.
pub const MOST_CELLS: usize = 1_000_000;

/// Options for analysing the stability of a scenario.
#[derive(Clone, Debug, Default)]
pub struct StabilityOptions {
    /// The seed; `None` for the scenario's own.
    pub seed: Option<u64>,
    /// How to interpret equations that the papers leave ambiguous.
    pub reading: ModelOptions,
    /// How to read DCQCN's equations.
    pub dcqcn: DcqcnReading,
    /// The axes of a map, if requested.
    pub axes: Option<(Axis, Axis)>,
    /// The points of the map at which packets are simulated too.
    pub packets: Points,
    /// Number of threads; `None` for one per core.
    pub threads: Option<NonZeroUsize>,
}

/// Points of a map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Points {
    /// No points.
    #[default]
    None,
    /// A grid with this number of columns and rows, evenly spread and including the edges.
    Grid(usize, usize),
    /// All points.
    All,
}

/// Analyses the loop of a scenario, and computes the map if requested.
///
/// # Errors
/// If the scenario has no linear loop, the map is too large, or the monitor stops the work. A cell without a loop
/// is not an error; [`MapRecord::reasons`] holds the reasons.
pub fn stability(
    scenario: &Scenario,
    options: &StabilityOptions,
    monitor: &dyn SweepMonitor,
) -> Result<StabilityRecord, TheoryError> {
    analyse(scenario, options, PacketRuns::Here, monitor)
}

/// Like [`stability`], with packet runs that shards have stored as notes in a folder.
///
/// # Errors
/// As [`stability`], and if packet runs are missing.
pub fn collect_points(
    scenario: &Scenario,
    options: &StabilityOptions,
    place: &Workplace,
    monitor: &dyn SweepMonitor,
) -> Result<StabilityRecord, TheoryError> {
    analyse(scenario, options, PacketRuns::Noted(place), monitor)
}

/// The source of the packet runs of a map.
#[derive(Clone, Copy, Debug)]
enum PacketRuns<'p> {
    /// This process simulates them.
    Here,
    /// Shards have simulated them and stored the results in a folder.
    Noted(&'p Workplace),
}

fn analyse(
    scenario: &Scenario,
    options: &StabilityOptions,
    packets: PacketRuns<'_>,
    monitor: &dyn SweepMonitor,
) -> Result<StabilityRecord, TheoryError> {
    let here =
        closed_loop_read_as(&scenario.prepare(options.seed_for(scenario))?, &options.reading, options.dcqcn)?;
    let map = Map::of(scenario, options).map(|map| map.draw(packets, monitor)).transpose()?;
    Ok(StabilityRecord { name: scenario.name().to_owned(), here, map })
}

impl StabilityOptions {
    fn seed_for(&self, scenario: &Scenario) -> u64 {
        self.seed.unwrap_or(scenario.seed())
    }
}

struct Map<'a> {
    scenario: &'a Scenario,
    options: &'a StabilityOptions,
    axes: &'a (Axis, Axis),
    seed: u64,
}

/// A cell by column and row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cell {
    x: usize,
    y: usize,
}

/// The value of a cell, or the reason why it has none.
type Valued = Result<f64, String>;

impl<'a> Map<'a> {
    /// The map that the options request, if any.
    fn of(scenario: &'a Scenario, options: &'a StabilityOptions) -> Option<Self> {
        let seed = options.seed_for(scenario);
        options.axes.as_ref().map(|axes| Self { scenario, options, axes, seed })
    }
}

impl Map<'_> {
    fn draw(&self, packets: PacketRuns<'_>, monitor: &dyn SweepMonitor) -> Result<MapRecord, TheoryError> {
        let (width, height) = self.size();
        if width.saturating_mul(height) > MOST_CELLS {
            return Err(TheoryError::TooManyCells { width, height, most: MOST_CELLS });
        }
        if self.axes.0.key() == self.axes.1.key() {
            return Err(TheoryError::SameKey(self.axes.0.key().to_owned()));
        }
        let points = self.points()?;
        let ends = match packets {
            PacketRuns::Here => self.divided(|| self.runs(&points, monitor))??,
            PacketRuns::Noted(place) => self.collected(&points, place, monitor)?,
        };
        let cells = self.divided(|| self.cells(monitor))??;
        let (mut packets, mut failed) = (Vec::new(), Vec::new());
        for end in ends {
            match end {
                Ok(point) => packets.push(point),
                Err(reason) => failed.push(reason),
            }
        }
        let mut reasons: Vec<String> = Vec::new();
        let missing = cells.iter().flatten().filter_map(|cell| cell.as_ref().err());
        for reason in missing.chain(&failed) {
            if !reasons.contains(reason) {
                reasons.push(reason.clone());
            }
        }
        let values = |row: Vec<Valued>| row.into_iter().map(Result::ok).collect();
        Ok(MapRecord {
            x: axis(&self.axes.0),
            y: axis(&self.axes.1),
            stability: cells.into_iter().map(values).collect(),
            reasons,
            packets,
        })
    }

    /// Runs `work` in a pool with the number of threads that the options request.
    fn divided<T: Send>(&self, work: impl FnOnce() -> T + Send) -> Result<T, rayon::ThreadPoolBuildError> {
        // Without thread support, the global pool runs on the calling thread.
        if cfg!(target_family = "wasm") {
            return Ok(work());
        }
        let threads = self.options.threads.map_or(0, NonZeroUsize::get);
        Ok(rayon::ThreadPoolBuilder::new().num_threads(threads).build()?.install(work))
    }

    fn size(&self) -> (usize, usize) {
        (self.axes.0.settings().len(), self.axes.1.settings().len())
    }

    /// Computes all cells, by row.
    fn cells(&self, monitor: &dyn SweepMonitor) -> Result<Vec<Vec<Valued>>, TheoryError> {
        let (width, height) = self.size();
        let row = |y: usize| {
            let stopped = monitor.verdict() == Decision::Stop;
            (!stopped).then(|| (0..width).map(|x| self.value(Cell { x, y })).collect::<Vec<_>>())
        };
        let rows: Vec<Option<Vec<Valued>>> = (0..height).into_par_iter().with_max_len(1).map(row).collect();
        let done = rows.iter().flatten().count();
        let rows: Option<Vec<_>> = rows.into_iter().collect();
        rows.ok_or(TheoryError::Stopped { done, all: height, what: "rows" })
    }

    fn value(&self, cell: Cell) -> Valued {
        let closed = self
            .prepared(cell)
            .and_then(|prepared| linear(&prepared, &self.options.reading, self.options.dcqcn));
        let closed = closed.map_err(|error| reason(&error))?;
        let margin = closed.margin().ok_or("the loop is unstable even without delay")?;
        let ratio = margin.delay_s / closed.delay_s;
        if ratio.is_finite() {
            Ok(ratio)
        } else {
            Err("the loop has no delay, or is stable at any delay".to_owned())
        }
    }

    fn settings(&self, cell: Cell) -> [&Override; 2] {
        [&self.axes.0.settings()[cell.x], &self.axes.1.settings()[cell.y]]
    }

    fn prepared(&self, cell: Cell) -> Result<Prepared, TheoryError> {
        Ok(self.scenario.prepare_with(&self.settings(cell), self.seed)?)
    }
}

fn axis(axis: &Axis) -> MapAxis {
    MapAxis {
        key: axis.key().to_owned(),
        values: axis.settings().iter().map(Override::value).collect(),
        numbers: axis.numbers(),
    }
}

/// The reason why a cell has no value, in one line.
fn reason(error: &TheoryError) -> String {
    match error {
        TheoryError::Scenario(diagnostics) => {
            diagnostics.problems().first().map_or_else(String::new, |problem| problem.message().to_owned())
        }
        other => other.to_string(),
    }
}
