//! The network.

use setpoint_sim::{MAX_CLOCK_TOLERANCE, Priority};
use setpoint_units::{Bytes, PartsPerMillion, TimeDelta};

use super::declare::{kinds, tables};
use super::groups::GroupDelivery;
use super::read::Entries;
use super::values::{LinkRate, List};

/// Most stations and bridges.
pub(crate) const MAX_NODES: u64 = 100_000;
/// Most links.
pub(crate) const MAX_LINKS: u64 = 500_000;

const FABRIC: &str =
    "the fabric of Chrysos and others, \"Unbiased QCN for scalable server-fabrics\" (2014), section II-A";

kinds! {
    /// The network.
    pub(crate) enum Topology {
        /// Senders s1… – bridge left – bottleneck – bridge right – receivers r1…. The congested queue is
        /// left->right. Without [[flows]] every sender is backlogged to its receiver.
        "dumbbell" => Dumbbell(Dumbbell),
        /// Stations h1… around one bridge, called bridge.
        "star" => Star(Star),
        /// Bridges b1, b2, … in a row, with stations `h<bridge>.<n>` at each: h1.1 is the first station of b1.
        "parking_lot" => ParkingLot(ParkingLot),
        /// Stations h1… under leaves, and every leaf linked to every spine; paths are chosen per flow.
        "leaf_spine" => LeafSpine(LeafSpine),
        /// A distributed bridge: stations h1… under the leaves of racks, and every leaf linked to every spine. The leaves
        /// are the ports of one bridge with input buffers (`bridge = "cioq"`, which it implies); between them frames
        /// cross the spines in cells, over all links alike.
        "rack_fabric" => RackFabric(RackFabric),
        /// A k-ary fat tree with stations h1… under bridges edge, agg and core.
        "fat_tree" => FatTree(FatTree),
        /// Any network, written out.
        "graph" => Graph(Graph),
    }
}

