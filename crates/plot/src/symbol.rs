//! Symbols at points, distinguished by shape rather than by colour.

use super::svg::{Svg, path};
use super::{Colour, Figure};
use crate::frame::Frame;

/// The shape of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symbol {
    /// A disc.
    Disc,
    /// An open ring.
    Ring,
    /// A triangle resting on one side.
    Triangle,
    /// A square.
    Square,
    /// Two crossed strokes.
    Cross,
    /// An arrow that points up from the point: the value may be higher.
    Rising,
}

/// Symbols at points of a figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Points {
    /// Name in the legend.
    pub name: String,
    /// Colour.
    pub colour: Colour,
    /// Shape.
    pub symbol: Symbol,
    /// The points; those that are not finite are omitted.
    pub points: Vec<(f64, f64)>,
}

/// Radius of the symbols of a figure.
const RADIUS: f64 = 5.0;

/// Draws the points that lie within a figure.
pub(super) fn draw(svg: &mut Svg, figure: &Figure, frame: &Frame, points: &Points) {
    for &(x, y) in &points.points {
        let (Some(x), Some(y)) = (frame.free_x(figure, x), frame.free_y(figure, y)) else { continue };
        let within = (frame.left - 0.5..=frame.right + 0.5).contains(&x)
            && (frame.top - 0.5..=frame.bottom + 0.5).contains(&y);
        if within {
            symbol(svg, points.symbol, (x, y), RADIUS, points.colour);
        }
    }
}

/// Draws a symbol with an edge in the background colour, so that it stays visible on top of other marks.
pub(super) fn symbol(svg: &mut Svg, symbol: Symbol, at: (f64, f64), radius: f64, colour: Colour) {
    let edge = format!(
        " stroke=\"{}\" stroke-width=\"1.6\" paint-order=\"stroke\"",
        Colour::Paper.on(svg.surface())
    );
    let (x, y) = at;
    match symbol {
        Symbol::Disc => svg.circle(at, radius, colour, &edge),
        Symbol::Ring => {
            svg.circle(at, radius + 0.6, Colour::Paper, "");
            let ring = format!(" stroke=\"{}\" stroke-width=\"2\"", colour.on(svg.surface()));
            svg.circle(at, (radius - 1.0).max(0.8), Colour::Paper, &ring);
        }
        Symbol::Triangle => {
            let (half, high) = (radius * 1.12, radius * 1.9);
            let path = path("M{} {}l{} {}h{}Z", [x, y - high * 0.62, half, high, -2.0 * half]);
            svg.outlined(&path, colour, 1.6, "");
        }
        Symbol::Square => {
            let side = radius * 1.75;
            let path = path("M{} {}m{} {}h{}v{}h{}Z", [x, y, -side / 2.0, -side / 2.0, side, side, -side]);
            svg.outlined(&path, colour, 1.6, "");
        }
        Symbol::Cross => {
            let arm = radius * 0.95;
            let path = path(
                "M{} {}m{} {}l{} {}m{} 0l{} {}",
                [x, y, -arm, -arm, 2.0 * arm, 2.0 * arm, -2.0 * arm, 2.0 * arm, -2.0 * arm],
            );
            svg.stroke(&path, Colour::Paper, " stroke-width=\"5\"");
            svg.stroke(&path, colour, " stroke-width=\"2.4\"");
        }
        Symbol::Rising => {
            // The arrow begins above the dot of a measurement.
            let (gap, high, half) = (radius, radius * 2.4, radius * 0.9);
            let path = path(
                "M{} {}v{}m{} {}l{} {}l{} {}",
                [x, y - gap, -high, -half, half, half, -half, half, half],
            );
            svg.stroke(&path, Colour::Paper, " stroke-width=\"4.5\"");
            svg.stroke(&path, colour, " stroke-width=\"2\"");
        }
    }
}
