//! The numbers of bridges, ports, queues and congestion points.

use std::ops::Range;
use std::sync::Arc;

use setpoint_control::PointId;

use crate::ids::{NodeId, PortId};
use crate::index::{BridgeNo, Number, PortNo, QueueNo, Table};
use crate::network::node::context::Classes;
use crate::passing::PointPlace;
use crate::routing::ports_by_node;
use crate::spec::{self, Side, Spec};
use crate::topology::{NodeKind, Topology};

/// The numbers of bridges and spines, and of their ports: bridge by bridge, each in the order of its ports' ids. Bridges are
/// in topology order, and spines are spread evenly among them, so that each of n ranges of numbers has its share of both,
/// and about one in n links between leaves and spines stays within a range.
#[derive(Clone, Debug)]
pub(in crate::network) struct Numbers {
    bridges: Table<BridgeNo, NodeId>,
    ids: Table<PortNo, PortId>,
    bridge_of: Table<PortNo, BridgeNo>,
    numbers: Table<PortId, Option<PortNo>>,
}

impl Numbers {
    pub(in crate::network) fn new(topology: &Topology) -> Self {
        let mut numbers = Self {
            bridges: Table::default(),
            ids: Table::default(),
            bridge_of: Table::default(),
            numbers: topology.ports().map(|_| None).collect(),
        };
        let ports = ports_by_node(topology);
        for node in bridges_and_spines(topology) {
            let bridge = numbers.bridges.push(node);
            for &port in &ports[node.index()] {
                numbers.numbers[port] = Some(numbers.ids.push(port));
                numbers.bridge_of.push(bridge);
            }
        }
        numbers
    }

    /// All bridges and spines.
    pub(in crate::network) fn bridges(&self) -> &Table<BridgeNo, NodeId> {
        &self.bridges
    }

    /// The bridge of every port.
    pub(in crate::network) fn bridge_of(&self) -> &Table<PortNo, BridgeNo> {
        &self.bridge_of
    }

    /// The ports of a range of bridges.
    pub(in crate::network) fn ports_of(&self, range: &Range<BridgeNo>) -> Range<PortNo> {
        let begin = |bridge: BridgeNo| {
            PortNo(self.bridge_of.iter().position(|of| *of >= bridge).unwrap_or(self.ids.len()) as u32)
        };
        begin(range.start)..begin(range.end)
    }

    /// The ids of a range of ports.
    pub(in crate::network) fn ids_of(&self, ports: &Range<PortNo>) -> &[PortId] {
        &self.ids.as_slice()[ports.start.place()..ports.end.place()]
    }

    /// The ids of all ports of bridges.
    pub(in crate::network) fn ids(&self) -> &Table<PortNo, PortId> {
        &self.ids
    }

    /// The number of a port, if it belongs to a bridge.
    pub(in crate::network) fn find(&self, port: PortId) -> Option<PortNo> {
        self.numbers[port]
    }

    /// The number of a bridge's port.
    pub(in crate::network) fn of(&self, port: PortId) -> PortNo {
        self.find(port).expect("a port of a bridge has a number")
    }
}

/// All bridges, with spines spread evenly among them.
fn bridges_and_spines(topology: &Topology) -> Vec<NodeId> {
    let of_kind = |kind: NodeKind| -> Vec<NodeId> {
        let nodes = topology.nodes().iter().enumerate().filter(|(_, node)| node.kind == kind);
        nodes.map(|(index, _)| NodeId(index as u32)).collect()
    };
    let (bridges, spines) = (of_kind(NodeKind::Bridge), of_kind(NodeKind::Spine));
    // The midpoint of each node's share of a scale whose length is twice the product of both counts.
    let spread = |nodes: &[NodeId], others: usize| -> Vec<(usize, NodeId)> {
        nodes.iter().enumerate().map(|(rank, node)| ((2 * rank + 1) * others, *node)).collect()
    };
    let mut all = spread(&bridges, spines.len());
    all.extend(spread(&spines, bridges.len()));
    all.sort_by_key(|(place, _)| *place);
    all.into_iter().map(|(_, node)| node).collect()
}

/// The numbers of queues: those of a port are consecutive, and ports follow each other in the order of their numbers. Ports inside
/// distributed bridges carry cells and have no queues.
#[derive(Clone, Debug)]
pub(in crate::network) struct QueueNumbers {
    classes: u32,
    /// The number of sides: one if there are only output queues, two if there are also input buffers.
    sides: u32,
    /// The ports that have queues.
    ports: Arc<[PortNo]>,
}

