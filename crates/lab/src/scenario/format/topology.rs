//! The network.

use setpoint_sim::MAX_CLOCK_TOLERANCE;

use super::{Field, Shape};

/// Most stations and bridges.
pub(crate) const MAX_NODES: u64 = 100_000;
/// Most links.
pub(crate) const MAX_LINKS: u64 = 500_000;

const COUNT: Shape = Shape::Integer(1, MAX_NODES);
const RATE: Shape = Shape::Rate(&[]);
const FABRIC: &str =
    "the fabric of Chrysos and others, \"Unbiased QCN for scalable server-fabrics\" (2014), section II-A";

pub(super) fn fields() -> Vec<Field> {
    let kinds = vec![dumbbell(), star(), parking_lot(), leaf_spine(), rack_fabric(), fat_tree(), graph()];
    vec![
        Field::required("topology", Shape::OneOf(kinds), "The network: exactly one of these tables."),
        network(),
    ]
}

fn rate(doc: &'static str) -> Field {
    Field::value("rate", RATE, "10 Gb/s", doc)
}

fn delay() -> Field {
    Field::value("delay", Shape::Time, "1 us", "Propagation delay of every link.")
}

fn dumbbell() -> Field {
    let fields = vec![
        Field::required("senders", COUNT, "How many stations send: s1, s2, …."),
        Field::derived("receivers", COUNT, "as many as senders", "How many stations receive: r1, r2, …."),
        rate("Rate of all links."),
        Field::derived("access_rate", RATE, "rate", "Rate of the links to senders and receivers."),
        Field::derived("bottleneck_rate", RATE, "rate", "Rate of the link between the bridges."),
        Field::value(
            "rtt",
            Shape::Time,
            "50 us",
            "Propagation from a sender to the bottleneck's queue and back: twice access_delay. Not together \
             with access_delay.",
        ),
        Field::derived(
            "access_delay",
            Shape::Time,
            "half of rtt",
            "Delay of the links between senders and the left bridge.",
        ),
        Field::value(
            "bottleneck_delay",
            Shape::Time,
            "1 us",
            "Delay of the link between the bridges and of the links to receivers.",
        ),
    ];
    Field::table(
        "dumbbell",
        fields,
        "Senders s1… – bridge left – bottleneck – bridge right – receivers r1…. The congested queue is \
         left->right. Without [[flows]] every sender is backlogged to its receiver.",
    )
}

fn star() -> Field {
    let fields = vec![
        Field::required("stations", COUNT, "How many stations: h1, h2, …."),
        rate("Rate of every link."),
        delay(),
    ];
    Field::table("star", fields, "Stations h1… around one bridge, called bridge.")
}

fn parking_lot() -> Field {
    let fields = vec![
        Field::required("hops", Shape::Integer(1, 10_000), "Links in the row; there is one bridge more."),
        Field::value("stations_per_bridge", COUNT, "1", "Stations at each bridge."),
        rate("Rate of the links in the row."),
        Field::derived("access_rate", RATE, "rate", "Rate of the links to stations."),
        delay(),
    ];
    Field::table(
        "parking_lot",
        fields,
        "Bridges b1, b2, … in a row, with stations `h<bridge>.<n>` at each: h1.1 is the first station of b1.",
    )
}

fn leaf_spine() -> Field {
    let fields = vec![
        Field::required("leaves", COUNT, "How many leaf bridges: leaf1, leaf2, …."),
        Field::required("spines", COUNT, "How many spine bridges: spine1, spine2, …."),
        Field::required("stations_per_leaf", COUNT, "Stations under each leaf."),
        rate("Rate of all links."),
        Field::derived("access_rate", RATE, "rate", "Rate of the links to stations."),
        Field::derived("fabric_rate", RATE, "rate", "Rate of the links between leaves and spines."),
        delay(),
    ];
    Field::table(
        "leaf_spine",
        fields,
        "Stations h1… under leaves, and every leaf linked to every spine; paths are chosen per flow.",
    )
}

