//! A network that is written out.

use std::collections::HashMap;

use setpoint_sim::topology::NodeKind;
use setpoint_sim::{NodeId, Topology};
use setpoint_units::Rate;

use super::topology::link_rate;
use crate::scenario::diagnostics::{Place, Problem, Problems};
use crate::scenario::format::{MAX_LINKS, MAX_NODES};
use crate::scenario::suggest;
use crate::scenario::tree::{Item, Value};
use crate::scenario::view::View;

/// What names of nodes must do without, because it means something in patterns and in names of ports.
const RESERVED: &[char] = &['*', '?', '{', '}', '#', '>', '/'];
const MAX_NAME: usize = 64;

/// Builds the network; every problem in it is reported.
pub(super) fn graph(kind: &View<'_>, problems: &mut Problems) -> Option<Topology> {
    let before = problems.count();
    let mut builder = Builder { topology: Topology::new(), names: HashMap::new() };
    let nodes = kind.key("stations").items().len() + kind.key("bridges").items().len();
    let links = kind.key("links").entries();
    if nodes as u64 > MAX_NODES || links.len() as u64 > MAX_LINKS {
        let message = format!("this graph has {nodes} nodes and {} links", links.len());
        let help = format!("at most {MAX_NODES} nodes and {MAX_LINKS} links can be simulated");
        problems.push(Problem::at(kind.place(), message, "too large").help(help));
        return None;
    }
    for (key, node) in [("stations", NodeKind::Station), ("bridges", NodeKind::Bridge)] {
        for item in kind.key(key).items() {
            problems.take(builder.node(item, node));
        }
    }
    for link in &links {
        problems.take(builder.link(kind, link));
    }
    if problems.count() == before {
        builder.check_stations(problems);
    }
    (problems.count() == before).then_some(builder.topology)
}

/// A network in the making: nodes by name, each with the place where it is named.
struct Builder<'a> {
    topology: Topology,
    names: HashMap<&'a str, (NodeId, &'a Place)>,
}

impl<'a> Builder<'a> {
    fn node(&mut self, item: &'a Item, kind: NodeKind) -> Result<(), Problem> {
        let Value::Text(name) = &item.value else { return Ok(()) };
        check_name(name, &item.place)?;
        if let Some((_, first)) = self.names.get(name.as_str()) {
            return Err(Problem::at(&item.place, format!("two nodes are called {name:?}"), "the second")
                .context(first, "the first"));
        }
        let id = match kind {
            NodeKind::Station => self.topology.station(name.clone(), 0),
            NodeKind::Bridge => self.topology.bridge(name.clone(), 1),
        };
        self.names.insert(name, (id, &item.place));
        Ok(())
    }

    fn link(&mut self, graph: &View<'a>, link: &View<'a>) -> Result<(), Problem> {
        let [first, second] = link.key("between").items() else { return Ok(()) };
        let (one, other) = (self.find(first)?, self.find(second)?);
        if one == other {
            let message = format!("a link joins {:?} with itself", second.value.to_string());
            return Err(Problem::at(&second.place, message, "expected another node"));
        }
        link_rate(&link.key("rate"))?;
        let rate = link.key("rate").rate().or_else(|| graph.key("rate").rate());
        let delay = link.key("delay").time().or_else(|| graph.key("delay").time());
        self.topology.connect(one, other, rate.unwrap_or(Rate::from_gbps(10)), delay.unwrap_or_default());
        Ok(())
    }

    fn find(&self, item: &Item) -> Result<NodeId, Problem> {
        let Value::Text(name) = &item.value else {
            return Err(Problem::at(&item.place, "a node is named by a text", ""));
        };
        if let Some((id, _)) = self.names.get(name.as_str()) {
            return Ok(*id);
        }
        let problem = Problem::at(&item.place, format!("there is no node {name:?}"), "not known");
        // In the order of the nodes, not of the map, so that the message is always the same.
        let names = self.topology.nodes().iter().map(|node| node.name.as_str());
        Err(match suggest::nearest(name, names) {
            Some(near) => problem.help(format!("did you mean {near:?}?")),
            None => problem.help("name it in `stations` or `bridges`"),
        })
    }

    fn check_stations(&self, problems: &mut Problems) {
        let mut links = vec![0usize; self.topology.nodes().len()];
        for link in self.topology.links() {
            links[link.first.index()] += 1;
            links[link.second.index()] += 1;
        }
        for station in self.topology.stations().filter(|station| links[station.index()] != 1) {
            let name = self.topology.node_at(station).name.as_str();
            let count = links[station.index()];
            let place = self.names.get(name).map(|(_, place)| *place);
            if let Some(place) = place {
                let message = format!("station {name:?} has {count} links; a station has exactly one");
                let problem = Problem::at(place, message, "");
                problems.push(if count == 0 {
                    problem.help(format!("add {{ between = [\"{name}\", …] }} to `links`"))
                } else {
                    problem.help("a node with several links is a bridge")
                });
            }
        }
    }
}

fn check_name(name: &str, place: &Place) -> Result<(), Problem> {
    let bad = |c: char| c.is_whitespace() || c.is_control() || RESERVED.contains(&c);
    if name.is_empty() || name.chars().count() > MAX_NAME || name.contains(bad) {
        let message = format!("{name:?} cannot be the name of a node");
        let help =
            format!("1 to {MAX_NAME} characters, without spaces and any of {}", String::from_iter(RESERVED));
        return Err(Problem::at(place, message, "").help(help));
    }
    Ok(())
}
