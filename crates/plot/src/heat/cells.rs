//! Cells, the line between them, and the labels along their sides.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::description::position;
use super::layout::{Layout, SMALLEST};
use super::strokes::{contour_stroke, hatch};
use super::{HeatMap, Place};
use crate::svg::{Anchor, Label, Svg, Weight, escape, muted, short};
use crate::text::{fitted, fitted_strong, text_width};
use crate::{Colour, Surface};

/// Draws all panels and their labels.
pub(super) fn draw(svg: &mut Svg, map: &HeatMap, layout: &Layout) {
    svg.label(&muted(&map.y.label, (2.0, layout.caption_line), Anchor::Start, layout.font));
    if map.places().next().is_none() {
        let at = (layout.width / 2.0, layout.caption_line);
        return svg.label(&muted("no data", at, Anchor::Middle, layout.font));
    }
    svg.raw("<g class=\"cells\">");
    match svg.surface() {
        Surface::Page => {
            cells_by_colour(svg, map, layout);
            values_by_colour(svg, map, layout);
        }
        Surface::File(_) => map.places().enumerate().for_each(|place| cell(svg, map, layout, place)),
    }
    svg.raw("</g>");
    contour_stroke(svg, &contour(map, layout));
    for panel in 0..map.panels.len() {
        around(svg, map, layout, panel);
    }
    // Centred below the last row of panels, which may be shorter than the others.
    let last = layout.panels.len() - 1;
    let (left, right) = (layout.panels[last - last % layout.across].0, layout.panels[last].0);
    let right = right + map.x.names.len() as f64 * layout.cell.0;
    let at = ((left + right) / 2.0, layout.label_line);
    svg.label(&muted(&map.x.label, at, Anchor::Middle, layout.font));
}

/// The cells on a page: one path per colour, which takes less than half as many bytes as separate cells.
fn cells_by_colour(svg: &mut Svg, map: &HeatMap, layout: &Layout) {
    let (width, height) = drawn_size(layout);
    let mut paths: BTreeMap<usize, String> = BTreeMap::new();
    for place in map.places() {
        let (x, y) = layout.corner(map, place);
        match map.value(place) {
            Some(value) => {
                let path = paths.entry(map.step(value)).or_default();
                let [x, y, width, height] = [x, y, width, height].map(short);
                write!(path, "M{x} {y}h{width}v{height}h-{width}z").expect("writing to a string cannot fail");
            }
            None => {
                hatch(svg, (x, y), (width, height));
                reason(svg, map, place, ((x, y), (width, height)));
            }
        }
    }
    for (step, path) in paths {
        let (fill, more, _) = map.paint(step);
        svg.fill(&path, fill, &more);
    }
}

/// The values in the cells on a page, grouped by colour.
fn values_by_colour(svg: &mut Svg, map: &HeatMap, layout: &Layout) {
    let Some((type_size, texts)) = &layout.written else { return };
    let (width, height) = drawn_size(layout);
    let mut groups: BTreeMap<&str, String> = BTreeMap::new();
    for (place, text) in map.places().zip(texts) {
        let Some(value) = map.value(place) else { continue };
        let (x, y) = layout.corner(map, place);
        let [x, y] = [x + width / 2.0, y + height / 2.0 + type_size * 0.36].map(short);
        let colour = map.paint(map.step(value)).2.on(svg.surface());
        let group = groups.entry(colour).or_default();
        write!(group, "<text x=\"{x}\" y=\"{y}\">{}</text>", escape(text))
            .expect("writing to a string cannot fail");
    }
    for (colour, group) in groups {
        let size = short(*type_size);
        svg.raw(&format!("<g font-size=\"{size}\" text-anchor=\"middle\" fill=\"{colour}\">{group}</g>"));
    }
}

/// Width and height of a cell without the gap to the next. Small cells have no gap.
fn drawn_size(layout: &Layout) -> (f64, f64) {
    let gap = if layout.cell.0.min(layout.cell.1) > 9.0 { 1.0 } else { 0.0 };
    (layout.cell.0 - gap, layout.cell.1 - gap)
}

