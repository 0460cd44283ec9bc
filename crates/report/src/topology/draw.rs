//! Boxes, links and the legend.

use super::bundle::plain;
use super::course::course;
use super::graph::{Edge, Graph, NodeBox};
use super::layout::{Place, Plan};
use super::{TITLE, bundle, ring};
use setpoint_plot::svg::{Anchor, Label, Svg, Weight, escape, short};
use setpoint_plot::text::{fitted, text_width};
use setpoint_plot::{Colour, Size, Style, Surface, Words};
use setpoint_units::quantity::Unit;

/// Up to this many links between bridges are labelled individually.
pub(super) const LABELLED: usize = 6;
/// Minimum width of a line that represents several links.
const BUNDLE: f64 = 3.0;
/// Links are thin if there are more than this.
pub(super) const MANY: usize = 60;
/// Colour of paused links: vermilion is distinct from every step of blue.
const PAUSED: Colour = Colour::Series(1);

/// Colour of links whose utilisation is not measured, distinct from every step of blue.
const NOT_MEASURED: Colour = Colour::Muted;

/// Draws the network.
pub(super) fn draw(graph: &Graph, plan: &Plan, alternative: &str, surface: Surface) -> String {
    let mut svg = Svg::new(surface);
    open(&mut svg, plan, TITLE, alternative);
    // The busiest links are drawn last, on top.
    let mut order: Vec<&Edge> = graph.edges.iter().collect();
    let use_of = |edge: &Edge| edge.utilisation.unwrap_or(-1.0);
    order.sort_by(|a, b| use_of(a).total_cmp(&use_of(b)));
    for edge in &order {
        draw_edge(&mut svg, graph, plan, edge);
    }
    for (node, place) in graph.boxes.iter().zip(&plan.places) {
        draw_box(&mut svg, node, place, plan.font);
    }
    if graph.grouped {
        order.iter().for_each(|edge| bundle::label(&mut svg, graph, plan, edge, &bundle::load(edge)));
    } else if graph.edges.iter().filter(|edge| edge.between_bridges).count() <= LABELLED {
        for edge in order.iter().filter(|edge| edge.between_bridges) {
            draw_edge_label(&mut svg, graph, plan, edge);
        }
    }
    if !graph.grouped && graph.edges.len() <= LABELLED && plan.ring.is_none() {
        let bundles = order.iter().filter(|edge| !edge.between_bridges && edge.links.len() > 1);
        bundles.for_each(|edge| bundle::label(&mut svg, graph, plan, edge, &bundle::load(edge)));
    }
    key(&mut svg, graph, plan);
    svg.raw("</svg>");
    svg.finish()
}

/// Opens the drawing; a standalone file includes its title.
pub(super) fn open(svg: &mut Svg, plan: &Plan, title: &str, alternative: &str) {
    let (width, height) = (short(plan.width), short(plan.height));
    match svg.surface() {
        Surface::Page => {
            let (class, natural) = if plan.size == Size::Wide { ("wide", 1040.0) } else { ("narrow", 400.0) };
            // A network wider than the page keeps its scale and scrolls.
            let style = if plan.width > natural + 1.0 {
                format!(" style=\"min-width:{width}px\"")
            } else {
                String::new()
            };
            svg.raw(&format!(
                "<svg class=\"{class}\" viewBox=\"0 0 {width} {height}\" aria-hidden=\"true\"{style}>"
            ));
        }
        Surface::File(style) => open_file(svg, plan, style, (title, alternative)),
    }
}

fn open_file(svg: &mut Svg, plan: &Plan, style: Style, (title, alternative): (&str, &str)) {
    style.open(svg, (plan.width, plan.height), (title, alternative));
    if style.title == Words::Shown {
        svg.label(&Label {
            size: 16.0,
            colour: Colour::Ink,
            weight: Weight::Strong,
            ..plain(title, (2.0, 20.0), Anchor::Start, plan)
        });
    }
}

fn draw_edge(svg: &mut Svg, graph: &Graph, plan: &Plan, edge: &Edge) {
    let course = course(graph, plan, edge);
    svg.raw(&format!("<g class=\"link\"><title>{}</title>", escape(&edge.title)));
    let share = edge.utilisation.filter(|share| share.is_finite()).map_or(0.0, |share| share.clamp(0.0, 1.0));
    let many = graph.edges.len() > MANY;
    let width = if many || course.hangs { 0.8 + 1.8 * share } else { 1.2 + 4.3 * share };
    // A bundle of links must not become a hairline, however idle each link is.
    let width = if edge.links.len() > 1 && !many { width.max(BUNDLE) } else { width };
    let more = format!(" stroke-width=\"{width:.1}\" stroke-linecap=\"round\"");
    let colour = edge.utilisation.map_or(NOT_MEASURED, |_| Colour::Load(load_step(share)));
    svg.stroke(&course.path, colour, &more);
    if edge.paused > 0.0 {
        let more = format!(" stroke-width=\"{:.1}\" stroke-dasharray=\"3 5\"", width.max(1.6));
        svg.stroke(&course.path, PAUSED, &more);
    }
    svg.raw("</g>");
}

