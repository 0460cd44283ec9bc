//! The network.

use setpoint_sim::{MAX_CLOCK_TOLERANCE, MessageOrder, Priority};
use setpoint_units::{Bytes, PartsPerMillion, TimeDelta};

use super::declare::{kinds, tables};
use super::groups::GroupDelivery;
use super::read::Entries;
use super::values::{Delay, LinkRate, List, OrWord};
use crate::limits::MAX_NODES;

const FABRIC: &str =
    "the fabric of Chrysos et al., \"Unbiased QCN for scalable server-fabrics\" (2014), section II-A";

kinds! {
    /// The network.
    pub(crate) enum Topology {
        /// Senders s1… – bridge left – bottleneck – bridge right – receivers r1…. The congested queue is left->right.
        /// Without [[flows]], every sender sends backlogged traffic to its receiver.
        "dumbbell" => Dumbbell(Dumbbell),
        /// Stations h1… around one bridge, called bridge.
        "star" => Star(Star),
        /// Bridges b1, b2, … in a row, with stations `h<bridge>.<n>` at each: h1.1 is the first station of b1.
        "parking_lot" => ParkingLot(ParkingLot),
        /// Stations h1… under leaf bridges; every leaf has a link to every spine, and each flow takes one path.
        "leaf_spine" => LeafSpine(LeafSpine),
        /// A distributed bridge: stations h1… under the leaves of several racks, and every leaf linked to every spine.
        /// The leaves are the ports of one bridge with input buffers (this implies `bridge = "cioq"`); frames cross the
        /// spines as cells, spread over all links.
        "rack_fabric" => RackFabric(RackFabric),
        /// A k-ary fat tree with stations h1… under bridges named edge, agg and core.
        "fat_tree" => FatTree(FatTree),
        /// Any network, defined by lists of nodes and links.
        "graph" => Graph(Graph),
    }
}

