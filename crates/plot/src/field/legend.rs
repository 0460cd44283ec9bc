//! The legend of a map: the colour scale, and the meaning of lines, hatches and points.

use super::FieldMap;
use super::grid::Grid;
use super::strokes::{hatch, stroke, strokes};
use crate::Colour;
use crate::colour::HEAT_STEPS;
use crate::colour_bar::{BarRoom, ColourBar, HEIGHT as BAR};
use crate::hatch::STROKE;
use crate::svg::{Anchor, Label, Svg, muted, short};
use crate::symbol::symbol;
use crate::text::{fitted, text_width};

/// Width of a line or hatch sample.
const SWATCH: f64 = 24.0;
/// Gap between a sample and its label.
const GAP: f64 = 7.0;

/// Positions of the parts of a legend.
#[derive(Clone, Debug)]
pub(super) struct LegendLayout {
    bar: ColourBar,
    keys: Vec<Key>,
    /// Lower edge of the legend.
    pub(super) bottom: f64,
}

#[derive(Clone, Debug)]
struct Key {
    sample: Sample,
    text: String,
    at: (f64, f64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sample {
    Border,
    Level,
    Hatch,
    /// Points, identified by the index of their kind.
    Spots(usize),
}

/// Places the legend below `top`: caption and colour bar, then the other entries, in rows.
pub(super) fn layout(map: &FieldMap, grid: &Grid, (top, width, font): (f64, f64, f64)) -> LegendLayout {
    let bar = if width > 450.0 { 240.0 } else { 200.0 };
    let bar = ColourBar::place(&map.scale, BarRoom { top, width, font, bar, gap: 18.0, better: None });
    let mut bottom = bar.bottom(font) + 8.0;
    let mut keys = Vec::new();
    let mut at = (2.0, bottom + font);
    for (sample, words) in entries(map, grid) {
        let words = fitted(&words, font, width - SWATCH - GAP - 4.0);
        let wide = SWATCH + GAP + text_width(&words, font);
        if at.0 > 2.0 && at.0 + wide > width {
            at = (2.0, at.1 + font + 8.0);
        }
        bottom = at.1 + 8.0;
        keys.push(Key { sample, text: words, at });
        at.0 += wide + 22.0;
    }
    LegendLayout { bar, keys, bottom }
}

fn entries(map: &FieldMap, grid: &Grid) -> Vec<(Sample, String)> {
    let mut entries = Vec::new();
    if let Some(border) = &map.border {
        let above = grid.known().filter(|(_, _, value)| *value >= border.at).count();
        let extent = match above {
            0 => ": all values are below it",
            all if all == grid.known().count() => ": all values are at or above it",
            _ => "",
        };
        entries.push((Sample::Border, format!("{}{extent}", border.meaning)));
    }
    if !map.contours.is_empty() {
        entries.push((Sample::Level, "other contours, labelled".to_owned()));
    }
    if grid.known().count() < grid.cells() {
        let why = if map.missing.is_empty() { "no value".to_owned() } else { map.missing.clone() };
        entries.push((Sample::Hatch, why));
    }
    let named = map.spots.iter().enumerate().filter(|(_, kind)| !kind.name.is_empty());
    entries.extend(named.map(|(index, kind)| (Sample::Spots(index), kind.name.clone())));
    entries
}

pub(super) fn draw(svg: &mut Svg, map: &FieldMap, layout: &LegendLayout, font: f64) {
    svg.raw("<g class=\"legend\">");
    layout.bar.draw_caption(svg, font);
    bar(svg, map, &layout.bar, font);
    for key in &layout.keys {
        let (left, middle) = (key.at.0, key.at.1 - font * 0.36);
        sample(svg, map, key.sample, (left, middle));
        let at = (left + SWATCH + GAP, key.at.1);
        svg.label(&Label { colour: Colour::Ink, ..muted(&key.text, at, Anchor::Start, font) });
    }
    svg.raw("</g>");
}

fn sample(svg: &mut Svg, map: &FieldMap, sample: Sample, (left, middle): (f64, f64)) {
    let line = |y: f64| format!("M{} {}h{SWATCH}", short(left), short(y));
    match sample {
        Sample::Border => {
            let strokes = strokes(&[(left, middle - 3.0), (left + SWATCH, middle - 3.0)]);
            stroke(svg, &line(middle - 3.0), &strokes);
        }
        Sample::Level => svg.stroke(&line(middle), Colour::Ink, " stroke-width=\"1.1\""),
        Sample::Hatch => {
            svg.rectangle((left, middle - BAR / 2.0), (SWATCH, BAR), Colour::Shade, " class=\"missing\"");
            svg.stroke(&hatch([left, middle - BAR / 2.0, SWATCH, BAR]), Colour::Muted, STROKE);
        }
        Sample::Spots(kind) => {
            let at = (left + SWATCH / 2.0, middle);
            symbol(svg, map.spots[kind].symbol, at, radius(0.3), Colour::Ink);
        }
    }
}

/// The steps of the ramp at the positions of their values.
fn bar(svg: &mut Svg, map: &FieldMap, bar: &ColourBar, font: f64) {
    let ((left, top), width) = (bar.at, bar.width);
    // Finer than the steps of the ramp, whose two halves may differ in width.
    let pieces = 4 * HEAT_STEPS;
    let colours: Vec<Colour> =
        (0..pieces).map(|piece| map.colour(map.scale.at((piece as f64 + 0.5) / pieces as f64))).collect();
    let mut start = 0;
    for group in colours.chunk_by(|one, other| one == other) {
        let place = |piece: usize| left + width * piece as f64 / pieces as f64;
        let (from, to) = (place(start), place(start + group.len()));
        svg.rectangle((from, top), (to - from, BAR), group[0], " shape-rendering=\"crispEdges\"");
        start += group.len();
    }
    bar.draw_ticks(svg, &map.scale, font);
    let marked = map.border.as_ref().and_then(|border| bar.mark(&map.scale, border.at));
    if let Some(x) = marked {
        let line = format!("M{} {}v{}", short(x), short(top - 3.0), BAR + 6.0);
        svg.stroke(&line, Colour::Paper, " stroke-width=\"5.5\"");
        svg.stroke(&line, Colour::Ink, " stroke-width=\"2.6\"");
    }
}

/// Radius of a point; its area is proportional to its size.
pub(super) fn radius(size: f64) -> f64 {
    let size = if size.is_finite() { size.clamp(0.0, 1.0) } else { 0.0 };
    (16.0 + 52.0 * size).sqrt()
}
