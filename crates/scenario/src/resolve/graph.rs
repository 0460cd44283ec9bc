//! A network defined by lists of nodes and links.

use std::collections::{HashMap, VecDeque};

use setpoint_sim::topology::NodeKind;
use setpoint_sim::{NodeId, Topology};
use setpoint_suggest::nearest;
use setpoint_units::{Rate, TimeDelta};

use super::names::check_no_formula;
use crate::diagnostics::{Place, Problem, Problems};
use crate::format::{Graph, Link, Placed};
use crate::limits::{MAX_LINKS, MAX_NODES};

/// Characters with a special meaning in patterns and in port names.
const RESERVED: &[char] = &['*', '?', '{', '}', '#', '>', '/'];
const MAX_NAME: usize = 64;

/// Builds the network and reports every problem in it.
pub(super) fn graph(graph: &Placed<Graph>, problems: &mut Problems) -> Option<Topology> {
    let before = problems.count();
    let mut plan = Plan::default();
    let (nodes, links) = (graph.stations.len() + graph.bridges.len(), &graph.links);
    if nodes as u64 > MAX_NODES || links.len() as u64 > MAX_LINKS {
        let message = format!("this graph has {nodes} nodes and {} links", links.len());
        let help = format!("at most {MAX_NODES} nodes and {MAX_LINKS} links are supported");
        problems.push(Problem::at(graph.place(), message, "too large").help(help));
        return None;
    }
    for (names, kind) in [(&graph.stations, NodeKind::Station), (&graph.bridges, NodeKind::Bridge)] {
        for name in names.iter() {
            problems.take(plan.node(name, kind));
        }
    }
    // Links to rejected nodes would only repeat the problems.
    let links = if problems.count() == before { &links[..] } else { &[] };
    for link in links {
        if problems.is_full() {
            break;
        }
        problems.take(plan.link(graph, link));
    }
    if problems.count() == before {
        plan.check_stations(problems);
    }
    (problems.count() == before).then(|| plan.build())
}

/// A network under construction.
#[derive(Default)]
struct Plan<'a> {
    nodes: Vec<PlannedNode<'a>>,
    names: HashMap<&'a str, usize>,
    links: Vec<PlannedLink>,
}

struct PlannedNode<'a> {
    name: &'a str,
    kind: NodeKind,
    place: &'a Place,
    neighbours: Vec<usize>,
}

struct PlannedLink {
    first: usize,
    second: usize,
    rate: Rate,
    delay: TimeDelta,
}

impl<'a> Plan<'a> {
    fn node(&mut self, key: &'a Placed<String>, kind: NodeKind) -> Result<(), Problem> {
        let (name, place) = (key.as_str(), key.place());
        check_name(name, place)?;
        if let Some(&first) = self.names.get(name) {
            return Err(Problem::at(place, format!("two nodes are called {name:?}"), "the second")
                .context(self.nodes[first].place, "the first"));
        }
        self.names.insert(name, self.nodes.len());
        self.nodes.push(PlannedNode { name, kind, place, neighbours: Vec::new() });
        Ok(())
    }

    fn link(&mut self, graph: &Graph, link: &Link) -> Result<(), Problem> {
        let [one, other] = &link.between[..] else { return Ok(()) };
        let (first, second) = (self.find(one)?, self.find(other)?);
        if first == second {
            let message = format!("a link connects {:?} to itself", self.nodes[first].name);
            return Err(Problem::at(other.place(), message, "expected another node"));
        }
        self.nodes[first].neighbours.push(second);
        self.nodes[second].neighbours.push(first);
        let (rate, delay) = (link.rate.unwrap_or(*graph.rate).0, link.delay.unwrap_or(*graph.delay).0);
        self.links.push(PlannedLink { first, second, rate, delay });
        Ok(())
    }

    fn find(&self, name: &Placed<String>) -> Result<usize, Problem> {
        if let Some(&index) = self.names.get(name.as_str()) {
            return Ok(index);
        }
        let problem = Problem::at(name.place(), format!("there is no node {:?}", **name), "not known");
        Err(match nearest(name, self.nodes.iter().take(1_000).map(|node| node.name)) {
            Some(near) => problem.help(format!("did you mean {near:?}?")),
            None => problem.help("name it in `stations` or `bridges`"),
        })
    }

    fn check_stations(&self, problems: &mut Problems) {
        let stations = self.nodes.iter().filter(|node| node.kind == NodeKind::Station);
        for station in stations.filter(|station| station.neighbours.len() != 1) {
            let (name, count) = (station.name, station.neighbours.len());
            let message = format!("station {name:?} has {count} links; a station must have exactly one");
            let problem = Problem::at(station.place, message, "");
            problems.push(if count == 0 {
                problem.help(format!("add {{ between = [\"{name}\", …] }} to `links`"))
            } else {
                problem.help("a node with several links is a bridge")
            });
        }
    }

    fn build(&self) -> Topology {
        let layers = self.layers();
        let mut topology = Topology::new();
        for (node, layer) in self.nodes.iter().zip(layers) {
            match node.kind {
                NodeKind::Station => topology.station(node.name, layer),
                NodeKind::Bridge => topology.bridge(node.name, layer),
                NodeKind::Spine => topology.spine(node.name, layer),
            };
        }
        for link in &self.links {
            let (first, second) = (NodeId(link.first as u32), NodeId(link.second as u32));
            topology.connect(first, second, link.rate, link.delay);
        }
        topology
    }

    /// Columns for drawing: bridges by their distance from the first bridge, the stations of the
    /// first bridge to its left, and all other stations to the right of their bridge.
    fn layers(&self) -> Vec<u16> {
        let mut layers = vec![1u16; self.nodes.len()];
        let mut seen: Vec<bool> = self.nodes.iter().map(|node| node.kind == NodeKind::Station).collect();
        let mut waiting: VecDeque<usize> = (0..seen.len()).find(|&index| !seen[index]).into_iter().collect();
        while let Some(bridge) = waiting.pop_front() {
            seen[bridge] = true;
            for &next in &self.nodes[bridge].neighbours {
                if !std::mem::replace(&mut seen[next], true) {
                    layers[next] = layers[bridge].saturating_add(1);
                    waiting.push_back(next);
                }
            }
        }
        for (index, node) in self.nodes.iter().enumerate().filter(|(_, node)| node.kind == NodeKind::Station)
        {
            let bridge = node.neighbours.first().map_or(1, |&bridge| layers[bridge]);
            layers[index] = if bridge == 1 { 0 } else { bridge.saturating_add(1) };
        }
        layers
    }
}

fn check_name(name: &str, place: &Place) -> Result<(), Problem> {
    let bad = |c: char| c.is_whitespace() || c.is_control() || RESERVED.contains(&c);
    if name.is_empty() || name.chars().count() > MAX_NAME || name.contains(bad) {
        let message = format!("{name:?} cannot be the name of a node");
        let reserved: Vec<String> = RESERVED.iter().map(char::to_string).collect();
        let help = format!("1 to {MAX_NAME} characters, without spaces and without {}", reserved.join(" "));
        return Err(Problem::at(place, message, "").help(help));
    }
    check_no_formula(name, place)
}
