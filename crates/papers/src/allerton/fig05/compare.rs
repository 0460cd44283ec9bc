//! The packet simulation compared with the fluid model: the figures used in claims.

use super::super::choices::{BY_MAGNITUDE, FLUID_SAMPLING, FLUID_START, LINE_RATE_SETTLED, NEAR_REST};
use super::super::{QUEUE, STEADY, TARGET, period};
use super::cell::Cell;
use super::model::{Figures, Judged, Solved, with_theory};
use crate::prelude::*;

/// The difference between the packet simulation and the fluid model in a cell.
pub(super) type Distance = fn(&Run, &Figures) -> Option<f64>;

/// A solution of the equations, and the cells in which it is compared with the packet simulation.
#[derive(Clone, Copy)]
pub(super) struct Compared {
    /// The position in [`SOLUTIONS`](super::model::SOLUTIONS).
    pub(super) solution: usize,
    cells: fn(Cell, &Solved, usize) -> bool,
}

impl Compared {
    /// The comparison of figure 5 in the set-up of a seed.
    pub(super) fn in_figure(seed: &Seed<'_>) -> Self {
        let judged = judged(seed);
        let stable = |cell: Cell, solved: &Solved, _| !cell.is_added() && solved.is_stable();
        if seed.reads(&FLUID_START, NEAR_REST) {
            return Self { solution: judged.near_rest, cells: stable };
        }
        let settled = |cell: Cell, solved: &Solved, solution| !cell.is_added() && solved.settles(solution);
        let cells = if seed.reads(&FLUID_START, LINE_RATE_SETTLED) { settled } else { stable };
        Self { solution: judged.at_line_rate, cells }
    }

    /// The solution that starts at line rate in the leading set-up, compared in the given cells.
    pub(super) fn in_cells(cells: fn(Cell, &Solved, usize) -> bool) -> Self {
        Self { solution: Judged::ONE_SIDED.at_line_rate, cells }
    }

    /// The largest difference over the cells.
    pub(super) fn worst(self, seed: &Seed<'_>, distance: Distance) -> Option<f64> {
        let Self { solution, cells } = self;
        let cells = with_theory().filter(|(cell, solved)| cells(*cell, solved, solution));
        most(cells.map(|(cell, solved)| distance(seed.run(&cell.name()), &solved.solutions[solution]?)))
    }
}

/// The solutions that are judged in the set-up of a seed.
pub(super) fn judged(seed: &Seed<'_>) -> Judged {
    if seed.reads(&FLUID_SAMPLING, BY_MAGNITUDE) { Judged::BY_MAGNITUDE } else { Judged::ONE_SIDED }
}

/// The difference between the mean queues, divided by the fluid model's.
pub(super) fn off_queue(run: &Run, fluid: &Figures) -> Option<f64> {
    Some((run.mean_queue(QUEUE, STEADY)? / fluid.mean - 1.0).abs())
}

/// The difference between the mean rates of a source, divided by the fluid model's.
pub(super) fn off_rate(run: &Run, fluid: &Figures) -> Option<f64> {
    Some((rate(run)? / fluid.rate - 1.0).abs())
}

/// The difference between the standard deviations of the queue, divided by the set point.
pub(super) fn off_deviation(run: &Run, fluid: &Figures) -> Option<f64> {
    Some(between_deviations(run.queue_std_dev(QUEUE, STEADY)?, fluid.deviation))
}

/// The difference between the periods, divided by the fluid model's; one if only one of the two oscillates.
#[expect(clippy::unnecessary_wraps, reason = "differences are options")]
pub(super) fn off_period(run: &Run, fluid: &Figures) -> Option<f64> {
    Some(between_periods(packet_period(run), fluid.period_s))
}

fn between_deviations(packets: f64, fluid: f64) -> f64 {
    (packets - fluid).abs() / TARGET
}

fn between_periods(packets: Option<f64>, fluid: Option<f64>) -> f64 {
    match (packets, fluid) {
        (Some(packets), Some(fluid)) => (packets / fluid - 1.0).abs(),
        (None, None) => 0.0,
        _ => 1.0,
    }
}

/// The share of cells in which the packet simulation oscillates if and only if the linearised loop is
/// unstable.
pub(super) fn agreement(seed: &Seed<'_>) -> Option<f64> {
    let agrees = |(cell, solved): (Cell, &Solved)| {
        packet_period(seed.run(&cell.name())).is_none() == solved.is_stable()
    };
    let cells: Vec<bool> = with_theory().map(agrees).collect();
    (!cells.is_empty()).then(|| cells.iter().filter(|agrees| **agrees).count() as f64 / cells.len() as f64)
}

/// The mean rate of a source.
fn rate(run: &Run) -> Option<f64> {
    mean(&run.mean_rates(run.series.flows.iter().map(|flow| &*flow.name), STEADY)?)
}

/// The period of the queue in the packet simulation.
fn packet_period(run: &Run) -> Option<f64> {
    period(run.over(run.queue(QUEUE)?, STEADY)?, run.interval()?)
}

/// The figures for the packet simulation in a cell.
pub(super) fn packet_figures(run: &Run) -> Option<Figures> {
    Some(Figures {
        mean: run.mean_queue(QUEUE, STEADY)?,
        deviation: run.queue_std_dev(QUEUE, STEADY)?,
        rate: rate(run)?,
        period_s: packet_period(run),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deviations_are_compared_in_parts_of_the_set_point() {
        // A settled queue that fluctuates by 3 kB and a solution that oscillates by 24 kB: a difference of 21 kB with
        // a set point of 30 kB.
        assert_eq!(between_deviations(3e3, 24e3), 0.7);
        assert_eq!(between_deviations(3e3, 0.0), 0.1);
    }

    #[test]
    fn periods_differ_entirely_if_only_one_side_oscillates() {
        assert_eq!(between_periods(Some(5e-3), Some(4e-3)), 0.25);
        assert_eq!(between_periods(None, None), 0.0);
        assert_eq!((between_periods(Some(5e-3), None), between_periods(None, Some(4e-3))), (1.0, 1.0));
    }
}
