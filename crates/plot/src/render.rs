//! Drawing a figure.

use super::frame::Frame;
use super::room::{Area, emptiest, emptiest_beside};
use super::sheet::Sheet;
use super::svg::{Anchor, Label, Svg, Weight, short};
use super::text::{fitted, text_width, wrapped};
use super::{
    Colour, Direction, Figure, Plane, Reference, Size, Surface, events, flags, handles, legend, marks,
};

pub(super) fn draw(figure: &Figure, size: Size, surface: Surface) -> String {
    let mut frame = Frame::new(figure, size, surface);
    let footer = footer(figure, &frame, surface);
    let below = footer.len() as f64 * (frame.font + 5.0) + if footer.is_empty() { 0.0 } else { 6.0 };
    frame.fit(figure, surface, below);
    let footer_top = frame.height;
    frame.height += below;
    let mut svg = Svg::new(surface);
    sheet(figure, &frame).open(&mut svg, size);
    unmeasured(&mut svg, figure, &frame);
    axes(&mut svg, figure, &frame);
    svg.raw("<g class=\"marks\">");
    marks::draw(&mut svg, figure, &frame);
    svg.raw("</g>");
    vacant(&mut svg, figure, &frame);
    if figure.marks.is_empty() {
        let at = ((frame.left + frame.right) / 2.0, (frame.top + frame.bottom) / 2.0);
        svg.label(&Label { at, ..text("no data", &frame, Anchor::Middle) });
    }
    unmeasured_label(&mut svg, figure, &frame);
    // Labels of references also avoid the lines of events.
    let events = figure.events.iter().filter_map(|event| frame.x(figure, event.at));
    let mut taken: Vec<Area> = events.map(|x| Area::upright(&frame, x)).collect();
    for reference in &figure.references {
        draw_reference(&mut svg, (figure, &frame), reference, &mut taken);
    }
    beyond(&mut svg, figure, &frame);
    flags::draw(&mut svg, figure, &frame);
    legend::draw(&mut svg, figure, &frame.legend, frame.font);
    for (index, line) in footer.iter().enumerate() {
        let at = (2.0, footer_top + 6.0 + (index as f64 + 0.6) * (frame.font + 5.0));
        svg.label(&Label { at, ..text(line, &frame, Anchor::Start) });
    }
    svg.raw("</svg>");
    svg.finish()
}

fn sheet<'a>(figure: &'a Figure, frame: &Frame) -> Sheet<'a> {
    let plot = [frame.left, frame.top, frame.right, frame.bottom].map(short).join(" ");
    Sheet {
        title: &figure.title,
        description: &figure.alternative,
        width: frame.width,
        height: frame.height,
        font: frame.font,
        attributes: format!(" data-plot=\"{plot}\"{}", handles::range(figure)),
    }
}

fn unmeasured(svg: &mut Svg, figure: &Figure, frame: &Frame) {
    let Some(until) = figure.unmeasured.and_then(|until| frame.x(figure, until)) else { return };
    let width = until.min(frame.right) - frame.left;
    unmeasured_part(svg, figure, (width, 1.0), |svg| {
        svg.rectangle((frame.left, frame.top), (width, frame.bottom - frame.top), Colour::Shade, "");
    });
}

/// Draws a part of the unmeasured region. If the region is narrower than the part, the part is omitted, or hidden
/// where the reader can zoom.
fn unmeasured_part(svg: &mut Svg, figure: &Figure, (width, needed): (f64, f64), draw: impl FnOnce(&mut Svg)) {
    let Some(until) = figure.unmeasured else { return };
    let attributes = handles::at("unmeasured", until);
    if width >= needed {
        handles::timed(svg, figure, &attributes, draw);
    } else if svg.surface() == Surface::Page && handles::is_over_time(figure) {
        handles::timed(svg, figure, &format!("{attributes} visibility=\"hidden\""), draw);
    }
}

/// The label of the shaded region, drawn on top of the curves that cross it.
fn unmeasured_label(svg: &mut Svg, figure: &Figure, frame: &Frame) {
    let Some(until) = figure.unmeasured.and_then(|until| frame.x(figure, until)) else { return };
    let width = until.min(frame.right) - frame.left;
    let label = Label {
        size: frame.font - 1.0,
        weight: Weight::Outlined(Colour::Shade),
        ..text("not measured", frame, Anchor::Middle)
    };
    let needed = text_width(label.text, label.size) + 8.0;
    let x = frame.left + width / 2.0;
    let rows = [frame.top + frame.font + 2.0, frame.bottom - 8.0];
    let at = emptiest(figure, frame, &label, rows.map(|y| (x, y)));
    unmeasured_part(svg, figure, (width, needed), |svg| svg.label(&Label { at, ..label }));
}

