//! Contours as drawn, labelled with their values.

use std::fmt::Write as _;

use super::contour::{Contour, contours};
use super::layout::Layout;
use super::{FieldMap, grid::Grid};
use crate::path::simplified;
use crate::svg::{Anchor, Label, Svg, Weight, muted, short};
use crate::text::text_width;
use crate::{Colour, Scale};

/// Minimum distance between labels.
const APART: f64 = 46.0;

/// Draws all contours except the border.
pub(super) fn draw(svg: &mut Svg, map: &FieldMap, layout: &Layout) {
    let mut labels: Vec<(f64, f64)> = Vec::new();
    for &level in &map.contours {
        let lines = at(map, layout, level);
        let path = path(&lines);
        svg.stroke(&path, Colour::Paper, " stroke-width=\"3.2\" stroke-opacity=\"0.55\"");
        svg.stroke(&path, Colour::Ink, " class=\"level\" stroke-width=\"1.1\"");
        let words = map.scale.unit.text(level);
        if let Some(place) = label_place(&lines, layout, &words, &labels) {
            labels.push(place);
            let size = layout.frame.font - 1.0;
            let label = muted(&words, (place.0, place.1 + size * 0.36), Anchor::Middle, size);
            svg.label(&Label { colour: Colour::Ink, weight: Weight::Outlined(Colour::Paper), ..label });
        }
    }
}

/// The contours of a map at a level, in pixels, extended from the outermost centres to the edges of the map.
pub(super) fn at(map: &FieldMap, layout: &Layout, level: f64) -> Vec<Contour> {
    let logarithmic = map.scale.scale == Scale::Logarithmic;
    // On a logarithmic scale the value halfway between two others is their geometric mean.
    let measure = |value: f64| if logarithmic { value.max(f64::MIN_POSITIVE).ln() } else { value };
    let (x, columns) = extended(&layout.x, &layout.x_edges);
    let (y, rows) = extended(&layout.y, &layout.y_edges);
    let Grid { values, .. } = &layout.grid;
    let value = |row: &usize, column: &usize| values[*row][*column].map(measure);
    let values: Vec<Vec<Option<f64>>> =
        rows.iter().map(|row| columns.iter().map(|column| value(row, column)).collect()).collect();
    contours(&x, &y, &values, measure(level))
}

/// Positions with both edges added, and the index of the centre from which each takes its value.
fn extended(centres: &[f64], edges: &[f64]) -> (Vec<f64>, Vec<usize>) {
    let (Some(&first), Some(&last)) = (edges.first(), edges.last()) else { return (Vec::new(), Vec::new()) };
    let positions = [first].into_iter().chain(centres.iter().copied()).chain([last]).collect();
    let places = [0].into_iter().chain(0..centres.len()).chain([centres.len().saturating_sub(1)]);
    (positions, places.collect())
}

/// A path along contours.
pub(super) fn path(lines: &[Contour]) -> String {
    let mut path = String::new();
    for line in lines {
        let mut points = line.points.clone();
        if line.closed {
            points.extend(line.points.first());
        }
        for (index, (x, y)) in simplified(&points, 0.25).into_iter().enumerate() {
            let command = if index == 0 { 'M' } else { 'L' };
            write!(path, "{command}{} {}", short(x), short(y)).expect("writing to a string cannot fail");
        }
        if line.closed {
            path.push('Z');
        }
    }
    path
}

/// The position on the longest line, closest to its middle, where a label overlaps neither other labels nor the
/// edges.
fn label_place(lines: &[Contour], layout: &Layout, words: &str, taken: &[(f64, f64)]) -> Option<(f64, f64)> {
    let frame = &layout.frame;
    let half = text_width(words, frame.font) / 2.0 + 4.0;
    let free = |&(x, y): &(f64, f64)| {
        let within = (frame.left + half..=frame.right - half).contains(&x)
            && (frame.top + frame.font..=frame.bottom - frame.font).contains(&y);
        within && taken.iter().all(|other| (other.0 - x).hypot(other.1 - y) > APART)
    };
    let longest = lines.iter().max_by_key(|line| line.points.len())?;
    let points = &longest.points;
    let middle = points.len() / 2;
    let order = (0..points.len())
        .map(|step| if step % 2 == 0 { middle + step / 2 } else { middle.wrapping_sub(step / 2 + 1) });
    order.filter_map(|index| points.get(index).copied()).find(free)
}
