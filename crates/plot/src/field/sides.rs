//! Labels on both sides of the border, if there is room.

use super::layout::Layout;
use super::{Border, FieldMap};
use crate::Colour;
use crate::svg::{Anchor, Label, Svg, Weight, muted};
use crate::text::text_width;

/// Number of cells examined in each direction.
const EXAMINED: usize = 24;

/// Labels both sides; the labels avoid `spots`.
pub(super) fn draw(svg: &mut Svg, map: &FieldMap, layout: &Layout, spots: &[(f64, f64)]) {
    let Some(border) = &map.border else { return };
    for (words, above) in [(&border.below, false), (&border.above, true)] {
        let size = layout.frame.font + 2.0;
        let Some(at) = place(border, layout, (above, words, size), spots).filter(|_| !words.is_empty())
        else {
            continue;
        };
        let label = muted(words, (at.0, at.1 + size * 0.36), Anchor::Middle, size);
        svg.label(&Label { colour: Colour::Ink, weight: Weight::Outlined(Colour::Paper), ..label });
    }
}

/// The cell of a side that is farthest from everything else, if the label fits there. Horizontal distances are divided
/// by the aspect ratio of the label.
fn place(
    border: &Border,
    layout: &Layout,
    (above, words, size): (bool, &str, f64),
    spots: &[(f64, f64)],
) -> Option<(f64, f64)> {
    let (half, frame) = (text_width(words, size) / 2.0 + 6.0, &layout.frame);
    let flat = half / size;
    let distance = |one: (f64, f64), other: (f64, f64)| ((one.0 - other.0) / flat).hypot(one.1 - other.1);
    let cells = examined(layout);
    let own = |value: Option<f64>| value.is_some_and(|value| (value >= border.at) == above);
    let others: Vec<(f64, f64)> = cells
        .iter()
        .filter(|(_, value)| !own(*value))
        .map(|(at, _)| *at)
        .chain(spots.iter().copied())
        .collect();
    let room = |&at: &(f64, f64)| {
        let edges = [(frame.left, at.1), (frame.right, at.1), (at.0, frame.top), (at.0, frame.bottom)];
        let all = others.iter().copied().chain(edges);
        all.map(|other| distance(at, other)).fold(f64::INFINITY, f64::min)
    };
    let candidates = cells.iter().filter(|(_, value)| own(*value)).map(|(at, _)| (room(at), *at));
    let best = candidates.reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.filter(|(room, _)| *room > size * 0.8).map(|(_, at)| at)
}

/// The centres of an even selection of cells, with their values.
fn examined(layout: &Layout) -> Vec<((f64, f64), Option<f64>)> {
    let chosen = |count: usize| crate::decimate::spread(count, EXAMINED);
    let columns = chosen(layout.x.len());
    let cell =
        |row: usize, column: usize| ((layout.x[column], layout.y[row]), layout.grid.values[row][column]);
    chosen(layout.y.len())
        .into_iter()
        .flat_map(|row| columns.iter().map(move |&column| cell(row, column)))
        .collect()
}