/// The reasons why categories have no value, above the axis.
fn vacant(svg: &mut Svg, figure: &Figure, frame: &Frame) {
    let (low, high) = figure.x.range;
    let width = (frame.right - frame.left) / (high - low) - 6.0;
    let size = frame.font - 1.0;
    for (index, reason) in &figure.vacant {
        let Some(x) = frame.x(figure, *index as f64) else { continue };
        let lines = wrapped(reason, size, width);
        for (row, line) in lines.iter().rev().enumerate() {
            let at = (x, frame.bottom - 8.0 - row as f64 * (size + 3.0));
            let line = fitted(line, size, width);
            svg.label(&Label { at, size, ..text(&line, frame, Anchor::Middle) });
        }
    }
}

/// Grid lines (horizontal, and in a plane also vertical), ticks and captions.
pub(super) fn axes(svg: &mut Svg, figure: &Figure, frame: &Frame) {
    for tick in &frame.y_ticks {
        let Some(y) = frame.y(figure, tick.at) else { continue };
        svg.line((frame.left, y), (frame.right, y), Colour::Grid, " stroke-width=\"1\"");
        let at = (frame.left - 7.0, y + frame.font * 0.35);
        svg.label(&Label { at, ..text(&tick.text, frame, Anchor::End) });
    }
    svg.line((frame.left, frame.bottom), (frame.right, frame.bottom), Colour::Muted, " stroke-width=\"1\"");
    handles::timed(svg, figure, "class=\"time ticks\"", |svg| horizontal_ticks(svg, figure, frame));
    if figure.plane != Plane::Chart {
        zeros(svg, figure, frame);
    }
    let caption = fitted(&figure.x.caption(), frame.font, frame.width - 4.0);
    let rows = frame.tick_rows as f64 - 1.0;
    let base = frame.bottom + 2.0 * frame.font + 13.0 + rows * (frame.font + 3.0);
    let half = text_width(&caption, frame.font) / 2.0;
    let at = (((frame.left + frame.right) / 2.0).min(frame.width - half - 1.0).max(half + 1.0), base);
    handles::timed(svg, figure, "class=\"time caption\"", |svg| {
        svg.label(&Label { at, ..text(&caption, frame, Anchor::Middle) });
    });
    let caption = fitted(&figure.y.caption(), frame.font, frame.width - 4.0);
    svg.label(&Label { at: (2.0, frame.caption_line), ..text(&caption, frame, Anchor::Start) });
}

fn horizontal_ticks(svg: &mut Svg, figure: &Figure, frame: &Frame) {
    for (index, tick) in frame.x_ticks.iter().enumerate() {
        let row = (index % frame.tick_rows) as f64 * (frame.font + 3.0);
        let Some(x) = frame.x(figure, tick.at) else { continue };
        if figure.plane != Plane::Chart {
            svg.line((x, frame.top), (x, frame.bottom), Colour::Grid, " stroke-width=\"1\"");
        }
        svg.line((x, frame.bottom), (x, frame.bottom + 4.0), Colour::Muted, " stroke-width=\"1\"");
        let half = text_width(&tick.text, frame.font) / 2.0;
        let x = x.min(frame.width - half - 1.0).max(half);
        let at = (x, frame.bottom + frame.font + 7.0 + row);
        svg.label(&Label { at, ..text(&tick.text, frame, Anchor::Middle) });
    }
}

/// A line through zero for each axis whose range includes it.
fn zeros(svg: &mut Svg, figure: &Figure, frame: &Frame) {
    const LINE: &str = " class=\"zero\" stroke-width=\"1.2\"";
    let within = |share: &f64| (0.0..=1.0).contains(share);
    if let Some(x) = figure.x.share(0.0).filter(within).and_then(|_| frame.x(figure, 0.0)) {
        svg.line((x, frame.top), (x, frame.bottom), Colour::Muted, LINE);
    }
    if let Some(y) = figure.y.share(0.0).filter(within).and_then(|_| frame.y(figure, 0.0)) {
        svg.line((frame.left, y), (frame.right, y), Colour::Muted, LINE);
    }
}

