//! The network as drawn, with the load on its links.

use setpoint_sim::topology::{Link, Node, NodeKind};
use setpoint_sim::{LinkId, Outcome, PortId, Topology};

use crate::results::{LinkView, NodeView, PortSummary, TopologyView};

/// The network with the utilisation of every link. `ports` are those of the outcome, in the same order.
pub(super) fn topology(topology: &Topology, outcome: &Outcome, ports: &[PortSummary]) -> TopologyView {
    let figures = |port: PortId| {
        // The outcome's ports are in the order of their ids.
        let found = outcome.ports.binary_search_by_key(&port, |outcome| outcome.port);
        found.map_or((0.0, 0.0), |index| (ports[index].utilisation_share, ports[index].paused_share))
    };
    let links = topology.links().iter().enumerate().map(|(index, link)| {
        let id = LinkId(index as u32);
        let view = worse(link, figures(id.forward()), figures(id.backward()));
        let carries_cells =
            [link.first, link.second].iter().any(|&end| topology.node_at(end).kind == NodeKind::Spine);
        // Cells are not measured.
        LinkView { utilisation_share: view.utilisation_share.filter(|_| !carries_cells), ..view }
    });
    TopologyView { nodes: topology.nodes().iter().map(node).collect(), links: links.collect() }
}

impl TopologyView {
    /// A network without load.
    pub fn of(topology: &Topology) -> Self {
        let link = |link: &Link| worse(link, (0.0, 0.0), (0.0, 0.0));
        let (nodes, links) = (topology.nodes().iter().map(node), topology.links().iter().map(link));
        Self { nodes: nodes.collect(), links: links.collect() }
    }
}

fn node(node: &Node) -> NodeView {
    NodeView {
        name: node.name.clone(),
        bridge: node.kind != NodeKind::Station,
        spine: node.kind == NodeKind::Spine,
        layer: node.layer,
    }
}

fn worse(link: &Link, forward: (f64, f64), backward: (f64, f64)) -> LinkView {
    LinkView {
        first: link.first.index(),
        second: link.second.index(),
        rate: link.rate.to_string(),
        delay: link.delay.to_string(),
        utilisation_share: Some(forward.0.max(backward.0)),
        paused_share: forward.1.max(backward.1),
    }
}
