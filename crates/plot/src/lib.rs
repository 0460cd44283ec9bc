//! Plots as SVG.
//!
//! A [`Figure`] says what is to be seen: two axes, marks, events, reference lines. It is drawn by
//! [`Figure::svg`] in one of three sizes, for the page or as a file of its own, and its values are
//! given to the page's script by [`Figure::data`]. A [`HeatMap`] shows values over two lists of places, and is drawn
//! the same way; a [`FieldMap`] does so over two continuous quantities. Where the axes span a plane of states ([`Plane`]), curves may run back and round in it ([`Path`]).
//!
//! This is drawn here and not by a plotting crate (kuva was the candidate) because the page asks for what
//! those do not give: colours as style-sheet variables (light, dark and print from one drawing), values
//! under the pointer, a second layout for narrow screens rather than a shrunken one, and an upper bound of
//! a file's size, whatever the number of samples. It needs no dependency.
//!
//! Invariants: every figure has a title, a text alternative and axes with units; what is not a finite
//! number leaves a gap and never reaches the output; a series costs at most a few entries per column of
//! pixels ([`decimate`]).

pub mod axis;
mod colour;
mod colour_bar;
mod data;
pub mod decimate;
mod events;
mod field;
#[cfg(any(feature = "png", feature = "pdf"))]
mod fonts;
mod frame;
mod heat;
mod legend;
mod marks;
pub mod path;
#[cfg(feature = "pdf")]
mod pdf;
#[cfg(feature = "png")]
mod png;
mod render;
mod response;
mod room;
mod sheet;
pub mod svg;
mod symbol;
pub mod text;

pub use sheet::{FONTS, MARGIN};

pub use axis::{Axis, Scale};
pub use colour::{Colour, HEAT_STEPS, Surface};
pub use events::{Event, merged};
pub use field::{Border, Contour, FieldMap, Ramp, Spot, Spots, contours, spanning};
pub use heat::{Better, HeatCell, HeatMap, Panel, Place, Places, Threshold, Widening, scale_for, widened};
pub use path::{Along, Ends, Path, Stroke};
#[cfg(feature = "pdf")]
pub use pdf::{PdfError, pdf};
#[cfg(feature = "png")]
pub use png::{PngError, png};
pub use response::{Response, bode, nyquist};
pub use symbol::{Points, Symbol};

/// The style-sheet variables of drawings on [`Surface::Page`]: a light and a dark theme, chosen by the reader's system or
/// by `data-theme` on the page's root. A page that embeds such drawings includes it once.
pub const THEMES: &str = include_str!("../assets/themes.css");

/// A plot, ready to be drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Name of the file, without extension.
    pub name: String,
    /// Title.
    pub title: String,
    /// The picture in words, for those who do not see it.
    pub alternative: String,
    /// What a reader should know besides: what a shade means, what was left out.
    pub note: String,
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// What is drawn, first the lowest.
    pub marks: Vec<Mark>,
    /// Moments marked on the horizontal axis.
    pub events: Vec<Event>,
    /// Values marked across the plot.
    pub references: Vec<Reference>,
    /// Up to here on the horizontal axis nothing was measured.
    pub unmeasured: Option<f64>,
    /// The largest value and where it is, if the vertical axis ends below it.
    pub beyond: Option<(f64, f64)>,
    /// Room it takes on a wide page.
    pub room: Room,
    /// What the axes span.
    pub plane: Plane,
}

/// What the axes of a figure span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plane {
    /// Values over a quantity such as time: wider than high, and read from left to right.
    Chart,
    /// Two states of a system: higher, with lines through both zeros. The pointer finds the nearest point.
    Phase,
    /// As [`Plane::Phase`], with one scale on both axes: a circle is round.
    Complex,
}

/// Room on a wide page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// The whole width.
    Full,
    /// Half of it, beside another.
    Half,
    /// Two thirds, beside a [`Room::Minor`].
    Major,
    /// One third, beside a [`Room::Major`].
    Minor,
}

/// How large a figure is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// For a page of some 700 pixels or more.
    Wide,
    /// For a telephone.
    Narrow,
}

