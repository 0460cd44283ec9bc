//! The colours of drawings, named by meaning: variables of the page's style sheet, or fixed colours on white.

use super::{Ink, Size, Style, Words};

/// Number of steps in the ramp of [`Colour::Heat`]: enough to look continuous, few enough to
/// distinguish in a legend.
pub const HEAT_STEPS: usize = 16;

/// Where a drawing is shown, which determines how colours are written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Surface {
    /// On a page whose style sheet defines a variable for each colour, in a light and a dark theme.
    Page,
    /// A standalone file, on a white background.
    File(Style),
}

impl Surface {
    /// The style of a standalone file.
    pub fn style(self) -> Option<Style> {
        match self {
            Self::Page => None,
            Self::File(style) => Some(style),
        }
    }

    /// Whether the drawing includes its title, which a page writes above it.
    pub fn has_title(self) -> bool {
        self.style().is_some_and(|style| style.title == Words::Shown)
    }

    /// Whether the drawing includes its note, which a page writes below it.
    pub fn has_note(self) -> bool {
        self.style().is_some_and(|style| style.note == Words::Shown)
    }

    /// Whether series must differ in more than their colours.
    pub fn is_grey(self) -> bool {
        self.style().is_some_and(|style| style.ink == Ink::Grey)
    }

    /// The size for which a figure is laid out. For a file with a given width, it depends on that width.
    pub fn layout(self, size: Size) -> Size {
        match self.style() {
            Some(style) if style.is_sized() && style.is_narrow() => Size::Narrow,
            Some(style) if style.is_sized() => Size::Wide,
            Some(_) | None => size,
        }
    }

    /// Height of the space for the title above a figure.
    pub(crate) fn header(self) -> f64 {
        if self.has_title() { 34.0 } else { 4.0 }
    }
}

/// The colours of a drawing, named by meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// A series. Six colours from Okabe and Ito, which colour-blind readers can distinguish; further series repeat
    /// them.
    Series(usize),
    /// The bar of a series: its colour, or in greyscale a shade that differs from those of adjacent bars.
    Bar(usize),
    /// Text.
    Ink,
    /// Secondary text.
    Muted,
    /// Grid lines.
    Grid,
    /// Event lines and their labels.
    Event,
    /// Conditions that must be noticed: pauses, losses.
    Alarm,
    /// The background.
    Paper,
    /// The body of a node, and the unmeasured part of a plot.
    Shade,
    /// Utilisation in five steps, from idle (0) to full (4).
    Load(usize),
    /// Distance from the root of a congestion tree in four steps, starting at the nearest (0).
    Depth(usize),
    /// A value in [`HEAT_STEPS`] steps, from small (0), which is closest to the background colour, to large.
    ///
    /// The ramp follows ColorBrewer's YlGnBu through CIELAB in equal steps of lightness, so that it keeps its order
    /// for colour-blind readers and in greyscale. On dark pages it is reversed.
    Heat(usize),
    /// A value relative to a midpoint, in [`HEAT_STEPS`] steps: the first half below it, the second half above. The
    /// steps next to the midpoint are closest to the background colour.
    ///
    /// Orange and blue, which colour-blind readers can distinguish. In greyscale both ends look alike, so the
    /// midpoint must be drawn as a line.
    Against(usize),
    /// Text on [`Colour::Heat`]: its contrast with every step it appears on is at least 4.5.
    OnHeat(usize),
}

/// Numbered variables of the style sheet.
macro_rules! variables {
    ($name:literal: $($number:literal)*) => { [$(concat!("var(--", $name, $number, ")")),*] };
}

