//! Which stations are told together.

use std::collections::{BTreeMap, BTreeSet};

use setpoint_lab::results::{FlowSummary, LinkView, RunRecord};

/// Up to so many stations in a column, each has a box of its own.
const SEPARATE: usize = 12;

/// The network as it is drawn.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    pub(super) boxes: Vec<NodeBox>,
    pub(super) edges: Vec<Edge>,
}

/// A bridge, a station, or several stations.
#[derive(Clone, Debug)]
pub(super) struct NodeBox {
    pub(super) label: String,
    /// How many stations it stands for.
    pub(super) count: usize,
    pub(super) bridge: bool,
    pub(super) column: u16,
    /// The box of the bridge below which it hangs, if it has no place in a column.
    pub(super) below: Option<usize>,
}

/// A link, or the links of a group.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    pub(super) ends: (usize, usize),
    pub(super) utilisation: f64,
    pub(super) paused: f64,
    pub(super) rate: String,
    pub(super) title: String,
    pub(super) between_bridges: bool,
    /// The links it stands for, by index; they run from the first of its ends to the second.
    pub(super) links: Vec<usize>,
}

/// What a station does in the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Role {
    Sends,
    Both,
    Idle,
    Receives,
}

/// Groups the stations of a run.
pub(super) fn grouped(record: &RunRecord) -> Graph {
    let view = &record.topology;
    let roles = Roles::of(record);
    let homes = homes(record);
    let crowded = crowded_columns(record);
    let star = view.nodes.iter().filter(|node| node.bridge).count() == 1;
    let mut graph = Graph::default();
    let mut box_of = vec![usize::MAX; view.nodes.len()];
    for (index, node) in view.nodes.iter().enumerate().filter(|(_, node)| node.bridge) {
        box_of[index] = graph.boxes.len();
        let label = node.name.clone();
        graph.boxes.push(NodeBox { label, count: 1, bridge: true, column: node.layer, below: None });
    }
    let mut groups: BTreeMap<(usize, u16, Role), usize> = BTreeMap::new();
    for (index, node) in view.nodes.iter().enumerate().filter(|(_, node)| !node.bridge) {
        let role = roles.role(&node.name);
        let home = homes[index];
        let fresh = graph.boxes.len();
        let alone = home.is_none() || !crowded.contains(&node.layer);
        let place =
            if alone { fresh } else { *groups.entry((home.unwrap_or(0), node.layer, role)).or_insert(fresh) };
        box_of[index] = place;
        if place == fresh {
            let hangs = home.filter(|&home| view.nodes[home].layer == node.layer);
            let other_side = home.filter(|_| star && hangs.is_none() && role == Role::Receives);
            let column = other_side.map_or(node.layer, |home| mirrored(view.nodes[home].layer, node.layer));
            let label = node.name.clone();
            let below = hangs.map(|home| box_of[home]);
            graph.boxes.push(NodeBox { label, count: 0, bridge: false, column, below });
        }
        graph.boxes[place].count += 1;
    }
    name_groups(record, &box_of, &mut graph);
    graph.edges = edges(record, &box_of, &graph);
    graph
}

/// The column as far behind the bridge as the station's is before it.
fn mirrored(bridge: u16, station: u16) -> u16 {
    (2 * i32::from(bridge) - i32::from(station)).clamp(0, i32::from(u16::MAX)) as u16
}

/// The bridge each station is linked to.
fn homes(record: &RunRecord) -> Vec<Option<usize>> {
    let nodes = &record.topology.nodes;
    let mut homes = vec![None; nodes.len()];
    for link in record.topology.links.iter().filter(|link| known(link, nodes.len())) {
        for (one, other) in [(link.first, link.second), (link.second, link.first)] {
            if !nodes[one].bridge && nodes[other].bridge {
                homes[one] = Some(other);
            }
        }
    }
    homes
}

fn known(link: &LinkView, nodes: usize) -> bool {
    link.first < nodes && link.second < nodes
}

/// Columns with more stations than can each have a box.
fn crowded_columns(record: &RunRecord) -> BTreeSet<u16> {
    let mut counts: BTreeMap<u16, usize> = BTreeMap::new();
    for node in record.topology.nodes.iter().filter(|node| !node.bridge) {
        *counts.entry(node.layer).or_default() += 1;
    }
    counts.into_iter().filter(|&(_, count)| count > SEPARATE).map(|(layer, _)| layer).collect()
}

/// A group is called by its first and last member, or by both of two.
fn name_groups(record: &RunRecord, box_of: &[usize], graph: &mut Graph) {
    for (index, node) in record.topology.nodes.iter().enumerate() {
        let group = &mut graph.boxes[box_of[index]];
        if group.count > 1 {
            let first = group.label.split('…').next().unwrap_or_default().to_string();
            if first != node.name {
                let joint = if group.count == 2 { ", " } else { "…" };
                group.label = format!("{first}{joint}{}", node.name);
            }
        }
    }
}

fn edges(record: &RunRecord, box_of: &[usize], graph: &Graph) -> Vec<Edge> {
    let nodes = &record.topology.nodes;
    let mut edges: Vec<Edge> = Vec::new();
    let mut bundles: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    let links = record.topology.links.iter().enumerate();
    for (number, link) in links.filter(|(_, link)| known(link, nodes.len())) {
        let ends = (box_of[link.first], box_of[link.second]);
        let bundled = graph.boxes[ends.0].count > 1 || graph.boxes[ends.1].count > 1;
        if let Some(&index) = bundles.get(&ends).filter(|_| bundled) {
            let edge = &mut edges[index];
            edge.utilisation = edge.utilisation.max(link.utilisation_share);
            edge.paused = edge.paused.max(link.paused_share);
            edge.links.push(number);
            if edge.rate != link.rate {
                edge.rate = "several rates".into();
            }
            continue;
        }
        bundles.insert(ends, edges.len());
        edges.push(Edge {
            ends,
            utilisation: link.utilisation_share,
            paused: link.paused_share,
            rate: link.rate.clone(),
            title: link.delay.clone(),
            between_bridges: nodes[link.first].bridge && nodes[link.second].bridge,
            links: vec![number],
        });
    }
    for edge in &mut edges {
        edge.title = title(edge, graph);
    }
    edges
}

/// What the pointer is told.
fn title(edge: &Edge, graph: &Graph) -> String {
    use crate::quantity::Unit::Share;
    let (first, second) = (&graph.boxes[edge.ends.0], &graph.boxes[edge.ends.1]);
    let many = if first.count.max(second.count) > 1 { ", the busiest" } else { "" };
    let paused =
        if edge.paused > 0.0 { format!(", paused {}", Share.text(edge.paused)) } else { String::new() };
    let (rate, delay, used) = (&edge.rate, &edge.title, Share.text(edge.utilisation));
    format!("{} – {}{many}: {rate}, {delay}, used {used}{paused}", first.label, second.label)
}

struct Roles<'a> {
    sources: BTreeSet<&'a str>,
    sinks: BTreeSet<&'a str>,
}

impl<'a> Roles<'a> {
    fn of(record: &'a RunRecord) -> Self {
        let flows = &record.summary.flows;
        Self {
            sources: flows.iter().map(|flow| flow.source.as_str()).collect(),
            sinks: flows.iter().flat_map(FlowSummary::sinks).collect(),
        }
    }

    fn role(&self, station: &str) -> Role {
        match (self.sources.contains(station), self.sinks.contains(station)) {
            (true, true) => Role::Both,
            (true, false) => Role::Sends,
            (false, true) => Role::Receives,
            (false, false) => Role::Idle,
        }
    }
}
