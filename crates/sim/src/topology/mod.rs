//! Networks of nodes and links, and generators for common ones.

mod generate;

use setpoint_units::{Rate, TimeDelta};

use crate::ids::{LinkId, NodeId, PortId};

pub use generate::{Dumbbell, FatTree, LeafSpine, ParkingLot, RackFabric, Star};

/// The role of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// An end station: sends and receives frames; has exactly one link.
    Station,
    /// A bridge: forwards frames.
    Bridge,
    /// A spine: switches cells between the leaves of a distributed bridge; see [`crate::Bridges::Cioq`]. All
    /// its links lead to bridges, the leaves.
    Spine,
}

/// A node of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Unique name.
    pub name: String,
    /// Its role.
    pub kind: NodeKind,
    /// A hint for drawing: nodes of the same layer share a column.
    pub layer: u16,
}

/// A full-duplex link; both directions have its rate and delay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// One end.
    pub first: NodeId,
    /// The other end.
    pub second: NodeId,
    /// Transmission rate.
    pub rate: Rate,
    /// Delay from the end of a transmission to the arrival: the delay of the cable and both interfaces.
    pub delay: TimeDelta,
    /// The part of the delay that arises in the MAC and PHY: transmission at one end and reception at the other.
    pub interface: TimeDelta,
}

/// A network: nodes and the links between them.
///
/// ```
/// use setpoint_sim::Topology;
/// use setpoint_units::{Rate, TimeDelta};
///
/// let mut net = Topology::new();
/// let (a, bridge) = (net.station("a", 0), net.bridge("bridge", 1));
/// let link = net.connect(a, bridge, Rate::from_gbps(10), TimeDelta::from_micros(1));
///
/// assert_eq!(net.port_name(link.forward()), "a->bridge");
/// assert_eq!(net.find_port("bridge->a"), Some(link.backward()));
/// assert_eq!(net.target(link.forward()), bridge);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Topology {
    nodes: Vec<Node>,
    links: Vec<Link>,
}

impl Topology {
    /// An empty network.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an end station.
    pub fn station(&mut self, name: impl Into<String>, layer: u16) -> NodeId {
        self.node(name.into(), NodeKind::Station, layer)
    }

    /// Adds a bridge.
    pub fn bridge(&mut self, name: impl Into<String>, layer: u16) -> NodeId {
        self.node(name.into(), NodeKind::Bridge, layer)
    }

    /// Adds a spine of a distributed bridge.
    pub fn spine(&mut self, name: impl Into<String>, layer: u16) -> NodeId {
        self.node(name.into(), NodeKind::Spine, layer)
    }

    fn node(&mut self, name: String, kind: NodeKind, layer: u16) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).expect("fewer than 2^32 nodes"));
        self.nodes.push(Node { name, kind, layer });
        id
    }

    /// Links two nodes.
    pub fn connect(&mut self, first: NodeId, second: NodeId, rate: Rate, delay: TimeDelta) -> LinkId {
        let id = LinkId(u32::try_from(self.links.len()).expect("fewer than 2^32 links"));
        self.links.push(Link { first, second, rate, delay, interface: TimeDelta::ZERO });
        id
    }

    /// Adds the delay of the MAC and PHY to every link that carries frames, depending on its rate.
    pub fn add_interface_delays(&mut self, of_rate: impl Fn(Rate) -> TimeDelta) {
        for index in 0..self.links.len() {
            if !self.is_inside(LinkId(index as u32).forward()) {
                let link = &mut self.links[index];
                let interface = of_rate(link.rate);
                link.delay += interface;
                link.interface += interface;
            }
        }
    }

    /// All nodes, in the order of their ids.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// All links, in the order of their ids.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// All ports, in the order of their ids.
    pub fn ports(&self) -> impl Iterator<Item = PortId> + use<> {
        (0..u32::try_from(self.links.len() * 2).expect("fewer than 2^31 links")).map(PortId)
    }

    /// A node by its id.
    pub fn node_at(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// A link by its id.
    pub fn link_at(&self, id: LinkId) -> &Link {
        &self.links[id.index()]
    }

    /// A node by its name.
    pub fn find(&self, name: &str) -> Option<NodeId> {
        let index = self.nodes.iter().position(|node| node.name == name)?;
        Some(NodeId(index as u32))
    }

    /// The node a port transmits from.
    pub fn source(&self, port: PortId) -> NodeId {
        let link = self.link_at(port.link());
        if port == port.link().forward() { link.first } else { link.second }
    }

    /// The node a port transmits to.
    pub fn target(&self, port: PortId) -> NodeId {
        self.source(port.peer())
    }

    /// Whether a port belongs to a link between a leaf and a spine, inside a distributed bridge. Such links carry cells
    /// instead of frames.
    pub fn is_inside(&self, port: PortId) -> bool {
        let ends = [self.source(port), self.target(port)];
        ends.into_iter().any(|node| self.node_at(node).kind == NodeKind::Spine)
    }

    /// The first port of a direct link from one node to another.
    pub fn port_between(&self, from: NodeId, to: NodeId) -> Option<PortId> {
        self.ports().find(|&port| self.source(port) == from && self.target(port) == to)
    }

    /// The name of a port, `from->to`; parallel links after the first get the suffix `#2`, `#3`, ….
    pub fn port_name(&self, port: PortId) -> String {
        let (from, to) = (self.source(port), self.target(port));
        let twin = |other: &PortId| self.source(*other) == from && self.target(*other) == to;
        let before = self.ports().take_while(|&other| other != port).filter(twin).count();
        let suffix = if before == 0 { String::new() } else { format!("#{}", before + 1) };
        format!("{}->{}{suffix}", self.node_at(from).name, self.node_at(to).name)
    }

    /// A port by its name, the inverse of [`Topology::port_name`]; the arrow may also be written as `→`.
    pub fn find_port(&self, name: &str) -> Option<PortId> {
        let (from, rest) = port_ends(name)?;
        let (to, nth) = match rest.split_once('#') {
            Some((to, nth)) => (to, nth.parse::<usize>().ok()?.checked_sub(1)?),
            None => (rest, 0),
        };
        let (from, to) = (self.find(from.trim())?, self.find(to.trim())?);
        self.ports().filter(|&port| self.source(port) == from && self.target(port) == to).nth(nth)
    }

    /// The stations, in the order of their ids.
    pub fn stations(&self) -> impl Iterator<Item = NodeId> + '_ {
        let station =
            |(index, node): (usize, &Node)| (node.kind == NodeKind::Station).then_some(NodeId(index as u32));
        self.nodes.iter().enumerate().filter_map(station)
    }
}

/// The parts of a port's name before and after its arrow, `->` or `→`.
///
/// ```
/// assert_eq!(setpoint_sim::port_ends("left→right"), Some(("left", "right")));
/// ```
pub fn port_ends(name: &str) -> Option<(&str, &str)> {
    name.split_once("->").or_else(|| name.split_once('→'))
}