tables! {
    pub(crate) struct Dumbbell {
        /// Number of sending stations: s1, s2, ….
        senders: u32 [1..=MAX_NODES] = required;
        /// Number of receiving stations: r1, r2, ….
        receivers: Option<u32> [1..=MAX_NODES], "the number of senders";
        /// Rate of all links.
        rate: LinkRate = "10 Gb/s";
        /// Rate of the links to senders and receivers.
        access_rate: Option<LinkRate>, "rate";
        /// Rate of the link between the bridges.
        bottleneck_rate: Option<LinkRate>, "rate";
        /// Propagation delay from a sender to the bottleneck queue and back: twice access_delay. It cannot be combined
        /// with access_delay.
        rtt: TimeDelta = "50 us";
        /// Delay of the links between senders and the left bridge.
        access_delay: Option<Delay>, "half of rtt";
        /// Delay of the link between the bridges and of the links to receivers.
        bottleneck_delay: Delay = "1 us";
    }

    pub(crate) struct Star {
        /// Number of stations: h1, h2, ….
        stations: u32 [1..=MAX_NODES] = required;
        /// Rate of every link.
        rate: LinkRate = "10 Gb/s";
        /// Propagation delay of every link.
        delay: Delay = "1 us";
    }

    pub(crate) struct ParkingLot {
        /// Number of links in the row, which has one more bridge than links.
        hops: u32 [1..=10_000] = required;
        /// Number of stations at each bridge.
        stations_per_bridge: u32 [1..=MAX_NODES] = "1";
        /// Rate of the links in the row.
        rate: LinkRate = "10 Gb/s";
        /// Rate of the links to stations.
        access_rate: Option<LinkRate>, "rate";
        /// Propagation delay of every link.
        delay: Delay = "1 us";
    }

    pub(crate) struct LeafSpine {
        /// Number of leaf bridges: leaf1, leaf2, ….
        leaves: u32 [1..=MAX_NODES] = required;
        /// Number of spine bridges: spine1, spine2, ….
        spines: u32 [1..=MAX_NODES] = required;
        /// Number of stations under each leaf.
        stations_per_leaf: u32 [1..=MAX_NODES] = required;
        /// Rate of all links.
        rate: LinkRate = "10 Gb/s";
        /// Rate of the links to stations.
        access_rate: Option<LinkRate>, "rate";
        /// Rate of the links between leaves and spines.
        fabric_rate: Option<LinkRate>, "rate";
        /// Propagation delay of every link.
        delay: Delay = "1 us";
        /// Propagation delay of the links between leaves and spines, whose cables are often longer.
        fabric_delay: Option<Delay>, "delay";
    }

    pub(crate) struct RackFabric {
        /// Number of racks.
        racks: u32 [1..=MAX_NODES] = "4", origin FABRIC;
        /// Number of leaf bridges in each rack: `leaf<rack>.<n>`, as in leaf1.1.
        leaves_per_rack: u32 [1..=MAX_NODES] = "32", origin FABRIC;
        /// Number of stations under each leaf: h1, h2, … across all leaves, in order.
        stations_per_leaf: u32 [1..=MAX_NODES] = "5", origin FABRIC;
        /// Number of spines: spine1, spine2, …. Each leaf has one link to every spine.
        spines: u32 [1..=MAX_NODES] = "32", origin FABRIC;
        /// Rate of the links to stations.
        access_rate: LinkRate = "100 Gb/s", origin FABRIC;
        /// Delay of the links to stations.
        access_delay: Delay = "100 ns";
        /// Rate of the links between leaves and spines.
        fabric_rate: LinkRate = "25 Gb/s", origin FABRIC;
        /// Delay of the links between leaves and spines.
        fabric_delay: Delay = "100 ns";
    }

    pub(crate) struct FatTree {
        /// Number of ports per bridge, which must be even; there are k³/4 stations.
        k: u32 [2..=72] = required;
        /// Rate of every link.
        rate: LinkRate = "10 Gb/s";
        /// Propagation delay of every link.
        delay: Delay = "1 us";
    }

    pub(crate) struct Graph {
        /// Names of the stations; each has exactly one link.
        stations: List<String> [0..=MAX_NODES as usize] = required;
        /// Names of the bridges.
        bridges: List<String> [0..=MAX_NODES as usize] = required;
        /// The links, each between two nodes.
        links: Entries<Link> = required;
        /// Rate of links that do not set their own.
        rate: LinkRate = "10 Gb/s";
        /// Propagation delay of links that do not set their own.
        delay: Delay = "1 us";
    }

    pub(crate) struct Link {
        /// The two nodes that it connects.
        between: List<String> [2..=2] = required;
        /// Rate, in both directions.
        rate: Option<LinkRate>, "the graph's rate";
        /// Propagation delay.
        delay: Option<Delay>, "the graph's delay";
    }

    pub(crate) struct Network {
        /// Size of a bridge's buffer for each output port and priority. In an output-queued bridge,
        /// a priority under flow control is limited by its input thresholds instead.
        buffer: Bytes = "150 kB";
        /// Preamble and gap added to every frame on the wire (20 B on real Ethernet).
        overhead: Bytes = "0 B";
        /// Delay of MAC and PHY in each direction of a link: transmission at one end and reception at the other. It is added
        /// to the delays of the topology. "802.3" is the largest delay that the standard allows at the speed of the
        /// link, and real interfaces are faster. Links inside a rack fabric have none.
        interface_delay: OrWord<TimeDelta> [&["802.3"]] = "0 s",
            origin "the models in the papers have none; IEEE 802.3, 31B.3.7 and the tables of delay constraints, limit it";
        /// Maximum deviation of a station's clock. Each station has a fixed offset, which is
        /// derived from the seed and uniformly distributed between minus and plus this value. The
        /// clock drives the station's port, its rate limiters, its constant-rate sources and the
        /// timers of its reaction points; bridges have exact clocks. With equal clocks (0 ppm),
        /// senders of equal rate keep their order for the whole run: at a full queue that drops
        /// frames, one of them may get the whole link. A result that depends on the seed with equal
        /// clocks but not with "100 ppm", which Ethernet allows, is an artefact of equal clocks.
        clock_tolerance: PartsPerMillion [..=MAX_CLOCK_TOLERANCE] = "0 ppm",
            origin "equal clocks, so that the model adds no randomness; IEEE 802.3 allows 100 ppm";
        /// Time from the failure or recovery of a link until routes take it into account. Flows whose path uses a failed
        /// link then take a shortest path without it, and return to their usual path after the recovery. Flows to
        /// groups are not rerouted.
        rerouting_delay: TimeDelta = "1 ms",
            origin "our choice; real delays depend on the bridge and on the routing protocol, from microseconds to seconds";
        /// Frame length, unless a flow sets its own.
        frame: Bytes = "1000 B";
        /// Frame priority, unless a flow sets its own; under strict priority, 7 is served first.
        priority: Priority = "3";
        /// How the messages of a flow follow each other, unless the flow sets its own. Independent messages are sent at
        /// the same time, each like a separate flow, with its own share of the station's port, its own limiter and its
        /// own path, as in most papers that measure completion times. In order, they share one connection with one
        /// limiter, and a message waits for the earlier ones of its flow. At most 1024 independent messages of a flow
        /// are sent at the same time; further ones wait.
        messages: MessageOrder = "independent";
        /// How a flow to a group reaches its members. With multicast, the sender sends each frame
        /// once, and bridges copy it where paths diverge. With multiple-unicast, the sender has a
        /// separate flow to each member, named after the flow and the member, as in f1.r1.
        delivery: GroupDelivery = "multicast";
    }
}
