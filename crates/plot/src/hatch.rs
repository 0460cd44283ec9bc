//! Slanted lines over rectangles without a value: hatching cannot be mistaken for a colour of a scale, even in
//! greyscale.

use std::fmt::Write as _;

use crate::svg::short;

/// Spacing of the lines.
pub(crate) const SPACING: f64 = 6.0;
/// Attributes of the lines.
pub(crate) const STROKE: &str = " stroke-width=\"0.9\" stroke-opacity=\"0.7\"";

/// Lines over a rectangle, given by its left and upper edge, width and height. Along a line, the distances from the upper
/// left corner along both edges add up to one of the given values.
pub(crate) fn lines([x, y, width, height]: [f64; 4], along: impl Iterator<Item = f64>) -> String {
    let mut path = String::new();
    for along in along {
        let from = (along.min(width), (along - width).max(0.0));
        let to = ((along - height).max(0.0), along.min(height));
        let ends = [x + from.0, y + from.1, x + to.0, y + to.1].map(short);
        write!(path, "M{} {}L{} {}", ends[0], ends[1], ends[2], ends[3])
            .expect("writing to a string cannot fail");
    }
    path
}
