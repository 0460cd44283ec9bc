//! Drawings of the network: one column per layer, stations of the same kind at one bridge in one box if there are
//! many, links coloured by utilisation, paused links marked.
//!
//! A network with many bridges is drawn in groups: one box for the bridges of a rack, pod or layer, and one line for
//! all links between two boxes, with their number. Roots of congestion trees and the few busiest links stay visible:
//! their ends have their own boxes.
//!
//! * `detail` decides the level of detail, `hot` which nodes stay individual, `group` fills the boxes;
//! * `count` describes the number of nodes in a box, `bundle` labels the links between groups;
//! * `layout` positions the boxes, `ring` those of a ring of bridges;
//! * `course` routes links between boxes;
//! * `draw` draws the network, `trees` the pauses that spread over it.
//!
//! A line between groups shows the busiest of its links. A station in the same column as its bridge (as in a parking
//! lot) hangs below the bridge. In a star whose stations either send or receive, receivers are on the other side, so
//! that traffic flows from left to right as in the other networks.

mod bundle;
mod count;
mod course;
mod detail;
mod draw;
mod graph;
mod group;
mod hot;
mod layout;
mod marks;
mod ring;
mod trees;

use setpoint_record::results::RunRecord;

use crate::figures::port_text;
use setpoint_plot::{Size, Surface};

/// Title of the drawing.
pub(crate) const TITLE: &str = "Network";
/// Title of the drawing that shows pauses.
pub(crate) const TREES: &str = "Congestion trees";

/// The network of a run as SVG; `None` for a network without nodes.
pub fn svg(record: &RunRecord, size: Size, surface: Surface) -> Option<String> {
    if record.topology.nodes.is_empty() {
        return None;
    }
    let graph = group::grouped(record);
    let plan = layout::plan(&graph, size, surface);
    Some(draw::draw(&graph, &plan, &alternative(record), surface))
}

/// The same network with the pauses that spread over it; `None` if there were none.
pub fn congestion_trees(record: &RunRecord, size: Size, surface: Surface) -> Option<String> {
    if record.topology.nodes.is_empty() || record.summary.congestion_trees.pauses.is_empty() {
        return None;
    }
    let graph = group::grouped(record);
    let marks = marks::Marks::of(record, &graph);
    let plan = layout::plan(&graph, size, surface);
    Some(trees::draw(&graph, &plan, &marks, surface, &crate::words::trees::alternative(record)))
}

/// An explanation of boxes that represent several bridges; empty if there are none.
pub fn note(record: &RunRecord) -> &'static str {
    match group::grouped(record).grouped {
        true => {
            " Similar bridges and stations share a box; nodes at the roots of congestion trees and at the ends of the few \
             busiest links are drawn individually. A bundle of links has the colour of its busiest link."
        }
        false => "",
    }
}

/// The text alternative of the network.
pub fn alternative(record: &RunRecord) -> String {
    let nodes = &record.topology.nodes;
    let spines = nodes.iter().filter(|node| node.spine).count();
    let bridges = nodes.iter().filter(|node| node.bridge && !node.spine).count();
    let (stations, links) = (nodes.len() - bridges - spines, record.topology.links.len());
    let busiest = busiest_link(record).map_or(String::new(), |(link, share)| {
        format!(
            "; the busiest link, {link}, had a utilisation of {}",
            setpoint_units::quantity::Unit::Share.text(share)
        )
    });
    let count =
        |number: usize, one: &str, more: &str| format!("{number} {}", if number == 1 { one } else { more });
    let spines = if spines == 0 { String::new() } else { format!(", {}", count(spines, "spine", "spines")) };
    format!(
        "{}, {}{spines} and {}{busiest}.",
        count(stations, "station", "stations"),
        count(bridges, "bridge", "bridges"),
        count(links, "link", "links")
    )
}

/// The link with the highest utilisation, in the direction with that utilisation, as in the list of ports.
fn busiest_link(record: &RunRecord) -> Option<(String, f64)> {
    // In reverse, so that the first of several equal links is found.
    let ports = record.summary.ports.iter().rev();
    if let Some(port) = ports.max_by(|a, b| a.utilisation_share.total_cmp(&b.utilisation_share)) {
        return Some((port_text(&port.name), port.utilisation_share));
    }
    let links = record.topology.links.iter().rev().filter_map(|link| Some((link, link.utilisation_share?)));
    let (link, share) = links.max_by(|a, b| a.1.total_cmp(&b.1))?;
    let name = |index: usize| record.topology.nodes.get(index).map_or("?", |node| node.name.as_str());
    Some((format!("{} – {}", name(link.first), name(link.second)), share))
}
