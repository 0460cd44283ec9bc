//! Maps: a value over two continuous quantities, as colours and contours.
//!
//! A [`FieldMap`] differs from a [`HeatMap`](super::HeatMap) in its sides, which are axes rather than lists: a cell
//! reaches halfway to the adjacent centres, contours are interpolated between the centres, and points may be drawn
//! anywhere. It suits about a hundred cells in each direction, too small to contain text.
//!
//! Invariants: colour is never the only carrier of a value (the border is a heavy line with strokes towards its lower
//! side, both sides are labelled, other contours are labelled with their values, and the tooltip shows every value); a
//! cell without a value is hatched and has no colour from the scale; contours never cross a cell without a value; the
//! file of a smooth field takes at most a few hundred kilobytes.

mod border;
mod cells;
mod contour;
mod data;
mod description;
mod draw;
mod grid;
mod layout;
mod legend;
mod lines;
mod sides;
mod strokes;

pub use contour::{Contour, contours};

use super::colour::HEAT_STEPS;
use super::{Axis, Colour, Room, Scale, Size, Surface, Symbol};
use setpoint_units::quantity::Unit;

/// A map, ready to be drawn.
///
/// ```
/// use setpoint_plot::{Axis, Border, FieldMap, Ramp, Size, Style, Surface, Unit, spanning};
///
/// let side: Vec<f64> = (0..=20).map(|index| f64::from(index) / 10.0).collect();
/// let (x, y) = (spanning("Gain", Unit::Ratio, &side), spanning("Delay", Unit::Ratio, &side));
/// let mut map = FieldMap::new("margin", "Margin", (x, y), Axis::linear("Margin", Unit::Ratio, (0.0, 2.0)));
/// map.values = side.iter().map(|y| side.iter().map(|x| Some(x + y / 2.0)).collect()).collect();
/// (map.columns, map.rows) = (side.clone(), side);
/// map.ramp = Ramp::Diverging(1.0);
/// map.border = Some(Border::new(1.0, "stability boundary").between("unstable", "stable"));
///
/// let svg = map.svg(Size::Wide, Surface::File(Style::SCREEN));
/// assert!(svg.contains("class=\"contour\"") && svg.contains(">unstable<") && svg.contains(">stable<"));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct FieldMap {
    /// File name, without extension.
    pub name: String,
    /// Title.
    pub title: String,
    /// Further information for the reader; may be empty.
    pub note: String,
    /// Horizontal axis, for example from [`spanning`].
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// Centres of the columns.
    pub columns: Vec<f64>,
    /// Centres of the rows.
    pub rows: Vec<f64>,
    /// The values by row and column. Missing values and values that are not finite are drawn as cells without a value.
    pub values: Vec<Vec<Option<f64>>>,
    /// The quantity shown by the colours. A value beyond the range has the colour of the nearest end.
    pub scale: Axis,
    /// The colours.
    pub ramp: Ramp,
    /// The most important contour.
    pub border: Option<Border>,
    /// Levels of further contours.
    pub contours: Vec<f64>,
    /// The reason why cells have no value, for the legend; may be empty.
    pub missing: String,
    /// Points on top of the map, by kind.
    pub spots: Vec<Spots>,
    /// Width on a wide page.
    pub room: Room,
}

/// The colours of a map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ramp {
    /// From the background colour to a strong one, as in a heat map.
    Sequential,
    /// Two colours, one on either side of a value on the scale.
    Diverging(f64),
}

/// A contour that divides a map into two sides.
#[derive(Clone, Debug, PartialEq)]
pub struct Border {
    /// The smallest value of the upper side.
    pub at: f64,
    /// Its meaning, for the legend.
    pub meaning: String,
    /// Label of the side below it, in a word or two; may be empty.
    pub below: String,
    /// Label of the side at and above it; may be empty.
    pub above: String,
}

/// Points of one kind on top of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Spots {
    /// Their meaning, for the legend.
    pub name: String,
    /// Their shape.
    pub symbol: Symbol,
    /// The points.
    pub spots: Vec<Spot>,
}

/// A point on top of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Spot {
    /// Position.
    pub at: (f64, f64),
    /// Relative size, from 0 to 1.
    pub size: f64,
    /// Tooltip text.
    pub words: String,
}

impl Border {
    /// A border at a value.
    pub fn new(at: f64, meaning: impl Into<String>) -> Self {
        Self { at, meaning: meaning.into(), below: String::new(), above: String::new() }
    }

    /// Labels both sides.
    #[must_use]
    pub fn between(self, below: impl Into<String>, above: impl Into<String>) -> Self {
        Self { below: below.into(), above: above.into(), ..self }
    }
}

impl FieldMap {
    /// A full-width map without values.
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
    pub fn svg(&self, size: Size, surface: Surface) -> String {
        draw::draw(self, size, surface)
    }

    /// The values as compact JSON, for the page's script (tooltips).
    pub fn data(&self) -> String {
        data::json(self)
    }

    /// Text alternative for the picture.
    pub fn alternative(&self) -> String {
        description::alternative(self)
    }

    fn colour(&self, value: f64) -> Colour {
        self.step_colour(self.step(value))
    }

    fn step_colour(&self, step: usize) -> Colour {
        match self.ramp {
            Ramp::Sequential => Colour::Heat(step),
            Ramp::Diverging(_) => Colour::Against(step),
        }
    }

    /// The ramp step of a value; in a diverging ramp each side has half of the steps.
    fn step(&self, value: f64) -> usize {
        // On a logarithmic scale, values that are not positive lie below all others.
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

/// An axis over irregularly spaced values is logarithmic if the ratio of the largest to the smallest exceeds this.
const WIDE: f64 = 30.0;

/// An axis that spans cells with these centres. It is logarithmic if adjacent values have a constant ratio, or if the
/// values span orders of magnitude.
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
        // The tolerance allows for centres that were rounded.
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
