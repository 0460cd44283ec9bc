//! The legend: next to the caption of the vertical axis if it fits in one row, otherwise in rows above it.

use super::svg::{Anchor, Label, Svg, Weight, short};
use super::text::{fitted, text_width};
use super::{Colour, Ends, Figure, Line, Mark, Shape, Surface, Symbol, dashes, handles, marks, path, symbol};

/// Width of a line or colour sample.
const SWATCH: f64 = 18.0;
/// Gap between a sample and its name; the gap between entries is twice as wide.
const GAP: f64 = 7.0;

/// Positions of the entries of a legend.
#[derive(Clone, Debug)]
pub(super) struct LegendLayout {
    entries: Vec<Entry>,
    /// Lower edge of the caption and the legend.
    pub(super) bottom: f64,
}

#[derive(Clone, Debug)]
struct Entry {
    sample: Sample,
    text: String,
    at: (f64, f64),
}

/// The subject of a legend entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sample {
    /// A mark, identified by its index in the figure.
    Mark(usize),
    /// A further entry, identified by its index in the figure.
    Key(usize),
    /// The ring at the start of a path.
    Start,
    /// The dot at its end.
    End,
}

/// Whether two marks share an entry because they are pieces of one curve.
pub(super) fn share_entry(one: &Mark, other: &Mark) -> bool {
    matches!((one, other), (Mark::Path(one), Mark::Path(other)) if (&one.name, one.colour, one.stroke) == (&other.name, other.colour, other.stroke))
}

/// Whether a figure has a legend: a single entry does not need one.
pub(super) fn is_shown(figure: &Figure) -> bool {
    samples(figure).len() >= 2
}

/// The entries of the legend: named marks, further keys, and the symbols at the ends of paths.
fn samples(figure: &Figure) -> Vec<(Sample, &str)> {
    let first = |index: &usize| {
        let mark = &figure.marks[*index];
        !mark.name().is_empty() && !figure.marks[..*index].iter().any(|earlier| share_entry(earlier, mark))
    };
    let named = (0..figure.marks.len()).filter(first);
    let mut samples: Vec<(Sample, &str)> =
        named.map(|index| (Sample::Mark(index), figure.marks[index].name())).collect();
    samples.extend(figure.keys.iter().enumerate().map(|(index, key)| (Sample::Key(index), key.name())));
    let marked = |mark: &Mark| matches!(mark, Mark::Path(path) if path.ends == Ends::Marked);
    if figure.marks.iter().any(marked) {
        samples.extend([(Sample::Start, "start"), (Sample::End, "end")]);
    }
    samples
}

/// Places the legend below `top`; `caption` is the width of the caption that shares the first row.
pub(super) fn layout(figure: &Figure, top: f64, right: f64, caption: f64, font: f64) -> LegendLayout {
    let row = font + 9.0;
    let named = samples(figure);
    if !is_shown(figure) {
        return LegendLayout { entries: Vec::new(), bottom: top + row + 2.0 };
    }
    let texts: Vec<String> = named.iter().map(|(_, name)| fitted(name, font, right - SWATCH - GAP)).collect();
    let widths: Vec<f64> =
        texts.iter().map(|text| SWATCH + GAP + text_width(text, font) + 2.0 * GAP).collect();
    let total: f64 = widths.iter().sum();
    let beside = total <= right - caption - 3.0 * GAP;
    let (mut x, mut y) = (if beside { right - total + 2.0 * GAP } else { 2.0 }, top + font);
    let mut entries = Vec::new();
    for (((sample, _), text), width) in named.into_iter().zip(texts).zip(widths) {
        if !beside && x > 2.0 && x + width - 2.0 * GAP > right {
            (x, y) = (2.0, y + row);
        }
        entries.push(Entry { sample, text, at: (x, y) });
        x += width;
    }
    let rows_end = y - font + row;
    LegendLayout { entries, bottom: if beside { rows_end + 2.0 } else { rows_end + row + 2.0 } }
}

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

/// The sample of a line in greyscale: as it is drawn, since its dashes are what distinguishes it.
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
