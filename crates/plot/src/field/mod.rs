//! Maps: a value over two continuous quantities, as colours and contours.
//!
//! A [`FieldMap`] differs from a [`HeatMap`](super::HeatMap) in its sides, which are axes and not lists: cells are as
//! wide as the distances of their centres on the axis, contours run between the centres, and points may be drawn
//! anywhere. It is made for a hundred cells each way, of which none can be written in.
//!
//! Invariants: the colour is never all that says a value (the border is a heavy line with strokes to its lower side,
//! both sides are told in words, other contours have their value written on them, all values are under the pointer); a
//! cell without a value is hatched and has no colour of the scale; contours join values that are there and never cross
//! a cell without one; a file stays within a few hundred kilobytes for a smooth field.

mod border;
mod cells;
mod contour;
mod data;
mod draw;
mod grid;
mod legend;
mod lines;
mod sides;
mod words;

pub use contour::{Contour, contours};

use super::colour::HEAT_STEPS;
use super::{Axis, Colour, Room, Scale, Size, Surface, Symbol};
use setpoint_units::quantity::Unit;

/// A map, ready to be drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldMap {
    /// Name of the file, without extension.
    pub name: String,
    /// Title.
    pub title: String,
    /// What a reader should know besides; may be empty.
    pub note: String,
    /// Horizontal axis, such as [`spanning`] gives.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// Centres of the columns.
    pub columns: Vec<f64>,
    /// Centres of the rows.
    pub rows: Vec<f64>,
    /// The values by row and column; what is missing or not finite has no value.
    pub values: Vec<Vec<Option<f64>>>,
    /// What the colours show. A value beyond its ends has the colour of the end.
    pub scale: Axis,
    /// The colours.
    pub ramp: Ramp,
    /// The contour that matters most.
    pub border: Option<Border>,
    /// Values at which contours are drawn besides.
    pub contours: Vec<f64>,
    /// Why cells have no value, for the legend; empty for no reason.
    pub missing: String,
    /// Points over the map, kind by kind.
    pub spots: Vec<Spots>,
    /// Room it takes on a wide page.
    pub room: Room,
}

/// The colours of a map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ramp {
    /// From the paper's to its opposite, as of a heat map.
    Sequential,
    /// Two colours, on either side of a value of the scale.
    Diverging(f64),
}

/// A contour that divides a map in two.
#[derive(Clone, Debug, PartialEq)]
pub struct Border {
    /// The least value on the upper side.
    pub at: f64,
    /// What it is, for the legend.
    pub meaning: String,
    /// What holds below it, in a word or two; may be empty.
    pub below: String,
    /// What holds at it and above; may be empty.
    pub above: String,
}

/// Points of one kind over a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Spots {
    /// What they are, for the legend.
    pub name: String,
    /// Their shape.
    pub symbol: Symbol,
    /// The points.
    pub spots: Vec<Spot>,
}

/// A point over a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Spot {
    /// Where.
    pub at: (f64, f64),
    /// How large, from 0 to 1.
    pub size: f64,
    /// What the pointer tells of it.
    pub words: String,
}

impl Border {
    /// A border at a value.
    #[must_use]
    pub fn new(at: f64, meaning: impl Into<String>) -> Self {
        Self { at, meaning: meaning.into(), below: String::new(), above: String::new() }
    }

    /// The same with words for both sides.
    #[must_use]
    pub fn between(self, below: impl Into<String>, above: impl Into<String>) -> Self {
        Self { below: below.into(), above: above.into(), ..self }
    }
}

impl FieldMap {
    /// A map of the full width without values.
    #[must_use]
    pub fn new(name: &str, title: &str, (x, y): (Axis, Axis), scale: Axis) -> Self {
        Self {
            name: name.into(),
            title: title.into(),
            note: String::new(),
            x,
            y,
            columns: Vec::new(),
            rows: Vec::new(),
            values: Vec::new(),
            scale,
            ramp: Ramp::Sequential,
            border: None,
            contours: Vec::new(),
            missing: String::new(),
            spots: Vec::new(),
            room: Room::Full,
        }
    }

    /// The map as SVG.
    #[must_use]
    pub fn svg(&self, size: Size, surface: Surface) -> String {
        draw::draw(self, size, surface)
    }

    /// The values as compact JSON, for the page's script.
    #[must_use]
    pub fn data(&self) -> String {
        data::json(self)
    }

    /// The picture in words, for those who do not see it.
    #[must_use]
    pub fn alternative(&self) -> String {
        words::alternative(self)
    }

    /// The colour of a value.
    fn colour(&self, value: f64) -> Colour {
        self.step_colour(self.step(value))
    }

    fn step_colour(&self, step: usize) -> Colour {
        match self.ramp {
            Ramp::Sequential => Colour::Heat(step),
            Ramp::Diverging(_) => Colour::Against(step),
        }
    }

    /// The step of the ramp for a value: of a diverging one, each side has half of the steps.
    fn step(&self, value: f64) -> usize {
        // On a logarithmic scale what is not positive lies below everything.
        let share = |value: f64| self.scale.share(value).unwrap_or(0.0).clamp(0.0, 1.0);
        let step = |share: f64, steps: usize| ((share * steps as f64).floor() as usize).min(steps - 1);
        match self.ramp {
            Ramp::Sequential => step(share(value), HEAT_STEPS),
            Ramp::Diverging(middle) => {
                let (half, middle_share) = (HEAT_STEPS / 2, share(middle));
                if value < middle {
                    step(share(value) / middle_share.max(f64::MIN_POSITIVE), half)
                } else {
                    half + step((share(value) - middle_share) / (1.0 - middle_share).max(1e-9), half)
                }
            }
        }
    }
}

/// Above this ratio of the largest to the smallest value, an axis over values without a regular distance is logarithmic.
const WIDE: f64 = 30.0;

/// An axis from edge to edge of cells with these centres: logarithmic where neighbours are in one ratio, or where the
/// values are orders of magnitude apart.
#[must_use]
pub fn spanning(label: &str, unit: Unit, centres: &[f64]) -> Axis {
    let mut centres: Vec<f64> = centres.iter().copied().filter(|centre| centre.is_finite()).collect();
    centres.sort_by(f64::total_cmp);
    centres.dedup();
    let (Some(&low), Some(&high)) = (centres.first(), centres.last()) else {
        return Axis::linear(label, unit, (0.0, 1.0));
    };
    let even = |of: fn(f64, f64) -> f64| {
        let mut steps = centres.windows(2).map(|pair| of(pair[0], pair[1]));
        let first = steps.next().unwrap_or(0.0);
        // Values in a scenario are rounded.
        steps.all(|step| (step - first).abs() <= 0.05 * first.abs())
    };
    let linear = even(|low, high| high - low);
    let logarithmic = low > 0.0
        && centres.len() > 2
        && !linear
        && (even(|low, high| (high / low).ln()) || high / low > WIDE);
    let scale = if logarithmic { Scale::Logarithmic } else { Scale::Linear };
    let axis = Axis { scale, ..Axis::linear(label, unit, (low, high)) };
    let edges = grid::edges(&centres, &axis);
    let end = |share: Option<&f64>, at: f64| share.map_or(at, |&share| axis.at(share));
    let range = (end(edges.first(), low), end(edges.last(), high));
    if logarithmic { Axis::logarithmic(label, unit, range) } else { Axis::linear(label, unit, range) }
}
