//! Labels of the links of a network that is drawn in groups.

use super::draw::label as plain;
use super::group::{Edge, Graph};
use super::layout::Plan;
use crate::plot::Colour;
use crate::plot::svg::{Anchor, Label, Svg, Weight};
use crate::plot::text::text_width;
use crate::quantity::Unit;

/// Number and rate of the links, the use of the busiest, and how long the one was paused that was paused for longest.
pub(super) fn load(edge: &Edge) -> String {
    let rate = edge.rate.replace(' ', "\u{a0}");
    let used = Unit::Share.text(edge.utilisation);
    let (links, up_to) = match edge.links.len() {
        1 => (rate, ""),
        several => (format!("{several} × {rate}"), "up to "),
    };
    let paused = match edge.paused > 0.0 {
        true => format!(", paused {}", Unit::Share.text(edge.paused)),
        false => String::new(),
    };
    format!("{links}, {up_to}{used}{paused}")
}

/// Writes a text above a bundle, at the end where fewer lines meet; nothing where there is no room.
pub(super) fn label(svg: &mut Svg, graph: &Graph, plan: &Plan, edge: &Edge, text: &str) {
    let (first, second) = (plan.places[edge.ends.0], plan.places[edge.ends.1]);
    let reversed = first.x > second.x;
    let ((left, left_box), (right, right_box)) = match reversed {
        false => ((first, edge.ends.0), (second, edge.ends.1)),
        true => ((second, edge.ends.1), (first, edge.ends.0)),
    };
    let (start, end) = (left.x + left.width / 2.0, right.x - right.width / 2.0);
    let size = plan.font - 1.0;
    if text.is_empty() || end - start - 16.0 < text_width(text, size) {
        return;
    }
    let meet = |node: usize| graph.edges.iter().filter(|edge| edge.ends.0 == node || edge.ends.1 == node).count();
    let (at, anchor) = match meet(left_box) <= meet(right_box) {
        true => ((start + 8.0, left.y - 5.0), Anchor::Start),
        false => ((end - 8.0, right.y - 5.0), Anchor::End),
    };
    svg.label(&Label { size, weight: Weight::Outlined(Colour::Paper), ..plain(text, at, anchor, plan) });
}
