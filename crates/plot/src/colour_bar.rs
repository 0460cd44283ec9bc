//! The colour bar in the legend of a map, with its caption before or above it and its values below.

use super::axis::Tick;
use super::svg::{Anchor, Label, Svg, muted};
use super::text::{fitted, text_width};
use super::{Axis, Colour, Scale};

/// The better end of a scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// Large values are better: small ones have the strong colours.
    Larger,
    /// Small values are better: large ones have the strong colours.
    Smaller,
    /// Neither end is better, as for the mean queue length: the map is grey.
    Neither,
}

/// Height of the bar.
pub(super) const HEIGHT: f64 = 12.0;

/// Positions of a bar, its caption and its ticks.
#[derive(Clone, Debug)]
pub(super) struct ColourBar {
    caption: (String, (f64, f64)),
    /// Left and upper edge.
    pub(super) at: (f64, f64),
    pub(super) width: f64,
    /// Baseline of the text next to the bar.
    pub(super) base: f64,
    ticks: Vec<Tick>,
    better: Option<Better>,
}

/// Labels at the better end of a bar, and their distance from it.
const TO_THE_LEFT: &str = "← better";
const TO_THE_RIGHT: &str = "better →";
const BESIDE: f64 = 8.0;

/// The space available for a bar.
#[derive(Clone, Copy, Debug)]
pub(super) struct BarRoom {
    /// The upper edge.
    pub(super) top: f64,
    /// The available width.
    pub(super) width: f64,
    /// Font size.
    pub(super) font: f64,
    /// Width of the bar, and its distance from the caption.
    pub(super) bar: f64,
    pub(super) gap: f64,
    /// The better end.
    pub(super) better: Option<Better>,
}

impl ColourBar {
    /// Places the bar of a scale next to its caption, or below it if there is no room for both.
    pub(super) fn place(scale: &Axis, room: BarRoom) -> Self {
        let BarRoom { top, width, font, bar, gap, better } = room;
        let words = text_width(TO_THE_LEFT, font - 1.0) + BESIDE;
        let (before, after) = match better {
            Some(Better::Smaller) => (words, 0.0),
            Some(Better::Larger) => (0.0, words),
            Some(Better::Neither) | None => (0.0, 0.0),
        };
        // The tick labels at the ends of the bar extend beyond it.
        let bar = bar.min(width - before - after - 28.0);
        let caption = fitted(&scale.caption(), font, width - 4.0);
        let mut base = top + font;
        let caption_at = (2.0, base);
        let mut x = 2.0 + text_width(&caption, font) + gap + before;
        if x + bar + f64::max(20.0, after + 4.0) > width {
            (x, base) = (f64::max(14.0, 2.0 + before), base + font + 8.0);
        }
        let at = (x, base - font * 0.36 - HEIGHT / 2.0);
        let ticks = ticks(scale, bar, font - 1.0);
        Self { caption: (caption, caption_at), at, width: bar, base, ticks, better }
    }

    /// The right edge of the bar, including the label next to it.
    pub(super) fn right(&self, font: f64) -> f64 {
        let words = if self.better == Some(Better::Larger) {
            BESIDE + text_width(TO_THE_RIGHT, font - 1.0)
        } else {
            0.0
        };
        self.at.0 + self.width + words
    }

    /// The lower edge of the bar's ticks.
    pub(super) fn bottom(&self, font: f64) -> f64 {
        self.at.1 + HEIGHT + font
    }

    /// Position of a value on the bar; `None` near its ends.
    pub(super) fn mark(&self, scale: &Axis, value: f64) -> Option<f64> {
        let position = scale.position(value).filter(|position| (0.01..0.99).contains(position))?;
        Some(self.at.0 + position * self.width)
    }

    /// Writes the caption.
    pub(super) fn draw_caption(&self, svg: &mut Svg, font: f64) {
        let (caption, at) = &self.caption;
        svg.label(&Label { colour: Colour::Ink, ..muted(caption, *at, Anchor::Start, font) });
        let (left, right) = (self.at.0 - BESIDE, self.at.0 + self.width + BESIDE);
        match self.better {
            Some(Better::Smaller) => {
                svg.label(&muted(TO_THE_LEFT, (left, self.base), Anchor::End, font - 1.0));
            }
            Some(Better::Larger) => {
                svg.label(&muted(TO_THE_RIGHT, (right, self.base), Anchor::Start, font - 1.0));
            }
            Some(Better::Neither) | None => {}
        }
    }

    /// Draws the ticks below the bar.
    pub(super) fn draw_ticks(&self, svg: &mut Svg, scale: &Axis, font: f64) {
        let top = self.at.1;
        for tick in &self.ticks {
            let Some(position) = scale.position(tick.at) else { continue };
            let x = self.at.0 + position * self.width;
            svg.line((x, top + HEIGHT), (x, top + HEIGHT + 3.0), Colour::Muted, " stroke-width=\"1\"");
            svg.label(&muted(&tick.text, (x, top + HEIGHT + font + 2.0), Anchor::Middle, font - 1.0));
        }
    }
}

/// As many ticks as fit side by side below the bar.
fn ticks(scale: &Axis, width: f64, font: f64) -> Vec<Tick> {
    let place = |tick: &Tick| scale.position(tick.at).unwrap_or(0.0) * width;
    let fits = |ticks: &[Tick]| {
        ticks.windows(2).all(|pair| {
            let half = (text_width(&pair[0].text, font) + text_width(&pair[1].text, font)) / 2.0;
            half + 8.0 <= place(&pair[1]) - place(&pair[0])
        })
    };
    let candidates = (2..=5).rev().map(|wanted| scale.ticks(wanted));
    // For a short logarithmic scale, which has ticks at 1, 2 and 5 times every power of ten.
    let is_power = |tick: &Tick| (tick.at.log10() - tick.at.log10().round()).abs() < 1e-6;
    let powers = || scale.ticks(5).into_iter().filter(is_power).collect::<Vec<Tick>>();
    let ends = || {
        let ticks = scale.ticks(5);
        [ticks.first(), ticks.last()].into_iter().flatten().cloned().collect::<Vec<Tick>>()
    };
    let logarithmic = (scale.scale == Scale::Logarithmic).then(powers).filter(|powers| powers.len() > 1);
    candidates.chain(logarithmic).find(|ticks| fits(ticks)).unwrap_or_else(ends)
}
