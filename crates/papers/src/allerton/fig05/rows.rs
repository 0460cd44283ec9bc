//! A table of the cells: the packet simulation next to the fluid model.

use super::cell::Cell as GridCell;
use super::compare::packet_figures;
use super::model::{Figures, Judged, Solved};
use crate::prelude::*;

/// A cell with the results of its fluid model and of its packet simulation.
pub(super) struct Row {
    cell: GridCell,
    pub(super) solved: &'static Solved,
    /// The figures of the packet simulation, for each seed.
    pub(super) packets: Vec<Figures>,
}

/// An explanation of [`by_cell`].
pub(super) const NOTE: &str = "Mean, standard deviation and period of the queue, and mean rate of a source, in the \
    steady part of the run, averaged over seeds. The fluid model’s value and the difference from it are given below \
    each figure; “near equilibrium” is the deviation of the solution that starts there. A dash means that the queue \
    does not oscillate.";

impl Row {
    pub(super) fn new(runs: &Runs, cell: GridCell, solved: &'static Solved) -> Self {
        let packets = runs.seeds().filter_map(|seed| packet_figures(seed.run(&cell.name())));
        Self { cell, solved, packets: packets.collect() }
    }

    fn cells(&self, solution: usize, judged: Judged) -> [Cell; 7] {
        let fluid = self.solved.solutions[solution];
        let packets = &self.packets;
        let stable = if self.solved.is_stable() { "stable" } else { "unstable" };
        let queue = mean_of(packets, |figures| figures.mean);
        let rate = mean_of(packets, |figures| figures.rate);
        [
            Cell::words(self.cell.sources.to_string()),
            Cell::words(format!("{} us", self.cell.lag)),
            Cell::words(Unit::Seconds.text(self.solved.margin_s)).note(stable),
            beside(Unit::Bytes, queue, fluid.map(|fluid| fluid.mean)),
            self.deviation(fluid, judged),
            self.period(fluid),
            beside(Unit::BitsPerSecond, rate, fluid.map(|fluid| fluid.rate)),
        ]
    }

    fn deviation(&self, fluid: Option<Figures>, judged: Judged) -> Cell {
        let of = |figures: Option<Figures>| text(Unit::Bytes, figures.map(|figures| figures.deviation));
        let packets = mean_of(&self.packets, |figures| figures.deviation);
        Cell::words(text(Unit::Bytes, packets))
            .note(format!("fluid {}", of(fluid)))
            .note(format!("near equilibrium {}", of(self.solved.solutions[judged.near_rest])))
    }

    fn period(&self, fluid: Option<Figures>) -> Cell {
        let periods: Vec<f64> = self.packets.iter().filter_map(|figures| figures.period_s).collect();
        let seeds = match periods.len() {
            0 => String::new(),
            every if every == self.packets.len() => String::new(),
            some => format!("in {some} of {} seeds", self.packets.len()),
        };
        beside(Unit::Seconds, mean(&periods), fluid.and_then(|fluid| fluid.period_s)).note(seeds)
    }
}

fn mean_of(figures: &[Figures], of: impl Fn(&Figures) -> f64) -> Option<f64> {
    mean(&figures.iter().map(of).collect::<Vec<_>>())
}

/// A figure of a queue or a rate; a dash if there is none.
pub(super) fn text(unit: Unit, value: Option<f64>) -> String {
    // A value below one byte is solver error.
    let value = value.map(|value| if unit == Unit::Bytes && value < 1.0 { 0.0 } else { value });
    value.map_or_else(|| "–".to_owned(), |value| unit.text(value))
}

/// The figure of the packet simulation, with the fluid model's figure and the difference below it.
fn beside(unit: Unit, packets: Option<f64>, fluid: Option<f64>) -> Cell {
    Cell::words(text(unit, packets))
        .note(format!("fluid {}", text(unit, fluid)))
        .note(difference(packets, fluid))
}

/// A signed difference in per cent; empty if there is none.
fn difference(of: Option<f64>, from: Option<f64>) -> String {
    match (of, from) {
        (Some(of), Some(from)) if from > 0.0 => {
            let percent = 100.0 * (of / from - 1.0);
            let sign = if percent < 0.0 { "−" } else { "+" };
            format!("{sign}{:.1} %", percent.abs())
        }
        _ => String::new(),
    }
}

/// The figures for each cell next to those of a solution, given by its position, and of the judged solution that
/// starts near the equilibrium.
pub(super) fn by_cell(rows: &[Row], solution: usize, judged: Judged) -> Table {
    let headings = ["N", "RTT", "Exact margin", "Queue", "Deviation", "Period", "Rate"];
    let mut table = Table::scrolled(headings.map(Column::figures));
    rows.iter().for_each(|row| table.row(row.cells(solution, judged)));
    table
}
