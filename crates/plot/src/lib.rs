//! Plots as self-contained SVG.
//!
//! - [`Figure`]: lines, bands, bars, whiskers and symbols over two axes, with events and reference lines. Its axes may
//!   also span a state plane ([`Plane`]), in which curves run in any direction ([`Path`]).
//! - [`HeatMap`]: values over two lists, as coloured cells.
//! - [`FieldMap`]: values over two continuous quantities, with contours.
//! - [`bode`] and [`nyquist`]: figures of frequency responses ([`Response`]).
//!
//! Each is drawn by its `svg` method in one of two sizes ([`Size`]), for a page or as a standalone file ([`Surface`]), which
//! may have a physical size and a font size for print ([`Style`]). Its `data` method returns the values as JSON, for a
//! script that shows tooltips. [`pdf`] converts the SVG to PDF, and with the feature `png`, `png` converts it to PNG.
//!
//! ```
//! use setpoint_plot::{
//!     Axis, Colour, Direction, Figure, Line, Mark, Reference, Shape, Size, Style, Surface, Unit,
//! };
//!
//! let time = Axis::linear("Time", Unit::Seconds, (0.0, 0.02));
//! let queue = Axis::from_zero("Queue", Unit::Bytes, 60e3);
//! let mut figure = Figure::new("queue", "Queue length", time, queue);
//! figure.alternative = "The queue rises to 60 kB and settles at 26 kB.".into();
//! figure.marks.push(Mark::Line(Line {
//!     name: "port 1".into(),
//!     colour: Colour::Series(0),
//!     shape: Shape::Straight,
//!     points: vec![(0.0, 0.0), (0.002, 60e3), (0.01, 26e3), (0.02, 26e3)],
//! }));
//! let direction = Direction::Across;
//! figure.references.push(Reference { label: "set point 26 kB".into(), at: 26e3, direction });
//!
//! let svg = figure.svg(Size::Wide, Surface::File(Style::SCREEN));
//! assert!(svg.starts_with("<svg xmlns="));
//! for text in ["<title>Queue length</title>", ">Time (ms)<", ">Queue (kB)<", ">set point 26 kB<"] {
//!     assert!(svg.contains(text), "{text}");
//! }
//! ```
//!
//! # Design
//!
//! The crate draws SVG itself because a report needs features that plotting crates (kuva was the candidate) lack:
//! colours as style-sheet variables, so that one drawing serves light and dark pages and print; tooltips; a separate
//! layout for narrow screens; and a bound on file size, whatever the number of samples.
//!
//! Invariants: every figure has a title, a text alternative, and axes with units. A value that is not finite leaves a
//! gap and never reaches the output. A series takes at most a few entries per pixel column ([`decimate`]).

pub mod axis;
mod colour;
mod colour_bar;
mod dashes;
mod data;
pub mod decimate;
mod events;
mod field;
mod flags;
#[cfg(feature = "png")]
mod fonts;
mod frame;
mod handles;
mod hatch;
mod heat;
mod legend;
mod legend_layout;
mod marks;
mod number;
pub mod path;
mod pdf;
#[cfg(feature = "png")]
mod png;
mod render;
mod response;
mod room;
mod sheet;
mod style;
pub mod svg;
mod symbol;
pub mod text;

pub use axis::{Axis, Scale};
pub use colour::{Colour, HEAT_STEPS, Surface};
pub use colour_bar::Better;
pub use events::{Event, merged};
pub use field::{Border, Contour, FieldMap, Ramp, Spot, Spots, contours, spanning};
pub use heat::{HeatCell, HeatMap, Panel, Place, Places, Threshold, Widening, scale_for, widened};
pub use path::{Along, Ends, Path, Stroke};
pub use pdf::{PdfError, pdf};
#[cfg(feature = "png")]
pub use png::{PngError, png};
pub use response::{Response, bode, nyquist};
pub use setpoint_units::quantity::Unit;
pub use style::{Extent, FontError, Ink, Length, LengthError, Paper, Style, Words};
pub use symbol::{Points, Symbol};

/// Style-sheet variables for drawings on [`Surface::Page`]: a light and a dark theme, selected by the reader's system or
/// by `data-theme` on the page's root. A page that embeds such drawings includes this style sheet once.
pub const THEMES: &str = include_str!("../assets/themes.css");

/// A plot with two axes.
///
/// ```
/// use setpoint_plot::{Axis, Bars, Colour, Figure, Mark, Size, Style, Surface, Unit};
///
/// let algorithms = Axis::categories("Algorithm", vec!["QCN".into(), "AF-QCN".into()]);
/// let index = Axis::from_zero("Jain's index", Unit::Ratio, 1.0);
/// let mut figure = Figure::new("fairness", "Fairness", algorithms, index);
/// figure.marks.push(Mark::Bars(Bars { name: String::new(), colour: Colour::Series(0), values: vec![0.8, 0.99] }));
/// assert!(figure.svg(Size::Narrow, Surface::File(Style::SCREEN)).contains(">AF-QCN<"));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// File name, without extension.
    pub name: String,
    /// Title.
    pub title: String,
    /// Text alternative for the picture.
    pub alternative: String,
    /// Further information for the reader, such as the meaning of a shaded area or omitted series.
    pub note: String,
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// The marks; the first one is drawn at the bottom.
    pub marks: Vec<Mark>,
    /// Further entries in the legend, for marks without a name: samples that are not drawn between the axes.
    pub keys: Vec<Mark>,
    /// Categories without a value, identified by their index, each with the reason, which is written in place of the
    /// value.
    pub vacant: Vec<(usize, String)>,
    /// Events on the horizontal axis.
    pub events: Vec<Event>,
    /// Reference lines.
    pub references: Vec<Reference>,
    /// End of the unmeasured part at the start of the horizontal axis, which is shaded.
    pub unmeasured: Option<f64>,
    /// Position and value of the maximum, if the vertical axis ends below it.
    pub beyond: Option<(f64, f64)>,
    /// Width on a wide page.
    pub room: Room,
    /// The kind of plane that the axes span.
    pub plane: Plane,
}

