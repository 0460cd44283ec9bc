//! The layout of a heat map.

use super::legend::{self, LegendLayout};
use super::{HeatMap, Place, values};
use crate::frame::measures;
use crate::svg::short;
use crate::text::text_width;
use crate::{Size, Surface};

/// Gap between panels.
const GUTTER: f64 = 28.0;
/// Maximum width of a cell.
const WIDEST: f64 = 118.0;
/// Minimum width of a cell, below which it would be hard to point at. Panels are moved to another row instead.
const NARROWEST: f64 = 18.0;
/// Minimum height of a cell in a figure of a given height.
const FLATTEST: f64 = 7.0;
/// Total horizontal padding of the text in a cell.
const INSET: f64 = 7.0;
/// The smallest font in a cell.
pub(super) const SMALLEST: f64 = 10.0;

/// The dimensions of one drawing of a heat map.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) width: f64,
    pub(super) height: f64,
    /// Font size.
    pub(super) font: f64,
    pub(super) legend: LegendLayout,
    /// Baseline of the row label.
    pub(super) caption_line: f64,
    /// Baseline of the column label.
    pub(super) label_line: f64,
    /// Maximum width of the row names.
    pub(super) names: f64,
    /// Width and height of a cell.
    pub(super) cell: (f64, f64),
    /// Upper left corners of the panels' cells.
    pub(super) panels: Vec<(f64, f64)>,
    /// Number of panels side by side.
    pub(super) across: usize,
    pub(super) columns: Columns,
    /// Font size and text of the cells; `None` if the cells are too small for text.
    pub(super) written: Option<(f64, Vec<String>)>,
}

/// How the column names are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Columns {
    /// Every `stride`-th name is written.
    pub(super) stride: usize,
    /// Number of rows among which the names alternate.
    pub(super) rows: usize,
}

impl Layout {
    pub(super) fn new(map: &HeatMap, size: Size, surface: Surface) -> Self {
        let (_, plot_height, _) = measures(map.room, size, surface);
        Self::of_cells(map, (size, surface), cell_height(map, plot_height))
    }

    /// Changes the height of the cells so that the drawing has the height given by its style, of which `below` is
    /// reserved for the footer.
    pub(super) fn fit(&mut self, map: &HeatMap, (size, surface): (Size, Surface), below: f64) {
        let Some(height) = surface.style().and_then(|style| style.height()) else { return };
        let rows = map.y.names.len().max(1) * map.panels.len().max(1).div_ceil(self.across);
        let cell = self.cell.1 + (height - below - self.height) / rows as f64;
        *self = Self::of_cells(map, (size, surface), cell.max(FLATTEST));
    }

    fn of_cells(map: &HeatMap, (size, surface): (Size, Surface), cell_height: f64) -> Self {
        let (width, _, font) = measures(map.room, size, surface);
        let widest = widest(map.y.names.iter(), font);
        let names = widest.min(width * 0.3);
        let (left, right) = (names + 10.0, width - 2.0);
        let texts = values::texts(map);
        let (across, cell_width) = across(map, right - left, self::widest(texts.iter(), SMALLEST) + INSET);
        let cell = (cell_width, cell_height);
        let columns = Columns::new(&map.x.names, cell.0, font);

        let legend = legend::layout(map, surface.header(), width, font);
        let caption_line = legend.bottom + font + 10.0;
        let grid = Grid { left, top: caption_line + 8.0, across, cell, columns, font };
        let (panels, bottom) = grid.place(map);
        Self {
            width,
            height: bottom + font + 12.0,
            font,
            legend,
            caption_line,
            label_line: bottom + font + 5.0,
            names,
            cell,
            panels,
            across,
            columns,
            written: type_size(&texts, cell, font).map(|size| (size, texts)),
        }
    }

    /// Upper left corner of a cell; rows are numbered from the bottom.
    pub(super) fn corner(&self, map: &HeatMap, place: Place) -> (f64, f64) {
        let (left, top) = self.panels[place.panel];
        let from_top = map.y.names.len() - 1 - place.row;
        (left + place.column as f64 * self.cell.0, top + from_top as f64 * self.cell.1)
    }