fn rack_fabric() -> Field {
    let count = |name, value, doc| Field::value(name, COUNT, value, doc).origin(FABRIC);
    let fields = vec![
        count("racks", "4", "How many racks."),
        count("leaves_per_rack", "32", "Leaf bridges in each rack: `leaf<rack>.<n>`, as in leaf1.1."),
        count("stations_per_leaf", "5", "Stations under each leaf: h1, h2, … through all leaves, in order."),
        count("spines", "32", "How many spines, and so links from each leaf: spine1, spine2, …."),
        Field::value("access_rate", RATE, "100 Gb/s", "Rate of the links to stations.").origin(FABRIC),
        Field::value("access_delay", Shape::Time, "100 ns", "Delay of the links to stations."),
        Field::value("fabric_rate", RATE, "25 Gb/s", "Rate of the links between leaves and spines.")
            .origin(FABRIC),
        Field::value("fabric_delay", Shape::Time, "100 ns", "Delay of the links between leaves and spines."),
    ];
    Field::table(
        "rack_fabric",
        fields,
        "A distributed bridge: stations h1… under the leaves of racks, and every leaf linked to every spine. The leaves \
         are the ports of one bridge with input buffers (`bridge = \"cioq\"`, which it implies); between them frames \
         cross the spines in cells, over all links alike.",
    )
}

fn fat_tree() -> Field {
    let fields = vec![
        Field::required("k", Shape::Integer(2, 72), "Ports per bridge, an even number: k³/4 stations."),
        rate("Rate of every link."),
        delay(),
    ];
    Field::table("fat_tree", fields, "A k-ary fat tree with stations h1… under bridges edge, agg and core.")
}

fn graph() -> Field {
    let link = vec![
        Field::required("between", Shape::List(Box::new(Shape::Text), 2, 2), "The two nodes it joins."),
        Field::derived("rate", RATE, "the graph's rate", "Its rate, in both directions."),
        Field::derived("delay", Shape::Time, "the graph's delay", "Its propagation delay."),
    ];
    let names = || Shape::List(Box::new(Shape::Text), 0, MAX_NODES as usize);
    let fields = vec![
        Field::required("stations", names(), "Names of the stations; each has exactly one link."),
        Field::required("bridges", names(), "Names of the bridges."),
        Field::required("links", Shape::Entries(link), "The links, each between two nodes."),
        rate("Rate of the links that give none."),
        delay(),
    ];
    Field::table("graph", fields, "Any network, written out.")
}

fn network() -> Field {
    let fields = vec![
        Field::value(
            "buffer",
            Shape::Size(&[]),
            "150 kB",
            "Room for waiting frames per output port and priority of a bridge. In an output-queued bridge a priority \
             under flow control is bounded by its input thresholds instead.",
        ),
        Field::value(
            "overhead",
            Shape::Size(&[]),
            "0 B",
            "Preamble and gap added to every frame on the wire (20 B on real Ethernet).",
        ),
        Field::value(
            "clock_tolerance",
            Shape::Deviation(MAX_CLOCK_TOLERANCE),
            "0 ppm",
            "How far the clock of a station may be off. Each station has a fixed offset, drawn from the seed with equal \
             probability between minus and plus this. Its clock times the rate of its port, the paces of its limiters, \
             sources of constant rate and the timers of its reaction points; bridges are exact. With equal clocks (0 ppm) \
             senders of one rate keep their order for ever: into a full queue that drops, one of them may get all of the link. \
             What depends on the seed with equal clocks and not with \"100 ppm\", which Ethernet allows, is an artefact of \
             equal clocks.",
        )
        .origin("equal clocks, so that the model adds no randomness; IEEE 802.3 allows 100 ppm"),
        Field::value("frame", Shape::Size(&[]), "1000 B", "Length of a frame, unless a flow says otherwise."),
        Field::value(
            "priority",
            Shape::Integer(0, 7),
            "3",
            "Priority of the flows' frames, unless a flow says otherwise; 7 is served first.",
        ),
        super::groups::delivery(),
    ];
    Field::table("network", fields, "What all bridges and flows share.")
}
