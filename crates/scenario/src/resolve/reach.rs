//! Properties of a network against which flows are checked.

use setpoint_sim::Topology;
use setpoint_units::Rate;

/// The rate of every station's port.
pub(super) fn port_rates(topology: &Topology) -> Vec<Rate> {
    let mut rates = vec![Rate::MIN; topology.nodes().len()];
    for link in topology.links() {
        for end in [link.first, link.second] {
            rates[end.index()] = rates[end.index()].max(link.rate);
        }
    }
    rates
}

/// The connected part of the network to which each node belongs.
pub(super) fn islands(topology: &Topology) -> Vec<u32> {
    let mut parent: Vec<u32> = (0..topology.nodes().len() as u32).collect();
    fn root(parent: &mut [u32], mut node: u32) -> u32 {
        while parent[node as usize] != node {
            parent[node as usize] = parent[parent[node as usize] as usize];
            node = parent[node as usize];
        }
        node
    }
    for link in topology.links() {
        let (one, other) = (root(&mut parent, link.first.0), root(&mut parent, link.second.0));
        parent[one as usize] = other;
    }
    (0..parent.len() as u32).map(|node| root(&mut parent, node)).collect()
}
