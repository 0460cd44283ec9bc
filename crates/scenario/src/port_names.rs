//! The names of all ports, found without searching all links for each one.

use std::collections::HashMap;

use setpoint_sim::{NodeId, PortId, Topology};
use setpoint_units::spelling::arrows;

/// [`Topology::port_name`] of every port.
#[derive(Clone, Debug)]
pub struct PortNames {
    names: Vec<String>,
}

impl PortNames {
    /// The names of the ports of a topology.
    pub fn of_all(topology: &Topology) -> Self {
        let mut links: HashMap<(NodeId, NodeId), u32> = HashMap::new();
        let name = |port: PortId| {
            let ends = (topology.source(port), topology.target(port));
            let number = links.entry(ends).or_default();
            *number += 1;
            let (from, to) = (&topology.node_at(ends.0).name, &topology.node_at(ends.1).name);
            if *number == 1 { format!("{from}->{to}") } else { format!("{from}->{to}#{number}") }
        };
        Self { names: topology.ports().map(name).collect() }
    }

    /// The name of a port.
    pub fn of(&self, port: PortId) -> &str {
        &self.names[port.index()]
    }
}

/// The name of a port in a message: `left→right`.
pub fn shown(topology: &Topology, port: PortId) -> String {
    arrows(&topology.port_name(port))
}

#[cfg(test)]
mod tests {
    use super::*;
    use setpoint_units::{Rate, TimeDelta};

    #[test]
    fn they_are_those_of_the_topology() {
        let mut net = Topology::new();
        let (one, other) = (net.bridge("one", 0), net.bridge("other", 1));
        let third = net.bridge("third", 1);
        for (first, second) in [(one, other), (other, one), (one, third), (one, other)] {
            net.connect(first, second, Rate::from_gbps(1), TimeDelta::ZERO);
        }
        let names = PortNames::of_all(&net);
        assert_eq!(net.ports().count(), 8);
        for port in net.ports() {
            assert_eq!(names.of(port), net.port_name(port));
        }
    }
}
