//! The packet simulation compared with the fluid model: the figures that claims measure.

use super::super::{QUEUE, STEADY, period};
use super::cell::{Cell, Packets};
use super::model::{Figures, Solved, with_theory};
use crate::prelude::*;

/// The difference between packet simulation and fluid model in a cell.
pub(super) type Distance = fn(&Run, &Figures) -> Option<f64>;

/// The cells that a claim is about.
pub(super) type Where = fn(&Solved) -> bool;

/// The largest difference over some cells.
pub(super) fn worst(seed: &Seed<'_>, packets: Packets, of: Where, distance: Distance) -> Option<f64> {
    let cells = with_theory().filter(|(_, solved)| of(solved));
    most(cells.map(|(cell, solved)| distance(seed.run(&cell.name(packets)), &solved.fluid()?)))
}

/// The difference between the mean queues, divided by the fluid model's.
pub(super) fn off_queue(run: &Run, fluid: &Figures) -> Option<f64> {
    Some((run.mean_queue(QUEUE, STEADY)? / fluid.mean - 1.0).abs())
}

/// The difference between the mean rates of a source, divided by the fluid model's.
pub(super) fn off_rate(run: &Run, fluid: &Figures) -> Option<f64> {
    Some((rate(run)? / fluid.rate - 1.0).abs())
}

/// The difference between the periods, divided by the fluid model's; one if only one of the two oscillates.
#[expect(clippy::unnecessary_wraps, reason = "differences are options")]
pub(super) fn off_period(run: &Run, fluid: &Figures) -> Option<f64> {
    Some(match (packet_period(run), fluid.period_s) {
        (Some(packets), Some(fluid)) => (packets / fluid - 1.0).abs(),
        (None, None) => 0.0,
        _ => 1.0,
    })
}

/// The share of cells in which the packet simulation oscillates if and only if the linearised loop is unstable.
pub(super) fn agreement(seed: &Seed<'_>, packets: Packets) -> Option<f64> {
    let agrees = |(cell, solved): (Cell, &Solved)| {
        packet_period(seed.run(&cell.name(packets))).is_none() == solved.is_stable()
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

/// The figures of the packet simulation in a cell.
pub(super) fn packet_figures(run: &Run) -> Option<Figures> {
    Some(Figures {
        mean: run.mean_queue(QUEUE, STEADY)?,
        deviation: run.queue_std_dev(QUEUE, STEADY)?,
        rate: rate(run)?,
        period_s: packet_period(run),
    })
}
