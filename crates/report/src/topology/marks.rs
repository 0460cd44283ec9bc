//! Marks of congestion trees for each edge of the drawing.

use std::collections::BTreeMap;

use setpoint_record::results::{RunRecord, TopologyView};

use super::graph::{Edge, Graph};
use crate::figures::port_text;
use setpoint_units::quantity::{Unit, grouped};

/// The marks of the edges of a drawing, in both directions.
#[derive(Clone, Debug)]
pub(super) struct Marks {
    /// For each edge: from its first end to its second, and back.
    pub(super) edges: Vec<[Mark; 2]>,
}

/// The mark of an edge in one direction. If there are several links, it is the mark of the link paused longest.
#[derive(Clone, Debug, Default)]
pub(super) struct Mark {
    /// The share of the run for which the port was paused.
    pub(super) share: f64,
    /// Its distance from the root for most of that time; 0 if it was not paused.
    pub(super) depth: u32,
    /// Whether it is the root of a tree.
    pub(super) root: bool,
    /// Whether it is part of a deadlock.
    pub(super) locked: bool,
    /// The tooltip.
    pub(super) title: String,
}

impl Mark {
    /// Whether there is anything to draw.
    pub(super) fn is_marked(&self) -> bool {
        self.depth > 0 || self.root || self.locked
    }
}

impl Marks {
    pub(super) fn of(record: &RunRecord, graph: &Graph) -> Self {
        let ports = ports(record);
        let links = link_names(&record.topology);
        let edge = |edge: &Edge| [0, 1].map(|way| mark(edge, way, &links, &ports));
        Self { edges: graph.edges.iter().map(edge).collect() }
    }

    /// The largest depth drawn.
    pub(super) fn deepest(&self) -> u32 {
        self.edges.iter().flatten().map(|mark| mark.depth).max().unwrap_or(0)
    }
}

/// The names of the two ports of each link, as in the simulator: parallel links are numbered.
pub(super) fn link_names(view: &TopologyView) -> Vec<[String; 2]> {
    let name = |node: usize| view.nodes.get(node).map_or("", |node| node.name.as_str());
    let mut seen: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    let mut port = |from: usize, to: usize| {
        let count = seen.entry((from, to)).or_default();
        *count += 1;
        let suffix = if *count > 1 { format!("#{count}") } else { String::new() };
        format!("{}->{}{suffix}", name(from), name(to))
    };
    view.links.iter().map(|link| [port(link.first, link.second), port(link.second, link.first)]).collect()
}

/// The marks of every port that was paused, was a root or is deadlocked.
fn ports(record: &RunRecord) -> BTreeMap<&str, Port> {
    let summary = &record.summary;
    let mut ports: BTreeMap<&str, Port> = BTreeMap::new();
    // The longest pause comes first, and determines the depth.
    for pause in &summary.congestion_trees.pauses {
        let port = ports.entry(&pause.port).or_default();
        port.share += if summary.duration_s > 0.0 { pause.time_s / summary.duration_s } else { 0.0 };
        port.pauses += pause.pauses;
        if port.depth == 0 {
            port.depth = pause.depth;
        }
        ports.entry(&pause.root).or_default().root = true;
    }
    for name in summary.deadlock.iter().flat_map(|deadlock| &deadlock.cycle) {
        ports.entry(name).or_default().locked = true;
    }
    ports
}

#[derive(Clone, Copy, Debug, Default)]
struct Port {
    share: f64,
    pauses: u64,
    depth: u32,
    root: bool,
    locked: bool,
}

fn mark(edge: &Edge, way: usize, links: &[[String; 2]], ports: &BTreeMap<&str, Port>) -> Mark {
    let names = edge.links.iter().filter_map(|&link| Some(links.get(link)?[way].as_str()));
    let known: Vec<(&str, Port)> = names.filter_map(|name| Some((name, *ports.get(name)?))).collect();
    let longest = known.iter().max_by(|a, b| a.1.share.total_cmp(&b.1.share));
    let Some(&(name, port)) = longest else { return Mark::default() };
    Mark {
        share: port.share.clamp(0.0, 1.0),
        depth: port.depth,
        root: known.iter().any(|(_, port)| port.root),
        locked: known.iter().any(|(_, port)| port.locked),
        title: title(name, &port, known.len()),
    }
}

fn title(name: &str, port: &Port, among: usize) -> String {
    let mut title = port_text(name);
    if among > 1 {
        title += &format!(", paused longest of {among}");
    }
    if port.depth > 0 {
        let (share, often) = (Unit::Share.text(port.share), grouped(port.pauses as f64));
        let times = if port.pauses == 1 { "once" } else { "times" };
        let often = if port.pauses == 1 { times.to_owned() } else { format!("{often} {times}") };
        title += &format!(": paused {often}, {share} of the run, at distance {} from the root", port.depth);
    }
    if port.root {
        title += if port.depth > 0 { "; root of a tree" } else { ": root of a tree" };
    }
    if port.locked {
        title += "; in the deadlock";
    }
    title
}