/// A cell in a file, with a title in place of the page's tooltip.
fn cell(svg: &mut Svg, map: &HeatMap, layout: &Layout, (index, place): (usize, Place)) {
    let (x, y) = layout.corner(map, place);
    let size = drawn_size(layout);
    let words = format!("{}: {}", position(map, place), map.value_text(place));
    svg.raw(&format!("<g><title>{}</title>", escape(&words)));
    match map.value(place).map(|value| map.step(value)) {
        Some(step) => {
            let (fill, more, colour) = map.paint(step);
            svg.rectangle((x, y), size, fill, &more);
            if let Some((type_size, texts)) = &layout.written {
                let at = (x + size.0 / 2.0, y + size.1 / 2.0 + type_size * 0.36);
                let label = muted(&texts[index], at, Anchor::Middle, *type_size);
                svg.label(&Label { colour, ..label });
            }
        }
        None => {
            hatch(svg, (x, y), size);
            reason(svg, map, place, ((x, y), size));
        }
    }
    svg.raw("</g>");
}

/// Writes why a cell has no value, if there is room.
fn reason(svg: &mut Svg, map: &HeatMap, place: Place, ((x, y), size): ((f64, f64), (f64, f64))) {
    let words = map.reason(place);
    let fits = |font: &f64| text_width(words, *font) + 6.0 <= size.0 && font + 4.0 <= size.1;
    let Some(font) = [SMALLEST + 1.0, SMALLEST].into_iter().find(fits) else { return };
    let at = (x + size.0 / 2.0, y + size.1 / 2.0 + font * 0.36);
    let label = muted(words, at, Anchor::Middle, font);
    svg.label(&Label { colour: Colour::Ink, weight: Weight::Outlined(Colour::Shade), ..label });
}

/// The edges between cells on different sides of the threshold. A cell without a value is on neither side.
fn contour(map: &HeatMap, layout: &Layout) -> String {
    let Some(threshold) = &map.threshold else { return String::new() };
    let above = |place: Place| map.value(place).map(|value| value >= threshold.at);
    let differ =
        |one: Place, other: Place| matches!((above(one), above(other)), (Some(a), Some(b)) if a != b);
    let (width, height) = layout.cell;
    let mut path = String::new();
    for place in map.places() {
        // The gap between cells is at their right and lower edges; the line runs in its middle.
        let (x, y) = layout.corner(map, place);
        let (x, y) = (x - 0.5, y - 0.5);
        if differ(place, Place { column: place.column + 1, ..place }) {
            let edge = [x + width, y, height].map(short);
            write!(path, "M{} {}v{}", edge[0], edge[1], edge[2]).expect("writing to a string cannot fail");
        }
        if differ(place, Place { row: place.row + 1, ..place }) {
            let edge = [x, y, width].map(short);
            write!(path, "M{} {}h{}", edge[0], edge[1], edge[2]).expect("writing to a string cannot fail");
        }
    }
    path
}

/// The title and the column names of a panel, and the row names if it is the first panel in its row.
fn around(svg: &mut Svg, map: &HeatMap, layout: &Layout, panel: usize) {
    let ((left, top), (width, height), font) = (layout.panels[panel], layout.cell, layout.font);
    let panel_width = map.x.names.len() as f64 * width;
    let title = fitted_strong(&map.panels[panel].title, font, panel_width.max(60.0));
    if !title.is_empty() {
        let label = muted(&title, (left, top - 7.0), Anchor::Start, font);
        svg.label(&Label { colour: Colour::Ink, weight: Weight::Strong, ..label });
    }
    if panel.is_multiple_of(layout.across) {
        for (row, name) in map.y.names.iter().enumerate() {
            let (_, y) = layout.corner(map, Place { panel, row, column: 0 });
            let name = fitted(name, font, layout.names + 0.1);
            let at = (left - 7.0, y + height / 2.0 + font * 0.34);
            svg.label(&muted(&name, at, Anchor::End, font));
        }
    }
    let bottom = top + map.y.names.len() as f64 * height;
    let columns = layout.columns;
    for (column, name) in map.x.names.iter().enumerate().step_by(columns.stride) {
        let row = (column % columns.rows) as f64 * (font + 3.0);
        let at = (left + (column as f64 + 0.5) * width, bottom + font + 4.0 + row);
        svg.label(&muted(name, at, Anchor::Middle, font));
    }
}
