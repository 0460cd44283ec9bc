//! The strokes of borders and of cells without a value.

use std::fmt::Write as _;

use crate::svg::{Svg, short};
use crate::{Colour, hatch as hatches};

/// Spacing of the strokes along the line, and their length.
const STROKES: (f64, f64) = (12.0, 7.0);

/// A heavy line and its strokes, with a light edge that makes them visible on every colour.
pub(super) fn stroke(svg: &mut Svg, line: &str, strokes: &str) {
    if line.is_empty() {
        return;
    }
    svg.stroke(line, Colour::Paper, " stroke-width=\"6\" stroke-linejoin=\"round\"");
    svg.stroke(strokes, Colour::Paper, " stroke-width=\"4\"");
    svg.stroke(strokes, Colour::Ink, " class=\"strokes\" stroke-width=\"1.5\"");
    svg.stroke(line, Colour::Ink, " class=\"contour\" stroke-width=\"3\" stroke-linejoin=\"round\"");
}

/// Short strokes towards the lower side, which is on the right of a contour as seen on the page.
pub(super) fn strokes(points: &[(f64, f64)]) -> String {
    let (every, length) = STROKES;
    let mut path = String::new();
    let (mut walked, mut next) = (0.0, every / 2.0);
    for pair in points.windows(2) {
        let (dx, dy) = (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1);
        let stretch = dx.hypot(dy);
        while stretch > 0.0 && next <= walked + stretch {
            let share = (next - walked) / stretch;
            let at = (pair[0].0 + dx * share, pair[0].1 + dy * share);
            // Pixel coordinates grow downwards.
            let tip = (-dy / stretch * length, dx / stretch * length);
            let [x, y, tip_x, tip_y] = [at.0, at.1, tip.0, tip.1].map(short);
            write!(path, "M{x} {y}l{tip_x} {tip_y}").expect("writing to a string cannot fail");
            next += every;
        }
        walked += stretch;
    }
    path
}

/// Slanted lines over a rectangle; lines in adjacent rectangles are continuous.
pub(super) fn hatch([x, y, width, height]: [f64; 4]) -> String {
    let corner = x + y;
    // Along a line, the sum of both coordinates is constant.
    let first = (corner / hatches::SPACING).ceil();
    let sums = (0..).map(|line| (first + f64::from(line)) * hatches::SPACING);
    let inside = sums.take_while(|sum| *sum < corner + width + height);
    hatches::lines([x, y, width, height], inside.map(|sum| sum - corner))
}
