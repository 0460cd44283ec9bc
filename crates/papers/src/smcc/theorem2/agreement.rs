//! How well the theories predict the oscillations in packet simulations.

use super::maps::mean_deviation;
use super::setting::{CYCLES, REDUCED, Setting};
use super::theory::{BORDER, FluidDeviations, over_longest};
use super::{OSCILLATES, share_of_pairs};
use crate::prelude::*;

/// A theory's figure for each setting of the grid, and the value above which it predicts oscillation.
struct Prediction<'a> {
    name: &'a str,
    figures: Vec<f64>,
    border: f64,
}

/// A row for each theory.
pub(super) fn agreement(runs: &Runs, known: &[FluidDeviations]) -> Table {
    let fluid = |name, figure: fn(&FluidDeviations) -> f64| Prediction {
        name,
        figures: known.iter().map(figure).collect(),
        border: OSCILLATES,
    };
    let predictions = [
        Prediction {
            name: "Theorem 2: T / largest T",
            figures: REDUCED.iter().filter_map(over_longest).collect(),
            border: BORDER,
        },
        fluid("Deviation in the fluid model, R(0) from the theorem", |deviations| deviations.descent_began),
        fluid("Deviation in the fluid model, R(0) from the paper’s text", |deviations| {
            deviations.latest_message
        }),
    ];
    let headings = [
        "Pairs in the same order",
        "Excluding cycles of 15 kB",
        "Agreement on oscillation",
        "Excluding cycles of 15 kB",
    ];
    let mut table = table::with_headings("Theory compared with packet simulation", headings);
    for prediction in &predictions {
        table.row(prediction.row(runs));
    }
    table
}

impl Prediction<'_> {
    fn row(&self, runs: &Runs) -> Vec<Cell> {
        let measured: Vec<(&Setting, (f64, f64))> = REDUCED
            .iter()
            .zip(&self.figures)
            .filter_map(|(setting, figure)| Some((setting, (*figure, mean_deviation(runs, setting)?))))
            .collect();
        let from_cycle = |least: u32| -> Vec<(f64, f64)> {
            measured.iter().filter(|(setting, _)| setting.cycle >= least).map(|(_, pair)| *pair).collect()
        };
        let side = |pairs: &[(f64, f64)]| {
            let agrees =
                |(predicted, seen): &&(f64, f64)| (*predicted >= self.border) == (*seen > OSCILLATES);
            pairs.iter().filter(agrees).count() as f64 / pairs.len().max(1) as f64
        };
        let (whole, without) = (from_cycle(0), from_cycle(CYCLES[1]));
        let shares = [
            share_of_pairs(&whole, 2.0),
            share_of_pairs(&without, 2.0),
            Some(side(&whole)),
            Some(side(&without)),
        ];
        let cells = shares.map(|share| table::value_cell(Unit::Share, share));
        [Cell::words(self.name)].into_iter().chain(cells).collect()
    }
}
