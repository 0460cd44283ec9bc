//! Drawing a map.

use super::grid::{self, Grid};
use super::legend::LegendLayout;
use super::{FieldMap, border, cells, legend, lines, sides};
use crate::frame::Frame;
use crate::render;
use crate::sheet::Sheet;
use crate::svg::{Anchor, Svg, escape, muted, short};
use crate::symbol::symbol;
use crate::text::wrapped;
use crate::{Axis, Colour, Figure, Plane, Size, Surface};

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
    legend: LegendLayout,
    footer: Vec<String>,
}

impl Layout {
    fn new(map: &FieldMap, figure: &Figure, (size, surface): (Size, Surface)) -> Self {
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

pub(super) fn draw(map: &FieldMap, size: Size, surface: Surface) -> String {
    let mut figure = Figure::new(&map.name, &map.title, map.x.clone(), map.y.clone());
    (figure.room, figure.plane) = (map.room, Plane::Phase);
    let layout = Layout::new(map, &figure, (size, surface));
    let frame = &layout.frame;
    let mut svg = Svg::new(surface);
    let sheet = Sheet {
        title: &map.title,
        description: &map.alternative(),
        width: frame.width,
        height: frame.height + footer_height(&layout.footer, frame.font),
        font: frame.font,
        attributes: attributes(frame),
    };
    sheet.open(&mut svg, size);
    legend::draw(&mut svg, map, &layout.legend, frame.font);
    render::axes(&mut svg, &figure, frame);
    if layout.grid.is_empty() {
        let at = ((frame.left + frame.right) / 2.0, (frame.top + frame.bottom) / 2.0);
        svg.label(&muted("no data", at, Anchor::Middle, frame.font));
    } else {
        cells::draw(&mut svg, map, &layout);
        lines::draw(&mut svg, map, &layout);
        border::draw(&mut svg, map, &layout);
        let spots = places(map, &figure, frame);
        sides::draw(&mut svg, map, &layout, &spots);
        draw_spots(&mut svg, map, &figure, frame);
    }
    for (index, line) in layout.footer.iter().enumerate() {
        let at = (2.0, frame.height + (index as f64 + 0.6) * (frame.font + 5.0));
        svg.label(&muted(line, at, Anchor::Start, frame.font));
    }
    svg.raw("</svg>");
    svg.finish()
}

/// The note of a standalone map; a page writes it below the figure.
fn footer(map: &FieldMap, frame: &Frame, surface: Surface) -> Vec<String> {
    if surface.has_note() && !map.note.is_empty() {
        wrapped(&map.note, frame.font, frame.width - 4.0)
    } else {
        Vec::new()
    }
}

fn footer_height(footer: &[String], font: f64) -> f64 {
    footer.len() as f64 * (font + 5.0)
}

fn attributes(frame: &Frame) -> String {
    let field = [frame.left, frame.top, frame.right, frame.bottom].map(short).join(" ");
    format!(" data-field=\"{field}\"")
}

/// Positions of the points on a map.
fn places(map: &FieldMap, figure: &Figure, frame: &Frame) -> Vec<(f64, f64)> {
    let spots = map.spots.iter().flat_map(|kind| &kind.spots);
    spots.filter_map(|spot| Some((frame.x(figure, spot.at.0)?, frame.y(figure, spot.at.1)?))).collect()
}

/// Draws the points, the largest first, so that none is hidden. In a file each has a title.
fn draw_spots(svg: &mut Svg, map: &FieldMap, figure: &Figure, frame: &Frame) {
    let mut spots: Vec<_> =
        map.spots.iter().flat_map(|kind| kind.spots.iter().map(move |spot| (kind, spot))).collect();
    spots.sort_by(|one, other| other.1.size.total_cmp(&one.1.size));
    svg.raw("<g class=\"spots\">");
    for (kind, spot) in spots {
        let (Some(x), Some(y)) = (frame.x(figure, spot.at.0), frame.y(figure, spot.at.1)) else { continue };
        let is_file = svg.surface() != Surface::Page;
        if is_file {
            svg.raw(&format!("<g><title>{}: {}</title>", escape(&kind.name), escape(&spot.words)));
        }
        symbol(svg, kind.symbol, (x, y), radius(spot.size), Colour::Ink);
        if is_file {
            svg.raw("</g>");
        }
    }
    svg.raw("</g>");
}

/// Radius of a point; its area is proportional to its size.
pub(super) fn radius(size: f64) -> f64 {
    let size = if size.is_finite() { size.clamp(0.0, 1.0) } else { 0.0 };
    (16.0 + 52.0 * size).sqrt()
}