/// The kind of plane that the axes of a figure span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plane {
    /// Values over a quantity such as time: wider than tall, read from left to right.
    Chart,
    /// Two states of a system: taller than a chart, with a line through zero on each axis. The tooltip
    /// shows the nearest point.
    Phase,
    /// Like [`Plane::Phase`], with equal scales on both axes, so that circles are round.
    Complex,
}

/// Width on a wide page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// Full width.
    Full,
    /// Half the width, next to another figure.
    Half,
    /// Two thirds of the width, next to a [`Room::Minor`].
    Major,
    /// One third of the width, next to a [`Room::Major`].
    Minor,
}

/// The size at which a figure is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// For pages of about 700 pixels or more.
    Wide,
    /// For phones.
    Narrow,
}

/// An element drawn between the axes.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// A line through points.
    Line(Line),
    /// The area between two curves.
    Band(Band),
    /// A bar per category; several sets of bars are drawn side by side.
    Bars(Bars),
    /// Vertical lines from a lower to an upper value, for example a mean plus and minus its standard deviation.
    Whiskers(Whiskers),
    /// A curve that may run in any direction.
    Path(Path),
    /// Symbols at points.
    Points(Points),
}

/// A line through points, usually in order of x; other orders are drawn as given.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Name in the legend.
    pub name: String,
    /// Colour.
    pub colour: Colour,
    /// How the points are connected.
    pub shape: Shape,
    /// The points; one that is not finite is a gap.
    pub points: Vec<(f64, f64)>,
}

/// How points are connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Straight lines.
    Straight,
    /// Dashed straight lines.
    Dashed,
    /// Straight lines with a dot at every point, for a few individual measurements.
    Dotted,
    /// Each value holds until the next point.
    Step,
    /// Each value holds until the next point; filled down to the axis.
    Area,
    /// Broad straight lines, for a smooth curve in the foreground, such as a model.
    Strong,
    /// Thin, light straight lines, for a noisy curve in the background, such as the measurement behind a model.
    Faint,
}

/// The area between two curves.
#[derive(Clone, Debug, PartialEq)]
pub struct Band {
    /// Name in the legend.
    pub name: String,
    /// Colour.
    pub colour: Colour,
    /// Opacity, from 0 to 1.
    pub opacity: f64,
    /// How points that share a pixel column are reduced.
    pub reduction: Reduction,
    /// Position, lower and upper value.
    pub points: Vec<(f64, f64, f64)>,
}

/// How the points of a band that share a pixel column are reduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// To their means, for smooth edges such as quantiles.
    Means,
    /// To the lowest and the highest value, so that no peak is lost.
    Extremes,
}

/// A bar per category of a categorical axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Bars {
    /// Name in the legend.
    pub name: String,
    /// Colour.
    pub colour: Colour,
    /// One value per category.
    pub values: Vec<f64>,
}

/// Vertical lines from a lower to an upper value.
#[derive(Clone, Debug, PartialEq)]
pub struct Whiskers {
    /// Name in the legend.
    pub name: String,
    /// Colour.
    pub colour: Colour,
    /// Position, lower and upper value.
    pub points: Vec<(f64, f64, f64)>,
}

/// A line that marks a value, such as a set point.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// Label, including the value.
    pub label: String,
    /// Value on the axis that the line crosses.
    pub at: f64,
    /// Direction of the line.
    pub direction: Direction,
}

/// Direction of a reference line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Horizontal, at a value of the vertical axis.
    Across,
    /// Vertical, at a value of the horizontal axis.
    Upright,
}

impl Figure {
    /// A full-width figure without marks.
    pub fn new(name: &str, title: &str, x: Axis, y: Axis) -> Self {
        Self {
            name: name.into(),
            title: title.into(),
            alternative: String::new(),
            note: String::new(),
            x,
            y,
            marks: Vec::new(),
            keys: Vec::new(),
            vacant: Vec::new(),
            events: Vec::new(),
            references: Vec::new(),
            unmeasured: None,
            beyond: None,
            room: Room::Full,
            plane: Plane::Chart,
        }
    }

    /// Draws the figure as SVG.
    pub fn svg(&self, size: Size, surface: Surface) -> String {
        render::draw(self, size, surface)
    }

    /// The values as compact JSON, for the page's script (tooltips).
    pub fn data(&self) -> String {
        data::json(self)
    }
}

impl Mark {
    /// Its name in the legend.
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