impl QueueNumbers {
    pub(in crate::network) fn new(spec: &Spec, numbers: &Numbers, classes: &Classes) -> Self {
        let sides = match spec.bridges {
            spec::Bridges::OutputQueued | spec::Bridges::SharedBuffer(_) => 1,
            spec::Bridges::Cioq(_) => 2,
        };
        let outside = numbers.ids.numbered().filter(|(_, id)| !spec.topology.is_inside(**id));
        let ports = outside.map(|(number, _)| number).collect();
        Self { classes: classes.count() as u32, sides, ports }
    }

    /// The first queue of a port, or of the next port that has queues.
    pub(in crate::network) fn from(&self, port: PortNo) -> QueueNo {
        let before = self.ports.partition_point(|other| *other < port);
        QueueNo(before as u32 * self.sides * self.classes)
    }

    /// The first queue of a port; [`QueueNo::NONE`] if it has none.
    pub(super) fn first_of(&self, port: PortNo) -> QueueNo {
        if self.ports.binary_search(&port).is_ok() { self.from(port) } else { QueueNo::NONE }
    }

    /// The queue for a given side, port and class.
    pub(in crate::network) fn of(&self, side: Side, port: PortNo, class: u8) -> QueueNo {
        self.of_port(side, self.first_of(port), class)
    }

    /// The queue for a given side and class at a port whose first queue is known.
    #[inline]
    pub(super) fn of_port(&self, side: Side, first: QueueNo, class: u8) -> QueueNo {
        let before = match side {
            Side::Output => 0,
            Side::Input => self.classes,
        };
        QueueNo(first.0 + before + u32::from(class))
    }

    /// The side, port and class of a queue.
    pub(in crate::network) fn place_of(&self, queue: QueueNo) -> (Side, PortNo, u8) {
        let (place, class) = (queue.0 / self.classes, (queue.0 % self.classes) as u8);
        let side = if place % self.sides == 0 { Side::Output } else { Side::Input };
        (side, self.ports[(place / self.sides) as usize], class)
    }
}

/// The number of a congestion point: output queues by port and class, followed by input buffers.
pub(in crate::network) fn point_of(
    classes: &Classes,
    ports: usize,
    place: &PointPlace,
    class: u8,
) -> PointId {
    let side = match place.side {
        Side::Output => 0,
        Side::Input => ports,
    };
    PointId(((side + place.port.index()) * classes.count() + usize::from(class)) as u32)
}

/// The location of a congestion point, given the number of ports.
pub(in crate::network) fn place_of_point(point: PointId, classes: &Classes, ports: usize) -> PointPlace {
    let (port, class) = (point.0 as usize / classes.count(), point.0 as usize % classes.count());
    let (side, port) = match port.checked_sub(ports) {
        None => (Side::Output, port),
        Some(port) => (Side::Input, port),
    };
    PointPlace { port: PortId(port as u32), side, priority: classes.priorities[class] }
}

#[cfg(test)]
mod tests {
    use setpoint_units::{Rate, TimeDelta};

    use super::*;
    use crate::topology::{FatTree, RackFabric};

    #[test]
    fn spines_are_spread_among_their_leaves() {
        let fabric = RackFabric {
            racks: 2,
            leaves_per_rack: 2,
            stations_per_leaf: 1,
            spines: 2,
            access_rate: Rate::from_gbps(100),
            access_delay: TimeDelta::from_nanos(100),
            fabric_rate: Rate::from_gbps(25),
            fabric_delay: TimeDelta::from_nanos(100),
        };
        let topology = fabric.build();
        let nodes = bridges_and_spines(&topology);
        let is_spine = |node: &NodeId| topology.node_at(*node).kind == NodeKind::Spine;
        let spines: Vec<bool> = nodes.iter().map(is_spine).collect();
        assert_eq!(spines, [false, true, false, false, true, false]);
        let (spines, leaves): (Vec<NodeId>, Vec<NodeId>) = nodes.into_iter().partition(is_spine);
        assert!(spines.is_sorted() && leaves.is_sorted());
    }

    #[test]
    fn bridges_alone_have_the_order_of_the_topology() {
        let tree = FatTree { k: 4, rate: Rate::from_gbps(10), delay: TimeDelta::from_micros(1) };
        let nodes = bridges_and_spines(&tree.build());
        assert!(nodes.len() == 20 && nodes.is_sorted());
    }
}
