//! Maps over cycles and backgrounds: the condition with packets over it, and swings side by side.

use std::iter::successors;

use setpoint_lab::sweep::Spread;
use setpoint_report::plot::{
    Axis, Border, FieldMap, HeatCell, HeatMap, Panel, Places, Room, Spot, Spots, Symbol, Threshold, spanning,
};
use setpoint_report::quantity::Unit;

use super::setting::{BACKGROUNDS, CYCLES, KEPT_TARGET, Map, REDUCED, Setting, of};
use super::theory::{Swings, over_longest_at};
use super::{OSCILLATES, STEADY, swing};
use crate::runs::Runs;
use crate::smcc::TARGET;
use crate::smcc::theory::fluid;

/// The swings of trajectories over the map.
pub(super) type Trajectories = Vec<Vec<Swings>>;

/// The link of the map.
const LINK: f64 = 1e9;
/// Cells of the condition, each way.
const CELLS: usize = 48;

/// The theorem's condition, and packets over it.
pub(super) fn condition(runs: &Runs) -> FieldMap {
    let title = "T over the largest T with which QCN slides, and packets over it";
    let part = |cell: usize| cell as f64 / (CELLS - 1) as f64;
    let columns: Vec<f64> = successors(Some(12e3), |cycle| Some(1.075 * cycle)).take(CELLS).collect();
    let rows: Vec<f64> = (0..CELLS).map(|cell| 100e6 + 900e6 * part(cell)).collect();
    let form = fluid(&of(&REDUCED, 150, 500).case());
    let value = |cycle: f64, available: f64| over_longest_at(&form, cycle, (LINK - available).max(1.0));
    let x = spanning("Cycle", Unit::Bytes, &columns);
    let y = spanning("Available bandwidth", Unit::BitsPerSecond, &rows);
    let mut map = FieldMap::new(
        "condition",
        title,
        (x, y),
        Axis::logarithmic("T over the largest", Unit::Ratio, (0.1, 30.0)),
    );
    map.values = rows.iter().map(|row| columns.iter().map(|column| value(*column, *row)).collect()).collect();
    (map.columns, map.rows) = (columns, rows);
    map.border = Some(Border::new(1.0, "theorem 2").between("slides", "does not"));
    map.contours = vec![0.25, 0.5, 2.0, 4.0, 8.0, 16.0];
    map.spots = vec![
        spots(runs, "packets that oscillate, the larger the more", Symbol::Disc, |swing| swing > OSCILLATES),
        spots(runs, "packets that do not", Symbol::Ring, |swing| swing <= OSCILLATES),
    ];
    map.note = "Theorem 2 with R(0) of a descent that began as far below the set point as x0 is above it. Packets: the paper’s QCN; means \
                over seeds."
        .to_owned();
    map
}

fn spots(runs: &Runs, name: &str, symbol: Symbol, belongs: fn(f64) -> bool) -> Spots {
    let spot = |setting: &Setting| {
        let swing = mean_swing(runs, setting).filter(|swing| belongs(*swing))?;
        let at = (f64::from(setting.cycle) * 1e3, LINK - f64::from(setting.background) * 1e6);
        let words = format!("{}: swing {}", setting.label, Unit::Bytes.text(swing));
        Some(Spot { at, size: (swing / TARGET).min(1.0), words })
    };
    Spots { name: name.to_owned(), symbol, spots: REDUCED.iter().flatten().filter_map(spot).collect() }
}

/// The mean over seeds of how much packets swing.
pub(super) fn mean_swing(runs: &Runs, setting: &Setting) -> Option<f64> {
    let values: Vec<f64> = runs.seeds().filter_map(|seed| swing(&seed, setting)).collect();
    Spread::of(&values).map(|spread| spread.mean)
}

/// Swings of trajectories and of packets.
pub(super) fn swings(runs: &Runs, known: &Trajectories) -> HeatMap {
    let theory = |swing: fn(&Swings) -> f64| {
        let cell = |swings: &Swings| HeatCell::new(Some(swing(swings) / TARGET));
        known.iter().map(|row| row.iter().map(cell).collect()).collect()
    };
    let packets = |setting: &Setting| {
        let values: Vec<f64> =
            runs.seeds().filter_map(|seed| Some(swing(&seed, setting)? / TARGET)).collect();
        let spread = Spread::of(&values);
        let note = spread.map_or_else(String::new, |one| Unit::Share.spread_text(one.mean, one.deviation));
        HeatCell { value: spread.map(|spread| spread.mean), note }
    };
    let panel = |title: &str, rows| Panel { title: title.to_owned(), rows };
    let title = "Swing of the queue over its set point";
    let scale = Axis::logarithmic(title, Unit::Share, (0.005, 1.0));
    let mut map = HeatMap::new("swings", title, sides(), scale);
    map.panels = vec![
        panel("Fluid, R(0) of the theorem", theory(|swings| swings.descent_began)),
        panel("Fluid, R(0) of the paper’s words", theory(|swings| swings.latest_message)),
        panel("Packets, target kept", rows(&KEPT_TARGET, packets)),
        panel("Packets, QCN of the paper", rows(&REDUCED, packets)),
    ];
    map.threshold = Some(Threshold { at: OSCILLATES / TARGET, meaning: "oscillates".to_owned() });
    map.note = format!(
        "From {} to {} s; packets: means over seeds. Fluid: switching one sample late.",
        STEADY.0, STEADY.1
    );
    map.room = Room::Full;
    map
}

fn sides() -> (Places, Places) {
    let places =
        |label: &str, numbers: &[u32]| Places::new(label, numbers.iter().map(ToString::to_string).collect());
    (places("Cycle in kB", &CYCLES), places("Background in Mb/s", &BACKGROUNDS))
}

fn rows(map: &'static Map, cell: impl Fn(&Setting) -> HeatCell) -> Vec<Vec<HeatCell>> {
    map.iter().map(|row| row.iter().map(&cell).collect()).collect()
}
