//! The functions whose sign changes are events.

use super::DdeError;
use super::field::{Field, Point};
use super::pair::Pair;
use super::system::{Side, System};
use super::wall::Wall;

/// Event functions: one for each wall, then one for each switch. Each is positive before its event and counts
/// as hit once it has changed sign.
pub(super) struct Watch {
    pub(super) walls: Vec<Wall>,
    /// The event functions at the end of the last pair.
    pub(super) values: Vec<f64>,
    /// The functions that changed sign within the last pair.
    pub(super) hits: Vec<bool>,
}

/// Whether a pair of steps encountered an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    Nothing,
    Event,
}

impl Watch {
    pub(super) fn new(walls: Vec<Wall>, switches: usize) -> Self {
        let count = walls.len() + switches;
        Self { walls, values: vec![0.0; count], hits: vec![false; count] }
    }

    /// Evaluates the event functions at one point.
    pub(super) fn read_point<S: System>(
        &mut self,
        field: &Field<'_, S>,
        point: &Point,
    ) -> Result<(), DdeError> {
        let (walls, switches) = self.values.split_at_mut(self.walls.len());
        for (value, wall) in walls.iter_mut().zip(&self.walls) {
            *value = wall.distance(&field.holds, point);
        }
        for ((index, value), side) in switches.iter_mut().enumerate().zip(&field.sides) {
            *value = turned(*side, field.switch(index, point)?);
        }
        Ok(())
    }

    /// Evaluates the event functions of a pair.
    pub(super) fn read<S: System>(
        &mut self,
        field: &Field<'_, S>,
        start: &Point,
        pair: &Pair,
    ) -> Result<Found, DdeError> {
        self.read_point(field, &pair.end)?;
        let holds = &field.holds;
        for (index, wall) in self.walls.iter().enumerate() {
            self.hits[index] = self.values[index] < 0.0
                || wall.distance(holds, &pair.middle) < 0.0
                || wall.is_passed(holds, start, &pair.middle)
                || wall.is_passed(holds, &pair.middle, &pair.end);
        }
        for (index, &side) in field.sides.iter().enumerate() {
            let channel = self.walls.len() + index;
            let middle = field.switch(index, &pair.middle)?;
            self.hits[channel] = has_turned(side, self.values[channel]) || Side::of(middle) != side;
        }
        Ok(if self.hits.contains(&true) { Found::Event } else { Found::Nothing })
    }
}

/// A switching function, with its sign chosen so that it is positive on its previous side.
fn turned(side: Side, value: f64) -> f64 {
    match side {
        Side::Above => value,
        Side::Below => -value,
        Side::On => -value.abs(),
    }
}

/// Whether such a value has changed sides.
fn has_turned(side: Side, turned: f64) -> bool {
    match side {
        Side::On => turned < 0.0,
        Side::Above | Side::Below => turned <= 0.0,
    }
}
