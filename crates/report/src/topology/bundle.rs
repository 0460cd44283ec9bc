//! Labels of the links in a network drawn in groups.

use super::graph::{Edge, Graph};
use super::layout::{Place, Plan};
use setpoint_plot::Colour;
use setpoint_plot::svg::{Anchor, Label, Svg, Weight};
use setpoint_plot::text::text_width;
use setpoint_units::quantity::Unit;

/// Number and rate of the links, the utilisation of the busiest, and the largest share of time for which one of them
/// was paused.
pub(super) fn load(edge: &Edge) -> String {
    let rate = edge.rate.replace(' ', "\u{a0}");
    let (links, up_to) = match edge.links.len() {
        1 => (rate, ""),
        several => (format!("{several} × {rate}"), "up to "),
    };
    let used =
        edge.utilisation.map_or_else(String::new, |share| format!(", {up_to}{}", Unit::Share.text(share)));
    let paused = match edge.paused > 0.0 {
        true => format!(", paused {}", Unit::Share.text(edge.paused)),
        false => String::new(),
    };
    format!("{links}{used}{paused}")
}

/// Writes text next to a bundle, at the end where fewer lines meet and on the outer side of the bend; writes nothing
/// if there is not enough space.
pub(super) fn label(svg: &mut Svg, graph: &Graph, plan: &Plan, edge: &Edge, text: &str) {
    let (one, other) = (plan.places[edge.ends.0], plan.places[edge.ends.1]);
    let (left, right) = if one.x < other.x { (one, other) } else { (other, one) };
    let (start, end) = (left.x + left.width / 2.0, right.x - right.width / 2.0);
    let size = plan.font - 1.0;
    if text.is_empty() || end - start - 16.0 < text_width(text, size) {
        return;
    }
    let beside =
        |from: Place, to: Place| if to.y < from.y - 1.0 { from.y + size + 3.0 } else { from.y - 6.0 };
    let (at, anchor) = match meeting(graph, plan, left, right) <= meeting(graph, plan, right, left) {
        true => ((start + 8.0, beside(left, right)), Anchor::Start),
        false => ((end - 8.0, beside(right, left)), Anchor::End),
    };
    svg.label(&Label { size, weight: Weight::Outlined(Colour::Paper), ..plain(text, at, anchor, plan) });
}

/// Number of lines that meet at the side of a box that faces another box.
fn meeting(graph: &Graph, plan: &Plan, at: Place, facing: Place) -> usize {
    let is_at = |place: Place| (place.x, place.y) == (at.x, at.y);
    let meets = |edge: &&Edge| {
        let ends = (plan.places[edge.ends.0], plan.places[edge.ends.1]);
        let far = if is_at(ends.0) { Some(ends.1) } else { Some(ends.0).filter(|_| is_at(ends.1)) };
        far.is_some_and(|far| (far.x > at.x) == (facing.x > at.x))
    };
    graph.edges.iter().filter(meets).count()
}

/// A plain label, as in the legend.
pub(super) fn plain<'a>(text: &'a str, at: (f64, f64), anchor: Anchor, plan: &Plan) -> Label<'a> {
    Label { text, at, anchor, size: plan.font, colour: Colour::Muted, weight: Weight::Regular }
}
