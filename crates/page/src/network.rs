//! Networks in the form that the page draws.

use serde_json::{Value, json};
use setpoint_scenario::PortNames;
use setpoint_sim::topology::{Link, Node, NodeKind};
use setpoint_sim::{PortId, Spec};

/// The maximum number of ports of a network that are shown.
pub(crate) const MOST_PORTS: usize = 400;

/// The network of a run that has not begun; `None` if it is too large to be sent with every change of the text.
pub(crate) fn preview(spec: &Spec) -> Option<Value> {
    (spec.topology.links().len() * 2 <= MOST_PORTS).then(|| {
        json!({
            "nodes": nodes(spec),
            "links": links(spec),
            "ports": ports(spec, spec.topology.ports()),
        })
    })
}

pub(crate) fn nodes(spec: &Spec) -> Vec<Value> {
    let node = |node: &Node| {
        let kind = if node.kind == NodeKind::Station { "station" } else { "bridge" };
        json!({ "name": node.name, "kind": kind, "layer": node.layer })
    };
    spec.topology.nodes().iter().map(node).collect()
}

pub(crate) fn links(spec: &Spec) -> Vec<Value> {
    let link = |link: &Link| json!({ "a": link.first.index(), "b": link.second.index(), "rate_bps": link.rate.bits_per_second() });
    spec.topology.links().iter().map(link).collect()
}

pub(crate) fn ports(spec: &Spec, ports: impl Iterator<Item = PortId>) -> Vec<Value> {
    let names = PortNames::of_all(&spec.topology);
    let port = |port: PortId| {
        json!({
            "name": names.of(port),
            "from": spec.topology.source(port).index(),
            "to": spec.topology.target(port).index(),
            "rate_bps": spec.topology.link_at(port.link()).rate.bits_per_second(),
        })
    };
    ports.map(port).collect()
}
