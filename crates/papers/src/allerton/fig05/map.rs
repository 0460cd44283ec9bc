//! Where the linearised loop is stable, with the swing of packets over it.

use setpoint_lab::sweep::Spread;
use setpoint_report::plot::{Axis, Border, FieldMap, Ramp, Spot, Spots, Symbol};
use setpoint_report::quantity::Unit;

use super::STEADY;
use super::cell::{CELLS, Cell, Packets};
use super::model::margin_with;
use crate::allerton::TARGET;
use crate::allerton::measure::swing;
use crate::runs::Runs;

/// Numbers of sources that margins are looked at for.
const SOURCES: [u32; 13] = [1, 2, 3, 4, 6, 8, 11, 16, 22, 32, 45, 64, 90];
/// Round-trip times: so many of them, from the shortest to the longest, in one ratio.
const LAGS: usize = 60;
const SHORTEST: f64 = 10e-6;
const LONGEST: f64 = 800e-6;
/// A queue that swings by more than a third of its set point is not at rest.
const STILL: f64 = TARGET / 3.0;

/// The margin over the delay, over round-trip times and numbers of sources.
pub(super) fn map(runs: &Runs) -> FieldMap {
    let lags: Vec<f64> = (0..LAGS)
        .map(|step| SHORTEST * libm::pow(LONGEST / SHORTEST, step as f64 / (LAGS - 1) as f64))
        .collect();
    let x = Axis::logarithmic("Round-trip time", Unit::Seconds, (SHORTEST, LONGEST));
    let y = Axis::logarithmic("Sources", Unit::Count, (0.9, 100.0));
    let scale = Axis::logarithmic("Exact margin over delay", Unit::Ratio, (0.1, 10.0));
    let title = "Where the linearised loop is stable, and how much packets swing (QCN without timer)";
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
        note: "Marks are as large as the swing of the queue of packets, as a mean over seeds; one of half the set point has the full size.".to_owned(),
        ..FieldMap::new("stability-map", title, (x, y), scale)
    }
}

fn spots(runs: &Runs) -> Vec<Spots> {
    let swings: Vec<(&Cell, f64)> =
        CELLS.iter().filter_map(|cell| Some((cell, mean_swing(runs, cell)?))).collect();
    let of = |name: &str, symbol, keep: fn(f64) -> bool| Spots {
        name: name.to_owned(),
        symbol,
        spots: swings
            .iter()
            .filter(|(_, swing)| keep(*swing))
            .map(|(cell, swing)| spot(cell, *swing))
            .collect(),
    };
    vec![
        of("swing of up to a third of the set point", Symbol::Ring, |swing| swing <= STILL),
        of("more", Symbol::Disc, |swing| swing > STILL),
    ]
}

fn spot(cell: &Cell, swing: f64) -> Spot {
    Spot {
        at: (f64::from(cell.lag) * 1e-6, f64::from(cell.sources)),
        size: (swing / (0.5 * TARGET)).clamp(0.2, 1.0),
        words: format!("N = {}, {} us: swing {}", cell.sources, cell.lag, Unit::Bytes.text(swing)),
    }
}

fn mean_swing(runs: &Runs, cell: &Cell) -> Option<f64> {
    let swings: Option<Vec<f64>> =
        runs.seeds().map(|seed| swing(seed.run(cell.name(Packets::TimerOff)), STEADY)).collect();
    Some(Spread::of(&swings?)?.mean)
}
