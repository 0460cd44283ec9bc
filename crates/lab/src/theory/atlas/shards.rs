//! The packet simulations of an atlas. Every process leaves a note in a folder when a simulation ends, so that an
//! interrupted atlas can be resumed and several processes can share one.

use std::panic::{AssertUnwindSafe, catch_unwind};

use rayon::prelude::*;
use setpoint_sim::Decision;

use super::packets::Point;
use super::record::{AtlasRecord, AtlasRun};
use super::{AtlasOptions, drawn};
use crate::run::{Inputs, note};
use crate::shard::Shard;
use crate::store::{StoreError, Workplace};
use crate::sweep::{RunEnd, RunId, RunMonitor, ShardEnd, SweepMonitor, panic_message};
use crate::theory::error::TheoryError;

/// The result of a packet simulation, or why there is none.
type End = Result<AtlasRun, String>;

/// The number of packet simulations of an atlas that belong to a shard.
#[must_use]
pub fn points_of_atlas(options: &AtlasOptions, shard: Shard) -> usize {
    (0..options.points().len()).filter(|place| shard.takes(*place)).count()
}

/// Runs the packet simulations that belong to a shard, and stores their results as notes. Simulations that have a
/// note are not repeated.
///
/// # Errors If a note cannot be written, or the monitor stops the work; simulations that were completed have a
/// note.
pub fn run_atlas_points(
    options: &AtlasOptions,
    shard: Shard,
    place: &Workplace,
    monitor: &dyn SweepMonitor,
) -> Result<ShardEnd, TheoryError> {
    let all = options.points();
    let mine: Vec<(usize, &Point)> = all.iter().enumerate().filter(|(at, _)| shard.takes(*at)).collect();
    let one = |(index, (at, point)): (usize, &(usize, &Point))| {
        let id = id(options, point, (index, mine.len()));
        ended(options, (*at, point), place, &id, monitor)
    };
    let ends: Vec<Option<Result<End, StoreError>>> =
        options.pool()?.install(|| mine.par_iter().enumerate().with_max_len(1).map(one).collect());
    let done = ends.iter().flatten().count();
    let ends: Option<Result<Vec<End>, StoreError>> = ends.into_iter().collect();
    let ends = ends.ok_or(TheoryError::Stopped { done, all: mine.len(), what: "packet runs" })??;
    Ok(ShardEnd { runs: ends.len(), failed: ends.iter().filter(|end| end.is_err()).count() })
}

/// Computes the cells of an atlas, with the packet simulations that processes have stored as notes in a
/// folder.
///
/// # Errors
/// If packet simulations are missing, or the monitor stops the work.
pub fn collect_atlas(
    options: &AtlasOptions,
    place: &Workplace,
    monitor: &dyn SweepMonitor,
) -> Result<AtlasRecord, TheoryError> {
    let points = options.points();
    let (mut ends, mut missing) = (Vec::new(), Vec::new());
    for (at, point) in points.iter().enumerate() {
        match noted(options, (at, point), place) {
            Some(end) => ends.push(end),
            None => missing.push(point.name()),
        }
    }
    match missing.is_empty() {
        true => drawn(options, ends, monitor),
        false => Err(TheoryError::Missing { missing, runs: points.len() }),
    }
}

fn id(options: &AtlasOptions, point: &Point, (index, runs): (usize, usize)) -> RunId {
    RunId { index, runs, seed: options.seed, folder: point.name() }
}

fn note_name(at: usize) -> String {
    format!("point-{at}")
}

fn noted(options: &AtlasOptions, (at, point): (usize, &Point), place: &Workplace) -> Option<End> {
    match point.prepared(options.seed) {
        Ok(prepared) => note::read(place.path(), &note_name(at), &Inputs::of(&prepared)),
        Err(error) => Some(Err(failed(point, &error.to_string()))),
    }
}

fn failed(point: &Point, reason: &str) -> String {
    format!("{}: {reason}", point.name())
}

/// Simulates a point and leaves a note on it, unless there already is one; none if it was stopped.
fn ended(
    options: &AtlasOptions,
    (at, point): (usize, &Point),
    place: &Workplace,
    id: &RunId,
    monitor: &dyn SweepMonitor,
) -> Option<Result<End, StoreError>> {
    if let Some(end) = noted(options, (at, point), place) {
        monitor.finished(id, &RunEnd::Found);
        return Some(Ok(end));
    }
    if monitor.verdict() == Decision::Stop {
        monitor.finished(id, &RunEnd::Stopped);
        return None;
    }
    monitor.started(id);
    let duration = point.schedule.until;
    let mut watch = RunMonitor { run: id, duration, monitor };
    let ran = catch_unwind(AssertUnwindSafe(|| point.run(options.seed, &mut watch)));
    let (end, kept) = match ran {
        Ok(Ok(run)) => (RunEnd::Stored, Some(Ok(run))),
        Ok(Err(error)) if error.is_stopped() => (RunEnd::Stopped, None),
        Ok(Err(error)) => {
            let reason = failed(point, &error.to_string());
            (RunEnd::Failed(reason.clone()), Some(Err(reason)))
        }
        Err(panic) => {
            let reason = failed(point, &panic_message(&*panic));
            (RunEnd::Failed(reason.clone()), Some(Err(reason)))
        }
    };
    monitor.finished(id, &end);
    let kept = kept?;
    let left = match point.prepared(options.seed) {
        Ok(prepared) => note::leave(place, &note_name(at), Inputs::of(&prepared), &kept),
        Err(_) => Ok(()),
    };
    Some(left.map(|()| kept))
}
