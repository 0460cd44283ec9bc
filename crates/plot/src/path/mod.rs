//! Curves through a plane: trajectories, switching lines, loci.
//!
//! A [`Path`] is drawn in the order of its points, wherever that leads: back, round and over itself. It is cut at the
//! edges of the plot, so that what lies outside does not run along them, and reduced to what can be seen:
//! no extreme in either direction is lost, and a cycle that is run through a thousand times costs little more than one.

mod arrows;
mod clip;
mod draw;
mod reduce;

pub(super) use reduce::simplified;

pub(super) use draw::{draw, end, sample, start};

use super::Colour;
use setpoint_units::quantity::Unit;

/// A curve through a plane.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// Name in the legend and under the pointer; of paths with one name and one colour the legend tells the first.
    pub name: String,
    /// Colour.
    pub colour: Colour,
    /// What it is drawn with.
    pub stroke: Stroke,
    /// Arrow heads that tell the direction, at most.
    pub arrows: usize,
    /// Whether its ends are marked.
    pub ends: Ends,
    /// The points; what is not finite is a gap.
    pub points: Vec<(f64, f64)>,
    /// A third quantity that grows along the curve, for the pointer.
    pub along: Option<Along>,
}

/// What a path is drawn with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stroke {
    /// A line.
    Solid,
    /// A dashed line, as for the border between two regimes.
    Dashed,
    /// A broad line below the others, as for the part of a border that a system slides along.
    Thick,
}

/// Whether the ends of a path are marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// They are not.
    Bare,
    /// The first point by a ring, the last one by a dot.
    Marked,
}

/// A quantity along a path, such as the time of a trajectory or the frequency of a locus.
#[derive(Clone, Debug, PartialEq)]
pub struct Along {
    /// What it is.
    pub label: String,
    /// Its unit.
    pub unit: Unit,
    /// Its value at each point.
    pub values: Vec<f64>,
}

/// Arrow heads of a trajectory, at most.
const ARROWS: usize = 14;

impl Path {
    /// A line without arrows.
    #[must_use]
    pub fn solid(name: impl Into<String>, colour: Colour, points: Vec<(f64, f64)>) -> Self {
        let (stroke, ends) = (Stroke::Solid, Ends::Bare);
        Self { name: name.into(), colour, stroke, arrows: 0, ends, points, along: None }
    }

    /// The way of a system through its states: a line with arrows in the direction of time, its ends marked.
    #[must_use]
    pub fn trajectory(name: impl Into<String>, colour: Colour, points: Vec<(f64, f64)>) -> Self {
        Self { arrows: ARROWS, ends: Ends::Marked, ..Self::solid(name, colour, points) }
    }

    /// A border between two regimes, dashed.
    #[must_use]
    pub fn border(name: impl Into<String>, colour: Colour, points: Vec<(f64, f64)>) -> Self {
        Self { stroke: Stroke::Dashed, ..Self::solid(name, colour, points) }
    }

    /// The part of a border that a system slides along, a broad line.
    #[must_use]
    pub fn sliding(name: impl Into<String>, colour: Colour, points: Vec<(f64, f64)>) -> Self {
        Self { stroke: Stroke::Thick, ..Self::solid(name, colour, points) }
    }

    /// The same with a quantity along it.
    #[must_use]
    pub fn along(mut self, label: impl Into<String>, unit: Unit, values: Vec<f64>) -> Self {
        self.along = Some(Along { label: label.into(), unit, values });
        self
    }
}
