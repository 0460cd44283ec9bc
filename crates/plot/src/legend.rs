//! Drawing the legend.

use super::legend_layout::{Entry, GAP, LegendLayout, SWATCH, Sample};
use super::svg::{Anchor, Label, Svg, Weight, short};
use super::{Colour, Figure, Line, Mark, Shape, Surface, Symbol, dashes, handles, marks, path, symbol};

pub(super) fn draw(svg: &mut Svg, figure: &Figure, layout: &LegendLayout, font: f64) {
    let switches = handles::switches(figure);
    let is_switched = svg.surface() == Surface::Page && switches.iter().any(Option::is_some);
    svg.raw(if is_switched { "<g class=\"legend\">" } else { "" });
    for entry in &layout.entries {
        let series = match entry.sample {
            Sample::Mark(mark) => switches[mark],
            Sample::Key(_) | Sample::Start | Sample::End => None,
        };
        handles::of_series(svg, series, |svg| draw_entry(svg, figure, entry, font));
    }
    svg.raw(if is_switched { "</g>" } else { "" });
}

fn draw_entry(svg: &mut Svg, figure: &Figure, Entry { sample, text, at }: &Entry, font: f64) {
    let (left, middle) = (at.0, at.1 - font * 0.36);
    match sample {
        Sample::Mark(mark) => swatch(svg, &figure.marks[*mark], (left, middle)),
        Sample::Key(key) => swatch(svg, &figure.keys[*key], (left, middle)),
        Sample::Start => path::start(svg, (left + SWATCH / 2.0, middle), Colour::Ink),
        Sample::End => path::end(svg, (left + SWATCH / 2.0, middle), Colour::Ink),
    }
    let at = (at.0 + SWATCH + GAP, at.1);
    let (anchor, weight) = (Anchor::Start, Weight::Regular);
    svg.label(&Label { text, at, anchor, size: font, colour: Colour::Ink, weight });
}

fn swatch(svg: &mut Svg, mark: &Mark, (x, y): (f64, f64)) {
    match mark {
        Mark::Line(line) if line.shape == Shape::Dashed => {
            svg.line((x, y), (x + SWATCH, y), line.colour, " stroke-width=\"2\" stroke-dasharray=\"5 3\"");
        }
        Mark::Path(line) => path::sample(svg, line, (x, y), SWATCH),
        Mark::Points(points) => {
            // An arrow rises from its point, so it begins at the foot of the row.
            let foot = if points.symbol == Symbol::Rising { 9.0 } else { 0.0 };
            let radius = if points.symbol == Symbol::Rising { 4.0 } else { 5.0 };
            symbol::symbol(svg, points.symbol, (x + SWATCH / 2.0, y + foot), radius, points.colour);
        }
        Mark::Line(line) if svg.surface().is_grey() && line.shape != Shape::Area => grey(svg, line, (x, y)),
        Mark::Line(line) if line.shape == Shape::Strong => {
            svg.line((x, y), (x + SWATCH, y), line.colour, " stroke-width=\"4\" stroke-linecap=\"round\"");
        }
        Mark::Line(line) if line.shape == Shape::Faint => {
            svg.line((x, y), (x + SWATCH, y), line.colour, " stroke-width=\"1.4\" stroke-opacity=\"0.7\"");
        }
        Mark::Line(line) if line.shape != Shape::Area => {
            svg.line((x, y), (x + SWATCH, y), line.colour, " stroke-width=\"2.5\" stroke-linecap=\"round\"");
        }
        Mark::Line(line) => {
            svg.rectangle((x, y - 5.0), (SWATCH, 10.0), line.colour, " rx=\"2\" fill-opacity=\"0.6\"");
        }
        Mark::Band(band) => {
            let more = format!(" rx=\"2\" fill-opacity=\"{:.2}\"", band.opacity);
            svg.rectangle((x, y - 5.0), (SWATCH, 10.0), band.colour, &more);
        }
        Mark::Whiskers(whiskers) => {
            let path = format!("M{} {}v12m-4 0h8m0 -12h-8", short(x + 9.0), short(y - 6.0));
            svg.stroke(&path, whiskers.colour, " stroke-width=\"1.4\"");
        }
        Mark::Bars(bars) => {
            let (colour, edge) = dashes::bar(bars.colour, svg.surface());
            svg.rectangle((x + 4.0, y - 5.0), (10.0, 10.0), colour, &format!(" rx=\"2\"{edge}"));
        }
    }
}

/// The sample of a line in greyscale, drawn like the line itself: only the dashes distinguish lines from each other.
fn grey(svg: &mut Svg, line: &Line, (x, y): (f64, f64)) {
    let width = match line.shape {
        Shape::Strong => 2.8,
        Shape::Faint => 1.1,
        _ => 1.6,
    };
    let more = format!(" stroke-width=\"{width}\"{}", dashes::dashes(line.colour, svg.surface()));
    svg.line((x, y), (x + SWATCH, y), line.colour, &more);
    if line.shape == Shape::Dotted {
        marks::dot(svg, (x + SWATCH / 2.0, y), line.colour);
    }
}
