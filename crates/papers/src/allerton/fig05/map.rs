//! A map of where the linearised loop is stable, with the queue deviation in the packet simulation marked on
//! it.

use setpoint_plot::{Border, FieldMap, Ramp, Spot, Spots, Symbol};

use super::super::{QUEUE, STEADY, TARGET};
use super::SETTLED;
use super::cell::{Cell, cells};
use super::model::margin_with;
use crate::prelude::*;

/// The numbers of sources on the map.
const SOURCES: [u32; 13] = [1, 2, 3, 4, 6, 8, 11, 16, 22, 32, 45, 64, 90];
/// Number of round-trip times on the map, spaced at equal ratios from the shortest to the longest.
const LAGS: usize = 60;
const SHORTEST: f64 = 10e-6;
const LONGEST: f64 = 800e-6;

/// The margin divided by the delay, by round-trip time and number of sources.
pub(super) fn map(runs: &Runs) -> FieldMap {
    let lags: Vec<f64> = (0..LAGS)
        .map(|step| SHORTEST * libm::pow(LONGEST / SHORTEST, step as f64 / (LAGS - 1) as f64))
        .collect();
    let x = Axis::logarithmic("Round-trip time", Unit::Seconds, (SHORTEST, LONGEST));
    let y = Axis::logarithmic("Sources", Unit::Count, (0.9, 100.0));
    let scale = Axis::logarithmic("Exact margin / delay", Unit::Ratio, (0.1, 10.0));
    let title = "Stability of the linearised loop, and queue deviation in the packet simulation";
    let row = |sources: &u32| {
        let margin = margin_with(*sources);
        lags.iter().map(|lag| margin.map(|margin| margin / lag)).collect()
    };
    FieldMap {
        values: SOURCES.iter().map(row).collect(),
        columns: lags.clone(),
        rows: SOURCES.map(f64::from).into(),
        ramp: Ramp::Diverging(1.0),
        border: Some(Border::new(1.0, "exact margin").between("unstable", "stable")),
        contours: vec![0.5, 2.0],
        spots: spots(runs),
        note: "The size of a mark shows the queue deviation in the packet simulation, averaged over seeds. Marks reach \
            full size at a deviation of half the set point."
            .to_owned(),
        ..FieldMap::new("stability-map", title, (x, y), scale)
    }
}

fn spots(runs: &Runs) -> Vec<Spots> {
    let deviation =
        |cell: Cell| mean(&runs.values(|seed| seed.run(&cell.name()).queue_std_dev(QUEUE, STEADY)));
    let deviations: Vec<(Cell, f64)> = cells().filter_map(|cell| Some((cell, deviation(cell)?))).collect();
    let of = |name: &str, symbol, keep: fn(f64) -> bool| {
        let kept = deviations.iter().filter(|(_, deviation)| keep(*deviation));
        Spots {
            name: name.to_owned(),
            symbol,
            spots: kept.map(|(cell, deviation)| spot(*cell, *deviation)).collect(),
        }
    };
    vec![
        of("deviation of up to a third of the set point", Symbol::Ring, |deviation| deviation <= SETTLED),
        of("larger deviation", Symbol::Disc, |deviation| deviation > SETTLED),
    ]
}

fn spot(Cell { sources, lag }: Cell, deviation: f64) -> Spot {
    Spot {
        at: (f64::from(lag) * 1e-6, f64::from(sources)),
        size: (deviation / (0.5 * TARGET)).clamp(0.2, 1.0),
        words: format!("N = {sources}, {lag} us: deviation {}", Unit::Bytes.text(deviation)),
    }
}
