//! Generators for common networks. Each one documents the names of its nodes.

use setpoint_units::{Rate, TimeDelta};

use super::Topology;
use crate::ids::NodeId;

/// Senders `s1…` – bridge `left` – bottleneck – bridge `right` – receivers `r1…`.
///
/// ```
/// use setpoint_sim::topology::Dumbbell;
/// use setpoint_units::{Rate, TimeDelta};
///
/// let net = Dumbbell {
///     senders: 3,
///     receivers: 1,
///     access_rate: Rate::from_gbps(10),
///     access_delay: TimeDelta::from_micros(1),
///     bottleneck_rate: Rate::from_gbps(10),
///     bottleneck_delay: TimeDelta::from_micros(5),
/// }
/// .build();
/// assert_eq!(net.stations().count(), 4);
/// assert!(net.find_port("left->right").is_some());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dumbbell {
    /// Number of senders.
    pub senders: u32,
    /// Number of receivers.
    pub receivers: u32,
    /// Rate of the links between stations and bridges.
    pub access_rate: Rate,
    /// Delay of the links between senders and the left bridge.
    pub access_delay: TimeDelta,
    /// Rate of the link between the bridges.
    pub bottleneck_rate: Rate,
    /// Delay of the link between the bridges and of the links to the receivers.
    pub bottleneck_delay: TimeDelta,
}

impl Dumbbell {
    /// Builds the network.
    pub fn build(&self) -> Topology {
        let mut net = Topology::new();
        let senders = numbered(&mut net, "s", self.senders, 0);
        let left = net.bridge("left", 1);
        let right = net.bridge("right", 2);
        let receivers = numbered(&mut net, "r", self.receivers, 3);
        for sender in senders {
            net.connect(sender, left, self.access_rate, self.access_delay);
        }
        net.connect(left, right, self.bottleneck_rate, self.bottleneck_delay);
        for receiver in receivers {
            net.connect(right, receiver, self.access_rate, self.bottleneck_delay);
        }
        net
    }
}

/// Stations `h1…` around one bridge `bridge`.
///
/// ```
/// use setpoint_sim::topology::Star;
/// use setpoint_units::{Rate, TimeDelta};
///
/// let net = Star { stations: 8, rate: Rate::from_gbps(25), delay: TimeDelta::from_nanos(500) }.build();
/// assert_eq!((net.nodes().len(), net.links().len()), (9, 8));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Star {
    /// Number of stations.
    pub stations: u32,
    /// Rate of every link.
    pub rate: Rate,
    /// Delay of every link.
    pub delay: TimeDelta,
}

impl Star {
    /// Builds the network.
    pub fn build(&self) -> Topology {
        let mut net = Topology::new();
        let stations = numbered(&mut net, "h", self.stations, 0);
        let bridge = net.bridge("bridge", 1);
        for station in stations {
            net.connect(station, bridge, self.rate, self.delay);
        }
        net
    }
}

/// Bridges `b1…` in a row with `hops` links between them, and stations `h<bridge>.<n>` at each.
///
/// ```
/// use setpoint_sim::topology::ParkingLot;
/// use setpoint_units::{Rate, TimeDelta};
///
/// let rate = Rate::from_gbps(10);
/// let delay = TimeDelta::from_micros(1);
/// let net = ParkingLot { hops: 2, stations_per_bridge: 1, access_rate: rate, rate, delay }.build();
/// assert!(net.find_port("b2->b3").is_some() && net.find("h3.1").is_some());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParkingLot {
    /// Links in the row; the number of bridges is one greater.
    pub hops: u32,
    /// Stations at each bridge.
    pub stations_per_bridge: u32,
    /// Rate of the links between stations and bridges.
    pub access_rate: Rate,
    /// Rate of the links in the row.
    pub rate: Rate,
    /// Delay of every link.
    pub delay: TimeDelta,
}

impl ParkingLot {
    /// Builds the network.
    pub fn build(&self) -> Topology {
        let mut net = Topology::new();
        let mut previous = None;
        for place in 1..=self.hops + 1 {
            let bridge = net.bridge(format!("b{place}"), place as u16);
            if let Some(previous) = previous {
                net.connect(previous, bridge, self.rate, self.delay);
            }
            for number in 1..=self.stations_per_bridge {
                let station = net.station(format!("h{place}.{number}"), place as u16);
                net.connect(station, bridge, self.access_rate, self.delay);
            }
            previous = Some(bridge);
        }
        net
    }
}

/// Stations `h1…` below bridges `leaf1…`, each of which is linked to all of `spine1…`.
///
/// ```
/// use setpoint_sim::topology::LeafSpine;
/// use setpoint_units::{Rate, TimeDelta};
///
/// let net = LeafSpine {
///     leaves: 4,
///     spines: 2,
///     stations_per_leaf: 8,
///     access_rate: Rate::from_gbps(10),
///     fabric_rate: Rate::from_gbps(40),
///     access_delay: TimeDelta::from_nanos(100),
///     fabric_delay: TimeDelta::from_micros(1),
/// }
/// .build();
/// assert_eq!(net.links().len(), 4 * 8 + 4 * 2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeafSpine {
    /// Number of leaves.
    pub leaves: u32,
    /// Number of spines.
    pub spines: u32,
    /// Stations under each leaf.
    pub stations_per_leaf: u32,
    /// Rate of the links to stations.
    pub access_rate: Rate,
    /// Rate of the links between leaves and spines.
    pub fabric_rate: Rate,
    /// Delay of the links to stations.
    pub access_delay: TimeDelta,
    /// Delay of the links between leaves and spines.
    pub fabric_delay: TimeDelta,
}

