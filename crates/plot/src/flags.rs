//! Drawing events: a line and a label for each.

use super::frame::Frame;
use super::svg::{Label, Svg, Weight};
use super::{Colour, Figure, handles};

/// Draws the lines of the events and their labels.
pub(super) fn draw(svg: &mut Svg, figure: &Figure, frame: &Frame) {
    const LINE: &str = " stroke-width=\"1\" stroke-dasharray=\"3 3\"";
    let Frame { font, bottom, events, .. } = frame;
    for place in &events.places {
        let from = place.base_line - font + if events.numbered { font + 3.0 } else { 3.0 };
        let at = (place.label_x, place.base_line);
        let (text, anchor) = (place.text.as_str(), place.anchor);
        let label =
            Label { text, at, anchor, size: font - 1.0, colour: Colour::Muted, weight: Weight::Regular };
        handles::timed(svg, figure, &handles::beside("event", place.time, 5.0), |svg| {
            svg.line((place.x, from), (place.x, *bottom), Colour::Event, LINE);
            if !label.text.is_empty() {
                svg.label(&label);
            }
        });
    }
}
