//! The dimensions of a map.

use super::FieldMap;
use super::grid::{self, Grid};
use super::legend::{self, LegendLayout};
use crate::frame::Frame;
use crate::text::wrapped;
use crate::{Axis, Figure, Size, Surface};

/// The dimensions of one drawing of a map, in pixels.
pub(super) struct Layout {
    pub(super) frame: Frame,
    pub(super) grid: Grid,
    /// Centres of the columns and of the rows.
    pub(super) x: Vec<f64>,
    pub(super) y: Vec<f64>,
    /// Edges of the columns, and of the rows from the bottom.
    pub(super) x_edges: Vec<f64>,
    pub(super) y_edges: Vec<f64>,
    pub(super) legend: LegendLayout,
    pub(super) footer: Vec<String>,
}

impl Layout {
    pub(super) fn new(map: &FieldMap, figure: &Figure, (size, surface): (Size, Surface)) -> Self {
        let grid = Grid::of(map);
        let bare = Frame::new(figure, size, surface);
        let footer = footer(map, &bare, surface);
        let top = surface.header();
        let legend = legend::layout(map, &grid, (top, bare.width, bare.font));
        let mut frame = Frame::below(figure, (size, surface), legend.bottom - top + 6.0);
        frame.fit(figure, surface, footer_height(&footer, frame.font));
        let across =
            |share: f64| (frame.left + share * (frame.right - frame.left)).clamp(frame.left, frame.right);
        let up =
            |share: f64| (frame.bottom - share * (frame.bottom - frame.top)).clamp(frame.top, frame.bottom);
        let centres = |values: &[f64], axis: &Axis| -> Vec<f64> {
            values.iter().map(|&value| axis.share(value).unwrap_or(0.0)).collect()
        };
        let x = centres(&grid.columns, &map.x).into_iter().map(across).collect();
        let y = centres(&grid.rows, &map.y).into_iter().map(up).collect();
        // Rounded as in the output, so that adjacent cells share their edges exactly.
        let written = |place: f64| (place * 10.0).round() / 10.0;
        let x_edges = edges(&grid.columns, &map.x).into_iter().map(|share| written(across(share))).collect();
        let y_edges = edges(&grid.rows, &map.y).into_iter().map(|share| written(up(share))).collect();
        Self { frame, grid, x, y, x_edges, y_edges, legend, footer }
    }

    /// The ramp step of every cell by row and column.
    pub(super) fn steps(&self, map: &FieldMap) -> Vec<Vec<Option<usize>>> {
        let step = |value: &Option<f64>| value.map(|value| map.step(value));
        self.grid.values.iter().map(|row| row.iter().map(step).collect()).collect()
    }
}

/// The cell edges as positions on an axis; a single cell fills it.
fn edges(centres: &[f64], axis: &Axis) -> Vec<f64> {
    if centres.len() == 1 { vec![0.0, 1.0] } else { grid::edges(centres, axis) }
}

/// The note of a standalone map; a page writes it below the figure.
fn footer(map: &FieldMap, frame: &Frame, surface: Surface) -> Vec<String> {
    if surface.has_note() && !map.note.is_empty() {
        wrapped(&map.note, frame.font, frame.width - 4.0)
    } else {
        Vec::new()
    }
}

pub(super) fn footer_height(footer: &[String], font: f64) -> f64 {
    footer.len() as f64 * (font + 5.0)
}
