//! The legend of a heat map: the scale of colours with its unit, and what lines and hatches mean.

use super::cells::{contour_stroke, hatch};
use super::{HeatMap, text};
use crate::plot::axis::Tick;
use crate::plot::colour::HEAT_STEPS;
use crate::plot::svg::{Anchor, Label, Svg};
use crate::plot::text::{fitted, text_width};
use crate::plot::{Axis, Colour, Scale};

/// Height of the bar of colours, and of the samples of the other entries.
const BAR: f64 = 12.0;
/// Width of the sample of a line or hatch.
const SWATCH: f64 = 20.0;
/// Room between a sample and what it means.
const GAP: f64 = 7.0;

/// Where the parts of a legend stand.
#[derive(Clone, Debug)]
pub(super) struct LegendLayout {
    caption: (String, (f64, f64)),
    bar: (f64, f64),
    bar_width: f64,
    ticks: Vec<Tick>,
    keys: Vec<Key>,
    /// Below this the legend is done.
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
}

/// Places the legend below `top`: caption, bar and other entries in a row as far as there is room.
pub(super) fn layout(map: &HeatMap, top: f64, width: f64, font: f64) -> LegendLayout {
    let caption = fitted(&map.scale.caption(), font, width - 4.0);
    let mut base = top + font;
    let caption_at = (2.0, base);
    let bar_width: f64 = if width > 450.0 { 200.0 } else { 170.0 };
    let mut x = 2.0 + text_width(&caption, font) + 16.0;
    // The texts at the ends of the bar reach beyond it.
    if x + bar_width + 20.0 > width {
        (x, base) = (14.0, base + font + 8.0);
    }
    let bar = (x, base - font * 0.36 - BAR / 2.0);
    let mut bottom = bar.1 + BAR + font + 6.0;
    let mut keys = Vec::new();
    let mut at = (x + bar_width + 34.0, base);
    for (sample, words) in entries(map) {
        let words = fitted(&words, font, width - SWATCH - GAP - 4.0);
        let wide = SWATCH + GAP + text_width(&words, font);
        if at.0 + wide > width {
            at = (2.0, bottom + font);
            bottom += font + 8.0;
        }
        keys.push(Key { sample, text: words, at });
        at.0 += wide + 24.0;
    }
    let ticks = ticks(&map.scale, bar_width, font - 1.0);
    LegendLayout { caption: (caption, caption_at), bar, bar_width, ticks, keys, bottom }
}

/// As many ticks as can be written side by side below the bar.
pub(in crate::plot) fn ticks(scale: &Axis, width: f64, font: f64) -> Vec<Tick> {
    let place = |tick: &Tick| scale.position(tick.at).unwrap_or(0.0) * width;
    let fits = |ticks: &[Tick]| {
        ticks.windows(2).all(|pair| {
            let half = (text_width(&pair[0].text, font) + text_width(&pair[1].text, font)) / 2.0;
            half + 8.0 <= place(&pair[1]) - place(&pair[0])
        })
    };
    let candidates = (2..=5).rev().map(|wanted| scale.ticks(wanted));
    // Of a short logarithmic scale, which has ticks at 1, 2 and 5 times every power of ten.
    let is_power = |tick: &Tick| (tick.at.log10() - tick.at.log10().round()).abs() < 1e-6;
    let powers = || scale.ticks(5).into_iter().filter(is_power).collect::<Vec<Tick>>();
    let ends = || {
        let ticks = scale.ticks(5);
        [ticks.first(), ticks.last()].into_iter().flatten().cloned().collect::<Vec<Tick>>()
    };
    let logarithmic = (scale.scale == Scale::Logarithmic).then(powers).filter(|powers| powers.len() > 1);
    candidates.chain(logarithmic).find(|ticks| fits(ticks)).unwrap_or_else(ends)
}

fn entries(map: &HeatMap) -> Vec<(Sample, String)> {
    let known: Vec<f64> = map.places().filter_map(|place| map.value(place)).collect();
    let mut entries = Vec::new();
    if let Some(threshold) = &map.threshold {
        let above = known.iter().filter(|value| **value >= threshold.at).count();
        let extent = match above {
            0 => ": in no cell",
            all if all == known.len() => ": in every cell",
            _ => "",
        };
        entries.push((Sample::Contour, format!("{}{extent}", threshold.meaning)));
    }
    if known.len() < map.places().count() {
        entries.push((Sample::Hatch, "no value".to_owned()));
    }
    entries
}

/// Draws the legend.
pub(super) fn draw(svg: &mut Svg, map: &HeatMap, layout: &LegendLayout, font: f64) {
    svg.raw("<g class=\"legend\">");
    let (caption, at) = &layout.caption;
    svg.label(&Label { colour: Colour::Ink, ..text(caption, *at, Anchor::Start, font) });
    bar(svg, map, layout, font);
    for Key { sample, text: words, at } in &layout.keys {
        let middle = at.1 - font * 0.36;
        match sample {
            Sample::Contour => {
                contour_stroke(svg, &format!("M{} {middle}h{SWATCH}", at.0));
            }
            Sample::Hatch => hatch(svg, (at.0, middle - BAR / 2.0), (SWATCH, BAR)),
        }
        let at = (at.0 + SWATCH + GAP, at.1);
        svg.label(&Label { colour: Colour::Ink, ..text(words, at, Anchor::Start, font) });
    }
    svg.raw("</g>");
}

fn bar(svg: &mut Svg, map: &HeatMap, layout: &LegendLayout, font: f64) {
    let ((left, top), width) = (layout.bar, layout.bar_width);
    let step_width = width / HEAT_STEPS as f64;
    for step in 0..HEAT_STEPS {
        // A hair of overlap, so that no paper shows between the steps.
        let overlap = if step + 1 < HEAT_STEPS { 0.5 } else { 0.0 };
        let at = (left + step as f64 * step_width, top);
        svg.rectangle(at, (step_width + overlap, BAR), Colour::Heat(step), "");
    }
    for tick in &layout.ticks {
        let Some(position) = map.scale.position(tick.at) else { continue };
        let x = left + position * width;
        svg.line((x, top + BAR), (x, top + BAR + 3.0), Colour::Muted, " stroke-width=\"1\"");
        svg.label(&text(&tick.text, (x, top + BAR + font + 2.0), Anchor::Middle, font - 1.0));
    }
    let marked = map.threshold.as_ref().and_then(|threshold| map.scale.position(threshold.at));
    if let Some(position) = marked.filter(|position| (0.01..0.99).contains(position)) {
        contour_stroke(svg, &format!("M{:.1} {:.1}v{}", left + position * width, top - 2.0, BAR + 4.0));
    }
}
