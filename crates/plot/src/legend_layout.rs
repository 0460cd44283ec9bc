//! The entries of a legend and their positions: next to the caption of the vertical axis if they fit in one row, otherwise
//! in rows above it.

use super::text::{fitted, text_width};
use super::{Figure, Mark};

/// Width of a line or colour sample.
pub(super) const SWATCH: f64 = 18.0;
/// Gap between a sample and its name; the gap between entries is twice as wide.
pub(super) const GAP: f64 = 7.0;

/// Positions of the entries of a legend.
#[derive(Clone, Debug)]
pub(super) struct LegendLayout {
    pub(super) entries: Vec<Entry>,
    /// Lower edge of the caption and the legend.
    pub(super) bottom: f64,
}

#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) sample: Sample,
    pub(super) text: String,
    pub(super) at: (f64, f64),
}

/// The subject of a legend entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sample {
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
    let marked = |mark: &Mark| matches!(mark, Mark::Path(path) if path.has_marked_ends());
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
