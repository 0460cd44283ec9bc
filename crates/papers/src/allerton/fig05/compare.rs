//! Packets against the model: what claims measure.

use super::STEADY;
use super::cell::{Cell, Packets};
use super::model::{Figures, Solved, with_theory};
use crate::allerton::QUEUE;
use crate::allerton::measure::{level, period, swing};
use crate::runs::{Run, Seed};

/// What is compared in a cell: what packets do, and what the fluid does.
pub(super) type Distance = fn(&Run, &Figures) -> Option<f64>;

/// The cells that a claim is about.
pub(super) type Where = fn(&Solved) -> bool;

/// The largest distance over some cells.
pub(super) fn worst(seed: &Seed<'_>, packets: Packets, of: Where, distance: Distance) -> Option<f64> {
    let cells = with_theory().filter(|(_, solved)| of(solved));
    let distance =
        |(cell, solved): (&Cell, &Solved)| distance(seed.run(cell.name(packets)), &solved.fluid()?);
    cells.map(distance).collect::<Option<Vec<f64>>>()?.into_iter().reduce(f64::max)
}

/// Distance of the mean queue, as a part of the fluid's.
pub(super) fn off_queue(run: &Run, fluid: &Figures) -> Option<f64> {
    Some((level(run, STEADY)? / fluid.mean - 1.0).abs())
}

/// Distance of the mean rate of a source, as a part of the fluid's.
pub(super) fn off_rate(run: &Run, fluid: &Figures) -> Option<f64> {
    Some((rate(run)? / fluid.rate - 1.0).abs())
}

/// Distance of the period, as a part of the fluid's. Where one of them oscillates and the other does not, all of it.
#[expect(clippy::unnecessary_wraps, reason = "as distances are")]
pub(super) fn off_period(run: &Run, fluid: &Figures) -> Option<f64> {
    Some(match (packet_period(run), fluid.period_s) {
        (Some(packets), Some(fluid)) => (packets / fluid - 1.0).abs(),
        (None, None) => 0.0,
        _ => 1.0,
    })
}

/// The share of cells in which packets oscillate where the linearised loop is unstable, and do not where it is stable.
pub(super) fn agreement(seed: &Seed<'_>, packets: Packets) -> Option<f64> {
    let agrees = |(cell, solved): (&Cell, &Solved)| {
        packet_period(seed.run(cell.name(packets))).is_none() == solved.is_stable()
    };
    let cells: Vec<bool> = with_theory().map(agrees).collect();
    (!cells.is_empty()).then(|| cells.iter().filter(|agrees| **agrees).count() as f64 / cells.len() as f64)
}

/// The mean rate of a source.
pub(super) fn rate(run: &Run) -> Option<f64> {
    let rates: Option<Vec<f64>> =
        run.series.flows.iter().map(|flow| run.rate_between(&flow.name, STEADY.0, STEADY.1)).collect();
    crate::runs::mean(&rates?)
}

/// The period with which the queue of packets oscillates.
pub(super) fn packet_period(run: &Run) -> Option<f64> {
    period(
        run.queue(QUEUE)?.get(run.window_between(STEADY.0, STEADY.1))?,
        run.series.time_s.first().copied()?,
    )
}

/// What packets do in a cell.
pub(super) fn packet_figures(run: &Run) -> Option<Figures> {
    Some(Figures {
        mean: level(run, STEADY)?,
        deviation: swing(run, STEADY)?,
        rate: rate(run)?,
        period_s: packet_period(run),
    })
}
