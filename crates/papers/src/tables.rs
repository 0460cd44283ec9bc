//! Tables of what was measured in the cases of an experiment.

use setpoint_lab::sweep::Spread;
use setpoint_report::document::{Cell, Column, Table};
use setpoint_report::quantity::Unit;

use crate::runs::{Run, Runs};

/// A figure that can be measured in the run of a case.
pub(crate) type Measure = fn(&Run) -> Option<f64>;

/// A table of figures by case, each as mean and deviation over seeds.
pub(crate) fn by_case(runs: &Runs, cases: &[(&str, &str)], figures: &[(&str, Unit, Measure)]) -> Table {
    let headings = figures.iter().map(|(heading, ..)| Column::figures(*heading));
    let mut table = Table::scrolled([Column::words("")].into_iter().chain(headings));
    for (case, label) in cases {
        let cell = |(_, unit, measure): &(&str, Unit, Measure)| {
            let values: Vec<f64> = runs.seeds().filter_map(|seed| measure(seed.run(case))).collect();
            spread_cell(*unit, Spread::of(&values))
        };
        table.row([Cell::words(*label)].into_iter().chain(figures.iter().map(cell)));
    }
    table
}

/// A mean with its deviation below; a dash where there is none.
pub(crate) fn spread_cell(unit: Unit, spread: Option<Spread>) -> Cell {
    spread.map_or_else(
        || Cell::words("–"),
        |spread| Cell::words(unit.text(spread.mean)).note(unit.spread_text(spread.mean, spread.deviation)),
    )
}
