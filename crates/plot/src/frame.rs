//! The layout of a figure.

use super::axis::Tick;
use super::events::{self, Placement};
use super::legend_layout::{self, LegendLayout};
use super::style::FONT;
use super::text::text_width;
use super::{Figure, Plane, Room, Scale, Size, Style, Surface};

/// Up to this many names may be written in alternating rows.
const STAGGERED: usize = 16;
/// The maximum number of these rows.
const MOST_ROWS: usize = 3;

/// Minimum height of a plot as a multiple of the font size.
const LEAST: f64 = 4.0;

/// The dimensions of one drawing of a figure.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) width: f64,
    pub(super) height: f64,
    /// Font size.
    pub(super) font: f64,
    /// The rectangle between the axes.
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
    /// Baseline of the vertical axis caption.
    pub(super) caption_line: f64,
    pub(super) legend: LegendLayout,
    pub(super) events: Placement,
    pub(super) x_ticks: Vec<Tick>,
    /// Number of rows among which the horizontal tick labels alternate.
    pub(super) tick_rows: usize,
    pub(super) y_ticks: Vec<Tick>,
}

impl Frame {
    pub(super) fn new(figure: &Figure, size: Size, surface: Surface) -> Self {
        Self::below(figure, (size, surface), 0.0)
    }

    /// A frame with a free strip of height `header` below the title.
    pub(super) fn below(figure: &Figure, (size, surface): (Size, Surface), header: f64) -> Self {
        let size = surface.layout(size);
        let (width, chart_height, font) = measures(figure.room, size, surface);
        let y_ticks = figure.y.ticks(if size == Size::Narrow { 4 } else { 5 });
        let widest = y_ticks.iter().map(|tick| text_width(&tick.text, font)).fold(0.0, f64::max);
        // Wide enough to align the time axes of figures placed below each other.
        let left = (widest + 10.0).max(if size == Size::Wide { 46.0 } else { 34.0 });
        // Long labels must not crowd out the plot.
        let left = left.min(width * 0.5);
        let sheet_right = width - 14.0;
        let (right, plot_height) = extent(figure, size, (left, sheet_right), chart_height);
        let (x_ticks, tick_rows) = horizontal_ticks(figure, right - left, font);

        let mut top = surface.header() + header;
        let caption = text_width(&figure.y.caption(), font);
        let legend = legend_layout::layout(figure, top, sheet_right, caption, font);
        top = legend.bottom;
        let caption_line = top - 8.0;
        let events = events::place(figure, (left, right), top, font);
        top = events.bottom + 4.0;
        let bottom = top + plot_height;
        let height = bottom + font * 3.0 + 8.0 + (tick_rows - 1) as f64 * (font + 3.0);
        Self {
            width,
            height,
            font,
            left,
            top,
            right,
            bottom,
            caption_line,
            legend,
            events,
            x_ticks,
            tick_rows,
            y_ticks,
        }
    }

    /// Stretches or compresses the plot so that the drawing has the height given by its style, of which `below` is
    /// reserved for the footer. The plot keeps a minimum height and, if its axes have equal scales, its aspect ratio.
    pub(super) fn fit(&mut self, figure: &Figure, surface: Surface, below: f64) {
        let Some(height) = surface.style().and_then(|style| style.height()) else { return };
        let plot = self.bottom - self.top;
        let wanted = (plot + height - below - self.height).max(LEAST * self.font);
        self.height += wanted - plot;
        if figure.plane == Plane::Complex && wanted > plot {
            return;
        }
        self.bottom = self.top + wanted;
        self.y_ticks = vertical_ticks(figure, self.y_ticks.len(), wanted, self.font);
        if figure.plane == Plane::Complex {
            self.right = self.left + (self.right - self.left) * wanted / plot;
            (self.x_ticks, self.tick_rows) = horizontal_ticks(figure, self.right - self.left, self.font);
        }
    }

    /// Horizontal position of a value.
    pub(super) fn x(&self, figure: &Figure, value: f64) -> Option<f64> {
        Some(self.left + figure.x.position(value)? * (self.right - self.left))
    }

    /// Vertical position of a value.
    pub(super) fn y(&self, figure: &Figure, value: f64) -> Option<f64> {
        Some(self.bottom - figure.y.position(value)? * (self.bottom - self.top))
    }

    /// Horizontal position of a value, which may lie outside the plot.
    pub(super) fn free_x(&self, figure: &Figure, value: f64) -> Option<f64> {
        Some(self.left + figure.x.share(value)? * (self.right - self.left))
    }

    /// Vertical position of a value, which may lie outside the plot.
    pub(super) fn free_y(&self, figure: &Figure, value: f64) -> Option<f64> {
        Some(self.bottom - figure.y.share(value)? * (self.bottom - self.top))
    }

