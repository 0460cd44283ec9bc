//! A table that compares the packet simulation with several solutions of the equations.

use super::super::TARGET;
use super::model::{Figures, SOLUTIONS};
use super::rows::{Row, text};
use crate::prelude::*;

/// The difference between the packet simulation and the fluid model in one figure, divided by a value that
/// is never zero.
type Far = fn(&Figures, &Figures) -> Option<f64>;

const FAR: [(&str, Far); 3] = [
    ("Queue, relative to the set point", |packets, fluid| Some((packets.mean - fluid.mean).abs() / TARGET)),
    ("Rate, relative to the packet simulation", |packets, fluid| {
        Some((packets.rate - fluid.rate).abs() / packets.rate)
    }),
    ("Period, relative to the packet simulation", |packets, fluid| {
        Some((packets.period_s? - fluid.period_s?).abs() / packets.period_s?)
    }),
];

/// The mean difference between the packet simulation and each solution.
pub(super) fn solutions(rows: &[Row]) -> Table {
    let columns: Vec<(&str, Far, bool)> = FAR[..2]
        .iter()
        .map(|(heading, far)| (*heading, *far, true))
        .chain(FAR.iter().map(|(heading, far)| (*heading, *far, false)))
        .collect();
    let side = |stable| if stable { "stable" } else { "unstable" };
    let headings: Vec<String> =
        columns.iter().map(|(heading, _, stable)| format!("{heading}, {}", side(*stable))).collect();
    let mut table = table::with_headings("Solution", headings.iter().map(String::as_str));
    for (index, solution) in SOLUTIONS.iter().enumerate() {
        let cell = |(_, far, stable): &(&str, Far, bool)| {
            let cells = rows.iter().filter(|row| row.solved.is_stable() == *stable);
            let distances = cells
                .filter_map(|row| Some((row, row.solved.solutions[index]?)))
                .flat_map(|(row, fluid)| row.packets.iter().filter_map(move |packets| far(packets, &fluid)));
            Cell::words(text(Unit::Share, mean(&distances.collect::<Vec<_>>())))
        };
        table.row([Cell::words(solution.words)].into_iter().chain(columns.iter().map(cell)));
    }
    table
}
