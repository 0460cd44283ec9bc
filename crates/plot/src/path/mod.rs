//! Curves through a plane: trajectories, switching lines, loci.
//!
//! A [`Path`] connects its points in their given order, including loops and self-intersections. It is clipped at
//! the edges of the plot, and reduced to what is visible: no extreme in either direction is lost, and a cycle
//! repeated a thousand times costs little more than one turn.

mod arrows;
mod clip;
mod draw;
mod reduce;

pub(super) use reduce::simplified;

pub(super) use draw::{draw, end, sample, start};

use super::Colour;
use setpoint_units::quantity::Unit;

/// A curve through a plane.
///
/// ```
/// use setpoint_plot::{Axis, Colour, Figure, Mark, Path, Plane, Size, Style, Surface, Unit};
///
/// let axis = |label| Axis::linear(label, Unit::Ratio, (-1.2, 1.2));
/// let mut figure = Figure::new("spiral", "Damped oscillation", axis("Position"), axis("Velocity"));
/// figure.plane = Plane::Complex;
/// let spiral = (0..600).map(|step| f64::from(step) / 30.0);
/// let spiral = spiral.map(|t| ((-t / 8.0).exp() * t.cos(), (-t / 8.0).exp() * t.sin())).collect();
/// figure.marks.push(Mark::Path(Path::trajectory("damped", Colour::Series(0), spiral)));
/// // The legend explains the symbols at both ends.
/// let svg = figure.svg(Size::Wide, Surface::File(Style::SCREEN));
/// assert!(svg.contains(">start<") && svg.contains(">end<"));
/// ```
#[must_use]
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// Name in the legend and in the tooltip. Paths with the same name and colour share one legend entry.
    pub name: String,
    /// Colour.
    pub colour: Colour,
    /// Line style.
    pub stroke: Stroke,
    /// Maximum number of arrow heads showing the direction.
    pub arrows: usize,
    /// Whether the ends are marked.
    pub ends: Ends,
    /// The points; one that is not finite is a gap.
    pub points: Vec<(f64, f64)>,
    /// A third quantity along the curve, for the tooltip.
    pub along: Option<Along>,
}

/// Line style of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stroke {
    /// A solid line.
    Solid,
    /// A dashed line, for example for the boundary between two regimes.
    Dashed,
    /// A broad line below the others, for example for the part of a boundary along which a system slides.
    Thick,
}

/// Whether the ends of a path are marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// No symbols.
    Bare,
    /// A ring at the first point and a dot at the last.
    Marked,
}

/// A quantity along a path, such as time along a trajectory or frequency along a locus.
#[derive(Clone, Debug, PartialEq)]
pub struct Along {
    /// Name of the quantity.
    pub label: String,
    /// Its unit.
    pub unit: Unit,
    /// Its value at each point.
    pub values: Vec<f64>,
}

/// Maximum number of arrow heads on a trajectory.
const ARROWS: usize = 14;

impl Path {
    /// A line without arrows.
    pub fn solid(name: impl Into<String>, colour: Colour, points: Vec<(f64, f64)>) -> Self {
        let (stroke, ends) = (Stroke::Solid, Ends::Bare);
        Self { name: name.into(), colour, stroke, arrows: 0, ends, points, along: None }
    }

    /// A trajectory of a system through its states: a line with marked ends and arrows in the direction of time.
    pub fn trajectory(name: impl Into<String>, colour: Colour, points: Vec<(f64, f64)>) -> Self {
        Self { arrows: ARROWS, ends: Ends::Marked, ..Self::solid(name, colour, points) }
    }

    /// Whether symbols mark its ends.
    pub(crate) fn has_marked_ends(&self) -> bool {
        self.ends == Ends::Marked
    }

    /// A dashed boundary between two regimes.
    pub fn border(name: impl Into<String>, colour: Colour, points: Vec<(f64, f64)>) -> Self {
        Self { stroke: Stroke::Dashed, ..Self::solid(name, colour, points) }
    }

    /// The part of a boundary along which a system slides, as a broad line.
    pub fn sliding(name: impl Into<String>, colour: Colour, points: Vec<(f64, f64)>) -> Self {
        Self { stroke: Stroke::Thick, ..Self::solid(name, colour, points) }
    }

    /// Adds a quantity along the path.
    pub fn along(mut self, label: impl Into<String>, unit: Unit, values: Vec<f64>) -> Self {
        self.along = Some(Along { label: label.into(), unit, values });
        self
    }
}