/// Something drawn between the axes.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// A line through points.
    Line(Line),
    /// The area between two curves.
    Band(Band),
    /// A bar for each place of a categorical axis; several of these stand side by side.
    Bars(Bars),
    /// Upright lines from a lower to an upper value, as of a mean and its deviation.
    Whiskers(Whiskers),
    /// A curve that may run back and round.
    Path(Path),
    /// Symbols at points.
    Points(Points),
}

/// A line through points in order of x (other orders are drawn as they come).
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Name in the legend.
    pub name: String,
    /// Colour.
    pub colour: Colour,
    /// How the points are joined.
    pub shape: Shape,
    /// The points; what is not finite is a gap.
    pub points: Vec<(f64, f64)>,
}

/// How points are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// By straight lines.
    Straight,
    /// By straight lines, dashed.
    Dashed,
    /// By straight lines, with a dot at every point: for few points that were measured one by one.
    Dotted,
    /// Each value holds until the next point.
    Step,
    /// Each value holds until the next point, filled down to zero.
    Area,
    /// By straight lines, broad: for what is smooth and stands before the rest, such as a model.
    Strong,
    /// By straight lines, thin and light: for what is rough and stands behind the rest, such as what a model is of.
    Faint,
}

/// The area between two curves.
#[derive(Clone, Debug, PartialEq)]
pub struct Band {
    /// Name in the legend.
    pub name: String,
    /// Colour.
    pub colour: Colour,
    /// How much it covers what is below it, 0 to 1.
    pub opacity: f64,
    /// What is kept of many points in one column of pixels.
    pub reduction: Reduction,
    /// Position, lower and upper value.
    pub points: Vec<(f64, f64, f64)>,
}

/// What is kept of the edges of a band where many points share a column of pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// Their means: for edges that are smooth in themselves, such as quantiles.
    Means,
    /// The lowest and the highest, so that no peak is lost.
    Extremes,
}

/// A bar for each place of a categorical axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Bars {
    /// Name in the legend.
    pub name: String,
    /// Colour.
    pub colour: Colour,
    /// One value per place.
    pub values: Vec<f64>,
}

/// Upright lines from a lower to an upper value.
#[derive(Clone, Debug, PartialEq)]
pub struct Whiskers {
    /// Name in the legend.
    pub name: String,
    /// Colour.
    pub colour: Colour,
    /// Position, lower and upper value.
    pub points: Vec<(f64, f64, f64)>,
}

/// A value marked across the plot, such as a set point.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// What it is, with its value.
    pub label: String,
    /// Where.
    pub at: f64,
    /// Which way the line runs.
    pub direction: Direction,
}

/// Which way a reference line runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Across, at a value of the vertical axis.
    Across,
    /// Upright, at a value of the horizontal axis.
    Upright,
}

impl Figure {
    /// A figure of the full width without any mark.
    #[must_use]
    pub fn new(name: &str, title: &str, x: Axis, y: Axis) -> Self {
        Self {
            name: name.into(),
            title: title.into(),
            alternative: String::new(),
            note: String::new(),
            x,
            y,
            marks: Vec::new(),
            events: Vec::new(),
            references: Vec::new(),
            unmeasured: None,
            beyond: None,
            room: Room::Full,
            plane: Plane::Chart,
        }
    }

    /// The figure as SVG.
    #[must_use]
    pub fn svg(&self, size: Size, surface: Surface) -> String {
        render::draw(self, size, surface)
    }

    /// The values behind the figure as compact JSON, for the page's script.
    #[must_use]
    pub fn data(&self) -> String {
        data::json(self)
    }
}

impl Mark {
    /// Its name in the legend.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Line(line) => &line.name,
            Self::Band(band) => &band.name,
            Self::Bars(bars) => &bars.name,
            Self::Whiskers(whiskers) => &whiskers.name,
            Self::Path(path) => &path.name,
            Self::Points(points) => &points.name,
        }
    }

    /// Its colour.
    #[must_use]
    pub fn colour(&self) -> Colour {
        match self {
            Self::Line(line) => line.colour,
            Self::Band(band) => band.colour,
            Self::Bars(bars) => bars.colour,
            Self::Whiskers(whiskers) => whiskers.colour,
            Self::Path(path) => path.colour,
            Self::Points(points) => points.colour,
        }
    }
}