    /// Size of the cells and corners of the panels, for the page's script.
    pub(super) fn attributes(&self) -> String {
        let panels = self.panels.iter().flat_map(|&(left, top)| [left, top]);
        let numbers: Vec<String> = [self.cell.0, self.cell.1].into_iter().chain(panels).map(short).collect();
        format!(" data-heat=\"{}\"", numbers.join(" "))
    }
}

/// Parameters that determine the positions of the panels.
struct Grid {
    left: f64,
    top: f64,
    across: usize,
    cell: (f64, f64),
    columns: Columns,
    font: f64,
}

impl Grid {
    /// Corners of the panels, and the lower edge of the column names of the last row.
    fn place(&self, map: &HeatMap) -> (Vec<(f64, f64)>, f64) {
        let titled = map.panels.iter().any(|panel| !panel.title.is_empty());
        let heading = if titled { self.font + 10.0 } else { 0.0 };
        let names = self.columns.rows as f64 * (self.font + 3.0) + 6.0;
        let panel = (map.x.names.len() as f64 * self.cell.0, map.y.names.len() as f64 * self.cell.1);
        let rows = map.panels.len().max(1).div_ceil(self.across);
        let pitch = (panel.0 + GUTTER, heading + panel.1 + names + if rows > 1 { 10.0 } else { 0.0 });
        let corner = |index: usize| {
            let (row, column) = (index / self.across, index % self.across);
            (self.left + column as f64 * pitch.0, self.top + row as f64 * pitch.1 + heading)
        };
        let bottom = self.top + (rows - 1) as f64 * pitch.1 + heading + panel.1 + names;
        ((0..map.panels.len()).map(corner).collect(), bottom)
    }
}

impl Columns {
    /// All names side by side, alternating between two rows, or every n-th of them.
    fn new(names: &[String], width: f64, font: f64) -> Self {
        let widest = widest(names.iter(), font) + 6.0;
        if widest <= width || names.len() < 2 {
            return Self { stride: 1, rows: 1 };
        }
        if widest <= 2.0 * width {
            return Self { stride: 1, rows: 2 };
        }
        Self { stride: (widest / width).ceil() as usize, rows: 1 }
    }
}

/// The number of panels side by side, and the width of a cell: the largest number that leaves room for every value,
/// or, if not even one panel does, the largest number whose cells can be pointed at.
fn across(map: &HeatMap, width: f64, text: f64) -> (usize, f64) {
    let (panels, columns) = (map.panels.len().max(1), map.x.names.len().max(1) as f64);
    let cell = |across: usize| {
        let gutters = (across - 1) as f64 * GUTTER;
        ((width - gutters) / (across as f64 * columns)).clamp(1.0, WIDEST)
    };
    let most = |least: f64| (1..=panels).rev().find(|&across| cell(across) >= least);
    let found = most(text.max(NARROWEST)).or_else(|| most(NARROWEST)).unwrap_or(1);
    // Rows of equal or nearly equal length.
    let even = panels.div_ceil(panels.div_ceil(found));
    (even, cell(even))
}

/// Cells fill the height of a plot, unless that would make them too flat or too tall.
fn cell_height(map: &HeatMap, plot_height: f64) -> f64 {
    let rows = map.y.names.len().max(1) as f64;
    let flattest = if rows > 24.0 { 12.0 } else { 20.0 };
    (plot_height / rows).clamp(flattest, 38.0)
}

/// The largest font in which every value fits its cell.
fn type_size(texts: &[String], cell: (f64, f64), font: f64) -> Option<f64> {
    let fits = |size: &f64| widest(texts.iter(), *size) + INSET <= cell.0 + 0.01 && size + 5.0 <= cell.1;
    [font - 1.0, font - 2.0, SMALLEST].into_iter().find(fits)
}

fn widest<'a>(texts: impl Iterator<Item = &'a String>, size: f64) -> f64 {
    texts.map(|text| text_width(text, size)).fold(0.0, f64::max)
}