impl LeafSpine {
    /// Builds the network.
    pub fn build(&self) -> Topology {
        let mut net = Topology::new();
        let stations = numbered(&mut net, "h", self.leaves * self.stations_per_leaf, 0);
        let leaves: Vec<_> = (1..=self.leaves).map(|n| net.bridge(format!("leaf{n}"), 1)).collect();
        let spines: Vec<_> = (1..=self.spines).map(|n| net.bridge(format!("spine{n}"), 2)).collect();
        for (index, station) in stations.into_iter().enumerate() {
            let leaf = leaves[index / self.stations_per_leaf as usize];
            net.connect(station, leaf, self.access_rate, self.access_delay);
        }
        for &leaf in &leaves {
            for &spine in &spines {
                net.connect(leaf, spine, self.fabric_rate, self.fabric_delay);
            }
        }
        net
    }
}

/// A distributed bridge: racks of leaves `leaf<rack>.<n>` with stations `h1…`, where every leaf is linked to
/// each of the spines `spine1…`, which switch cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RackFabric {
    /// Number of racks.
    pub racks: u32,
    /// Leaves in each rack.
    pub leaves_per_rack: u32,
    /// Stations under each leaf.
    pub stations_per_leaf: u32,
    /// Number of spines, and therefore of uplinks from each leaf.
    pub spines: u32,
    /// Rate of the links to stations.
    pub access_rate: Rate,
    /// Delay of the links to stations.
    pub access_delay: TimeDelta,
    /// Rate of the links between leaves and spines.
    pub fabric_rate: Rate,
    /// Delay of the links between leaves and spines.
    pub fabric_delay: TimeDelta,
}

impl RackFabric {
    /// Builds the network.
    pub fn build(&self) -> Topology {
        let mut net = Topology::new();
        let stations = numbered(&mut net, "h", self.racks * self.leaves_per_rack * self.stations_per_leaf, 0);
        let mut leaves = Vec::new();
        for rack in 1..=self.racks {
            leaves.extend((1..=self.leaves_per_rack).map(|n| net.bridge(format!("leaf{rack}.{n}"), 1)));
        }
        let spines: Vec<_> = (1..=self.spines).map(|n| net.spine(format!("spine{n}"), 2)).collect();
        for (index, station) in stations.into_iter().enumerate() {
            let leaf = leaves[index / self.stations_per_leaf as usize];
            net.connect(station, leaf, self.access_rate, self.access_delay);
        }
        for &leaf in &leaves {
            for &spine in &spines {
                net.connect(leaf, spine, self.fabric_rate, self.fabric_delay);
            }
        }
        net
    }
}

/// A k-ary fat tree: k pods of k/2 `edge<pod>.<n>` and k/2 `agg<pod>.<n>` bridges, (k/2)² `core<n>` bridges
/// and k³/4 stations `h1…`, k/2 below each edge bridge.
///
/// ```
/// use setpoint_sim::topology::FatTree;
/// use setpoint_units::{Rate, TimeDelta};
///
/// let net = FatTree { k: 4, rate: Rate::from_gbps(10), delay: TimeDelta::from_micros(1) }.build();
/// assert_eq!(net.stations().count(), 16);
/// assert_eq!(net.nodes().len() - 16, 20, "bridges");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FatTree {
    /// Ports per bridge; an even number.
    pub k: u32,
    /// Rate of every link.
    pub rate: Rate,
    /// Delay of every link.
    pub delay: TimeDelta,
}

impl FatTree {
    /// Builds the network.
    ///
    /// # Panics
    /// If `k` is odd or zero.
    pub fn build(&self) -> Topology {
        assert!(self.k > 0 && self.k.is_multiple_of(2), "the k of a fat tree must be even and positive");
        let half = self.k / 2;
        let mut net = Topology::new();
        let stations = numbered(&mut net, "h", half * half * self.k, 0);
        let mut stations = stations.into_iter();
        let mut aggregations = Vec::new();
        for pod in 1..=self.k {
            let edges: Vec<_> = (1..=half).map(|n| net.bridge(format!("edge{pod}.{n}"), 1)).collect();
            let aggs: Vec<_> = (1..=half).map(|n| net.bridge(format!("agg{pod}.{n}"), 2)).collect();
            for &edge in &edges {
                for station in stations.by_ref().take(half as usize) {
                    net.connect(station, edge, self.rate, self.delay);
                }
                for &agg in &aggs {
                    net.connect(edge, agg, self.rate, self.delay);
                }
            }
            aggregations.push(aggs);
        }
        for group in 0..half {
            for member in 1..=half {
                let core = net.bridge(format!("core{}", group * half + member), 3);
                for aggs in &aggregations {
                    net.connect(aggs[group as usize], core, self.rate, self.delay);
                }
            }
        }
        net
    }
}

fn numbered(net: &mut Topology, prefix: &str, count: u32, layer: u16) -> Vec<NodeId> {
    (1..=count).map(|number| net.station(format!("{prefix}{number}"), layer)).collect()
}
