//! Reasons why a run stopped, in the scenario's terms.

use setpoint_scenario::port_names;
use setpoint_sim::{FlowId, GroupId, NodeId, PortId, SimError, Spec, link_budgets};
use setpoint_units::Time;

/// The reason why a run stopped before its end. The message names flows, ports and nodes as the scenario does.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct RunError {
    message: String,
    cause: Box<SimError>,
}

impl RunError {
    /// Inserts names into the simulator's message.
    pub fn new(cause: SimError, spec: &Spec) -> Self {
        let message = match &cause {
            SimError::Lost { at, port, priority, flow, occupied, room } => {
                let at = rounded(*at);
                let lost = format!("a frame of flow {flow:?} was lost at {at} at the input from {port:?}");
                let held = format!("{occupied} of {room} were occupied");
                let remedy = headroom_advice(spec, *port);
                format!("{lost}, priority {}, which is lossless: {held}{remedy}", priority.get())
            }
            other => other.to_string(),
        };
        Self { message: with_names(&message, spec), cause: Box::new(cause) }
    }

    /// The original error of the simulator.
    pub fn cause(&self) -> &SimError {
        &self.cause
    }

    /// Whether the run was stopped by the user.
    pub fn is_stopped(&self) -> bool {
        matches!(*self.cause, SimError::Stopped { .. })
    }
}

/// A time with three significant digits, for messages.
fn rounded(at: Time) -> String {
    let picos = at.as_picos();
    let unit = 10u64.pow(picos.checked_ilog10().unwrap_or(0).saturating_sub(2));
    let digits = picos / unit + u64::from(picos % unit >= unit.div_ceil(2) && unit > 1);
    Time::from_picos(digits.saturating_mul(unit)).to_string()
}

/// Advice if a frame was lost because manually configured headroom is too small.
fn headroom_advice(spec: &Spec, port: PortId) -> String {
    let budgets = link_budgets(spec).unwrap_or_default();
    let Some(budget) = budgets.iter().find(|budget| budget.port == port) else { return String::new() };
    if !budget.is_short() {
        return String::new();
    }
    let (given, needed) = (budget.given, budget.needed.total());
    let because =
        if budget.renewal.lapses() { ", because its pauses expire before they can be renewed" } else { "" };
    format!("; `headroom` is {given}, but \"auto\" would give this link {needed}{because}")
}

/// Replaces the identifiers that the simulator prints, such as `FlowId(3)`, with names.
fn with_names(message: &str, spec: &Spec) -> String {
    let message = replace_ids(message, "FlowId", |id| flow_name(spec, FlowId(id)));
    let message = replace_ids(&message, "PortId", |id| port_name(spec, PortId(id)));
    let message = replace_ids(&message, "GroupId", |id| group_name(spec, GroupId(id)));
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

fn flow_name(spec: &Spec, flow: FlowId) -> String {
    spec.flows.get(flow.index()).map_or_else(|| format!("{}", flow.0), |flow| flow.name.clone())
}

fn group_name(spec: &Spec, group: GroupId) -> String {
    spec.groups.get(group.index()).map_or_else(|| format!("group {}", group.0), |group| group.name.clone())
}

fn port_name(spec: &Spec, port: PortId) -> String {
    let exists = port.link().index() < spec.topology.links().len();
    if exists { port_names::shown(&spec.topology, port) } else { format!("port {}", port.0) }
}

fn node_name(spec: &Spec, node: NodeId) -> String {
    spec.topology
        .nodes()
        .get(node.index())
        .map_or_else(|| format!("node {}", node.0), |node| node.name.clone())
}