impl Colour {
    /// The colour as an attribute value.
    pub fn on(self, surface: Surface) -> &'static str {
        const PAGE: [&str; 6] = variables!("s": 0 1 2 3 4 5);
        const FILE: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b97f00", "#3a9bd1"];
        const PAGE_LOAD: [&str; 5] = variables!("u": 0 1 2 3 4);
        const FILE_LOAD: [&str; 5] = ["#c9d3dd", "#93b7d6", "#4f93c5", "#1f6ba5", "#0a4275"];
        const PAGE_DEPTH: [&str; 4] = variables!("d": 0 1 2 3);
        const FILE_DEPTH: [&str; 4] = ["#a50f15", "#e6550d", "#f0a01e", "#c7b23c"];
        if surface.is_grey() {
            return self.grey();
        }
        match (self, surface) {
            (Self::Heat(step), Surface::Page) => PAGE_HEAT[step.min(HEAT_STEPS - 1)],
            (Self::Heat(step), Surface::File(_)) => FILE_HEAT[step.min(HEAT_STEPS - 1)],
            (Self::Against(step), Surface::Page) => PAGE_AGAINST[step.min(HEAT_STEPS - 1)],
            (Self::Against(step), Surface::File(_)) => FILE_AGAINST[step.min(HEAT_STEPS - 1)],
            (Self::OnHeat(..=6), Surface::Page) => "var(--t0)",
            (Self::OnHeat(7..=8), Surface::Page) => "var(--t1)",
            (Self::OnHeat(_), Surface::Page) => "var(--t2)",
            (Self::OnHeat(..=8), Surface::File(_)) => "#10161c",
            (Self::Series(index) | Self::Bar(index), Surface::Page) => PAGE[index % 6],
            (Self::Series(index) | Self::Bar(index), Surface::File(_)) => FILE[index % 6],
            (Self::Load(step), Surface::Page) => PAGE_LOAD[step.min(4)],
            (Self::Load(step), Surface::File(_)) => FILE_LOAD[step.min(4)],
            (Self::Depth(step), Surface::Page) => PAGE_DEPTH[step.min(3)],
            (Self::Depth(step), Surface::File(_)) => FILE_DEPTH[step.min(3)],
            (Self::Ink, Surface::Page) => "var(--ink)",
            (Self::Ink, Surface::File(_)) => "#1b2530",
            (Self::Muted, Surface::Page) => "var(--muted)",
            (Self::Muted, Surface::File(_)) => "#5a6775",
            (Self::Grid, Surface::Page) => "var(--grid)",
            (Self::Grid, Surface::File(_)) => "#e3e8ed",
            (Self::Event, Surface::Page) => "var(--event)",
            (Self::Event, Surface::File(_)) => "#6b7785",
            (Self::Alarm, Surface::Page) => "var(--alarm)",
            (Self::Alarm, Surface::File(_)) => "#c0392b",
            (Self::Paper, Surface::Page) => "var(--paper)",
            (Self::Paper | Self::OnHeat(_), Surface::File(_)) => "#ffffff",
            (Self::Shade, Surface::Page) => "var(--shade)",
            (Self::Shade, Surface::File(_)) => "#f1f4f7",
        }
    }

    /// The shade of grey in greyscale. Lines are dark enough to be seen; bars, which have an edge, may be light.
    fn grey(self) -> &'static str {
        const SERIES: [&str; 6] = ["#000000", "#737373", "#404040", "#8c8c8c", "#262626", "#595959"];
        const BAR: [&str; 6] = ["#404040", "#bfbfbf", "#808080", "#e6e6e6", "#000000", "#a0a0a0"];
        const LOAD: [&str; 5] = ["#d4d4d4", "#ababab", "#808080", "#505050", "#1a1a1a"];
        const DEPTH: [&str; 4] = ["#000000", "#505050", "#808080", "#ababab"];
        match self {
            Self::Series(index) => SERIES[index % 6],
            Self::Bar(index) => BAR[index % 6],
            Self::Load(step) => LOAD[step.min(4)],
            Self::Depth(step) => DEPTH[step.min(3)],
            Self::Heat(step) => GREY_HEAT[step.min(HEAT_STEPS - 1)],
            Self::Against(step) => GREY_AGAINST[step.min(HEAT_STEPS - 1)],
            Self::OnHeat(..=8) | Self::Ink | Self::Alarm => "#101010",
            Self::OnHeat(_) | Self::Paper => "#ffffff",
            Self::Muted => "#505050",
            Self::Grid => "#e2e2e2",
            Self::Event => "#686868",
            Self::Shade => "#f1f1f1",
        }
    }
}

const PAGE_HEAT: [&str; HEAT_STEPS] = variables!("h": 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
const FILE_HEAT: [&str; HEAT_STEPS] = [
    "#ebf7b1", "#ceecb4", "#b0dfb7", "#91d3ba", "#70c6be", "#4bb9c3", "#38a9c3", "#299ac1", "#208abd",
    "#237ab5", "#236bae", "#235ba7", "#264b9f", "#263b97", "#1e2e86", "#13266e",
];
const PAGE_AGAINST: [&str; HEAT_STEPS] = variables!("v": 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
const FILE_AGAINST: [&str; HEAT_STEPS] = [
    "#7f3b08", "#9d4c07", "#bb5f08", "#d37610", "#e8902d", "#f7ac54", "#ffca8b", "#fbe9d0", "#e3eef6",
    "#b1d4e7", "#82b9d8", "#579dc9", "#3780b9", "#1f62a7", "#124883", "#053061",
];
/// Equal steps of lightness, except that no step lies between those for dark and for light text.
const GREY_HEAT: [&str; HEAT_STEPS] = [
    "#f1f1f1", "#e2e2e2", "#d4d4d4", "#c6c6c6", "#b9b9b9", "#ababab", "#9e9e9e", "#919191", "#848484",
    "#747474", "#686868", "#5c5c5c", "#505050", "#444444", "#393939", "#2e2e2e",
];
/// Equal steps of lightness throughout: two ends of equal lightness could not be distinguished.
const GREY_AGAINST: [&str; HEAT_STEPS] = [
    "#595959", "#636363", "#6d6d6d", "#767676", "#808080", "#8a8a8a", "#959595", "#9f9f9f", "#aaaaaa",
    "#b4b4b4", "#bfbfbf", "#cacaca", "#d5d5d5", "#e0e0e0", "#ebebeb", "#f6f6f6",
];
