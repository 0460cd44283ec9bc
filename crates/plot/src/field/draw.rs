//! Drawing a map.

use super::layout::{Layout, footer_height};
use super::legend::radius;
use super::{FieldMap, border, cells, legend, lines, sides};
use crate::frame::Frame;
use crate::render;
use crate::sheet::Sheet;
use crate::svg::{Anchor, Svg, escape, muted, short};
use crate::symbol::symbol;
use crate::{Colour, Figure, Plane, Size, Surface};

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
