//! Contours, and cells without a value.

use crate::Colour;
use crate::hatch::{self, SPACING};
use crate::svg::Svg;

/// A cell without a value.
pub(super) fn hatch(svg: &mut Svg, (x, y): (f64, f64), (width, height): (f64, f64)) {
    svg.rectangle((x, y), (width, height), Colour::Shade, " class=\"missing\"");
    let along = (0..).map(|line| SPACING / 2.0 + f64::from(line) * SPACING);
    let path = hatch::lines([x, y, width, height], along.take_while(|along| *along < width + height));
    svg.stroke(&path, Colour::Muted, hatch::STROKE);
}

/// A heavy line with a light edge that makes it visible on every colour of the scale.
pub(super) fn contour_stroke(svg: &mut Svg, path: &str) {
    if !path.is_empty() {
        svg.stroke(path, Colour::Paper, " stroke-width=\"5.5\" stroke-linecap=\"square\"");
        svg.stroke(path, Colour::Ink, " class=\"contour\" stroke-width=\"2.6\" stroke-linecap=\"square\"");
    }
}
