//! The network with the pauses that spread over it.
//!
//! A link is coloured by the distance of its paused port from the root of its tree; its width grows with the time
//! it was paused, and an arrow shows the direction of the stopped traffic. Roots are black, with a ring where they
//! leave their bridge. The ports of a deadlock are highlighted by a broad band.

use super::bundle::plain;
use super::course::{Course, course};
use super::draw::{LABELLED, MANY, draw_box, open};
use super::graph::{Edge, Graph};
use super::layout::Plan;
use super::marks::{Mark, Marks};
use super::{TREES, bundle, ring};
use setpoint_plot::svg::{Anchor, Label, Svg, Weight, escape, short};
use setpoint_plot::text::text_width;
use setpoint_plot::{Colour, Size, Surface};
use setpoint_units::quantity::Unit;

/// Draws the network with the marks of its edges.
pub(super) fn draw(graph: &Graph, plan: &Plan, marks: &Marks, surface: Surface, alternative: &str) -> String {
    let mut svg = Svg::new(surface);
    open(&mut svg, plan, TREES, alternative);
    let dense = graph.edges.len() > MANY;
    let courses: Vec<Course> = graph.edges.iter().map(|edge| course(graph, plan, edge)).collect();
    for (edge, course) in graph.edges.iter().zip(&courses) {
        idle(&mut svg, edge, course, dense);
    }
    let mut order: Vec<(usize, usize)> = (0..courses.len()).flat_map(|edge| [(edge, 0), (edge, 1)]).collect();
    order.retain(|&(edge, way)| marks.edges[edge][way].is_marked());
    // The links paused longest are drawn on top, and roots above all others.
    order.sort_by(|&(a, b), &(c, d)| {
        let (one, other) = (&marks.edges[a][b], &marks.edges[c][d]);
        (one.root, one.share).partial_cmp(&(other.root, other.share)).unwrap_or(std::cmp::Ordering::Equal)
    });
    for &(edge, _) in order.iter().filter(|&&(edge, way)| marks.edges[edge][way].locked) {
        svg.stroke(
            &courses[edge].path,
            Colour::Alarm,
            " stroke-width=\"15\" stroke-opacity=\".22\" stroke-linecap=\"round\"",
        );
    }
    for &(edge, way) in &order {
        let both = marks.edges[edge].iter().all(Mark::is_marked);
        let stroke = Stroke { way, both, dense };
        paused(&mut svg, &courses[edge], &marks.edges[edge][way], stroke);
    }
    for (node, place) in graph.boxes.iter().zip(&plan.places) {
        draw_box(&mut svg, node, place, plan.font);
    }
    let between = order.iter().filter(|&&(edge, _)| graph.edges[edge].between_bridges).count();
    if graph.grouped {
        for (edge, marks) in graph.edges.iter().zip(&marks.edges) {
            bundle::label(&mut svg, graph, plan, edge, &longest(edge, marks));
        }
    } else if plan.size == Size::Wide && between <= 2 * LABELLED {
        for &(edge, way) in order.iter().filter(|&&(edge, _)| graph.edges[edge].between_bridges) {
            share_label(&mut svg, plan, &courses[edge], &marks.edges[edge][way], way);
        }
    }
    key(&mut svg, plan, marks);
    svg.raw("</svg>");
    svg.finish()
}

/// An edge drawn in one direction.
#[derive(Clone, Copy)]
struct Stroke {
    /// 0 from its first end to its second, 1 in the opposite direction.
    way: usize,
    /// Whether the other direction is drawn next to it.
    both: bool,
    /// Whether there are many links, which are thin.
    dense: bool,
}

fn idle(svg: &mut Svg, edge: &Edge, course: &Course, dense: bool) {
    svg.raw(&format!("<g class=\"link\"><title>{}</title>", escape(&edge.title)));
    let width = if dense { 0.7 } else { 1.1 };
    svg.stroke(&course.path, Colour::Load(0), &format!(" stroke-width=\"{width}\" stroke-linecap=\"round\""));
    svg.raw("</g>");
}

fn paused(svg: &mut Svg, course: &Course, mark: &Mark, stroke: Stroke) {
    let aside = if stroke.both { if stroke.way == 0 { -3.0 } else { 3.0 } } else { 0.0 };
    let place = if stroke.both { format!(" transform=\"translate(0 {aside})\"") } else { String::new() };
    svg.raw(&format!("<g class=\"link\"{place}><title>{}</title>", escape(&mark.title)));
    let thin = stroke.dense || course.hangs;
    let width = if thin { 1.2 + 2.0 * mark.share } else { 1.6 + 4.4 * mark.share };
    let colour = if mark.depth > 0 { depth_colour(mark.depth) } else { Colour::Ink };
    let width = if mark.depth > 0 { width } else { 2.2 };
    svg.stroke(&course.path, colour, &format!(" stroke-width=\"{width:.1}\" stroke-linecap=\"round\""));
    let size = if thin { 4.5 + width / 2.0 } else { 6.0 + width / 2.0 };
    arrow(svg, course, stroke.way, size, colour);
    if mark.root {
        let more = format!(" stroke=\"{}\" stroke-width=\"2\"", Colour::Ink.on(svg.surface()));
        svg.circle(behind(course, stroke.way, size + 7.0), 4.2, Colour::Paper, &more);
    }
    svg.raw("</g>");
}