/// Draws a line and its label, which avoids the labels in `taken`.
fn draw_reference(
    svg: &mut Svg,
    (figure, frame): (&Figure, &Frame),
    reference: &Reference,
    taken: &mut Vec<Area>,
) {
    const LINE: &str = " stroke-width=\"1.4\" stroke-dasharray=\"7 4\"";
    // The label of a vertical line is on the side with more space, unless it fits on both.
    let room = match (reference.direction, frame.x(figure, reference.at)) {
        (Direction::Upright, Some(x)) => f64::max(frame.right - x, x - frame.left) - 7.0,
        (Direction::Upright | Direction::Across, _) => frame.right - frame.left - 6.0,
    };
    let words = fitted(&reference.label, frame.font, room);
    let label = Label {
        weight: Weight::Outlined(Colour::Paper),
        colour: Colour::Ink,
        ..text(&words, frame, Anchor::End)
    };
    match reference.direction {
        Direction::Across => {
            let Some(y) = frame.y(figure, reference.at) else { return };
            svg.line((frame.left, y), (frame.right, y), Colour::Ink, LINE);
            let (above, below) = (y - 6.0, y + frame.font + 3.0);
            let rows = if above > frame.top + frame.font { [above, below] } else { [below, below] };
            let (left, right) = (frame.left + 4.0 + text_width(label.text, frame.font), frame.right - 2.0);
            // Candidates from right to left, above and below the line.
            let columns = (0..=8).map(|step| right + (left - right) * f64::from(step) / 8.0);
            let places = columns.flat_map(|x| rows.map(|y| (x, y)));
            let at = emptiest_beside(figure, frame, &label, places, taken);
            svg.label(&Label { at, ..label });
        }
        Direction::Upright => {
            let Some(x) = frame.x(figure, reference.at) else { return };
            let width = text_width(label.text, frame.font);
            // Right ends of the label when it is to the right and to the left of the line.
            let (after, before) = (x + 6.0 + width, x - 6.0);
            let columns = match (after < frame.right, before - width > frame.left) {
                (true, false) => [after, after],
                (false, _) => [before, before],
                (true, true) => [after, before],
            };
            let (low, high) = (frame.bottom - 8.0, frame.top + frame.font + 2.0);
            let places = [(columns[0], low), (columns[1], low), (columns[0], high), (columns[1], high)];
            let at = emptiest_beside(figure, frame, &label, places, taken);
            handles::timed(svg, figure, &handles::beside("flag", reference.at, 6.0), |svg| {
                svg.line((x, frame.top), (x, frame.bottom), Colour::Ink, LINE);
                svg.label(&Label { at, ..label });
            });
        }
    }
}

/// An arrow with the value that lies beyond the axis.
fn beyond(svg: &mut Svg, figure: &Figure, frame: &Frame) {
    let Some((time, value)) = figure.beyond else { return };
    let Some(x) = frame.x(figure, time) else { return };
    let arrow = format!("M{} {}l4.5 8h-9z", short(x), short(frame.top - 3.0));
    let words = format!("to {}", figure.y.unit.text(value));
    let fits = x + 10.0 + text_width(&words, frame.font) < frame.right;
    let (anchor, x) = if fits { (Anchor::Start, x + 9.0) } else { (Anchor::End, x - 9.0) };
    let label =
        Label { weight: Weight::Outlined(Colour::Paper), colour: Colour::Ink, ..text(&words, frame, anchor) };
    // Below the label at the top of the unmeasured region.
    let row = if figure.unmeasured.and_then(|until| frame.x(figure, until)).is_some_and(|until| x < until) {
        2.3
    } else {
        1.0
    };
    handles::timed(svg, figure, &handles::beside("flag", time, 9.0), |svg| {
        svg.fill(&arrow, Colour::Ink, "");
        svg.label(&Label { at: (x, frame.top + row * frame.font), ..label });
    });
}

/// Lines below a standalone figure: the note and the numbered events.
fn footer(figure: &Figure, frame: &Frame, surface: Surface) -> Vec<String> {
    if !surface.has_note() {
        return Vec::new();
    }
    let mut lines = events::list(figure, &frame.events);
    if !figure.note.is_empty() {
        lines.extend(wrapped(&figure.note, frame.font, frame.width - 4.0));
    }
    lines
}

fn text<'a>(text: &'a str, frame: &Frame, anchor: Anchor) -> Label<'a> {
    let size = frame.font;
    Label { text, at: (0.0, 0.0), anchor, size, colour: Colour::Muted, weight: Weight::Regular }
}
