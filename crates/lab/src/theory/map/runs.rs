//! Packet runs at points of a map.

use std::panic::{AssertUnwindSafe, catch_unwind};

use rayon::prelude::*;
use setpoint_sim::Decision;

use super::{Cell, Map, Points, reason};
use crate::sweep::{RunEnd, RunId, RunMonitor, SweepMonitor, panic_message};
use crate::theory::error::TheoryError;
use crate::theory::form::form;
use crate::theory::packets;
use crate::theory::record::MapPoint;

/// The result of a packet run, or why there is none.
pub(super) type End = Result<MapPoint, String>;
/// The results of several packet runs.
pub(super) type Ends = Vec<End>;

impl Map<'_> {
    /// The cells at which packets are simulated, by row.
    pub(super) fn points(&self) -> Result<Vec<Cell>, TheoryError> {
        let (width, height) = self.size();
        let (columns, rows) = match self.options.packets {
            Points::None => (0, 0),
            Points::All => (width, height),
            Points::Grid(columns, rows) if columns <= width && rows <= height => (columns, rows),
            Points::Grid(columns, rows) => {
                return Err(TheoryError::TooManyRuns { asked: (columns, rows), cells: (width, height) });
            }
        };
        let cell = |y: usize| spread(columns, width).map(move |x| Cell { x, y });
        Ok(spread(rows, height).flat_map(cell).collect())
    }

    /// The outcomes of all packet runs, in the order of the points.
    pub(super) fn runs(&self, points: &[Cell], monitor: &dyn SweepMonitor) -> Result<Ends, TheoryError> {
        let one = |(index, cell): (usize, &Cell)| {
            self.watched(*cell, &self.id(*cell, index, points.len()), monitor)
        };
        let ends: Vec<_> = points.par_iter().enumerate().with_max_len(1).map(one).collect();
        let done = ends.iter().flatten().count();
        let ends: Option<Ends> = ends.into_iter().collect();
        ends.ok_or(TheoryError::Stopped { done, all: points.len(), what: "packet runs" })
    }

    /// The identity of a packet run, for monitors.
    pub(super) fn id(&self, cell: Cell, index: usize, runs: usize) -> RunId {
        let folder = self.settings(cell).map(ToString::to_string).join(", ");
        RunId { index, runs, seed: self.seed, folder }
    }

    /// One packet run; `None` if it was stopped.
    pub(super) fn watched(&self, cell: Cell, id: &RunId, monitor: &dyn SweepMonitor) -> Option<End> {
        if monitor.verdict() == Decision::Stop {
            monitor.finished(id, &RunEnd::Stopped);
            return None;
        }
        monitor.started(id);
        let ran = catch_unwind(AssertUnwindSafe(|| self.run(cell, id, monitor)));
        let (end, point) = match ran {
            Ok(Ok(point)) => (RunEnd::Stored, Some(Ok(point))),
            Ok(Err(error)) if error.is_stopped() => (RunEnd::Stopped, None),
            // A cell without a fluid form has no value in the map either, and the map gives the reason.
            Ok(Err(error)) => (RunEnd::Stored, Some(Err(reason(&error)))),
            Err(panic) => {
                let message = panic_message(&*panic);
                (RunEnd::Failed(message.clone()), Some(Err(message)))
            }
        };
        monitor.finished(id, &end);
        point
    }

    fn run(&self, cell: Cell, id: &RunId, monitor: &dyn SweepMonitor) -> Result<MapPoint, TheoryError> {
        let prepared = self.prepared(cell)?;
        let form = form(&prepared)?;
        let mut watch = RunMonitor { run: id, duration: prepared.spec.duration, monitor };
        let queue = packets::queue(&prepared, &form, &mut watch)?;
        Ok(MapPoint {
            x: cell.x,
            y: cell.y,
            swing: queue.deviation / form.set_point.get().max(1) as f64,
            empty_share: queue.empty_share,
            period_s: queue.period_s,
        })
    }
}

/// Evenly spread indices from the first to the last of `all`; a single index is in the middle.
fn spread(count: usize, all: usize) -> impl Iterator<Item = usize> {
    let place = move |index: usize| match count {
        1 => all.saturating_sub(1) / 2,
        _ => (2 * index * (all - 1) + (count - 1)) / (2 * (count - 1)),
    };
    (0..count.min(all)).map(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_spread_evenly() {
        let places = |count, all| spread(count, all).collect::<Vec<_>>();
        assert_eq!(places(5, 9), [0, 2, 4, 6, 8]);
        assert_eq!(places(3, 10), [0, 5, 9]);
        assert_eq!(places(4, 4), [0, 1, 2, 3]);
        assert_eq!(places(1, 7), [3]);
        assert!(places(0, 7).is_empty());
    }
}
