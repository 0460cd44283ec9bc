//! The style of standalone figures: physical size, font size, greyscale, and the text around the plot.
//!
//! A figure is laid out in units such that its font size is [`FONT`] units. A style defines how large such a unit is
//! on paper, so lines, gaps and symbols keep their proportion to the text, whatever the font size.

mod length;

pub use length::{Length, LengthError};

/// Font size of the layout, in its units. Without a style, a unit is a CSS pixel.
pub(crate) const FONT: f64 = 13.0;
/// Smallest width and height of a figure, as multiples of its font size.
const SMALLEST: (f64, f64) = (16.0, 11.0);
/// Height between the axes as a share of the width, if no height is given; at most the usual height.
const FLAT: f64 = 0.525;
/// Figures narrower than this are laid out as for phones.
const NARROW: f64 = 450.0;

/// Margin around a drawing on the screen.
const MARGIN: f64 = 16.0;

/// How a standalone figure is drawn. The default is a figure for the screen, in colour, with its title and note.
///
/// ```
/// use setpoint_plot::{Axis, Extent, Figure, Ink, Paper, Size, Style, Surface, Unit};
///
/// let paper = Paper::new("88mm x 60mm".parse()?, "8pt".parse()?)?;
/// let style = Style { paper: Some(paper), ink: Ink::Grey, ..Style::SCREEN };
/// let time = Axis::linear("Time", Unit::Seconds, (0.0, 0.02));
/// let figure = Figure::new("queue", "Queue length", time, Axis::from_zero("Queue", Unit::Bytes, 60e3));
/// assert!(figure.svg(Size::Wide, Surface::File(style)).contains(" width=\"88mm\" height=\"60mm\""));
/// assert_eq!("column".parse::<Extent>()?.width, "3.5in".parse()?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    /// Size and font size on paper; `None` for the screen.
    pub paper: Option<Paper>,
    /// Colour or greyscale.
    pub ink: Ink,
    /// The title above the plot.
    pub title: Words,
    /// The note and the numbered events below the plot.
    pub note: Words,
}

/// Size and font size of a printed figure, checked for compatibility with each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paper {
    pub(crate) extent: Extent,
    font: Length,
}

/// Size of a figure on paper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// Width.
    pub width: Length,
    /// Height; if `None`, it follows from the width and the contents.
    pub height: Option<Length>,
}

/// Colours of a standalone figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// Colours that colour-blind readers can distinguish.
    Colour,
    /// Shades of grey; series also differ by their dashes and symbols.
    Grey,
}

/// Whether a text, such as the title, is drawn as part of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Words {
    /// The text is drawn.
    Shown,
    /// The text is omitted, because the caption in a publication replaces it.
    Hidden,
}

/// The font is too large for the figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FontError {
    side: &'static str,
    font: Length,
    length: Length,
    times: f64,
}

impl Style {
    /// A figure for the screen.
    pub const SCREEN: Self = Self { paper: None, ink: Ink::Colour, title: Words::Shown, note: Words::Shown };

    /// Whether the figure has a size on paper.
    pub fn is_sized(&self) -> bool {
        self.paper.is_some()
    }

    /// Resolution of the figure as an image: sharp on a projector, or as required for printing line art.
    pub fn dots_per_inch(&self) -> u16 {
        if self.is_sized() { 600 } else { 192 }
    }

    /// Width and height between the axes of a figure that measures `natural` on the screen, in units of the layout.
    pub(crate) fn measures(&self, natural: (f64, f64)) -> (f64, f64) {
        let Some(paper) = self.paper else { return natural };
        let width = paper.units(paper.extent.width) - 2.0 * self.margin();
        (width, (width * FLAT).min(natural.1))
    }

    /// Height without the margins in units of the layout, if it is given.
    pub fn height(&self) -> Option<f64> {
        let paper = self.paper?;
        Some(paper.units(paper.extent.height?) - 2.0 * self.margin())
    }

    /// Width without the margins in units of the layout, if it is given.
    pub fn width(&self) -> Option<f64> {
        self.paper.map(|paper| paper.units(paper.extent.width) - 2.0 * self.margin())
    }

    /// Whether the figure is too narrow for the layout of a wide page.
    pub(crate) fn is_narrow(&self) -> bool {
        self.width().is_some_and(|width| width < NARROW)
    }

    /// Margin around the drawing. Printed pages have their own margins.
    pub(crate) fn margin(&self) -> f64 {
        if self.is_sized() { 2.0 } else { MARGIN }
    }
}

impl Paper {
    /// Combines a size with a font size.
    ///
    /// # Errors
    /// If the figure is too small for text of this size.
    pub fn new(extent: Extent, font: Length) -> Result<Self, FontError> {
        let sides = [("width", Some(extent.width), SMALLEST.0), ("height", extent.height, SMALLEST.1)];
        for (side, length, times) in sides {
            if let Some(length) = length.filter(|length| length.millimetres() < times * font.millimetres()) {
                return Err(FontError { side, font, length, times });
            }
        }
        Ok(Self { extent, font })
    }

    /// A length in units of the layout.
    fn units(&self, length: Length) -> f64 {
        length.millimetres() / self.font.millimetres() * FONT
    }
}

impl Default for Style {
    fn default() -> Self {
        Self::SCREEN
    }
}

impl std::fmt::Display for FontError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { side, font, length, times } = self;
        let most = (length.points() / times * 10.0).floor() / 10.0;
        write!(
            f,
            "a font size of {font} is too large for a {side} of {length}, which must be at least {times} times as \
             large: use at most {most}pt, or a larger figure"
        )
    }
}

impl std::error::Error for FontError {}
