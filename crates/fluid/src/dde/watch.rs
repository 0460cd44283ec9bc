//! The functions whose change of sign is an event.

use super::DdeError;
use super::field::{Field, Point};
use super::pair::Pair;
use super::solution::Bound;
use super::system::{Bounds, Side, System};

/// Event functions: for each bounded component the distance to either bound, or the outward slope while it is held
/// there; then the switching functions. Each is positive until its event and counts as hit once it has turned.
pub(super) struct Watch {
    /// The components that have a bound.
    pub(super) bounded: Vec<(usize, Bounds)>,
    /// The event functions at the end of the pair read last.
    pub(super) values: Vec<f64>,
    /// Which have turned somewhere in the pair read last.
    pub(super) hits: Vec<bool>,
}

impl Watch {
    pub(super) fn new<S: System>(system: &S) -> Self {
        let bounded: Vec<_> = (0..system.dimension())
            .map(|component| (component, system.bounds(component)))
            .filter(|(_, bounds)| *bounds != Bounds::NONE)
            .collect();
        let count = 2 * bounded.len() + system.switches();
        Self { bounded, values: vec![0.0; count], hits: vec![false; count] }
    }

    /// Reads the event functions at one point, where none is hit.
    pub(super) fn read_point<S: System>(
        &mut self,
        field: &Field<'_, S>,
        point: &Point,
    ) -> Result<(), DdeError> {
        for (index, &(component, bounds)) in self.bounded.iter().enumerate() {
            self.values[2 * index] = distance(field, point, component, Bound::Least, bounds.least);
            self.values[2 * index + 1] = distance(field, point, component, Bound::Most, bounds.most);
        }
        for (index, side) in field.sides.iter().enumerate() {
            let channel = self.channel_of(index);
            self.values[channel] = turned(*side, field.switch(index, point)?);
        }
        self.hits.fill(false);
        Ok(())
    }

    /// Reads the event functions of a pair and tells whether any is hit.
    pub(super) fn read<S: System>(
        &mut self,
        field: &Field<'_, S>,
        start: &Point,
        pair: &Pair,
    ) -> Result<bool, DdeError> {
        let mut any = false;
        for index in 0..self.bounded.len() {
            let (component, bounds) = self.bounded[index];
            for (channel, bound, limit) in
                [(2 * index, Bound::Least, bounds.least), (2 * index + 1, Bound::Most, bounds.most)]
            {
                let at = |point: &Point| distance(field, point, component, bound, limit);
                self.values[channel] = at(&pair.end);
                let dips = field.holds[component].is_none()
                    && [(start, &pair.middle), (&pair.middle, &pair.end)].into_iter().any(|(from, to)| {
                        let (dip_from, dip_to) =
                            (Inward::of(from, component, bound), Inward::of(to, component, bound));
                        dip_from.dip(dip_to, to.time - from.time) + outwards(bound, limit) < 0.0
                    });
                self.hits[channel] = self.values[channel] < 0.0 || at(&pair.middle) < 0.0 || dips;
                any |= self.hits[channel];
            }
        }
        for (index, &side) in field.sides.iter().enumerate() {
            let channel = self.channel_of(index);
            let (middle, end) = (field.switch(index, &pair.middle)?, field.switch(index, &pair.end)?);
            self.values[channel] = turned(side, end);
            self.hits[channel] = Side::of(middle) != side || Side::of(end) != side;
            any |= self.hits[channel];
        }
        Ok(any)
    }

    /// The channel of a switching function.
    pub(super) fn channel_of(&self, switch: usize) -> usize {
        2 * self.bounded.len() + switch
    }
}

/// How far a component is from an event at a bound: the distance, or the outward slope while it is held there.
fn distance<S: System>(
    field: &Field<'_, S>,
    point: &Point,
    component: usize,
    bound: Bound,
    limit: f64,
) -> f64 {
    match field.holds[component] {
        None => Inward::of(point, component, bound).value + outwards(bound, limit),
        Some(held) if held == bound => outwards(bound, point.raw[component]),
        Some(_) => f64::INFINITY,
    }
}

/// A value, positive in the direction out of a bound.
fn outwards(bound: Bound, value: f64) -> f64 {
    match bound {
        Bound::Least => -value,
        Bound::Most => value,
    }
}

/// A switching function, positive on the side where it was.
fn turned(side: Side, value: f64) -> f64 {
    match side {
        Side::Above => value,
        Side::Below => -value,
        Side::On => -value.abs(),
    }
}

/// A component and its slope, measured inwards from a bound.
#[derive(Clone, Copy)]
struct Inward {
    value: f64,
    slope: f64,
}

impl Inward {
    fn of(point: &Point, component: usize, bound: Bound) -> Self {
        let (value, slope) = (point.state[component], point.slope[component]);
        Self { value: -outwards(bound, value), slope: -outwards(bound, slope) }
    }

    /// The least value of the cubic between two points, if it lies between them; infinity if not.
    fn dip(self, end: Self, length: f64) -> f64 {
        if !(self.slope < 0.0 && end.slope > 0.0) {
            return f64::INFINITY;
        }
        let (rise, departure, arrival) = (end.value - self.value, length * self.slope, length * end.slope);
        // The slope is departure + linear s + square s^2 in the share s of the length: its rising root.
        let (square, linear) =
            (3.0 * (departure + arrival) - 6.0 * rise, 6.0 * rise - 4.0 * departure - 2.0 * arrival);
        let root = (linear * linear - 4.0 * square * departure).max(0.0).sqrt();
        let share =
            if linear >= 0.0 { -2.0 * departure / (linear + root) } else { (root - linear) / (2.0 * square) };
        let rest = 1.0 - share;
        self.value
            + share * share * (3.0 - 2.0 * share) * rise
            + share * rest * (rest * departure - share * arrival)
    }
}
