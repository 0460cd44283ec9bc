//! Groups nodes into boxes, and links into lines.

use std::collections::{BTreeMap, BTreeSet};

use setpoint_record::results::{FlowSummary, LinkView, NodeView, RunRecord};

use super::count;
use super::detail::{Detail, Key, LADDER, columns};
use super::graph::{Edge, Graph, NodeBox, Role};
use super::hot::Hot;

/// Up to this many stations in a column have their own boxes.
const SEPARATE: usize = 12;

/// The network of a run at the finest level of detail at which the drawing is small enough.
pub(super) fn grouped(record: &RunRecord) -> Graph {
    let [finer @ .., coarsest] = &LADDER;
    let roles = Roles::of(record);
    let found = finer
        .iter()
        .find_map(|detail| Some(built(record, &roles, *detail)).filter(|graph| detail.fits(graph)));
    found.unwrap_or_else(|| built(record, &roles, *coarsest))
}

fn built(record: &RunRecord, roles: &Roles<'_>, detail: Detail) -> Graph {
    let nodes = &record.topology.nodes;
    let mut boxes = Boxes::new(record, detail);
    for (index, node) in nodes.iter().enumerate().filter(|(_, node)| node.bridge) {
        boxes.bridge(index, node);
    }
    for (index, node) in nodes.iter().enumerate().filter(|(_, node)| !node.bridge) {
        boxes.station(index, node, roles.role(&node.name));
    }
    let mut graph = Graph { boxes: boxes.boxes, edges: Vec::new(), grouped: detail.groups() };
    let homes = &boxes.homes;
    graph.boxes.iter_mut().for_each(|one| name(one, nodes, homes));
    graph.edges = edges(record, &boxes.box_of, &graph);
    graph
}

/// The boxes of a drawing under construction.
struct Boxes<'a> {
    nodes: &'a [NodeView],
    detail: Detail,
    hot: Hot,
    /// The bridge to which each station is linked.
    homes: Vec<Option<usize>>,
    columns: BTreeMap<u16, u16>,
    /// Columns with too many stations for individual boxes.
    crowded: BTreeSet<u16>,
    /// Whether there is only one bridge.
    star: bool,
    boxes: Vec<NodeBox>,
    box_of: Vec<usize>,
    known: BTreeMap<Key, usize>,
}

impl<'a> Boxes<'a> {
    fn new(record: &'a RunRecord, detail: Detail) -> Self {
        let nodes = &record.topology.nodes;
        Self {
            nodes,
            detail,
            hot: if detail.groups() { Hot::of(record) } else { Hot::default() },
            homes: homes(record),
            columns: columns(nodes, detail),
            crowded: crowded_columns(record),
            star: nodes.iter().filter(|node| node.bridge).count() == 1,
            boxes: Vec::new(),
            box_of: vec![usize::MAX; nodes.len()],
            known: BTreeMap::new(),
        }
    }

    fn bridge(&mut self, index: usize, node: &NodeView) {
        let column = self.columns[&node.layer];
        let key = self.detail.bridge((index, node), column, &self.hot);
        self.put(index, key, (column, None));
    }

    /// Places a station in its column, below its bridge if both share a column, or on the other side of a star.
    fn station(&mut self, index: usize, node: &NodeView, role: Role) {
        let column = self.columns[&node.layer];
        let home = self.homes[index];
        let alone = home.is_none() || !self.crowded.contains(&node.layer);
        let home_box = home.map_or(usize::MAX, |home| self.box_of[home]);
        let key = match alone && !self.detail.groups() {
            true => Key::Alone(index),
            false => self.detail.station(index, (home_box, column, role), &self.hot),
        };
        let home_column = home.map(|home| self.columns[&self.nodes[home].layer]);
        let hangs = home_column == Some(column);
        let mirrored = home_column.filter(|_| self.star && !hangs && role == Role::Receives);
        let column = mirrored.map_or(column, |bridge| self::mirrored(bridge, column));
        self.put(index, key, (column, hangs.then_some(home_box)));
    }

    fn put(&mut self, index: usize, key: Key, (column, below): (u16, Option<usize>)) {
        let fresh = self.boxes.len();
        let place = *self.known.entry(key).or_insert(fresh);
        if place == fresh {
            let (bridge, label, note) = (self.nodes[index].bridge, String::new(), String::new());
            self.boxes.push(NodeBox { label, note, bridge, column, below, members: Vec::new() });
        }
        self.boxes[place].members.push(index);
        self.box_of[index] = place;
    }
}