fn load_step(share: f64) -> usize {
    ((share * 5.0) as usize).min(4)
}

pub(super) fn draw_box(svg: &mut Svg, node: &NodeBox, place: &Place, font: f64) {
    let (x, y) = (place.x - place.width / 2.0, place.y - place.height / 2.0);
    let radius = if node.bridge { 4.0 } else { place.height / 2.0 };
    let edge = if node.bridge { Colour::Ink } else { Colour::Muted }.on(svg.surface());
    let more = format!(
        " rx=\"{}\" stroke=\"{edge}\" stroke-width=\"{}\"",
        short(radius.min(12.0)),
        if node.bridge { 1.4 } else { 1.0 }
    );
    svg.rectangle(
        (x, y),
        (place.width, place.height),
        if node.bridge { Colour::Shade } else { Colour::Paper },
        &more,
    );
    let two = !node.note.is_empty() && place.height > 2.0 * font;
    let base = place.y + font * 0.35 - if two { font * 0.6 } else { 0.0 };
    let weight = if node.bridge { Weight::Strong } else { Weight::Regular };
    let base_label = Label {
        text: &node.label,
        at: (place.x, base),
        anchor: Anchor::Middle,
        size: font,
        colour: Colour::Ink,
        weight,
    };
    svg.label(&base_label);
    if two {
        let at = (place.x, place.y + font * 0.95);
        svg.label(&Label {
            text: &node.note,
            at,
            size: font - 1.5,
            colour: Colour::Muted,
            weight: Weight::Regular,
            ..base_label
        });
    }
}

/// Rate above the middle of a link, utilisation below; in a ring, both on its inner side.
fn draw_edge_label(svg: &mut Svg, graph: &Graph, plan: &Plan, edge: &Edge) {
    let (from, to) = (plan.places[edge.ends.0], plan.places[edge.ends.1]);
    let (left, right) = if from.x < to.x { (from, to) } else { (to, from) };
    let room = match plan.ring {
        None => right.x - right.width / 2.0 - left.x - left.width / 2.0 - 8.0,
        Some(_) => f64::INFINITY,
    };
    let share = edge.utilisation.map_or_else(|| "not measured".into(), |share| Unit::Share.text(share));
    let size = plan.font - 1.0;
    if room < text_width(&share, size) {
        return;
    }
    let middle = course(graph, plan, edge).middle;
    let rate = fitted(&edge.rate.replace(' ', "\u{a0}"), size, room);
    let (x, above, below) = match plan.ring {
        None => (middle.0, middle.1 - 8.0, middle.1 + size + 6.0),
        Some(centre) => {
            let width = text_width(&rate, size).max(text_width(&share, size));
            let (x, y) = ring::inside(centre, middle, (width, 2.0 * size + 3.0));
            (x, y - 3.0, y + size)
        }
    };
    let outlined = |text, y| Label {
        size,
        weight: Weight::Outlined(Colour::Paper),
        ..plain(text, (x, y), Anchor::Middle, plan)
    };
    svg.label(&outlined(&rate, above));
    svg.label(&outlined(&share, below));
}

/// The meaning of colours and dots.
fn key(svg: &mut Svg, graph: &Graph, plan: &Plan) {
    let size = if plan.size == Size::Wide { 12.5 } else { 11.5 };
    let y = plan.key_line;
    let write = |svg: &mut Svg, text: &str, x: f64| {
        svg.label(&Label { size, ..plain(text, (x, y), Anchor::Start, plan) });
        x + text_width(text, size) + 8.0
    };
    let mut x = write(svg, "Link utilisation", 2.0);
    x = write(svg, "0", x + 2.0);
    for step in 0..5 {
        let wide = 1.2 + 4.3 * (step as f64 + 0.5) / 5.0;
        let more = format!(" stroke-width=\"{wide:.1}\"");
        svg.line((x, y - size * 0.35), (x + 20.0, y - size * 0.35), Colour::Load(step), &more);
        x += 21.0;
    }
    x = write(svg, "100\u{a0}%", x + 6.0) + 10.0;
    if graph.edges.iter().any(|edge| edge.paused > 0.0) {
        let line = (x, y - size * 0.35);
        svg.line(line, (x + 24.0, line.1), PAUSED, " stroke-width=\"2.5\" stroke-dasharray=\"3 5\"");
        x = write(svg, "was paused", x + 30.0) + 10.0;
    }
    if graph.edges.iter().any(|edge| edge.utilisation.is_none()) {
        let line = (x, y - size * 0.35);
        svg.line(line, (x + 24.0, line.1), NOT_MEASURED, " stroke-width=\"1.2\"");
        write(svg, "not measured", x + 30.0);
    }
}
