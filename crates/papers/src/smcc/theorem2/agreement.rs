//! How well theories tell the swings of packets.

use setpoint_report::document::{Cell, Column, Table};
use setpoint_report::quantity::Unit;

use super::maps::{Trajectories, mean_swing};
use super::setting::{CYCLES, REDUCED, Setting};
use super::theory::{BORDER, Swings, over_longest};
use super::{OSCILLATES, share_of_pairs};
use crate::runs::Runs;

/// What a theory says of a setting, and from where on that means oscillation.
struct Teller<'a> {
    name: &'a str,
    figures: Vec<f64>,
    border: f64,
}

/// A line for each theory.
pub(super) fn agreement(runs: &Runs, known: &Trajectories) -> Table {
    let flat = |figure: fn(&Swings) -> f64| known.iter().flatten().map(figure).collect();
    let tellers = [
        Teller {
            name: "Theorem 2: T over its largest",
            figures: REDUCED.iter().flatten().filter_map(over_longest).collect(),
            border: BORDER,
        },
        Teller {
            name: "Fluid swing, R(0) of the theorem",
            figures: flat(|swings| swings.descent_began),
            border: OSCILLATES,
        },
        Teller {
            name: "Fluid swing, R(0) of the paper’s words",
            figures: flat(|swings| swings.latest_message),
            border: OSCILLATES,
        },
    ];
    let mut table = Table::new([
        Column::words("What is compared with packets"),
        Column::figures("Pairs ordered alike"),
        Column::figures("Without cycles of 15 kB"),
        Column::figures("On the same side"),
        Column::figures("Without cycles of 15 kB"),
    ]);
    for teller in &tellers {
        table.row(teller.row(runs));
    }
    table
}

impl Teller<'_> {
    fn row(&self, runs: &Runs) -> Vec<Cell> {
        let all: Vec<(&Setting, (f64, f64))> = REDUCED
            .iter()
            .flatten()
            .zip(&self.figures)
            .filter_map(|(setting, figure)| Some((setting, (*figure, mean_swing(runs, setting)?))))
            .collect();
        let of = |least: u32| -> Vec<(f64, f64)> {
            all.iter().filter(|(setting, _)| setting.cycle >= least).map(|(_, pair)| *pair).collect()
        };
        let side = |pairs: &[(f64, f64)]| {
            let agree =
                pairs.iter().filter(|(told, seen)| (*told >= self.border) == (*seen > OSCILLATES)).count();
            agree as f64 / pairs.len().max(1) as f64
        };
        let share =
            |share: Option<f64>| Cell::words(share.map_or_else(String::new, |share| Unit::Share.text(share)));
        let (whole, without) = (of(0), of(CYCLES[1]));
        vec![
            Cell::words(self.name),
            share(share_of_pairs(&whole, 2.0)),
            share(share_of_pairs(&without, 2.0)),
            share(Some(side(&whole))),
            share(Some(side(&without))),
        ]
    }
}