/// The column at the same distance on the other side of the bridge.
fn mirrored(bridge: u16, station: u16) -> u16 {
    (2 * i32::from(bridge) - i32::from(station)).clamp(0, i32::from(u16::MAX)) as u16
}

/// The bridge to which each station is linked.
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

/// Columns with too many stations for individual boxes.
fn crowded_columns(record: &RunRecord) -> BTreeSet<u16> {
    let mut counts: BTreeMap<u16, usize> = BTreeMap::new();
    for node in record.topology.nodes.iter().filter(|node| !node.bridge) {
        *counts.entry(node.layer).or_default() += 1;
    }
    counts.into_iter().filter(|&(_, count)| count > SEPARATE).map(|(layer, _)| layer).collect()
}

/// A group is named after its first and last members if it contains all nodes of its kind between them, or after its
/// two members; otherwise it is named after its size and its first member. A note gives its size.
fn name(group: &mut NodeBox, nodes: &[NodeView], homes: &[Option<usize>]) {
    let members: Vec<&NodeView> = group.members.iter().map(|&index| &nodes[index]).collect();
    let [first, .., last] = &members[..] else {
        group.label = members.first().map_or_else(String::new, |node| node.name.clone());
        return;
    };
    let homes: Vec<Option<usize>> = group.members.iter().map(|&index| homes[index]).collect();
    let at: Vec<&NodeView> = homes.iter().flatten().map(|&home| &nodes[home]).collect();
    group.note =
        if group.bridge { count::bridges(&members) } else { count::stations(members.len(), &homes, &at) };
    group.label = match members.len() {
        2 => format!("{}, {}", first.name, last.name),
        _ if is_range(&group.members, nodes) => format!("{}…{}", first.name, last.name),
        several if group.bridge => format!("{several} bridges ({}, …)", first.name),
        several => format!("{several} stations ({}, …)", first.name),
    };
    if group.label.starts_with(&group.note) {
        group.note.clear();
    }
}

/// Whether no other node with a similar name lies between the first and the last of the given nodes.
fn is_range(members: &[usize], nodes: &[NodeView]) -> bool {
    let stem = |index: usize| nodes[index].name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let (first, last) = (members[0], members[members.len() - 1]);
    (first..=last).filter(|&index| stem(index) == stem(first)).eq(members.iter().copied())
}

/// The links between boxes. Parallel links share a line if one of their ends is a group. Links within a box are not
/// drawn.
fn edges(record: &RunRecord, box_of: &[usize], graph: &Graph) -> Vec<Edge> {
    let nodes = &record.topology.nodes;
    let mut edges: Vec<Edge> = Vec::new();
    let mut bundles: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    let links = record.topology.links.iter().enumerate();
    for (number, link) in links.filter(|(_, link)| known(link, nodes.len())) {
        let ends = (box_of[link.first], box_of[link.second]);
        if graph.grouped && ends.0 == ends.1 {
            continue;
        }
        let is_group = |one: usize| graph.boxes[one].members.len() > 1;
        if let Some(&index) = bundles.get(&ends).filter(|_| is_group(ends.0) || is_group(ends.1)) {
            edges[index].join(number, link);
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

impl Edge {
    /// Adds a link; the edge keeps the largest utilisation and pause share.
    fn join(&mut self, number: usize, link: &LinkView) {
        self.utilisation = match (self.utilisation, link.utilisation_share) {
            (Some(known), Some(other)) => Some(known.max(other)),
            (known, other) => known.or(other),
        };
        self.paused = self.paused.max(link.paused_share);
        self.links.push(number);
        if self.rate != link.rate {
            self.rate = "several rates".into();
        }
    }
}

/// The tooltip.
fn title(edge: &Edge, graph: &Graph) -> String {
    use setpoint_units::quantity::Unit::Share;
    let (first, second) = (&graph.boxes[edge.ends.0], &graph.boxes[edge.ends.1]);
    let many = match edge.links.len() {
        1 => String::new(),
        _ if !graph.grouped => ", the busiest".into(),
        links => format!(", the busiest of {links} links"),
    };
    let paused =
        if edge.paused > 0.0 { format!(", paused {}", Share.text(edge.paused)) } else { String::new() };
    let (many, used) = match edge.utilisation {
        Some(share) => (many, format!("utilisation {}", Share.text(share))),
        None => (
            if graph.grouped && edge.links.len() > 1 {
                format!(", {} links", edge.links.len())
            } else {
                String::new()
            },
            "utilisation not measured".into(),
        ),
    };
    let (rate, delay) = (&edge.rate, &edge.title);
    format!("{} – {}{many}: {rate}, {delay}, {used}{paused}", first.label, second.label)
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
