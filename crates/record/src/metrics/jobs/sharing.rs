//! The flows that share a port.

use std::collections::BTreeMap;

use setpoint_scenario::PortNames;
use setpoint_sim::{FlowId, PortId, Spec, paths};

/// The largest number of names that are listed.
const NAMED: usize = 8;

/// The flows on each port.
pub(super) struct Sharing<'a> {
    spec: &'a Spec,
    names: &'a PortNames,
    flows: BTreeMap<PortId, Vec<FlowId>>,
}

impl<'a> Sharing<'a> {
    pub(super) fn new(spec: &'a Spec, names: &'a PortNames) -> Self {
        let mut flows: BTreeMap<PortId, Vec<FlowId>> = BTreeMap::new();
        for (flow, path) in (0..).map(FlowId).zip(paths(spec).unwrap_or_default()) {
            for port in path {
                flows.entry(port).or_default().push(flow);
            }
        }
        Self { spec, names, flows }
    }

    /// The name of a port.
    pub(super) fn name(&self, port: PortId) -> String {
        self.names.of(port).to_owned()
    }

    /// The flows on a port.
    pub(super) fn on(&self, port: PortId) -> &[FlowId] {
        self.flows.get(&port).map_or(&[][..], Vec::as_slice)
    }

    /// The names of some of the other flows on a port, and the number of all of them.
    pub(super) fn others(&self, port: PortId, flow: FlowId) -> (Vec<String>, usize) {
        let others = || self.on(port).iter().filter(|other| **other != flow);
        let name = |flow: &FlowId| self.spec.flows[flow.index()].name.clone();
        (others().take(NAMED).map(name).collect(), others().count())
    }
}
