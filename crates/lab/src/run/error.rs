//! Why a run stopped, in the words of the scenario.

use setpoint_sim::{FlowId, NodeId, PortId, SimError, Spec};

/// Why a run stopped before its end. The message names flows, ports and nodes as the scenario does.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct RunError {
    message: String,
    cause: Box<SimError>,
}

impl RunError {
    /// Puts names into the simulator's message.
    #[must_use]
    pub fn new(cause: SimError, spec: &Spec) -> Self {
        Self { message: with_names(&cause.to_string(), spec), cause: Box::new(cause) }
    }

    /// What the simulator said, for those who tell the kinds apart.
    #[must_use]
    pub fn cause(&self) -> &SimError {
        &self.cause
    }

    /// Whether the run was stopped from outside.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        matches!(*self.cause, SimError::Stopped { .. })
    }
}

/// The simulator knows ids and prints them as `FlowId(3)`, whichever message they stand in.
fn with_names(message: &str, spec: &Spec) -> String {
    let message = replace_ids(message, "FlowId", |id| flow_name(spec, FlowId(id)));
    let message = replace_ids(&message, "PortId", |id| port_name(spec, PortId(id)));
    replace_ids(&message, "NodeId", |id| node_name(spec, NodeId(id)))
}

/// Replaces every `kind(number)`.
fn replace_ids(message: &str, kind: &str, name: impl Fn(u32) -> String) -> String {
    let opening = format!("{kind}(");
    let mut parts = message.split(opening.as_str());
    let mut replaced = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once(')').and_then(|(id, rest)| Some((id.parse().ok()?, rest))) {
            Some((id, rest)) => replaced.extend([&name(id), rest]),
            None => replaced.extend([opening.as_str(), part]),
        }
    }
    replaced
}

pub(super) fn flow_name(spec: &Spec, flow: FlowId) -> String {
    spec.flows.get(flow.index()).map_or_else(|| format!("{}", flow.0), |flow| flow.name.clone())
}

fn port_name(spec: &Spec, port: PortId) -> String {
    let exists = port.link().index() < spec.topology.links().len();
    if exists { spec.topology.port_name(port) } else { format!("port {}", port.0) }
}

fn node_name(spec: &Spec, node: NodeId) -> String {
    spec.topology
        .nodes()
        .get(node.index())
        .map_or_else(|| format!("node {}", node.0), |node| node.name.clone())
}