tables! {
    pub(crate) struct Dumbbell {
        /// How many stations send: s1, s2, ….
        senders: u32 [1..=MAX_NODES] = required;
        /// How many stations receive: r1, r2, ….
        receivers: Option<u32> [1..=MAX_NODES], "as many as senders";
        /// Rate of all links.
        rate: LinkRate = "10 Gb/s";
        /// Rate of the links to senders and receivers.
        access_rate: Option<LinkRate>, "rate";
        /// Rate of the link between the bridges.
        bottleneck_rate: Option<LinkRate>, "rate";
        /// Propagation from a sender to the bottleneck's queue and back: twice access_delay. Not together
        /// with access_delay.
        rtt: TimeDelta = "50 us";
        /// Delay of the links between senders and the left bridge.
        access_delay: Option<TimeDelta>, "half of rtt";
        /// Delay of the link between the bridges and of the links to receivers.
        bottleneck_delay: TimeDelta = "1 us";
    }

    pub(crate) struct Star {
        /// How many stations: h1, h2, ….
        stations: u32 [1..=MAX_NODES] = required;
        /// Rate of every link.
        rate: LinkRate = "10 Gb/s";
        /// Propagation delay of every link.
        delay: TimeDelta = "1 us";
    }

    pub(crate) struct ParkingLot {
        /// Links in the row; there is one bridge more.
        hops: u32 [1..=10_000] = required;
        /// Stations at each bridge.
        stations_per_bridge: u32 [1..=MAX_NODES] = "1";
        /// Rate of the links in the row.
        rate: LinkRate = "10 Gb/s";
        /// Rate of the links to stations.
        access_rate: Option<LinkRate>, "rate";
        /// Propagation delay of every link.
        delay: TimeDelta = "1 us";
    }

    pub(crate) struct LeafSpine {
        /// How many leaf bridges: leaf1, leaf2, ….
        leaves: u32 [1..=MAX_NODES] = required;
        /// How many spine bridges: spine1, spine2, ….
        spines: u32 [1..=MAX_NODES] = required;
        /// Stations under each leaf.
        stations_per_leaf: u32 [1..=MAX_NODES] = required;
        /// Rate of all links.
        rate: LinkRate = "10 Gb/s";
        /// Rate of the links to stations.
        access_rate: Option<LinkRate>, "rate";
        /// Rate of the links between leaves and spines.
        fabric_rate: Option<LinkRate>, "rate";
        /// Propagation delay of every link.
        delay: TimeDelta = "1 us";
    }

    pub(crate) struct RackFabric {
        /// How many racks.
        racks: u32 [1..=MAX_NODES] = "4", origin FABRIC;
        /// Leaf bridges in each rack: `leaf<rack>.<n>`, as in leaf1.1.
        leaves_per_rack: u32 [1..=MAX_NODES] = "32", origin FABRIC;
        /// Stations under each leaf: h1, h2, … through all leaves, in order.
        stations_per_leaf: u32 [1..=MAX_NODES] = "5", origin FABRIC;
        /// How many spines, and so links from each leaf: spine1, spine2, ….
        spines: u32 [1..=MAX_NODES] = "32", origin FABRIC;
        /// Rate of the links to stations.
        access_rate: LinkRate = "100 Gb/s", origin FABRIC;
        /// Delay of the links to stations.
        access_delay: TimeDelta = "100 ns";
        /// Rate of the links between leaves and spines.
        fabric_rate: LinkRate = "25 Gb/s", origin FABRIC;
        /// Delay of the links between leaves and spines.
        fabric_delay: TimeDelta = "100 ns";
    }

    pub(crate) struct FatTree {
        /// Ports per bridge, an even number: k³/4 stations.
        k: u32 [2..=72] = required;
        /// Rate of every link.
        rate: LinkRate = "10 Gb/s";
        /// Propagation delay of every link.
        delay: TimeDelta = "1 us";
    }

    pub(crate) struct Graph {
        /// Names of the stations; each has exactly one link.
        stations: List<String> [0..=MAX_NODES as usize] = required;
        /// Names of the bridges.
        bridges: List<String> [0..=MAX_NODES as usize] = required;
        /// The links, each between two nodes.
        links: Entries<Link> = required;
        /// Rate of the links that give none.
        rate: LinkRate = "10 Gb/s";
        /// Propagation delay of every link.
        delay: TimeDelta = "1 us";
    }

    pub(crate) struct Link {
        /// The two nodes it joins.
        between: List<String> [2..=2] = required;
        /// Its rate, in both directions.
        rate: Option<LinkRate>, "the graph's rate";
        /// Its propagation delay.
        delay: Option<TimeDelta>, "the graph's delay";
    }

    pub(crate) struct Network {
        /// Room for waiting frames per output port and priority of a bridge. In an output-queued bridge a priority
        /// under flow control is bounded by its input thresholds instead.
        buffer: Bytes = "150 kB";
        /// Preamble and gap added to every frame on the wire (20 B on real Ethernet).
        overhead: Bytes = "0 B";
        /// How far the clock of a station may be off. Each station has a fixed offset, drawn from the seed with equal
        /// probability between minus and plus this. Its clock times the rate of its port, the paces of its limiters,
        /// sources of constant rate and the timers of its reaction points; bridges are exact. With equal clocks (0 ppm)
        /// senders of one rate keep their order for ever: into a full queue that drops, one of them may get all of the link.
        /// What depends on the seed with equal clocks and not with "100 ppm", which Ethernet allows, is an artefact of
        /// equal clocks.
        clock_tolerance: PartsPerMillion [..=MAX_CLOCK_TOLERANCE] = "0 ppm",
            origin "equal clocks, so that the model adds no randomness; IEEE 802.3 allows 100 ppm";
        /// Length of a frame, unless a flow says otherwise.
        frame: Bytes = "1000 B";
        /// Priority of the flows' frames, unless a flow says otherwise; 7 is served first.
        priority: Priority = "3";
        /// How a flow to a group reaches its members: the sender sends each frame once, and bridges copy it where paths
        /// part; or the sender has a flow to each member, called after both, as in f1.r1.
        delivery: GroupDelivery = "multicast";
    }
}