/// An arrow head in the middle of a line, in the direction of the stopped traffic.
fn arrow(svg: &mut Svg, course: &Course, way: usize, size: f64, colour: Colour) {
    let (x, y) = unit(course, way);
    let (cx, cy) = course.middle;
    let at = |along: f64, across: f64| {
        let (px, py) = (cx + along * x - across * y, cy + along * y + across * x);
        format!("{} {}", short(px), short(py))
    };
    let path =
        format!("M{}L{}L{}Z", at(size, 0.0), at(-size * 0.7, size * 0.8), at(-size * 0.7, -size * 0.8));
    svg.fill(&path, colour, "");
}

/// A point on the line before its middle, in the direction of traffic.
fn behind(course: &Course, way: usize, distance: f64) -> (f64, f64) {
    let (x, y) = unit(course, way);
    (course.middle.0 - distance * x, course.middle.1 - distance * y)
}

/// Unit vector in the direction of traffic at the middle of a line.
fn unit(course: &Course, way: usize) -> (f64, f64) {
    let (x, y) = course.heading;
    let length = (x * x + y * y).sqrt().max(1e-9);
    let sign = if way == 0 { 1.0 } else { -1.0 };
    (sign * x / length, sign * y / length)
}

/// Colours by distance from the root; they are the same from the fourth step on.
fn depth_colour(depth: u32) -> Colour {
    Colour::Depth((depth.max(1) as usize - 1).min(STEPS - 1))
}

/// Number of distances with their own colour.
const STEPS: usize = 4;

/// The share of time that a link between bridges was paused, next to its middle.
fn share_label(svg: &mut Svg, plan: &Plan, course: &Course, mark: &Mark, way: usize) {
    if mark.depth == 0 {
        return;
    }
    let (x, y) = course.middle;
    let size = plan.font - 1.0;
    let text = Unit::Share.text(mark.share);
    let (x, y) = match plan.ring {
        Some(centre) => {
            // The labels of both directions are one above the other.
            let (x, y) = ring::inside(centre, (x, y), (text_width(&text, size) + 6.0, 2.0 * size));
            (x, if way == 0 { y } else { y + size })
        }
        None => (x, if way == 0 { y - 12.0 } else { y + size + 12.0 }),
    };
    svg.label(&Label {
        size,
        weight: Weight::Outlined(Colour::Paper),
        ..plain(&text, (x, y), Anchor::Middle, plan)
    });
}

/// The longest pause share among the links of a bundle, in either direction.
fn longest(edge: &Edge, marks: &[Mark; 2]) -> String {
    let share = marks.iter().filter(|mark| mark.depth > 0).map(|mark| mark.share).reduce(f64::max);
    let up_to = if edge.links.len() > 1 { "up to " } else { "" };
    share.map_or_else(String::new, |share| format!("paused {up_to}{}", Unit::Share.text(share)))
}

/// The meaning of colours, widths and rings.
fn key(svg: &mut Svg, plan: &Plan, marks: &Marks) {
    let size = if plan.size == Size::Wide { 12.5 } else { 11.5 };
    let mut cursor = Cursor { x: 2.0, y: plan.key_line, size, plan };
    let marked = || marks.edges.iter().flatten();
    cursor
        .write(svg, if plan.size == Size::Wide { "Paused, by distance from the root" } else { "Paused at" });
    for step in 0..(marks.deepest() as usize).min(STEPS) {
        let more = step + 1 == STEPS && marks.deepest() as usize > STEPS;
        cursor.line(svg, Colour::Depth(step), 20.0, " stroke-width=\"4\"");
        cursor.write(svg, &format!("{}{}", step + 1, if more { "+" } else { "" }));
    }
    if plan.size == Size::Wide {
        cursor.x += 8.0;
        cursor.line(svg, Colour::Muted, 14.0, " stroke-width=\"1.6\"");
        cursor.line(svg, Colour::Muted, 14.0, " stroke-width=\"6\"");
        cursor.write(svg, "up to the whole run");
    }
    if marked().any(|mark| mark.root) {
        cursor.x += 8.0;
        let more = format!(" stroke=\"{}\" stroke-width=\"2\"", Colour::Ink.on(svg.surface()));
        svg.circle((cursor.x + 5.0, cursor.y - size * 0.35), 4.2, Colour::Paper, &more);
        cursor.x += 16.0;
        cursor.write(svg, "root");
    }
    if marked().any(|mark| mark.locked) {
        cursor.x += 8.0;
        cursor.line(svg, Colour::Alarm, 22.0, " stroke-width=\"12\" stroke-opacity=\".22\"");
        cursor.write(svg, "deadlock");
    }
}

/// Position in the legend.
struct Cursor<'a> {
    x: f64,
    y: f64,
    size: f64,
    plan: &'a Plan,
}

impl Cursor<'_> {
    fn write(&mut self, svg: &mut Svg, text: &str) {
        svg.label(&Label { size: self.size, ..plain(text, (self.x, self.y), Anchor::Start, self.plan) });
        self.x += text_width(text, self.size) + 8.0;
    }

    fn line(&mut self, svg: &mut Svg, colour: Colour, length: f64, more: &str) {
        let y = self.y - self.size * 0.35;
        svg.line((self.x, y), (self.x + length, y), colour, more);
        self.x += length + 5.0;
    }
}
