//! The part of a run that the page shows: its network, and the flows, queues and ports whose samples it receives.

use std::cmp::Reverse;

use serde_json::{Value, json};
use setpoint_record::results::{CurveColumn, Side, queue_name};
use setpoint_record::run::events;
use setpoint_scenario::{PortNames, Prepared};
use setpoint_sim::{Destination, PortId, QueueSample, Spec};

use crate::network;

/// Maximum number of flows shown: more curves than people can distinguish.
const MOST_FLOWS: usize = 64;
const MOST_QUEUES: usize = 32;

/// The flows, queues and ports that are shown.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    pub(super) flows: usize,
    /// Whether receivers acknowledge at the start, so that sources have curves.
    pub(super) acknowledges: bool,
    /// Whether congestion points mark frames at the start.
    marks: bool,
    /// Whether sources compute loads at the start.
    computes_load: bool,
    /// The shown queues, as indices into a sample. Known when the first sample arrives.
    pub(super) queues: Vec<usize>,
    /// The number of flows through each port.
    crossing: Vec<u32>,
    pub(super) ports: usize,
}

impl Shown {
    pub(super) fn of(spec: &Spec) -> Self {
        let mut crossing = vec![0; spec.topology.links().len() * 2];
        for port in setpoint_sim::paths(spec).unwrap_or_default().into_iter().flatten() {
            crossing[port.index()] += 1;
        }
        Self {
            flows: spec.flows.len().min(MOST_FLOWS),
            acknowledges: spec.control.acknowledges(),
            marks: spec.control.marks(),
            computes_load: spec.control.computes_load(),
            queues: Vec::new(),
            crossing,
            ports: network::MOST_PORTS,
        }
    }

    /// Whether a curve has values.
    pub(super) fn has(&self, curve: &CurveColumn) -> bool {
        match curve.name {
            "marked_frames" | "marked_acknowledgements" => self.marks,
            "load" => self.computes_load,
            _ => true,
        }
    }

    /// Chooses the queues through which the most flows pass, since these are the ones that fill.
    pub(super) fn choose(&mut self, queues: &[QueueSample]) {
        let mut order: Vec<usize> = (0..queues.len()).collect();
        order.sort_by_key(|&index| {
            Reverse(self.crossing.get(queues[index].port.index()).copied().unwrap_or(0))
        });
        order.truncate(MOST_QUEUES);
        self.queues = order;
    }
}

/// The names of the shown queues and ports, which are known with the first sample.
pub(super) fn parts(spec: &Spec, shown: &Shown, queues: &[QueueSample], ports: &[PortId]) -> Value {
    let names = PortNames::of_all(&spec.topology);
    let protected = spec.flow_control.protected();
    let queue = |&index: &usize| {
        let QueueSample { port, side, priority, .. } = queues[index];
        json!({
            "name": queue_name(names.of(port), priority.get(), Side::from(side)),
            "port": names.of(port),
            "flows": shown.crossing.get(port.index()).copied().unwrap_or(0),
            "capacity_bytes": (!protected.contains(priority)).then_some(spec.buffer.get()),
        })
    };
    json!({
        "queues": shown.queues.iter().map(queue).collect::<Vec<_>>(),
        "queues_total": queues.len(),
        "ports": network::ports(spec, ports.iter().copied().take(shown.ports)),
    })
}

/// The description of a run that has not begun.
pub(super) fn description(prepared: &Prepared, shown: &Shown) -> Value {
    let spec = &prepared.spec;
    let name = |node: setpoint_sim::NodeId| spec.topology.node_at(node).name.clone();
    let flow = |flow: &setpoint_sim::FlowSpec| {
        let to = match flow.destination {
            Destination::Station(station) => name(station),
            Destination::Group(group) => spec.groups[group.index()].name.clone(),
        };
        json!({ "name": flow.name, "from": name(flow.source), "to": to })
    };
    let seconds = |picos: u64| picos as f64 / 1e12;
    let event = |event: setpoint_record::metrics::Event| json!({ "at_s": event.at.as_secs_f64(), "label": event.label });
    json!({
        "name": prepared.name,
        "description": prepared.description,
        "seed": spec.seed,
        "duration_s": seconds(spec.duration.as_picos()),
        "interval_s": seconds(spec.sample_interval.as_picos()),
        "measure_from_s": spec.measure_from.as_secs_f64(),
        "set_point_bytes": prepared.set_point.map(setpoint_units::Bytes::get),
        "flows": spec.flows.iter().take(shown.flows).map(flow).collect::<Vec<_>>(),
        "flows_total": spec.flows.len(),
        "nodes": network::nodes(spec),
        "links": network::links(spec),
        "events": events(prepared).into_iter().map(event).collect::<Vec<_>>(),
    })
}
