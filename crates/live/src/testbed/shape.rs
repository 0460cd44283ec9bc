//! The networks that a testbed can build: one bridge with a station at every port.

use setpoint_sim::topology::NodeKind;
use setpoint_sim::traffic::Traffic;
use setpoint_sim::{Destination, NodeId, Spec};
use setpoint_wire::MacAddress;

use super::TestbedError;

/// A bridge and its stations.
pub(super) struct Shape {
    pub(super) bridge: NodeId,
    /// The stations, in the order of the bridge's ports.
    pub(super) stations: Vec<NodeId>,
}

impl Shape {
    pub(super) fn of(spec: &Spec) -> Result<Self, TestbedError> {
        let nodes = spec.topology.nodes().iter().enumerate();
        let bridges: Vec<NodeId> = nodes
            .filter(|(_, node)| node.kind != NodeKind::Station)
            .map(|(index, _)| NodeId(index as u32))
            .collect();
        let [bridge] = bridges[..] else {
            let count = bridges.len();
            return Err(TestbedError::Shape(format!(
                "a testbed has one bridge, but this network has {count}"
            )));
        };
        let ports = crate::plan::ports_of(spec, bridge);
        let stations: Vec<NodeId> = ports.iter().map(|port| spec.topology.target(*port)).collect();
        if stations.len() > 200 {
            return Err(TestbedError::Shape(format!(
                "{} stations are too many for one machine",
                stations.len()
            )));
        }
        check_flows(spec)?;
        Ok(Self { bridge, stations })
    }

    /// The position of a station.
    pub(super) fn position(&self, node: NodeId) -> usize {
        self.stations.iter().position(|station| *station == node).unwrap_or(0)
    }
}

fn check_flows(spec: &Spec) -> Result<(), TestbedError> {
    for flow in &spec.flows {
        let supported = matches!(flow.traffic, Traffic::Backlogged | Traffic::Constant { .. });
        if !supported || !matches!(flow.destination, Destination::Station(_)) {
            return Err(TestbedError::Shape(format!(
                "flow {} cannot be sent as real traffic: only backlogged and constant traffic to a station can",
                flow.name
            )));
        }
    }
    match spec.changes.is_empty() {
        true => Ok(()),
        false => Err(TestbedError::Shape(
            "changes during the run (`[[at]]`) are not supported on real frames".to_owned(),
        )),
    }
}

/// The address of a station's programs.
pub(super) fn address(position: usize) -> MacAddress {
    MacAddress([0x02, 0, 0, 0, 0, position as u8 + 1])
}

/// The IPv4 address of a station's programs.
pub(super) fn ipv4(position: usize) -> String {
    format!("10.77.0.{}", position + 1)
}
