//! Maps over cycle and background: the theorem's condition with packet simulations marked on it, and
//! deviations side by side.

use std::iter::successors;

use setpoint_plot::{Border, FieldMap, HeatCell, HeatMap, Spot, Spots, Symbol, Threshold, spanning};

use super::setting::{BACKGROUNDS, CYCLES, Grid, KEPT_TARGET, REDUCED, Setting, of};
use super::theory::{FluidDeviations, over_longest_at};
use super::{OSCILLATES, deviation};
use crate::panel::{HeatPlot, heat_cell};
use crate::prelude::*;
use crate::smcc::TARGET;
use crate::smcc::theory::fluid;

/// The link rate of the map.
const LINK: f64 = 1e9;
/// The number of cells of the condition map in each direction.
const CELLS: usize = 48;

/// The theorem's condition, with packet simulations marked on it.
pub(super) fn condition(runs: &Runs) -> FieldMap {
    let title = "T divided by the largest T for which QCN slides, with packet simulations";
    let part = |cell: usize| cell as f64 / (CELLS - 1) as f64;
    let columns: Vec<f64> = successors(Some(12e3), |cycle| Some(1.075 * cycle)).take(CELLS).collect();
    let rows: Vec<f64> = (0..CELLS).map(|cell| 100e6 + 900e6 * part(cell)).collect();
    let (form, _) = fluid(&of(&REDUCED, 150, 500).case());
    let value = |cycle: f64, available: f64| over_longest_at(&form, cycle, (LINK - available).max(1.0));
    let x = spanning("Cycle", Unit::Bytes, &columns);
    let y = spanning("Available bandwidth", Unit::BitsPerSecond, &rows);
    let scale = Axis::logarithmic("T / largest T", Unit::Ratio, (0.1, 30.0));
    let mut map = FieldMap::new("condition", title, (x, y), scale);
    map.values = rows.iter().map(|row| columns.iter().map(|column| value(*column, *row)).collect()).collect();
    (map.columns, map.rows) = (columns, rows);
    map.border = Some(Border::new(1.0, "theorem 2").between("slides", "does not"));
    map.contours = vec![0.25, 0.5, 2.0, 4.0, 8.0, 16.0];
    map.spots = vec![
        spots(runs, "packet simulation oscillates (larger marks: more strongly)", Symbol::Disc, |value| {
            value > OSCILLATES
        }),
        spots(runs, "packet simulation does not oscillate", Symbol::Ring, |value| value <= OSCILLATES),
    ];
    map.note =
        "Theorem 2, with R(0) from a descent that began as far below the set point as x0 is above it. Packet \
        simulations use the paper’s QCN; marks show means over seeds."
            .to_owned();
    map
}

fn spots(runs: &Runs, name: &str, symbol: Symbol, belongs: fn(f64) -> bool) -> Spots {
    let spot = |setting: &Setting| {
        let deviation = mean_deviation(runs, setting).filter(|deviation| belongs(*deviation))?;
        let at = (f64::from(setting.cycle) * 1e3, LINK - f64::from(setting.background) * 1e6);
        let words = format!("{}: standard deviation {}", setting.label, Unit::Bytes.text(deviation));
        Some(Spot { at, size: (deviation / TARGET).min(1.0), words })
    };
    Spots { name: name.to_owned(), symbol, spots: REDUCED.iter().filter_map(spot).collect() }
}

/// The standard deviation of the queue in the packet simulation, as a mean over seeds.
pub(super) fn mean_deviation(runs: &Runs, setting: &Setting) -> Option<f64> {
    mean(&runs.values(|seed| deviation(seed, setting)))
}

/// Deviations of trajectories, in the order of the grid, and of packet simulations.
pub(super) fn deviations(runs: &Runs, known: &[FluidDeviations]) -> HeatMap {
    let plot = HeatPlot {
        columns: ("Cycle in kB", &CYCLES),
        rows: ("Background in Mb/s", &BACKGROUNDS),
        unit: Unit::Share,
    };
    let theory = |title, value: fn(&FluidDeviations) -> f64| {
        plot.panel(title, |cycle, background| {
            let place = REDUCED.iter().position(|one| (one.cycle, one.background) == (cycle, background));
            HeatCell::new(place.map(|place| value(&known[place]) / TARGET))
        })
    };
    let packets = |title, grid: &'static Grid| {
        plot.panel(title, |cycle, background| {
            let setting = of(grid, cycle, background);
            heat_cell(&runs.values(|seed| Some(deviation(seed, setting)? / TARGET)), Unit::Share)
        })
    };
    let panels = vec![
        theory("Fluid model, R(0) from the theorem", |deviations| deviations.descent_began),
        theory("Fluid model, R(0) from the paper’s text", |deviations| deviations.latest_message),
        packets("Packet simulation, target rate kept", &KEPT_TARGET),
        packets("Packet simulation, the paper’s QCN", &REDUCED),
    ];
    let title = "Standard deviation of the queue divided by the set point";
    let scale = Axis::logarithmic(title, Unit::Share, (0.005, 1.0));
    let mut map = plot.map_on(scale, ("swings", title), panels);
    map.threshold = Some(Threshold { at: OSCILLATES / TARGET, meaning: "oscillates".to_owned() });
    map.note =
        "The first second is excluded. Values for packet simulations are means over seeds. The fluid model \
        switches one sample late."
            .to_owned();
    map
}
