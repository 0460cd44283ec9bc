//! The legend of a heat map: the colour scale with its unit, and the meaning of lines and hatches.

use super::HeatMap;
use super::description::in_all_or_none;
use super::strokes::{contour_stroke, hatch};
use crate::Colour;
use crate::colour::HEAT_STEPS;
use crate::colour_bar::{BarRoom, ColourBar, HEIGHT as BAR};
use crate::svg::{Anchor, Label, Svg, muted};
use crate::text::{fitted, text_width};

/// Width of a line or hatch sample.
const SWATCH: f64 = 20.0;
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
    Contour,
    Hatch,
    /// The `>` sign of lower bounds.
    Bound,
    /// No sample, only text.
    Nothing,
}

impl Sample {
    /// Its width, including the gap after it.
    fn width(self) -> f64 {
        match self {
            Self::Contour | Self::Hatch => SWATCH + GAP,
            Self::Bound => 12.0,
            Self::Nothing => 0.0,
        }
    }
}

/// Places the legend below `top`: caption, colour bar and other entries, in rows.
pub(super) fn layout(map: &HeatMap, top: f64, width: f64, font: f64) -> LegendLayout {
    let bar = if width > 450.0 { 200.0 } else { 170.0 };
    let bar = ColourBar::place(&map.scale, BarRoom { top, width, font, bar, gap: 16.0, better: map.better });
    let mut bottom = bar.bottom(font) + 6.0;
    let mut keys = Vec::new();
    let mut at = (bar.right(font) + 34.0, bar.base);
    for (sample, words) in entries(map) {
        let words = fitted(&words, font, width - sample.width() - 4.0);
        let wide = sample.width() + text_width(&words, font);
        if at.0 + wide > width {
            at = (2.0, bottom + font);
            bottom += font + 8.0;
        }
        keys.push(Key { sample, text: words, at });
        at.0 += wide + 24.0;
    }
    LegendLayout { bar, keys, bottom }
}

fn entries(map: &HeatMap) -> Vec<(Sample, String)> {
    let known: Vec<f64> = map.places().filter_map(|place| map.value(place)).collect();
    let mut entries = Vec::new();
    if let Some(threshold) = &map.threshold {
        let above = known.iter().filter(|value| **value >= threshold.at).count();
        entries.push(match map.is_divided() {
            true => (Sample::Contour, threshold.meaning.clone()),
            false => (Sample::Nothing, in_all_or_none(threshold, above)),
        });
    }
    if map.places().any(|place| map.value(place).is_some() && map.lower_bounds.contains(&place)) {
        entries.push((Sample::Bound, "lower bound".to_owned()));
    }
    if known.len() < map.places().count() {
        entries.push((Sample::Hatch, map.missing.clone()));
    }
    entries
}

pub(super) fn draw(svg: &mut Svg, map: &HeatMap, layout: &LegendLayout, font: f64) {
    svg.raw("<g class=\"legend\">");
    layout.bar.draw_caption(svg, font);
    bar(svg, map, &layout.bar, font);
    for Key { sample, text: words, at } in &layout.keys {
        let middle = at.1 - font * 0.36;
        match sample {
            Sample::Contour => {
                contour_stroke(svg, &format!("M{} {middle}h{SWATCH}", at.0));
            }
            Sample::Hatch => hatch(svg, (at.0, middle - BAR / 2.0), (SWATCH, BAR)),
            Sample::Bound => {
                svg.label(&Label { colour: Colour::Ink, ..muted(">", *at, Anchor::Start, font) });
            }
            Sample::Nothing => {}
        }
        let at = (at.0 + sample.width(), at.1);
        svg.label(&Label { colour: Colour::Ink, ..muted(words, at, Anchor::Start, font) });
    }
    svg.raw("</g>");
}

fn bar(svg: &mut Svg, map: &HeatMap, bar: &ColourBar, font: f64) {
    let (left, top) = bar.at;
    let step_width = bar.width / HEAT_STEPS as f64;
    for step in 0..HEAT_STEPS {
        // A slight overlap hides the background between the steps.
        let overlap = if step + 1 < HEAT_STEPS { 0.5 } else { 0.0 };
        let at = (left + step as f64 * step_width, top);
        let (fill, more, _) = map.paint(map.strength(step));
        // Translucent steps must not overlap.
        let overlap = if more.is_empty() { overlap } else { 0.0 };
        svg.rectangle(at, (step_width + overlap, BAR), fill, &more);
    }
    bar.draw_ticks(svg, &map.scale, font);
    let threshold = map.threshold.as_ref().filter(|_| map.is_divided());
    let marked = threshold.and_then(|threshold| bar.mark(&map.scale, threshold.at));
    if let Some(x) = marked {
        contour_stroke(svg, &format!("M{x:.1} {:.1}v{}", top - 2.0, BAR + 4.0));
    }
}
