//! Drawing paths.

use std::fmt::Write as _;

use super::clip::{Window, pieces};
use super::reduce::{reduced, simplified};
use super::{Path, Stroke, arrows};
use crate::dashes::dashes;
use crate::decimate::stretches;
use crate::frame::Frame;
use crate::svg::{Svg, short};
use crate::{Colour, Figure, Surface};

/// Draws a path; its arrows avoid those in `taken`.
pub(crate) fn draw(
    svg: &mut Svg,
    (figure, frame): (&Figure, &Frame),
    path: &Path,
    taken: &mut Vec<(f64, f64)>,
) {
    let window = Window { low: (frame.left, frame.top), high: (frame.right, frame.bottom) };
    let place = |&(x, y): &(f64, f64)| Some((frame.free_x(figure, x)?, frame.free_y(figure, y)?));
    let placed: Vec<Vec<(f64, f64)>> =
        stretches(&path.points).map(|stretch| stretch.iter().filter_map(place).collect()).collect();
    let pieces: Vec<_> = placed.iter().flat_map(|stretch| pieces(stretch, window)).collect();
    let drawn = match path.stroke {
        Stroke::Solid => reduced(&pieces),
        // Dashes and shades would reveal where a line starts again.
        Stroke::Dashed | Stroke::Thick => pieces.iter().map(|piece| simplified(piece, 0.5)).collect(),
    };
    svg.stroke(&outline(&drawn), path.colour, &style(path, svg.surface()));
    let within = |place: Option<&(f64, f64)>| place.copied().filter(|&place| window.holds(place));
    let first = within(placed.first().and_then(|stretch| stretch.first()));
    let last = within(placed.last().and_then(|stretch| stretch.last()));
    if path.has_marked_ends() {
        taken.extend(first.into_iter().chain(last));
    }
    if path.arrows > 0 {
        let heads = arrows::heads(&pieces, path.arrows, taken);
        svg.outlined(&heads, path.colour, 0.8, " class=\"arrows\"");
    }
    if path.has_marked_ends() {
        first.iter().for_each(|&at| start(svg, at, path.colour));
        last.iter().for_each(|&at| end(svg, at, path.colour));
    }
}

fn outline(pieces: &[Vec<(f64, f64)>]) -> String {
    let mut path = String::new();
    for piece in pieces {
        for (index, &(x, y)) in piece.iter().enumerate() {
            let command = if index == 0 { 'M' } else { 'L' };
            write!(path, "{command}{} {}", short(x), short(y)).expect("writing to a string cannot fail");
        }
    }
    path
}

fn style(path: &Path, surface: Surface) -> String {
    let dashes = dashes(path.colour, surface);
    match path.stroke {
        // Round ends would close the gaps between dashes.
        Stroke::Solid if !dashes.is_empty() => {
            format!(" stroke-width=\"1.7\" stroke-linejoin=\"round\"{dashes}")
        }
        Stroke::Solid => " stroke-width=\"1.7\" stroke-linejoin=\"round\" stroke-linecap=\"round\"".into(),
        Stroke::Dashed => " stroke-width=\"1.6\" stroke-dasharray=\"7 5\"".into(),
        Stroke::Thick => " stroke-width=\"9\" stroke-opacity=\"0.35\" stroke-linecap=\"round\"".into(),
    }
}

/// Draws the start of a path: a ring.
pub(crate) fn start(svg: &mut Svg, at: (f64, f64), colour: Colour) {
    let more = format!(" stroke=\"{}\" stroke-width=\"2\"", colour.on(svg.surface()));
    svg.circle(at, 4.0, Colour::Paper, &more);
}

/// Draws the end of a path: a dot with a light edge.
pub(crate) fn end(svg: &mut Svg, at: (f64, f64), colour: Colour) {
    let more = format!(" stroke=\"{}\" stroke-width=\"1.5\"", Colour::Paper.on(svg.surface()));
    svg.circle(at, 5.0, colour, &more);
}

/// The sample of a path in the legend.
pub(crate) fn sample(svg: &mut Svg, path: &Path, (x, y): (f64, f64), width: f64) {
    // The round ends of the broad line extend beyond its length.
    let inset = if path.stroke == Stroke::Thick { 4.5 } else { 0.0 };
    let line = format!("M{} {}h{}", short(x + inset), short(y), short(width - 2.0 * inset));
    svg.stroke(&line, path.colour, &style(path, svg.surface()));
    if path.arrows > 0 {
        let head = format!("M{} {}l-9 4l0 -8Z", short(x + width / 2.0 + 5.0), short(y));
        svg.fill(&head, path.colour, "");
    }
}
