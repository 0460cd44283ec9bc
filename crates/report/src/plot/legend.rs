//! The legend: beside the vertical axis's caption where it fits in one row, else in rows above.

use super::svg::{Anchor, Label, Svg, Weight, short};
use super::text::{fitted, text_width};
use super::{Colour, Figure, Mark, Shape};

/// Width of the sample of a line or colour.
const SWATCH: f64 = 18.0;
/// Room between a sample and its name, and half of that between entries.
const GAP: f64 = 7.0;

/// Where the entries of a legend stand.
#[derive(Clone, Debug)]
pub(super) struct LegendLayout {
    entries: Vec<Entry>,
    /// Below this the caption and the legend are done.
    pub(super) bottom: f64,
}

#[derive(Clone, Debug)]
struct Entry {
    mark: usize,
    text: String,
    at: (f64, f64),
}

/// Places the legend below `top`; `caption` is the width of the text that the first row shares.
pub(super) fn layout(figure: &Figure, top: f64, right: f64, caption: f64, font: f64) -> LegendLayout {
    let row = font + 9.0;
    let named: Vec<usize> =
        (0..figure.marks.len()).filter(|&mark| !figure.marks[mark].name().is_empty()).collect();
    if named.len() < 2 {
        return LegendLayout { entries: Vec::new(), bottom: top + row + 2.0 };
    }
    let texts: Vec<String> =
        named.iter().map(|&mark| fitted(figure.marks[mark].name(), font, right - SWATCH - GAP)).collect();
    let widths: Vec<f64> =
        texts.iter().map(|text| SWATCH + GAP + text_width(text, font) + 2.0 * GAP).collect();
    let total: f64 = widths.iter().sum();
    let beside = total <= right - caption - 3.0 * GAP;
    let (mut x, mut y) = (if beside { right - total + 2.0 * GAP } else { 2.0 }, top + font);
    let mut entries = Vec::new();
    for ((mark, text), width) in named.into_iter().zip(texts).zip(widths) {
        if !beside && x > 2.0 && x + width - 2.0 * GAP > right {
            (x, y) = (2.0, y + row);
        }
        entries.push(Entry { mark, text, at: (x, y) });
        x += width;
    }
    let rows_end = y - font + row;
    LegendLayout { entries, bottom: if beside { rows_end + 2.0 } else { rows_end + row + 2.0 } }
}

/// Draws the entries.
pub(super) fn draw(svg: &mut Svg, figure: &Figure, layout: &LegendLayout, font: f64) {
    for Entry { mark, text, at } in &layout.entries {
        swatch(svg, &figure.marks[*mark], (at.0, at.1 - font * 0.36));
        let at = (at.0 + SWATCH + GAP, at.1);
        svg.label(&Label {
            text,
            at,
            anchor: Anchor::Start,
            size: font,
            colour: Colour::Ink,
            weight: Weight::Regular,
        });
    }
}

fn swatch(svg: &mut Svg, mark: &Mark, (x, y): (f64, f64)) {
    match mark {
        Mark::Line(line) if line.shape == Shape::Dashed => {
            svg.line((x, y), (x + SWATCH, y), line.colour, " stroke-width=\"2\" stroke-dasharray=\"5 3\"");
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
        Mark::Bars(bars) => svg.rectangle((x + 4.0, y - 5.0), (10.0, 10.0), bars.colour, " rx=\"2\""),
    }
}
