//! The border of a map: a heavy line with short strokes towards its lower side, as topographic maps draw the edge
//! of a depression.

use super::layout::Layout;
use super::strokes::{stroke, strokes};
use super::{FieldMap, lines};
use crate::svg::Svg;

pub(super) fn draw(svg: &mut Svg, map: &FieldMap, layout: &Layout) {
    let Some(border) = map.border.as_ref().filter(|border| border.at.is_finite()) else { return };
    let contours = lines::at(map, layout, border.at);
    let strokes: String = contours
        .iter()
        .map(|contour| {
            let back = contour.points.first().filter(|_| contour.closed);
            strokes(&contour.points.iter().chain(back).copied().collect::<Vec<_>>())
        })
        .collect();
    stroke(svg, &lines::path(&contours), &strokes);
}
