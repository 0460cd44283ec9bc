//! Packet runs of a map, divided among several processes.
//!
//! A shard leaves a note on each of its points in a folder. The process that collects them draws the map with the
//! points from the notes.

use rayon::prelude::*;
use setpoint_scenario::Scenario;

use super::runs::{End, Ends};
use super::{Cell, Map, StabilityOptions, reason};
use crate::run::{Inputs, note};
use crate::shard::Shard;
use crate::store::{Kind, StoreError, Workplace};
use crate::sweep::{RunEnd, RunId, ShardEnd, SweepMonitor};
use crate::theory::error::TheoryError;

/// The prefix of the names of notes about points.
const POINT: &str = "point-";

/// Claims a part of a folder for the points of a map.
///
/// # Errors
/// If the folder holds other content, another process owns the same shard, or it cannot be written.
pub fn join(folder: &std::path::Path, shard: Shard) -> Result<Workplace, StoreError> {
    Workplace::join(folder, Kind::Theory, shard)
}

/// Simulates the points of a map that belong to a shard, and stores their results as notes.
///
/// # Errors
/// As [`stability`](super::stability); points that were completed have a note.
pub fn run_points(
    scenario: &Scenario,
    options: &StabilityOptions,
    shard: Shard,
    place: &Workplace,
    monitor: &dyn SweepMonitor,
) -> Result<ShardEnd, TheoryError> {
    let Some(map) = Map::of(scenario, options) else { return Ok(ShardEnd { runs: 0, failed: 0 }) };
    let points = map.points_of(shard)?;
    let one = |(index, cell): (usize, &Cell)| {
        map.noted_run(place, *cell, &map.id(*cell, index, points.len()), monitor)
    };
    let ends: Vec<Option<Result<End, StoreError>>> =
        map.divided(|| points.par_iter().enumerate().with_max_len(1).map(one).collect())?;
    let done = ends.iter().flatten().count();
    let ends: Option<Result<Vec<End>, StoreError>> = ends.into_iter().collect();
    let ends = ends.ok_or(TheoryError::Stopped { done, all: points.len(), what: "packet runs" })??;
    Ok(ShardEnd { runs: ends.len(), failed: 0 })
}

/// The number of points of a map that belong to a shard.
///
/// # Errors
/// If there are more points than cells.
pub fn points_of_shard(
    scenario: &Scenario,
    options: &StabilityOptions,
    shard: Shard,
) -> Result<usize, TheoryError> {
    Map::of(scenario, options).map_or(Ok(0), |map| Ok(map.points_of(shard)?.len()))
}

/// Removes the notes about the points of maps, once a map is stored.
pub fn forget_points(place: &Workplace) {
    let notes = place.notes();
    notes.iter().filter(|name| name.starts_with(POINT)).for_each(|name| place.remove_note(name));
}

impl Map<'_> {
    fn points_of(&self, shard: Shard) -> Result<Vec<Cell>, TheoryError> {
        let all = self.points()?.into_iter().enumerate();
        Ok(all.filter(|(place, _)| shard.takes(*place)).map(|(_, cell)| cell).collect())
    }

    /// Simulates a point and leaves a note on it, unless there already is one; none if it was stopped.
    fn noted_run(
        &self,
        place: &Workplace,
        cell: Cell,
        id: &RunId,
        monitor: &dyn SweepMonitor,
    ) -> Option<Result<End, StoreError>> {
        if let Some(end) = self.noted(place, cell) {
            monitor.finished(id, &RunEnd::Found);
            return Some(Ok(end));
        }
        let end = self.watched(cell, id, monitor)?;
        // A cell that cannot be prepared has no inputs; the process that collects it will encounter the same problem.
        let noted = match self.prepared(cell) {
            Ok(prepared) => note::leave(place, &name(cell), Inputs::of(&prepared), &end),
            Err(_) => Ok(()),
        };
        Some(noted.map(|()| end))
    }

    /// How a point ended, according to its note.
    fn noted(&self, place: &Workplace, cell: Cell) -> Option<End> {
        match self.prepared(cell) {
            Ok(prepared) => note::read(place.path(), &name(cell), &Inputs::of(&prepared)),
            Err(error) => Some(Err(reason(&error))),
        }
    }

    /// How all points ended, according to the notes of other processes.
    pub(super) fn collected(
        &self,
        points: &[Cell],
        place: &Workplace,
        monitor: &dyn SweepMonitor,
    ) -> Result<Ends, TheoryError> {
        let (mut ends, mut missing) = (Ends::new(), Vec::new());
        for (index, cell) in points.iter().enumerate() {
            let id = self.id(*cell, index, points.len());
            match self.noted(place, *cell) {
                Some(end) => {
                    monitor.finished(&id, &RunEnd::Found);
                    ends.push(end);
                }
                None => missing.push(id.folder),
            }
        }
        match missing.is_empty() {
            true => Ok(ends),
            false => Err(TheoryError::Missing { missing, runs: points.len() }),
        }
    }
}

/// The name of the note about a point.
fn name(cell: Cell) -> String {
    format!("{POINT}{}-{}", cell.x, cell.y)
}