    /// Number of pixel columns to which a dense series is reduced.
    pub(super) fn columns(&self) -> usize {
        ((self.right - self.left) / 1.6) as usize
    }
}

/// Width, height between the axes, and font size.
pub(super) fn measures(room: Room, size: Size, surface: Surface) -> (f64, f64, f64) {
    let (width, height, font) = natural(room, size, surface);
    match surface.style().filter(Style::is_sized) {
        Some(style) => {
            let (width, height) = style.measures((width, height));
            (width, height, FONT)
        }
        None => (width, height, font),
    }
}

/// The dimensions of a figure on a screen.
const fn natural(room: Room, size: Size, surface: Surface) -> (f64, f64, f64) {
    match (size, surface, room) {
        (Size::Narrow, _, _) => (400.0, 210.0, 12.5),
        (Size::Wide, _, Room::Full) | (Size::Wide, Surface::File(_), Room::Major) => (1040.0, 280.0, 13.0),
        (Size::Wide, Surface::File(_), Room::Half | Room::Minor) => (640.0, 300.0, 13.0),
        (Size::Wide, Surface::Page, Room::Half) => (500.0, 240.0, 13.0),
        (Size::Wide, Surface::Page, Room::Major) => (680.0, 260.0, 13.0),
        (Size::Wide, Surface::Page, Room::Minor) => (320.0, 260.0, 13.0),
    }
}

/// The right edge of the plot and its height. A plane is closer to a square than a chart. If both scales are equal,
/// the height follows from the width, or the width from the maximum height.
fn extent(figure: &Figure, size: Size, (left, right): (f64, f64), chart_height: f64) -> (f64, f64) {
    let taller = match (figure.plane, size) {
        (Plane::Chart, _) => return (right, chart_height),
        (_, Size::Narrow) => chart_height * 1.45,
        (_, Size::Wide) => chart_height * 1.6,
    };
    if figure.plane == Plane::Phase {
        return (right, taller);
    }
    let span = |(low, high): (f64, f64)| high - low;
    let ratio = span(figure.y.range) / span(figure.x.range);
    let (height, most) = ((right - left) * ratio, taller * 1.12);
    if height <= most { (right, height) } else { (left + most / ratio, most) }
}

/// The ticks of a vertical axis: as many as fit one above another, at most about `most`.
fn vertical_ticks(figure: &Figure, most: usize, height: f64, font: f64) -> Vec<Tick> {
    let place = |tick: &Tick| figure.y.position(tick.at).unwrap_or(0.0) * height;
    let fits = |ticks: &[Tick]| ticks.windows(2).all(|pair| place(&pair[1]) - place(&pair[0]) >= font + 1.0);
    let candidates = (1..=most.max(1)).rev().map(|wanted| figure.y.ticks(wanted));
    candidates.clone().find(|ticks| fits(ticks)).unwrap_or_else(|| thinned(figure.y.ticks(1), fits))
}

/// Every second, third, … tick, until the rest fits.
fn thinned(ticks: Vec<Tick>, fits: impl Fn(&[Tick]) -> bool) -> Vec<Tick> {
    let every = |stride: usize| ticks.iter().step_by(stride).cloned().collect::<Vec<Tick>>();
    (2..=ticks.len()).map(every).find(|ticks| fits(ticks)).unwrap_or(ticks)
}

/// The ticks of a horizontal axis: as many as fit side by side, and the number of rows that they need. If
/// there are only a few categories, all their names are written, in two or three rows if they do not fit in one.
fn horizontal_ticks(figure: &Figure, width: f64, font: f64) -> (Vec<Tick>, usize) {
    let most = match &figure.x.scale {
        Scale::Categories(names) => names.len(),
        Scale::Linear | Scale::Logarithmic => 10,
    };
    // Labels in one row must not overlap.
    let fits = |ticks: &[Tick], rows: usize| {
        let place = |tick: &Tick| figure.x.position(tick.at).unwrap_or(0.0) * width;
        ticks.iter().zip(ticks.iter().skip(rows)).all(|(tick, next)| {
            let half = (text_width(&tick.text, font) + text_width(&next.text, font)) / 2.0;
            half + 8.0 <= place(next) - place(tick)
        })
    };
    let mut wanted = most.min(200);
    let all = figure.x.ticks(wanted);
    if matches!(figure.x.scale, Scale::Categories(_))
        && all.len() <= STAGGERED
        && let Some(rows) = (1..=MOST_ROWS).find(|&rows| fits(&all, rows))
    {
        return (all, rows);
    }
    loop {
        let ticks = figure.x.ticks(wanted);
        if fits(&ticks, 1) {
            return (ticks, 1);
        }
        if wanted <= 2 {
            return (thinned(ticks, |ticks| fits(ticks, 1)), 1);
        }
        wanted -= 1;
    }
}
