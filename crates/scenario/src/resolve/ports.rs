//! An index of ports by name.

use std::collections::HashMap;

use setpoint_sim::{PortId, Topology, port_ends};
use setpoint_suggest::nearest;

use crate::diagnostics::{Place, Problem};

/// The ports between any two nodes, in the order of their ids.
pub(super) struct Ports {
    between: HashMap<(String, String), Vec<PortId>>,
}

impl Ports {
    pub(super) fn new(topology: &Topology) -> Self {
        let mut between: HashMap<(String, String), Vec<PortId>> = HashMap::new();
        for port in topology.ports() {
            let name = |node| topology.node_at(node).name.clone();
            let ends = (name(topology.source(port)), name(topology.target(port)));
            between.entry(ends).or_default().push(port);
        }
        Self { between }
    }

    /// A port by its name `from->to` or `from→to`; `#2` and so on distinguish parallel links.
    pub(super) fn find(&self, name: &str, place: &Place, topology: &Topology) -> Result<PortId, Problem> {
        let Some((from, rest)) = port_ends(name) else {
            return Err(Problem::at(place, format!("{name:?} is not the name of a port"), "")
                .help("write the two nodes of its link, as in \"left->right\""));
        };
        let (to, number) = match rest.split_once('#') {
            Some((to, number)) => (to, number.trim().parse::<usize>().ok()),
            None => (rest, Some(1)),
        };
        let (from, to) = (from.trim(), to.trim());
        let ports = self.between.get(&(from.to_string(), to.to_string()));
        let port = ports.zip(number).and_then(|(ports, number)| ports.get(number.checked_sub(1)?));
        port.copied().ok_or_else(|| self.unknown(name, (from, to), place, topology))
    }

    fn unknown(&self, name: &str, (from, to): (&str, &str), place: &Place, topology: &Topology) -> Problem {
        let problem = Problem::at(place, format!("there is no port {name:?}"), "not known");
        let nodes = topology.nodes();
        for node in [from, to] {
            if nodes.iter().all(|known| known.name != node) {
                let names = nodes.iter().take(1_000).map(|node| node.name.as_str());
                return match nearest(node, names) {
                    Some(near) => problem.help(format!("there is no node {node:?}; did you mean {near:?}?")),
                    None => problem.help(format!("there is no node {node:?}")),
                };
            }
        }
        problem.help(format!("{from} has no link to {to}"))
    }
}
